package grad

import "github.com/ndgrad/ndgrad/nd"

// Function is a user-defined operation with its gradient.
// NNabla: PythonFunction.
type Function struct {
	// Name is the function's name in messages.
	Name string
	// Forward computes the results. It gets unrecorded arrays.
	Forward func(in []*nd.Array) []*nd.Array
	// Backward sets the gradients of the inputs that need one. If it uses functions of package ops, it can itself be
	// differentiated.
	Backward func(c *nd.Call)
	// Claims says which inputs and results Backward reads, so that the tape does not keep the others. Nil means all.
	Claims *nd.Claims
}

// Call runs the function. It records the function if a tape knows one of the inputs.
func (f *Function) Call(in ...*nd.Array) []*nd.Array {
	fn := nd.Func(f.Name)
	fn.Check(in...)
	out := f.Forward(detached(in))
	fn.Record(customOp{f}, in, out...)
	return out
}

// customOp is a Function as an Op of the record.
type customOp struct{ f *Function }

func (op customOp) VJP(c *nd.Call) { op.f.Backward(c) }

func (op customOp) Claims() nd.Claims {
	if op.f.Claims != nil {
		return *op.f.Claims
	}
	return nd.Claims{In: ^uint64(0), Out: ^uint64(0)}
}

// detached returns unrecorded headers on in.
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

// StopGradient returns x as a constant: no gradient flows through it.
// NNabla: stop_gradient. MXNet: stop_gradient.
func StopGradient(x *nd.Array) *nd.Array { return x.Detach() }
