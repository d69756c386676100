package ufunc

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// programOp is a recorded elementwise program. Its gradients are the program's derivatives, which are programs, too.
type programOp struct {
	fn           nd.Func
	gradientName nd.Func // the name of its gradients in messages
	program      *device.Program
	scalars      []device.Scalar
	claims       nd.Claims
}

func (op *programOp) Claims() nd.Claims { return op.claims }

// Record records a program and its results if a tape has recorded one of the inputs.
func Record(fn nd.Func, p *device.Program, scalars []device.Scalar, in []*nd.Array, out ...*nd.Array) {
	if !Recorded(in...) {
		return
	}
	wanted := needed(0)
	for i, x := range in {
		if n, _ := x.Node(); n != nil {
			wanted |= 1 << i
		}
	}
	op := p.Compiled(wanted, func() any { return newProgramOp(fn, p, wanted) }).(*programOp)
	if len(scalars) > 0 || op.fn != fn {
		op = &programOp{fn: fn, gradientName: fn + ".grad", program: p, scalars: slices.Clone(scalars), claims: op.claims}
	}
	fn.Record(op, in, out...)
}

// needed is the set of a program's inputs that may need a gradient; it is the cache key of newProgramOp's results.
type needed uint

func newProgramOp(fn nd.Func, p *device.Program, wanted needed) *programOp {
	op := &programOp{fn: fn, gradientName: fn + ".grad", program: p}
	for i := range p.Inputs {
		if wanted>>i&1 == 0 {
			continue
		}
		d, err := p.Derive(i)
		if err != nil {
			continue // computing the gradient reports the error
		}
		for _, from := range d.From {
			for _, origin := range from {
				switch origin.Kind {
				case device.FromInput:
					op.claims.In |= 1 << origin.Index
				case device.FromOutput:
					op.claims.Out |= 1 << origin.Index
				}
			}
		}
	}
	return op
}

func (op *programOp) Traced() any { return traced.Program{Program: op.program, Scalars: op.scalars} }

func (op *programOp) VJP(c *nd.Call) {
	for i := range c.Inputs() {
		if !c.Needs(i) {
			continue
		}
		d, err := op.program.Derive(i)
		if err != nil {
			panic(c.Func().Errorf(nil, "%v", err))
		}
		var room [6]*nd.Array
		for k, p := range d.Programs {
			var g *nd.Array
			if len(d.From[k]) == 0 { // the derivative does not depend on the outputs' gradients: it is zero
				g = Zeros(c, c.Shape(i))
			} else if in := op.inputs(room[:0], c, d.From[k]); in != nil {
				g = op.gradient(c, i, p, in)
			} else {
				continue // the outputs that it depends on have no gradients
			}
			if old := c.Gx(i); old != nil {
				g = Add.Compute(nil, old, g)
			}
			c.SetGx(i, g)
		}
	}
}

// inputs gathers the inputs of a derivative, in memory that may be that of in. A missing gradient of an output is zero.
// It returns nil if all of them are missing.
func (op *programOp) inputs(in []*nd.Array, c *nd.Call, from []device.Origin) []*nd.Array {
	in = slices.Grow(in, len(from))[:len(from)]
	arrived := false
	for k, origin := range from {
		switch origin.Kind {
		case device.FromInput:
			in[k] = c.In(origin.Index)
		case device.FromOutput:
			in[k] = c.Out(origin.Index)
		default:
			in[k] = c.Gy(origin.Index)
			arrived = arrived || in[k] != nil
		}
	}
	if !arrived {
		return nil
	}
	for k, x := range in {
		if x == nil {
			in[k] = Zeros(c, c.OutShape(from[k].Index))
		}
	}
	return in
}

// Zeros returns zeros in the dtype of the outputs' gradients.
func Zeros(c *nd.Call, shape []int) *nd.Array {
	for k := 0; ; k++ {
		if g := c.Gy(k); g != nil {
			return c.Own(nd.Zeros(shape, nd.ArrayOptions{DType: g.DType(), Device: g.Device()}))
		}
	}
}

// gradient computes one derivative and sums it over the axes along which the input was broadcast.
func (op *programOp) gradient(c *nd.Call, i int, p *device.Program, in []*nd.Array) *nd.Array {
	fn, loop := op.gradientName, c.OutShape(0)
	if op.program.Inputs[i].Raw {
		return op.rawGradient(fn, c, i, p, in)
	}
	shape := c.Shape(i)
	if x := unchangedInput(p, in); x != nil && x.DType() == c.DType(i) && broadcast.Equal(shape, x.Layout().Shape) && broadcast.Equal(shape, loop) {
		return x
	}
	if !broadcast.Equal(shape, loop) && !Recorded(in...) && !p.HasRaw() && coversLoop(in, loop) {
		g := fn.NewLike(c.DType(i), shape, in...)
		fn.Reduce(p, nil, device.CombineSum, broadcast.SumAxes(loop, shape), op.scalars, g, in...)
		return g
	}
	dt := c.DType(i)
	if computed := p.Outputs[0].Type; computed.IsComplex() && !dt.IsComplex() && Recorded(in...) {
		dt = computed // the derivative of this gradient may read the result, and needs both parts
	}
	var g *nd.Array
	if dt == p.Outputs[0].Stored {
		g = fn.Defer(p, op.scalars, loop, in)
	}
	if g == nil {
		g = fn.NewLike(dt, loop, in...)
		Launch(fn, p, op.scalars, loop, nil, []*nd.Array{g}, in)
	}
	Record(fn, p, op.scalars, in, g)
	return fn.SumTo(g, shape)
}

// unchangedInput returns the array that a program returns unchanged, or nil if the program computes something.
func unchangedInput(p *device.Program, in []*nd.Array) *nd.Array {
	if value := &p.Code[p.Results[0]]; value.Op == device.OpInput {
		return in[value.Index]
	}
	return nil
}

// coversLoop reports whether one of the arrays has the loop's shape.
func coversLoop(in []*nd.Array, loop []int) bool {
	for _, x := range in {
		if broadcast.Equal(x.Shape(), loop) {
			return true
		}
	}
	return false
}

// rawGradient adds the gradients of a load at the indices that it read, which are the program's second output.
func (op *programOp) rawGradient(fn nd.Func, c *nd.Call, i int, p *device.Program, in []*nd.Array) *nd.Array {
	loop := c.OutShape(0)
	outs := runMany(fn, p, op.scalars, loop, in)
	size := broadcast.Size(c.Shape(i))
	zeros := fn.NewFilled(outs[0].DType(), []int{size}, 0, outs[0])
	flat := fn.Scatter(device.CombineSum, zeros, []int{0}, 0, []*nd.Array{outs[1].Ravel()}, outs[0].Ravel(), device.BoundsDrop)
	return flat.Reshape(c.Shape(i)...)
}

// runMany runs a program with several outputs over a loop; the outputs have the program's types.
func runMany(fn nd.Func, p *device.Program, scalars []device.Scalar, loop []int, in []*nd.Array) []*nd.Array {
	outs := make([]*nd.Array, len(p.Outputs))
	for k, q := range p.Outputs {
		outs[k] = fn.NewLike(q.Type, loop, in...)
	}
	Launch(fn, p, scalars, loop, nil, outs, in)
	Record(fn, p, scalars, in, outs...)
	return outs
}

// Run executes a program with one output on arrays and scalar operands, which become scalars of the launch.
func Run(fn nd.Func, p *device.Program, scalars []device.Scalar, o Options, in []*nd.Array) *nd.Array {
	if (o.Where != nil || o.Out != nil) && (Recorded(in...) || Recorded(o.Out)) {
		return runRecorded(fn, p, scalars, o, in)
	}
	var room Operands
	arrays, values, mask := room.Split(p, scalars, in)
	p = p.Bind(mask)
	shape := room.Loop(fn, arrays, o)
	y := compute(fn, p, values, shape, o, arrays, in)
	result := p.Outputs[0].Stored
	if o.Out == nil && (o.Casting != dtype.CastUnsafe || result.IsInexact() || linked(arrays)) { // no gradient flows through floats converted to integers
		Record(fn, p, values, arrays, y)
	}
	ReleaseLoaded(arrays, in)
	if len(arrays) == 0 && o == (Options{}) {
		return asScalar(y)
	}
	return y
}

// compute defers the result of Run, or launches the program. in are the operands for messages.
func compute(fn nd.Func, p *device.Program, scalars []device.Scalar, shape []int, o Options, arrays, in []*nd.Array) *nd.Array {
	y, result := o.Out, p.Outputs[0].Stored
	switch {
	case y != nil:
		if !dtype.CanCast(result, y.DType(), o.casting()) {
			panic(castError(fn, in, result, y.DType(), o.casting()))
		}
		if fn.DeferInto(p, scalars, y, o.Where, arrays) {
			return y
		}
	case o.Where != nil:
		y = fn.NewLike(result, shape, in...)
		nd.Fill(y, 0)
	default:
		if y = fn.Defer(p, scalars, shape, arrays); y != nil {
			return y
		}
		y = fn.NewLike(result, shape, in...)
	}
	Launch(fn, p, scalars, shape, o.Where, []*nd.Array{y}, arrays)
	return y
}

// Launch runs the kernel Elementwise.
func Launch(fn nd.Func, p *device.Program, scalars []device.Scalar, shape []int, where *nd.Array, out, in []*nd.Array) {
	l := fn.Launch(out[0].Device(), shape)
	l.Program = p
	copy(l.Scalars[:], scalars)
	for _, y := range out {
		l.Write(y)
	}
	for i, x := range in {
		if p.Inputs[i].Raw {
			l.ReadRaw(x)
		} else {
			l.Read(x)
		}
	}
	if where != nil {
		l.ReadMask(where)
	}
	l.Run(device.Device.Elementwise)
}

// runRecorded is Run with Out or Where under a tape: it computes the value, then chooses by Where, then assigns.
func runRecorded(fn nd.Func, p *device.Program, scalars []device.Scalar, o Options, in []*nd.Array) *nd.Array {
	y := Run(fn, p, scalars, Options{Casting: o.Casting}, in)
	if o.Where != nil {
		old := o.Out
		if old == nil {
			old = nd.Scalar(0)
		}
		made := y
		y = Choose(o.Where, y, old)
		made.Release()
	}
	if o.Out == nil {
		return y
	}
	if rule := o.casting(); !dtype.CanCast(y.DType(), o.Out.DType(), rule) {
		panic(castError(fn, []*nd.Array{y, o.Out}, y.DType(), o.Out.DType(), rule))
	}
	o.Out.Assign(y)
	y.Release()
	return o.Out
}

// linked reports whether a tape that links all results knows one of the arrays.
func linked(xs []*nd.Array) bool { return slices.ContainsFunc(xs, (*nd.Array).Links) }

// Recorded reports whether a tape has recorded one of the arrays; nil arrays are skipped.
func Recorded(xs ...*nd.Array) bool {
	for _, x := range xs {
		if x != nil {
			if n, _ := x.Node(); n != nil {
				return true
			}
		}
	}
	return false
}
