package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// PReLU is x if x is positive, else W·x, with the parameter W: see ops.PReLU. The gradient of x at
// 0 is that of the slope on its right, as in Chainer.
// PyTorch: nn.PReLU. Chainer: links.PReLU.
type PReLU struct {
	// Shape is the shape of W, the lengths of the first axes of an example; nil means one slope for all.
	Shape []int
	// Init makes the initial slopes; nil means 0.25.
	Init initializer.Initializer
}

// Apply returns the function of x (B, Shape…, …).
// Chainer: links.PReLU.__call__.
func (l PReLU) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "PReLU.Apply"
	defer s.Span("PReLU", x)()
	layer.WantReal(fn, s.DType(), x)
	if len(l.Shape) > 0 {
		wantAlong(fn, x, nil, l.Shape)
	}
	w := s.Parameter("W", l.Shape, orDefault(l.Init, initializer.Constant(0.25)), true)
	made := fn.Temporaries(&x, &w)
	defer made.Release()
	return made.Keep(ops.PReLU(layer.InDType(x, w), w, ops.PReLUOptions{Kink: ops.KinkRight}))
}
