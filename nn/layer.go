package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Functions that several layers use.

// wantReal checks arguments, and refuses complex ones, and a scope of complex parameters.
func (s *Scope) wantReal(fn nd.Func, in ...*nd.Array) { layer.WantReal(fn, s.DType(), in...) }

// bias returns the parameter "b" of a layer, or nil if an option leaves it out.
func (s *Scope) bias(with *bool, shape []int, initial initializer.Initializer) *nd.Array {
	if !layer.IsOn(with) {
		return nil
	}
	return s.Parameter("b", shape, initial, true)
}
