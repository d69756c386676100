package layer

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Convolve slides windows over X, for the given number of outmaps, with the parameters W and b of s. Call Slide before.
func (g *Geometry) Convolve(s Scope, outmaps int, p Weights) *nd.Array {
	fn, x := g.Fn, g.X
	p.Derive.check(fn, s)
	w, b := p.Create(s, g.Windows(outmaps, g.Channels/g.Group), []int{outmaps})
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(conv.Convolution(InDType(x, w), p.Derive.of("W", w), p.Derive.of("b", b), conv.ConvolutionOptions{BaseAxis: &g.Base,
		Pad: g.pad, Stride: g.stride, Dilation: g.dilation, Group: g.Group, ChannelLast: g.ChannelLast, CoverAll: g.CoverAll}))
}

// Deconvolve adds up windows at the positions of X, the transpose of Convolve. Call Transpose before.
func (g *Geometry) Deconvolve(s Scope, outmaps int, p Weights) *nd.Array {
	fn, x := g.Fn, g.X
	w, b := p.Create(s, g.Windows(g.Channels, outmaps/g.Group), []int{outmaps})
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(conv.Deconvolution(InDType(x, w), w, b, conv.DeconvolutionOptions{BaseAxis: &g.Base,
		Pad: g.pad, Stride: g.stride, Dilation: g.dilation, Group: g.Group, ChannelLast: g.ChannelLast, OutputPadding: g.more,
		OutSize: g.outSize}))
}

// ConvolutionOptions are nn.ConvolutionOptions.
type ConvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	Group                 int
	ChannelLast           bool
	WithBias              *bool
	WInit, BInit          initializer.Initializer
}

// Convolution is a layer with the parameters W and b of s, or with values that derive computes from them.
func Convolution(fn nd.Func, s Scope, x *nd.Array, outmaps int, kernel []int, o ConvolutionOptions, derive *Derivation) *nd.Array {
	g := o.Geometry(fn, x, outmaps, kernel)
	return g.Convolve(s, outmaps, o.Weights(g, outmaps, derive))
}

// Geometry checks the arguments of a convolution of any kind.
func (o *ConvolutionOptions) Geometry(fn nd.Func, x *nd.Array, outmaps int, kernel []int) *Geometry {
	g := GeometryFrom(fn, x, o.BaseAxis, kernel, o.ChannelLast)
	g.Divide(outmaps, o.Group)
	g.Slide(o.Pad, o.Stride, o.Dilation)
	return g
}

// Weights describes the parameters of a convolution.
func (o *ConvolutionOptions) Weights(g *Geometry, outmaps int, derive *Derivation) Weights {
	initial := o.WInit
	if initial == nil {
		initial = initializer.UniformGlorot(g.Channels, outmaps, g.Kernel...)
	}
	return Weights{WInit: initial, BInit: o.BInit, NoBias: !IsOn(o.WithBias), Derive: derive}
}
