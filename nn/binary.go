package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

// BinaryAffineOptions are the options of [BinaryConnectAffine] and [BinaryWeightAffine].
type BinaryAffineOptions struct {
	AffineOptions
	// QuantizeZeroTo is the sign of 0; nil means 1.
	QuantizeZeroTo *float64
	// WbInit makes the initial values of Wb, which the first training step overwrites; nil means UniformGlorot(inputs,
	// outputs).
	WbInit Initializer
}

// BinaryConnectAffine is [Affine] with the signs, 1 and -1, of the parameter "bicon_affine/W", and the bias
// "bicon_affine/b". The gradient of W is straight-through: W gets the gradient of the signs; see
// quantize.BinaryConnect. In training the layer writes the signs to the untrained parameter "bicon_affine/Wb". To share
// the weights, share W.
// NNabla: parametric_functions.binary_connect_affine.
func BinaryConnectAffine(scope *Scope, x *nd.Array, outputs int, opts ...BinaryAffineOptions) *nd.Array {
	const fn nd.Func = "nn.BinaryConnectAffine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("bicon_affine"), x, outputs, o.AffineOptions, o.binary(fn, x, outputs).signs())
}

// BinaryWeightAffine is [BinaryConnectAffine] with a scale per output: it multiplies by α·sign(W), where α is the mean
// absolute weight of an output. Its parameters are "bwn_affine/W" and "bwn_affine/b". W gets the gradient of α·sign(W);
// see quantize.BinaryWeight. In training the layer writes the signs to the untrained "bwn_affine/Wb", and the scales to
// "bwn_affine/alpha", which has the shape of b. NNabla's documentation gives 1/‖w‖₁ for α, but NNabla computes the mean
// absolute weight.
// NNabla: parametric_functions.binary_weight_affine.
func BinaryWeightAffine(scope *Scope, x *nd.Array, outputs int, opts ...BinaryAffineOptions) *nd.Array {
	const fn nd.Func = "nn.BinaryWeightAffine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("bwn_affine"), x, outputs, o.AffineOptions, o.binary(fn, x, outputs).scaled())
}

// BinaryConvolutionOptions are the options of [BinaryConnectConvolution] and [BinaryWeightConvolution].
type BinaryConvolutionOptions struct {
	ConvolutionOptions
	// QuantizeZeroTo is the sign of 0; nil means 1.
	QuantizeZeroTo *float64
	// WbInit makes the initial values of Wb, which the first training step overwrites; nil means
	// UniformGlorot(channels, outmaps, kernel...).
	WbInit Initializer
}

// BinaryConnectConvolution is [Convolution] with the signs of the parameter "bicon_conv/W", and the bias
// "bicon_conv/b"; otherwise it is like [BinaryConnectAffine].
// NNabla: parametric_functions.binary_connect_convolution.
func BinaryConnectConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, opts ...BinaryConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.BinaryConnectConvolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("bicon_conv"), x, outmaps, kernel, o.ConvolutionOptions,
		o.binary(fn, x, outmaps, kernel).signs())
}

// BinaryWeightConvolution is [Convolution] with α·sign(W) of the parameter "bwn_conv/W", and the bias "bwn_conv/b",
// where α is the mean absolute weight of an outmap; otherwise it is like [BinaryWeightAffine].
// NNabla: parametric_functions.binary_weight_convolution.
func BinaryWeightConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, opts ...BinaryConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.BinaryWeightConvolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("bwn_conv"), x, outmaps, kernel, o.ConvolutionOptions,
		o.binary(fn, x, outmaps, kernel).scaled())
}

func (o *BinaryAffineOptions) binary(fn nd.Func, x *nd.Array, outputs int) *binary {
	base, out := o.shapes(fn, x, outputs)
	initial := o.WbInit
	if initial == nil {
		initial = UniformGlorot(broadcast.Size(x.Shape()[base:]), outputs)
	}
	return &binary{initial: initial, zero: o.QuantizeZeroTo, outputs: out, each: ops.Over(0)}
}

func (o *BinaryConvolutionOptions) binary(fn nd.Func, x *nd.Array, outmaps int, kernel []int) *binary {
	g := o.geometry(fn, x, outmaps, kernel)
	initial := o.WbInit
	if initial == nil {
		initial = UniformGlorot(g.Channels, outmaps, kernel...)
	}
	return &binary{initial: initial, zero: o.QuantizeZeroTo, outputs: []int{outmaps}}
}

// binary says how a layer makes its weights binary. The bias stays as it is.
type binary struct {
	initial Initializer // of Wb
	zero    *float64
	outputs []int    // their shape
	each    ops.Axes // the axes of the weights of one output; nil for all but the first
}

// signs is the derivation of a layer that computes with the signs of W, recorded as Wb.
func (o *binary) signs() *derivation {
	return &derivation{
		create: func(s *Scope, name string, p *nd.Array, _ Initializer) {
			if name == "W" {
				s.Parameter("Wb", p.Shape(), o.initial, false)
			}
		},
		make: func(s *Scope, name string, p *nd.Array) *nd.Array {
			if name != "W" {
				return p
			}
			y := o.sign(p)
			s.record("Wb", y)
			return y
		},
	}
}

// scaled is the derivation of a layer that computes with the signs of W, recorded as Wb, times each output's scale,
// recorded as alpha.
func (o *binary) scaled() *derivation {
	return &derivation{
		create: func(s *Scope, name string, p *nd.Array, _ Initializer) {
			if name == "W" {
				s.Parameter("Wb", p.Shape(), o.initial, false)
				s.Parameter("alpha", o.outputs, nil, false)
			}
		},
		make: func(s *Scope, name string, p *nd.Array) *nd.Array {
			if name != "W" {
				return p
			}
			y, alpha := quantize.BinaryWeight(p, quantize.BinaryWeightOptions{QuantizeZeroTo: o.zero, Axes: o.each})
			if s.Training() {
				s.record("Wb", o.sign(p.Detach()))
				s.record("alpha", alpha.Reshape(o.outputs...))
			}
			return y
		},
	}
}

// sign is sign(w).
func (o *binary) sign(w *nd.Array) *nd.Array {
	return quantize.BinaryConnect(w, quantize.BinaryConnectOptions{QuantizeZeroTo: o.zero})
}
