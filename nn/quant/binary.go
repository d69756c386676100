package quant

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// BinaryAffineOptions are the options of [BinaryConnectAffine] and [BinaryWeightAffine].
type BinaryAffineOptions struct {
	nn.AffineOptions
	// QuantizeZeroTo is the sign of 0; nil means 1.
	QuantizeZeroTo *float64
	// WbInit makes the initial values of Wb, which the first training step overwrites; nil means
	// initializer.UniformGlorot(inputs, outputs).
	WbInit initializer.Initializer
}

// BinaryConnectAffine is [nn.Affine] with the signs, 1 and -1, of the parameter "bicon_affine/W", and the bias
// "bicon_affine/b". The gradient of W is straight-through: W gets the gradient of the signs; see
// quantize.BinaryConnect. In training the layer writes the signs to the untrained parameter "bicon_affine/Wb". To share
// the weights, share W.
// NNabla: parametric_functions.binary_connect_affine.
func BinaryConnectAffine(scope *nn.Scope, x *nd.Array, outputs int, opts ...BinaryAffineOptions) *nd.Array {
	const fn nd.Func = "quant.BinaryConnectAffine"
	o := options.Read(fn, opts)
	s := scope.Sub("bicon_affine").Precise()
	return layer.Affine(fn, s, x, outputs, layer.AffineOptions(o.AffineOptions), o.binary(fn, x, outputs).signs(s))
}

// BinaryWeightAffine is [BinaryConnectAffine] with a scale per output: it multiplies by α·sign(W), where α is the mean
// absolute weight of an output. Its parameters are "bwn_affine/W" and "bwn_affine/b". W gets the gradient of α·sign(W);
// see quantize.BinaryWeight. In training the layer writes the signs to the untrained "bwn_affine/Wb", and the scales to
// "bwn_affine/alpha", which has the shape of b. NNabla's documentation gives 1/‖w‖₁ for α, but NNabla computes the mean
// absolute weight.
// NNabla: parametric_functions.binary_weight_affine.
func BinaryWeightAffine(scope *nn.Scope, x *nd.Array, outputs int, opts ...BinaryAffineOptions) *nd.Array {
	const fn nd.Func = "quant.BinaryWeightAffine"
	o := options.Read(fn, opts)
	s := scope.Sub("bwn_affine").Precise()
	return layer.Affine(fn, s, x, outputs, layer.AffineOptions(o.AffineOptions), o.binary(fn, x, outputs).scaledSigns(s))
}

// BinaryConvolutionOptions are the options of [BinaryConnectConvolution] and [BinaryWeightConvolution].
type BinaryConvolutionOptions struct {
	nn.ConvolutionOptions
	// QuantizeZeroTo is the sign of 0; nil means 1.
	QuantizeZeroTo *float64
	// WbInit makes the initial values of Wb, which the first training step overwrites; nil means
	// initializer.UniformGlorot(channels, outmaps, kernel...).
	WbInit initializer.Initializer
}

// BinaryConnectConvolution is [nn.Convolution] with the signs of the parameter "bicon_conv/W", and the bias
// "bicon_conv/b"; otherwise it is like [BinaryConnectAffine].
// NNabla: parametric_functions.binary_connect_convolution.
func BinaryConnectConvolution(scope *nn.Scope, x *nd.Array, outmaps int, kernel []int, opts ...BinaryConvolutionOptions) *nd.Array {
	const fn nd.Func = "quant.BinaryConnectConvolution"
	o := options.Read(fn, opts)
	s, conv := scope.Sub("bicon_conv").Precise(), layer.ConvolutionOptions(o.ConvolutionOptions)
	return layer.Convolution(fn, s, x, outmaps, kernel, conv, o.binary(fn, x, outmaps, kernel).signs(s))
}

// BinaryWeightConvolution is [nn.Convolution] with α·sign(W) of the parameter "bwn_conv/W", and the bias "bwn_conv/b",
// where α is the mean absolute weight of an outmap; otherwise it is like [BinaryWeightAffine].
// NNabla: parametric_functions.binary_weight_convolution.
func BinaryWeightConvolution(scope *nn.Scope, x *nd.Array, outmaps int, kernel []int, opts ...BinaryConvolutionOptions) *nd.Array {
	const fn nd.Func = "quant.BinaryWeightConvolution"
	o := options.Read(fn, opts)
	s, conv := scope.Sub("bwn_conv").Precise(), layer.ConvolutionOptions(o.ConvolutionOptions)
	return layer.Convolution(fn, s, x, outmaps, kernel, conv, o.binary(fn, x, outmaps, kernel).scaledSigns(s))
}

func (o *BinaryAffineOptions) binary(fn nd.Func, x *nd.Array, outputs int) *binary {
	affine := layer.AffineOptions(o.AffineOptions)
	base, out := affine.Shapes(fn, x, outputs)
	initial := o.WbInit
	if initial == nil {
		initial = initializer.UniformGlorot(broadcast.Size(x.Shape()[base:]), outputs)
	}
	return &binary{initial: initial, zero: o.QuantizeZeroTo, outputs: out, each: ops.Over(0)}
}

func (o *BinaryConvolutionOptions) binary(fn nd.Func, x *nd.Array, outmaps int, kernel []int) *binary {
	conv := layer.ConvolutionOptions(o.ConvolutionOptions)
	g := conv.Geometry(fn, x, outmaps, kernel)
	initial := o.WbInit
	if initial == nil {
		initial = initializer.UniformGlorot(g.Channels, outmaps, g.Kernel...)
	}
	return &binary{initial: initial, zero: o.QuantizeZeroTo, outputs: []int{outmaps}}
}

// binary says how a layer makes its weights binary. The bias is not changed.
type binary struct {
	initial initializer.Initializer // makes the initial Wb
	zero    *float64
	outputs []int    // the shape of the outputs
	each    ops.Axes // the axes of the weights of one output; nil for all but the first
}

// signs is the derivation of a layer of s that computes with the signs of W, recorded as Wb.
func (o *binary) signs(s *nn.Scope) *layer.Derivation {
	return &layer.Derivation{
		Create: func(name string, p *nd.Array, _ initializer.Initializer) {
			if name == "W" {
				s.Parameter("Wb", p.Shape(), o.initial, false)
			}
		},
		Make: func(name string, p *nd.Array) *nd.Array {
			if name != "W" {
				return p
			}
			y := o.sign(p)
			record(s, "Wb", y)
			return y
		},
	}
}

// scaledSigns is the derivation of a layer of s that computes with the signs of W, recorded as Wb, times each output's
// scale, recorded as alpha.
func (o *binary) scaledSigns(s *nn.Scope) *layer.Derivation {
	return &layer.Derivation{
		Create: func(name string, p *nd.Array, _ initializer.Initializer) {
			if name == "W" {
				s.Parameter("Wb", p.Shape(), o.initial, false)
				s.Parameter("alpha", o.outputs, nil, false)
			}
		},
		Make: func(name string, p *nd.Array) *nd.Array {
			if name != "W" {
				return p
			}
			y, alpha := quantize.BinaryWeight(p, quantize.BinaryWeightOptions{QuantizeZeroTo: o.zero, Axes: o.each})
			if s.Training() {
				record(s, "Wb", o.sign(p.Detach()))
				record(s, "alpha", alpha.Reshape(o.outputs...))
			}
			return y
		},
	}
}

// sign returns the signs of w.
func (o *binary) sign(w *nd.Array) *nd.Array {
	return quantize.BinaryConnect(w, quantize.BinaryConnectOptions{QuantizeZeroTo: o.zero})
}
