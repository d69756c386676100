package nn

import (
	"math"

	"github.com/ndgrad/ndgrad/nd/ops/conv"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// CPD3ConvolutionOptions are the options of [CPD3Convolution]. Options that Convolution has too have the same meaning.
type CPD3ConvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	WithBias              *bool
	// OIKInit makes the weights that the initial factors approximate, in the shape of Convolution's weights; nil means
	// initializer.UniformGlorot(channels, outmaps, kernel...).
	OIKInit initializer.Initializer
	BInit   initializer.Initializer
	// MaxIter is the largest number of least-squares rounds; 0 means 500.
	MaxIter int
	// StoppingCriterion ends the rounds when a round changes the fit 1 - ‖W - OIK‖²/‖W‖² by less; nil means 1e-5. A
	// negative value never ends them early.
	StoppingCriterion *float64
	// LambdaReg is added to the diagonal of the normal equations, which keeps the factors small.
	LambdaReg float64
}

// CPD3Convolution is [Convolution] with windows that are a sum of r products. It is a convolution with windows of
// length 1, "cpd3_conv/I", to r channels, a depthwise convolution, "cpd3_conv/K", and another convolution with windows
// of length 1, "cpd3_conv/O", plus the bias "cpd3_conv/b". The initial factors are a canonical polyadic decomposition Σ
// o⊗i⊗k of windows that OIKInit makes. It is computed by alternating least squares from random numbers. Existing I, K
// and O in the scope stay as they are.
//
// With K for the product of kernel's lengths, a rank of ⌊(1 - c)·outmaps·C·K/(outmaps + C + K)⌋ saves a fraction c of
// the weights.
//
// Shapes: x (M…, C, L…), I (r, C, 1, …), O (outmaps, r, 1, …), K (r, kernel…), b (outmaps); the result (M…, outmaps,
// L'…), as in Convolution.
// NNabla: parametric_functions.cpd3_convolution.
func CPD3Convolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, r int, opts ...CPD3ConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.CPD3Convolution"
	o := options.Read(fn, opts)
	g := layer.GeometryFrom(fn, x, o.BaseAxis, kernel, false)
	g.Divide(outmaps, 1)
	g.Slide(o.Pad, o.Stride, o.Dilation)
	wantRank(fn, x, r, math.MaxInt)
	if o.MaxIter < 0 || !(o.LambdaReg >= 0) {
		panic(fn.Errorf([]*nd.Array{x}, "MaxIter %d, LambdaReg %v: want no negative numbers", o.MaxIter, o.LambdaReg))
	}
	if o.OIKInit == nil {
		o.OIKInit = initializer.UniformGlorot(g.Channels, outmaps, g.Kernel...)
	}
	s := scope.Sub("cpd3_conv")
	of := []factor{{"I", g.Pointwise(r, g.Channels)}, {"O", g.Pointwise(outmaps, r)}, {"K", append([]int{r}, g.Kernel...)}}
	factors := s.factored(fn, of, g.Windows(outmaps, g.Channels), o.OIKInit, func(w *nd.Array, rng *nd.Rand) []*nd.Array {
		wantRank(fn, x, r, w.Size())
		if w.DType().IsComplex() {
			panic(fn.Errorf([]*nd.Array{w}, "new weights of dtype %s: want real ones", w.DType()))
		}
		a := o.decompose(w.Reshape(outmaps, g.Channels, broadcast.Size(g.Kernel)), r, rng)
		return []*nd.Array{a[1].T().Reshape(of[0].shape...), a[0].Reshape(of[1].shape...), a[2].T().Reshape(of[2].shape...)}
	})
	in, out, window := factors[0], factors[1], factors[2]
	b := s.bias(o.WithBias, []int{outmaps}, o.BInit)
	made := fn.Temporaries(&x, &in, &out, &window, &b)
	defer made.Release()
	h := conv.Convolution(layer.InDType(x, in), in, nil, conv.ConvolutionOptions{BaseAxis: &g.Base})
	h = conv.DepthwiseConvolution(h, window, nil, conv.DepthwiseConvolutionOptions{
		BaseAxis: &g.Base, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation})
	return made.Keep(conv.Convolution(h, out, b, conv.ConvolutionOptions{BaseAxis: &g.Base}))
}
