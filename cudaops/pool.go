package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Pool combines elements in windows.
func (d *Device) Pool(l *device.Launch) {
	d.enter(l)
	d.pool(l, "pool", pooling{combine: l.Combine, result: &l.Operands[0], y: &l.Operands[0], x: &l.Operands[2], positions: &l.Operands[1],
		elements: l.Shape[2 : 2+l.Window.Rank]})
}

// PoolGrad gathers the gradients of the windows that an element is in.
func (d *Device) PoolGrad(l *device.Launch) {
	d.enter(l)
	p := pooling{combine: device.CombineSum, result: &l.Operands[0], x: &l.Operands[0], y: &l.Operands[1], positions: &device.Operand{},
		elements: l.Window.Size[:l.Window.Rank]}
	if l.N > 2 {
		p.positions = &l.Operands[2]
	}
	d.pool(l, "pool_grad", p)
}

// pooling holds the parameters of a Pool or a PoolGrad.
type pooling struct {
	combine                 device.Combine
	result, x, y, positions *device.Operand
	elements                []int // of the result, along the window's axes
}

// pool runs a kernel of kernels/pool.cuh.
func (d *Device) pool(l *device.Launch, name string, p pooling) {
	count := l.Shape[0] * l.Shape[1] * broadcast.Size(p.elements)
	if count == 0 {
		return
	}
	file, class := p.kernel()
	channels := l.Shape[1]
	a := newArguments(limitOf(l.Rank))
	a.int(int(p.combine))
	a.bool(!p.positions.Memory.IsNil())
	a.int(count)
	a.bool(channels > 1 && abs(p.result.Strides[1]) < abs(p.result.Strides[1+l.Window.Rank]))
	a.int(channels)
	a.divisor(channels)
	for axis := l.Window.Rank - 3; axis < l.Window.Rank; axis++ {
		a.poolAxis(l, p, axis)
	}
	for _, o := range []*device.Operand{p.x, p.y, p.positions} {
		size := o.DType.Size()
		a.word(address(o.Memory, o.Offset*size))
		a.int(int(o.DType))
		a.int(o.Strides[0] * size)
		a.int(o.Strides[1] * size)
	}
	d.run(l.Func, entry{file: file, name: name, class: class}, over(count), threads, 0, a)
}

// kernel returns the file and the class of numbers: the class of the result or, if the other operand has another, the
// one that sums are carried in.
func (p pooling) kernel() (file string, class byte) {
	class = classOf(p.result.DType)
	if classOf(p.x.DType) != class || classOf(p.y.DType) != class {
		switch class {
		case 'f':
			class = 'd'
		case 'c':
			class = 'z'
		}
	}
	if class == 'f' || class == 'd' {
		return "pool", class
	}
	return "pool_others", class
}

// poolAxis adds a PoolAxis. An axis with a negative number has only one point.
func (a *arguments) poolAxis(l *device.Launch, p pooling, axis int) {
	windows, taps, elements, size, stride, dilation, before := 1, 1, 1, 1, 1, 1, 0
	x, y, positions := 0, 0, 0
	if axis >= 0 {
		w := &l.Window
		windows, taps, elements = l.Shape[2+axis], l.Shape[2+w.Rank+axis], p.elements[axis]
		size, stride, dilation, before = w.Size[axis], w.Stride[axis], w.Dilation[axis], w.Before[axis]
		x, y, positions = p.x.Strides[2+axis]/stride*p.x.DType.Size(), p.y.Strides[2+axis]*p.y.DType.Size(), p.positions.Strides[2+axis]*p.positions.DType.Size()
	}
	common := commonDivisor(stride, dilation)
	for _, n := range [...]int{windows, taps, size, stride, dilation, before, dilation / common, stride / common, x, y, positions} {
		a.int(n)
	}
	a.divisor(elements)
	a.divisor(stride)
}
