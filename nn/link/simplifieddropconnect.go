package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// SimplifiedDropconnect is a [Linear] layer that in training multiplies each example with its own weights. Each of
// these is 0 with the probability Ratio, and W/(1-Ratio) otherwise: see ops.SimplifiedDropConnect. It draws from the
// scope's stream; see [nn.WatchOptions]. Its parameters are W (OutSize, InSize) and b (OutSize).
// Chainer: links.SimplifiedDropconnect.
type SimplifiedDropconnect struct {
	InSize  int // elements per example, whose axes are flattened; 0: from the first input
	OutSize int
	// Ratio is the probability that a weight is dropped; nil means 0.5.
	Ratio *float64
	// NoBias leaves b out.
	NoBias bool
	// InitialW makes the initial weights; nil means initializer.LeCunNormal(1).
	InitialW initializer.Initializer
	// InitialBias makes the initial b; nil means zeros.
	InitialBias initializer.Initializer
	// Mask (B, OutSize, InSize) tells which weights remain in training, instead of a draw. The first mask is kept in
	// the scope, as the value "mask".
	Mask *nd.Array
}

// Apply returns the layer's outputs for x (B, …), shape (B, OutSize).
// Chainer: links.SimplifiedDropconnect.__call__.
func (l SimplifiedDropconnect) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "SimplifiedDropconnect.Apply"
	defer s.Span("SimplifiedDropconnect", x)()
	in := inputs(fn, s, x, l.InSize, l.OutSize)
	ratio := valueOr(l.Ratio, 0.5)
	if !(ratio >= 0 && ratio < 1) {
		panic(fn.Errorf([]*nd.Array{x}, "Ratio %v: want one from 0 to below 1", ratio))
	}
	if !s.Training() {
		p := linearOf(s, "", in, l.OutSize, l.NoBias, l.InitialW, l.InitialBias)
		made := temporaries(fn, []**nd.Array{&x}, &p)
		defer made.Release()
		return made.Keep(p.Of(x))
	}
	mask, rng := l.Mask, (*nd.Rand)(nil)
	if mask == nil {
		rng = s.Rand()
	} else {
		layer.WantReal(fn, s.DType(), x, mask)
		if shape := []int{x.Dim(0), l.OutSize, in}; !broadcast.Equal(mask.Shape(), shape) {
			panic(fn.Errorf([]*nd.Array{x, mask}, "want a mask of shape %s", broadcast.FormatShape(shape)))
		}
		if s.Get("mask") == nil {
			s.Value("mask", mask)
		}
	}
	p := linearOf(s, "", in, l.OutSize, l.NoBias, l.InitialW, l.InitialBias)
	made := temporaries(fn, []**nd.Array{&x, &mask}, &p)
	defer made.Release()
	return made.Keep(ops.SimplifiedDropConnect(layer.InDType(x, p.W), p.W, rng, ops.SimplifiedDropConnectOptions{B: p.B, Ratio: &ratio, Mask: mask}))
}
