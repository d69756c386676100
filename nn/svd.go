package nn

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// SVDAffineOptions are the options of [SVDAffine]. Options that Affine has too have the same meaning.
type SVDAffineOptions struct {
	BaseAxis *int
	WithBias *bool
	// UVInit makes the weights that the initial U·V approximates, in the shape of Affine's weights; nil means
	// initializer.UniformGlorot(inputs, outputs).
	UVInit   initializer.Initializer
	BInit    initializer.Initializer
	OutShape []int
}

// SVDAffine is [Affine] with weights U·V of a low rank: x·U·V + b with the parameters "svd_affine/U", "svd_affine/V"
// and "svd_affine/b". Their initial values are the r largest singular values of a matrix that UVInit makes, with their
// vectors. The singular values are multiplied into U. The product is the nearest matrix of that rank. Existing U and V
// in the scope stay as they are.
//
// A rank of ⌊(1 - c)·inputs·outputs/(inputs + outputs)⌋ saves a fraction c of the weights. The rank of new weights is
// at most the smaller of inputs and outputs.
//
// Shapes: x (M0, …, D1, D2, …), U (D1·D2·…, r), V (r, outputs), b (outputs); the result (M0, …, outputs). OutShape
// replaces outputs in all of these shapes.
// NNabla: parametric_functions.svd_affine.
func SVDAffine(scope *Scope, x *nd.Array, outputs, r int, opts ...SVDAffineOptions) *nd.Array {
	const fn nd.Func = "nn.SVDAffine"
	o := options.Read(fn, opts)
	dense := layer.AffineOptions{BaseAxis: o.BaseAxis, OutShape: o.OutShape}
	base, out := dense.Shapes(fn, x, outputs)
	wantRank(fn, x, r, math.MaxInt)
	inputs := broadcast.Size(x.Shape()[base:])
	if o.UVInit == nil {
		o.UVInit = initializer.UniformGlorot(inputs, outputs)
	}
	s := scope.Sub("svd_affine")
	of := []factor{{"U", []int{inputs, r}}, {"V", append([]int{r}, out...)}}
	uv := s.factored(fn, of, append([]int{inputs}, out...), o.UVInit, func(w *nd.Array, _ *nd.Rand) []*nd.Array {
		wantRank(fn, x, r, min(inputs, outputs))
		u, v := lowRank(w.Reshape(inputs, outputs), r)
		return []*nd.Array{u, v.Reshape(of[1].shape...)}
	})
	u, v := uv[0], uv[1]
	b := s.bias(o.WithBias, out, o.BInit)
	made := fn.Temporaries(&x, &u, &v, &b)
	defer made.Release()
	h := ops.Affine(layer.InDType(x, u), u, ops.AffineOptions{BaseAxis: &base})
	return made.Keep(ops.Affine(h, v, ops.AffineOptions{Bias: b, BaseAxis: &base}))
}

// SVDConvolutionOptions are the options of [SVDConvolution]. Options that Convolution has too have the same meaning.
type SVDConvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	WithBias              *bool
	// UVInit makes the weights that the initial U and V approximate, in the shape of Convolution's weights; nil means
	// initializer.UniformGlorot(channels, outmaps, kernel...).
	UVInit initializer.Initializer
	BInit  initializer.Initializer
}

// SVDConvolution is [Convolution] with windows of a low rank for each channel of x. It is a depthwise convolution with
// the parameter "svd_conv/U", which makes r channels of each, and a convolution with windows of length 1, "svd_conv/V",
// plus the bias "svd_conv/b". For each channel the initial U and V are the r largest singular values of the windows
// that UVInit makes, with their vectors. The singular values are multiplied into U. Existing U and V in the scope stay
// as they are.
//
// With K for the product of kernel's lengths, a rank of ⌊(1 - c)·outmaps·K/(outmaps + K)⌋ saves a fraction c of the
// weights. The rank of new weights is at most the smaller of K and outmaps.
//
// Shapes: x (M…, C, L…), U (C·r, kernel…), V (outmaps, C·r, 1, …), b (outmaps); the result (M…, outmaps, L'…), as in
// Convolution.
// NNabla: parametric_functions.svd_convolution.
func SVDConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, r int, opts ...SVDConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.SVDConvolution"
	o := options.Read(fn, opts)
	g := layer.GeometryFrom(fn, x, o.BaseAxis, kernel, false)
	g.Divide(outmaps, 1)
	g.EachChannel()
	g.Slide(o.Pad, o.Stride, o.Dilation)
	wantRank(fn, x, r, math.MaxInt)
	if o.UVInit == nil {
		o.UVInit = initializer.UniformGlorot(g.Channels, outmaps, g.Kernel...)
	}
	window, maps := broadcast.Size(g.Kernel), g.Channels*r
	s := scope.Sub("svd_conv")
	of := []factor{{"U", append([]int{maps}, g.Kernel...)}, {"V", g.Pointwise(outmaps, maps)}}
	uv := s.factored(fn, of, g.Windows(outmaps, g.Channels), o.UVInit, func(w *nd.Array, _ *nd.Rand) []*nd.Array {
		wantRank(fn, x, r, min(window, outmaps))
		u, v := lowRank(w.Reshape(outmaps, g.Channels, window).Transpose(1, 2, 0), r)
		return []*nd.Array{u.Transpose(0, 2, 1).Reshape(of[0].shape...), v.Transpose(2, 0, 1).Reshape(of[1].shape...)}
	})
	u, v := uv[0], uv[1]
	b := s.bias(o.WithBias, []int{outmaps}, o.BInit)
	made := fn.Temporaries(&x, &u, &v, &b)
	defer made.Release()
	h := conv.DepthwiseConvolution(layer.InDType(x, u), u, nil, conv.DepthwiseConvolutionOptions{
		BaseAxis: &g.Base, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Multiplier: r})
	return made.Keep(conv.Convolution(h, v, b, conv.ConvolutionOptions{BaseAxis: &g.Base}))
}

// lowRank returns u (…, m, r) and v (…, r, n), whose product is nearest to w (…, m, n), with the singular values in u.
func lowRank(w *nd.Array, r int) (u, v *nd.Array) {
	u, values, v := linalg.SVD(w, linalg.SVDOptions{FullMatrices: new(false)})
	u = ops.Multiply(u, values.Index(nd.Ellipsis(), nd.NewAxis(), nd.All()))
	return u.Index(nd.Ellipsis(), nd.Until(r)), v.Index(nd.Ellipsis(), nd.Until(r), nd.All())
}
