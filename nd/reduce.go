package nd

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Reduce runs the kernel Reduce of program p over the given axes (normalised, increasing) of the inputs' common shape,
// and writes y. The size of y must be that of the shape without the reduced axes, in their order. Reduce records
// nothing: it is the kernel that other functions are built on.
func (fn Func) Reduce(p, post *device.Program, combine device.Combine, axes []int, scalars []device.Scalar, y *Array, in ...*Array) {
	fn.reduce(p, post, combine, device.Attributes{}, axes, scalars, y, in)
}

// SumSquares is [Func.Reduce] that adds up the squared magnitudes of the program's values. If post has a second input,
// unit, no square leaves the range: the true sum is x·unit², where x is the first input.
func (fn Func) SumSquares(p, post *device.Program, axes []int, scalars []device.Scalar, y *Array, in ...*Array) {
	fn.reduce(p, post, device.CombineSum, device.Attributes{Squares: true}, axes, scalars, y, in)
}

// SumDeviations is [Func.SumSquares] of the program x - mean. The mean is that of x, up to rounding, and has length 1 along
// the axes. The sum is 0 if all elements of x are equal.
func (fn Func) SumDeviations(p, post *device.Program, axes []int, scalars []device.Scalar, y, x, mean *Array) {
	fn.reduce(p, post, device.CombineSum, device.Attributes{Squares: true, Centred: true}, axes, scalars, y, []*Array{x, mean})
}

func (fn Func) reduce(p, post *device.Program, combine device.Combine, how device.Attributes, axes []int, scalars []device.Scalar, y *Array, in []*Array) {
	if t := p.Outputs[0].Type; !combine.Accepts(t) {
		panic(fn.Errorf(in, "%s combines bools, not values of %s", combine, t))
	}
	loop := in[0].shape
	for _, x := range in[1:] {
		if broadcast.Equal(x.shape, loop) {
			continue
		}
		var err error
		if loop, err = broadcast.Shapes(loop, x.shape); err != nil {
			panic(fn.Errorf(in, "%v", err))
		}
	}
	var reduced uint64
	for _, k := range axes {
		reduced |= 1 << k
	}
	var room [MaxRank]int
	order := room[:0] // kept axes, then reduced ones
	for k := range loop {
		if reduced>>k&1 == 0 {
			order = append(order, k)
		}
	}
	kept := len(order)
	order = append(order, axes...)
	l := fn.Launch(y.store.dev, loop)
	l.Program, l.Post, l.Combine, l.Squares, l.Centred, l.Reduced = p, post, combine, how.Squares, how.Centred, len(axes)
	for k, axis := range order {
		l.Shape[k] = loop[axis]
	}
	copy(l.Scalars[:], scalars)
	out := l.next(y)
	clear(out.Strides[:len(loop)])
	if len(y.shape) == kept {
		copy(out.Strides[:], y.strides)
	} else { // y has axes of length 1 instead of the reduced ones, or fewer leading axes
		lead := len(loop) - len(y.shape)
		for k, axis := range order[:kept] {
			if axis >= lead {
				out.Strides[k] = y.strides[axis-lead]
			}
		}
	}
	l.Outputs = 1
	if len(in) == 1 && p.IsIdentity() && !(how.Squares && (p.Outputs[0].Type.IsComplex() || kept > 0)) && l.reduceDeferred(in[0], order, scalars) {
		return
	}
	for _, x := range in {
		strideInOrder(l.next(x), x, loop, order)
	}
	l.Run(device.Device.Reduce)
}

// strideInOrder sets the strides of x, broadcast to the loop, whose axes have another order in the launch.
func strideInOrder(op *device.Operand, x *Array, loop, order []int) {
	lead := len(loop) - len(x.shape)
	for k, axis := range order {
		op.Strides[k] = 0
		if axis >= lead && x.shape[axis-lead] != 1 {
			op.Strides[k] = x.strides[axis-lead]
		}
	}
}

// SumTo sums x over the axes along which an array of the given shape would be broadcast to x's shape. It is the
// transpose of [Array.BroadcastTo].
func (fn Func) SumTo(x *Array, shape []int) *Array {
	x.check(fn)
	if broadcast.Equal(x.shape, shape) {
		return x
	}
	axes := broadcast.SumAxes(x.shape, shape)
	lead := len(x.shape) - len(shape)
	if lead < 0 || lead+len(shape) != len(x.shape) {
		panic(fn.Errorf([]*Array{x}, "shape %s does not broadcast to it", broadcast.FormatShape(shape)))
	}
	y := fn.NewLike(x.dtype, shape, x)
	fn.Reduce(device.Identities.Of(dtype.ComputeType(x.dtype)), nil, device.CombineSum, axes, nil, y, x)
	fn.Record(sumToOp{}, []*Array{x}, y)
	return y
}

type sumToOp struct{}

func (sumToOp) Claims() Claims { return Claims{} }
func (sumToOp) Traced() any    { return traced.SumTo{} }
func (sumToOp) VJP(c *Call)    { c.SetGx(0, c.Gy(0).BroadcastTo(c.Shape(0)...)) }
