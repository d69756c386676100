package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Parameter is a trained array, the parameter W. [nn.Scope.Parameter] does the same without a link.
// Chainer: links.Parameter.
type Parameter struct {
	Array *nd.Array // the initial W
}

// Apply returns W.
// Chainer: links.Parameter.__call__.
func (l Parameter) Apply(s *nn.Scope) *nd.Array {
	const fn nd.Func = "Parameter.Apply"
	fn.Check(l.Array)
	return s.Parameter("W", l.Array.Shape(), initializer.Values(l.Array), true)
}
