package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Parameter is an array that is learnt, the parameter W. [nn.Scope.Parameter] says it without a link. chainer.links.Parameter.
type Parameter struct {
	Array *nd.Array // W at first
}

// Apply returns W. chainer.links.Parameter.__call__.
func (l Parameter) Apply(s *nn.Scope) *nd.Array {
	const fn nd.Func = "Parameter.Apply"
	fn.Check(l.Array)
	return s.Parameter("W", l.Array.Shape(), initializer.Values(l.Array), true)
}
