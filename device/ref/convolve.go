package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Convolve computes the output, the input or the weight of a convolution from the other two. It adds operand 3, if
// present, to an output or an input. It computes in the type of operand 0, as MatMul does: integers wrap, the sum of
// bools is or, sums of floats are accumulated in float64, sums of complex numbers in complex128.
func (d *Device) Convolve(l *device.Launch) {
	c := convolution{window: l.Window, n: l.Shape[0], g: l.Shape[1], m: l.Shape[2]}
	r := c.window.Rank
	c.outputShape, c.c, c.taps = l.Shape[3:3+r], l.Shape[3+r], l.Shape[4+r:4+2*r]
	if l.N > 3 {
		b := d.operand(l, 3)
		c.bias = &b
	}
	switch l.Part {
	case device.PartOutput:
		c.y, c.x, c.w = d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
		c.output()
		if l.Post != nil {
			l.ApplyPost(3+l.Window.Rank, d.Elementwise)
		}
	case device.PartInput:
		c.x, c.y, c.w = d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
		c.input()
	case device.PartWeight:
		c.w, c.y, c.x = d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
		c.weight()
	}
}

// convolution is the loop of a convolution, with the operands in it.
type convolution struct {
	window      device.Window
	n, g, m, c  int
	outputShape []int // how many positions y has along each axis of the window
	taps        []int // the size of the window
	y, x, w     operand
	bias        *operand // nil if there is none
}

// elementOfY, elementOfX and elementOfW return the number of an element in its block. o is an index in the output, at
// in the input, k in the window.
func (c *convolution) elementOfY(n, g, m int, o []int) int {
	return c.y.at([]int{n, g, m}) + along(o, c.y.strides[3:])
}

func (c *convolution) elementOfX(n, g, ch int, at []int) int {
	r := c.window.Rank
	element := c.x.at([]int{n, g}) + ch*c.x.strides[3+r]
	for axis, p := range at {
		element += p * (c.x.strides[3+axis] / c.window.Stride[axis])
	}
	return element
}

func (c *convolution) elementOfW(g, m, ch int, k []int) int {
	r := c.window.Rank
	return c.w.at([]int{0, g, m}) + ch*c.w.strides[3+r] + along(k, c.w.strides[4+r:])
}

func along(index, strides []int) int {
	sum := 0
	for axis, i := range index {
		sum += i * strides[axis]
	}
	return sum
}

// inputIndex returns the index in the input that window point k reads at index o of the output. ok is false in the padding,
// whose elements are zeros.
func (c *convolution) inputIndex(o, k []int) (at []int, ok bool) {
	at, ok = make([]int, len(o)), true
	for axis := range o {
		at[axis] = o[axis]*c.window.Stride[axis] + k[axis]*c.window.Dilation[axis] - c.window.Before[axis]
		ok = ok && 0 <= at[axis] && at[axis] < c.window.Size[axis]
	}
	return at, ok
}

// origin returns the index in the output for which window point k reads a given index of the input. ok is false if
// there is no such index.
func (c *convolution) origin(at, k []int) (o []int, ok bool) {
	o, ok = make([]int, len(at)), true
	for axis := range at {
		from := at[axis] + c.window.Before[axis] - k[axis]*c.window.Dilation[axis]
		o[axis] = from / c.window.Stride[axis]
		ok = ok && from >= 0 && from%c.window.Stride[axis] == 0 && o[axis] < c.outputShape[axis]
	}
	return o, ok
}

func (c *convolution) output() {
	s := sumFor(c.y)
	for _, i := range points([]int{c.n, c.g, c.m}) {
		for _, o := range points(c.outputShape) {
			s.reset()
			for ch := range c.c {
				for _, k := range points(c.taps) {
					x := value{}
					if at, ok := c.inputIndex(o, k); ok {
						x = c.x.load(c.elementOfX(i[0], i[1], ch, at), s.carried)
					}
					s.add(x, c.w.load(c.elementOfW(i[1], i[2], ch, k), s.carried))
				}
			}
			if c.bias != nil {
				s.addOne(*c.bias, c.bias.at([]int{0, i[1], i[2]}))
			}
			s.store(c.y, c.elementOfY(i[0], i[1], i[2], o))
		}
	}
}

func (c *convolution) input() {
	s := sumFor(c.x)
	for _, i := range points([]int{c.n, c.g, c.c}) {
		for _, at := range points(c.window.Size[:c.window.Rank]) {
			s.reset()
			for m := range c.m {
				for _, k := range points(c.taps) {
					if o, ok := c.origin(at, k); ok {
						s.add(c.y.load(c.elementOfY(i[0], i[1], m, o), s.carried), c.w.load(c.elementOfW(i[1], m, i[2], k), s.carried))
					}
				}
			}
			if c.bias != nil {
				s.addOne(*c.bias, c.bias.at([]int{0, i[1]})+i[2]*c.bias.strides[3+c.window.Rank])
			}
			s.store(c.x, c.elementOfX(i[0], i[1], i[2], at))
		}
	}
}

func (c *convolution) weight() {
	s := sumFor(c.w)
	for _, i := range points([]int{c.g, c.m, c.c}) {
		for _, k := range points(c.taps) {
			s.reset()
			for n := range c.n {
				for _, o := range points(c.outputShape) {
					x := value{}
					if at, ok := c.inputIndex(o, k); ok {
						x = c.x.load(c.elementOfX(n, i[0], i[2], at), s.carried)
					}
					s.add(c.y.load(c.elementOfY(n, i[0], i[1], o), s.carried), x)
				}
			}
			s.store(c.w, c.elementOfW(i[0], i[1], i[2], k))
		}
	}
}

// productSum sums the products that make up an element.
type productSum struct {
	compute, carried dtype.DType
	sum              value
}

func sumFor(o operand) *productSum {
	return &productSum{compute: o.compute(), carried: device.CarriedType(o.compute())}
}

func (s *productSum) reset() { s.sum = value{} }

func (s *productSum) add(a, b value) {
	s.sum = apply(device.OpAdd, s.carried, s.sum, apply(device.OpMul, s.carried, a, b))
}

func (s *productSum) addOne(a operand, i int) {
	s.sum = apply(device.OpAdd, s.carried, s.sum, a.load(i, s.carried))
}

func (s *productSum) store(o operand, at int) {
	o.store(at, convert(s.sum, s.carried, s.compute), s.compute)
}
