package nn

import (
	"github.com/ndgrad/ndgrad/nd"
)

// Layers whose parameters are quantised or pruned compute with Q(W) and Q(b). In training they also write these to the untrained
// parameters W_q and b_q beside W and b, ordinary floats, as records of what the layer last computed with; evaluation derives them from
// W and b at once, and writes nothing. To share a layer's weights share W.

// quantizer returns the quantised values of a parameter.
type quantizer func(p *nd.Array) *nd.Array

// quantized is the derivation of a layer whose W and b are quantised by w and b, or left as they are where that is nil. The quantizers
// are first tried on no elements, so that their options are refused before a parameter is created.
func quantized(w, b quantizer) *derivation {
	of := map[string]quantizer{"W": w, "b": b}
	for _, q := range []quantizer{w, b} {
		if q != nil {
			q(nd.Zeros([]int{0})).Release()
		}
	}
	return &derivation{
		create: func(s *Scope, name string, p *nd.Array, initial Initializer) {
			if of[name] != nil {
				s.Parameter(name+"_q", p.Shape(), initial, false)
			}
		},
		make: func(s *Scope, name string, p *nd.Array) *nd.Array {
			q := of[name]
			if q == nil {
				return p
			}
			y := q(p)
			s.record(name+"_q", y)
			return y
		},
	}
}

// record gives, in training, a parameter of s the values of x. No tape hears of it.
func (s *Scope) record(name string, x *nd.Array) {
	if s.Training() {
		overwrite(s.Param(name).value, x)
	}
}
