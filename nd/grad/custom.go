package grad

import "github.com/ndgrad/ndgrad/nd"

// Function is an operation of the user's own, with its gradient. nnabla's PythonFunction.
type Function struct {
	// Name is what messages call it.
	Name string
	// Forward computes the results. It sees unrecorded arrays.
	Forward func(in []*nd.Array) []*nd.Array
	// Backward sets the gradients of the inputs that are needed. Made of functions of package ops, it can itself be
	// differentiated.
	Backward func(c *nd.Call)
	// Claims says which inputs and results Backward reads, so that a tape does not hold the others for it; nil: all.
	Claims *nd.Claims
}

// Call runs the function, and records it if a tape knows one of the inputs.
func (f *Function) Call(in ...*nd.Array) []*nd.Array {
	fn := nd.Func(f.Name)
	fn.Check(in...)
	out := f.Forward(detached(in))
	fn.Record(customOp{f}, in, out...)
	return out
}

// customOp is a Function as the tape remembers it.
type customOp struct{ f *Function }

func (op customOp) VJP(c *nd.Call) { op.f.Backward(c) }

func (op customOp) Claims() nd.Claims {
	if op.f.Claims != nil {
		return *op.f.Claims
	}
	return nd.Claims{In: ^uint64(0), Out: ^uint64(0)}
}

// detached returns headers on in that no tape knows.
func detached(in []*nd.Array) []*nd.Array {
	out := make([]*nd.Array, len(in))
	for i, x := range in {
		out[i] = x
		if !x.IsScalar() {
			out[i] = x.Detach()
		}
	}
	return out
}

// StopGradient returns x as a constant: no gradient flows back through it. nnabla's and mxnet's stop_gradient.
func StopGradient(x *nd.Array) *nd.Array { return x.Detach() }

// Checkpoint computes f(in…) without recording what happens inside: a gradient computes f again. It trades time for
// memory. f must be a pure function of its arguments: an array that a tape knows must be passed, not captured, and random
// streams must be made inside from a fixed seed.
func Checkpoint(f func(in []*nd.Array) []*nd.Array, in ...*nd.Array) []*nd.Array {
	const fn nd.Func = "grad.Checkpoint"
	fn.Check(in...)
	out := f(detached(in))
	for i, y := range out {
		if n, _ := y.Node(); n != nil {
			panic(fn.Errorf(in, "result %d depends on a recorded array that is not an argument: pass it", i))
		}
	}
	fn.Record(checkpointOp{f}, in, out...)
	return out
}

// checkpointOp is a checkpoint as the tape remembers it. f is its definition, which recorded gradients go through.
type checkpointOp struct {
	f func(in []*nd.Array) []*nd.Array
}

func (op checkpointOp) Composed(in []*nd.Array) []*nd.Array { return op.f(in) }

// VJP computes f again on a tape of its own, and goes back through that.
func (op checkpointOp) VJP(c *nd.Call) {
	inner := NewTape()
	defer inner.Release()
	in := make([]*nd.Array, c.Inputs())
	for i := range in {
		in[i] = c.In(i)
		if c.Needs(i) {
			in[i] = inner.Watch(in[i])
		}
	}
	through(c, in, op.f(in), func(ys, gys, xs []*nd.Array) []*nd.Array {
		gxs := inner.keepAll(inner.VJP(ys, gys, xs...))
		for _, g := range gxs {
			if g != nil {
				c.Own(g)
			}
		}
		return gxs
	})
}
