package optim

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// HasNaN reports whether any gradient contains a NaN. It waits for the device, once for all gradients.
// NNabla: check_nan_grad.
func (g *Gradients) HasNaN() bool { return g.any("Gradients.HasNaN", &shared().notNumber) }

// HasInf reports whether any gradient contains an infinity. It waits for the device, once for all gradients.
// NNabla: check_inf_grad.
func (g *Gradients) HasInf() bool { return g.any("Gradients.HasInf", &shared().infinite) }

// HasInfOrNaN reports whether any gradient contains an infinity or a NaN. It waits for the device, once for all
// gradients.
// NNabla: check_inf_or_nan_grad.
func (g *Gradients) HasInfOrNaN() bool { return g.any("Gradients.HasInfOrNaN", &shared().unbounded) }

// any reports whether any element of any gradient passes a test.
func (g *Gradients) any(fn nd.Func, test *reduction) bool {
	g.checkValid(fn)
	members := membersOf(g.list)
	if len(members) == 0 {
		return false
	}
	first := members[0].value
	found := fn.NewLike(dtype.Bool, []int{len(members)}, first)
	var c chain
	for i, m := range members {
		part := found.Index(nd.At(i))
		test.reduce(fn, &c, m, coupled, nil, nil, part)
		part.Release()
	}
	y := fn.NewLike(dtype.Bool, nil, first)
	fn.Reduce(shared().identity.Of(dtype.Bool), nil, device.CombineAny, []int{0}, nil, y, found)
	some := nd.Value[bool](y)
	found.Release()
	y.Release()
	return some
}
