package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// What the parametric functions have in common.

// wantReal checks arguments, and refuses complex ones, and a scope of complex parameters.
func (s *Scope) wantReal(fn nd.Func, in ...*nd.Array) { layer.WantReal(fn, s.DType(), in...) }

// bias is the parameter "b" of a layer, nil where an option leaves it out.
func (s *Scope) bias(with *bool, shape []int, initial initializer.Initializer) *nd.Array {
	if !layer.IsOn(with) {
		return nil
	}
	return s.Parameter("b", shape, initial, true)
}
