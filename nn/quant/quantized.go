package quant

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Layers whose parameters are quantised or pruned compute with Q(W) and Q(b). In training they also write Q(W) and Q(b)
// to the untrained parameters W_q and b_q beside W and b, ordinary floats, as a record of what the layer last computed
// with. Evaluation derives the values from W and b directly, and writes nothing. To share a layer's weights, share W.

// quantizer says how a parameter is quantised; a nil quantizer does not change it.
type quantizer struct {
	// create registers the arrays that the quantizer itself keeps in the layer's scope, for a parameter p; nil for
	// none.
	create func(s *nn.Scope, p *nd.Array)
	// of returns the quantised values of p.
	of func(s *nn.Scope, p *nd.Array) *nd.Array
}

// affine is nn.Affine with the parameters of s, quantised by w and b.
func affine(fn nd.Func, s *nn.Scope, x *nd.Array, outputs int, o nn.AffineOptions, w, b *quantizer) *nd.Array {
	return layer.Affine(fn, s, x, outputs, layer.AffineOptions(o), quantized(s, w, b))
}

// convolution is nn.Convolution with the parameters of s, quantised by w and b.
func convolution(fn nd.Func, s *nn.Scope, x *nd.Array, outmaps int, kernel []int, o nn.ConvolutionOptions, w, b *quantizer) *nd.Array {
	return layer.Convolution(fn, s, x, outmaps, kernel, layer.ConvolutionOptions(o), quantized(s, w, b))
}

// quantized is the derivation of a layer of s whose W and b are quantised.
func quantized(s *nn.Scope, w, b *quantizer) *layer.Derivation {
	by := map[string]*quantizer{"W": w, "b": b}
	return &layer.Derivation{
		Create: func(name string, p *nd.Array, initial initializer.Initializer) {
			q := by[name]
			if q == nil {
				return
			}
			s.Parameter(name+"_q", p.Shape(), initial, false)
			if q.create != nil {
				q.create(s, p)
			}
		},
		Make: func(name string, p *nd.Array) *nd.Array {
			q := by[name]
			if q == nil {
				return p
			}
			y := q.of(s, p)
			record(s, name+"_q", y)
			return y
		},
	}
}

// rounding returns a quantizer that keeps nothing, or nil if on is false. It first tries round on an empty array, so
// that invalid options are refused before a parameter is created.
func rounding(on bool, round func(p *nd.Array) *nd.Array) *quantizer {
	if !on {
		return nil
	}
	round(nd.Zeros([]int{0})).Release()
	return &quantizer{of: func(_ *nn.Scope, p *nd.Array) *nd.Array { return round(p) }}
}

// record sets a parameter of s to the values of x, in training only. No tape records the write.
func record(s *nn.Scope, name string, x *nd.Array) {
	if s.Training() {
		layer.Overwrite(s.Param(name).Value(), x)
	}
}
