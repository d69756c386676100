package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Scatter combines values into a copy of x, at the elements that Gather with the same arguments reads. If several
// values go to one element, device.CombineAssign keeps the last one and device.CombineSum adds them up.
func (fn Func) Scatter(combine device.Combine, x *Array, axes []int, at int, indices []*Array, values *Array, bounds device.Bounds) *Array {
	p, indexArrays := planFor(fn, x, axes, at, indices, bounds)
	defer indexArrays.release()
	fn.Check(x, values)
	shape, _ := p.result()
	if _, err := values.Layout().BroadcastTo(shape); err != nil {
		panic(fn.Errorf([]*Array{x, values}, "%v", err))
	}
	spread := values.BroadcastTo(shape...)
	defer spread.Release()
	return p.scatter(fn, combine, x, spread, indexArrays.ready)
}

// scatter is Scatter for values that have the shape of the gathered elements.
func (p plan) scatter(fn Func, combine device.Combine, x, values *Array, indices []*Array) *Array {
	y := duplicate(fn, x)
	p.scatterInto(fn, combine, y, values, indices)
	if x.node != nil || values.node != nil || slices.ContainsFunc(indices, (*Array).Links) {
		fn.Record(scatterOp{p, combine}, append([]*Array{x, values}, indices...), y)
	}
	return y
}

// scatterInto writes to y itself, and records nothing.
func (p plan) scatterInto(fn Func, combine device.Combine, y, values *Array, indices []*Array) {
	shape, resultAxis := p.result()
	l := fn.Launch(y.store.dev, shape)
	l.Bounds, l.Combine = p.bounds, combine
	var strides []int
	strides, l.Axes = p.indexed(y, resultAxis, len(shape))
	l.WriteStrides(y, strides)
	l.Read(values)
	p.readIndices(&l, indices)
	l.Run(device.Device.Scatter)
}

type scatterOp struct {
	plan    plan
	combine device.Combine
}

func (op scatterOp) Traced() any {
	return traced.Scatter{Gather: op.plan.traced(), Combine: op.combine}
}
func (op scatterOp) Claims() Claims { return Claims{In: ^uint64(3)} }

// VJP: a sum passes the gradient to the array and, gathered, to the values. An assignment stops the gradient of the
// array at the written elements; of several values for one element only the last gets the gradient.
func (op scatterOp) VJP(c *Call) {
	g, indices := c.Gy(0), callIndices(c, 2)
	switch op.combine {
	case device.CombineSum:
		c.SetGx(0, g)
		if c.Needs(1) {
			c.SetGx(1, op.plan.gather(c.Func(), g, indices))
		}
	case device.CombineAssign:
		if c.Needs(0) {
			zero := c.Func().NewFilled(g.dtype, nil, 0, g)
			shape, _ := op.plan.result()
			c.SetGx(0, op.plan.scatter(c.Func(), device.CombineAssign, g, zero.BroadcastTo(shape...), indices))
		}
		if c.Needs(1) {
			c.SetGx(1, op.plan.gatherWinners(c.Func(), g, indices))
		}
	default:
		panic(c.Func().Errorf(nil, "scattering with %v has no gradient", op.combine))
	}
}

// gatherWinners gathers g, with 0 for values that a later value for the same element has overwritten.
func (p plan) gatherWinners(fn Func, g *Array, indices []*Array) *Array {
	shape, _ := p.result()
	n := broadcast.Size(shape)
	count := ramp(fn, g.store.dev, dtype.Int64, n, scalarValueOf(0), scalarValueOf(1))
	number := count.Reshape(shape...)
	last := allocate(fn, g.store.dev, dtype.Int64, p.source)
	last.fill(fn, scalarValueOf(-1))
	p.scatterInto(fn, device.CombineAssign, last, number, indices)
	won, all := p.gather(fn, last, indices), p.gather(fn, g, indices)
	y := maskEqual(fn, all, won, number)
	for _, x := range []*Array{count, number, last, won, all} {
		x.Release()
	}
	return y
}

var winners = device.Programs{Source: device.Source{Name: "winners", Inputs: "T g, int64 a, int64 b", Outputs: "T y", Body: "y = a == b ? g : T(0)"}}

// maskEqual returns g where a equals b, else 0.
func maskEqual(fn Func, g, a, b *Array) *Array {
	y := fn.NewLike(g.dtype, g.shape, g)
	l := fn.Launch(g.store.dev, g.shape)
	l.Program = winners.Of(dtype.ComputeType(g.dtype))
	l.Write(y)
	l.Read(g)
	l.Read(a)
	l.Read(b)
	l.Run(device.Device.Elementwise)
	if g.node != nil {
		fn.Record(maskOp{}, []*Array{g, a, b}, y)
	}
	return y
}

type maskOp struct{}

func (maskOp) Claims() Claims { return Claims{In: ^uint64(1)} }

func (maskOp) Traced() any { return traced.MaskEqual{} }

func (maskOp) VJP(c *Call) { c.SetGx(0, maskEqual(c.Func(), c.Gy(0), c.In(1), c.In(2))) }
