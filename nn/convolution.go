package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// ConvolutionOptions are the options of [Convolution].
type ConvolutionOptions struct {
	// BaseAxis is how many axes of x are those of the examples, before the channels; nil means 1. A negative number counts from
	// the end.
	BaseAxis *int
	// Pad is the number of zeros before and after the elements, Stride the step of the window, Dilation the distance between the
	// elements that it takes up: a number for each axis of the window, one for all, or none for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is how many groups the channels are divided into, each with a convolution of its own; 0 means 1.
	Group int
	// ChannelLast says that the channels are the last axis of x and of the result.
	ChannelLast bool
	// WithBias says whether b is added; nil means yes.
	WithBias *bool
	// WInit makes the initial weights; nil means UniformGlorot(channels, outmaps, kernel...).
	WInit Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit Initializer
}

// Convolution returns the cross-correlation of x with the parameter "conv/W" plus the bias "conv/b" of the scope, which it creates on
// first use: see ops.Convolution. The window has as many axes as kernel has lengths. nnabla.parametric_functions.convolution,
// torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Conv3d.
//
// It computes in the parameters' dtype, as [Affine] does.
//
// Shapes: x (M…, C, L…), W (outmaps, C/Group, kernel…), b (outmaps); the result (M…, outmaps, L'…) with
// L' = ⌊(L + 2Pad - Dilation(K-1) - 1)/Stride⌋ + 1. With ChannelLast x (M…, L…, C), W (outmaps, kernel…, C/Group).
func Convolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, opts ...ConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.Convolution"
	return convolution(fn, scope.Sub("conv"), x, outmaps, kernel, options.Read(fn, opts), nil)
}

// convolution is a layer with the parameters W and b of s, or with what derive makes of them.
func convolution(fn nd.Func, s *Scope, x *nd.Array, outmaps int, kernel []int, o ConvolutionOptions, derive *derivation) *nd.Array {
	g := o.geometry(fn, x, outmaps, kernel)
	w, b := o.parameters(s, &g, outmaps, derive)
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(ops.Convolution(inDType(x, w), derive.of(s, "W", w), derive.of(s, "b", b), ops.ConvolutionOptions{
		BaseAxis: &g.base, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: g.group, ChannelLast: o.ChannelLast}))
}

// parameters are W and, or nil, b.
func (o *ConvolutionOptions) parameters(s *Scope, g *geometry, outmaps int, derive *derivation) (w, b *nd.Array) {
	initial := o.WInit
	if initial == nil {
		initial = UniformGlorot(g.channels, outmaps, g.kernel...)
	}
	w = derive.parameter(s, "W", g.windows(outmaps, g.channels/g.group), initial)
	if yes(o.WithBias) {
		b = derive.parameter(s, "b", []int{outmaps}, o.BInit)
	}
	return w, b
}

// geometry is what a convolution, of whatever kind, works out before it creates parameters.
type geometry struct {
	base, channels, group int
	kernel                []int
	channelLast           bool
}

func (o *ConvolutionOptions) geometry(fn nd.Func, x *nd.Array, outmaps int, kernel []int) geometry {
	g := geometryOf(fn, x, o.BaseAxis, kernel, o.ChannelLast)
	g.divide(fn, x, outmaps, o.Group)
	return g
}

// divide sets the number of groups, 1 for 0, which must divide the channels and the outmaps.
func (g *geometry) divide(fn nd.Func, x *nd.Array, outmaps, groups int) {
	g.group = max(groups, 1)
	if groups < 0 || outmaps < 0 || g.channels%g.group != 0 || outmaps%g.group != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d channels, %d outmaps and %d groups: want numbers that the groups divide", g.channels, outmaps, groups))
	}
}

// geometryOf checks that x has the axes of a convolution of one group with a kernel.
func geometryOf(fn nd.Func, x *nd.Array, base *int, kernel []int, channelLast bool) geometry {
	fn.Check(x)
	g := geometry{base: baseAxis(fn, x, base, x.Rank()-1), group: 1, kernel: kernel, channelLast: channelLast}
	if len(kernel) == 0 || x.Rank() != g.base+1+len(kernel) {
		panic(fn.Errorf([]*nd.Array{x}, "kernel %v with the channels at axis %d: want a length for each axis after the channels", kernel, g.base))
	}
	for _, n := range kernel {
		if n < 1 {
			panic(fn.Errorf([]*nd.Array{x}, "kernel %v: want positive lengths", kernel))
		}
	}
	g.channels = x.Dim(g.base)
	if channelLast {
		g.channels = x.Dim(-1)
	}
	return g
}

// windows is the shape of windows onto some channels.
func (g *geometry) windows(count, channels int) []int {
	if g.channelLast {
		return append(append([]int{count}, g.kernel...), channels)
	}
	return append([]int{count, channels}, g.kernel...)
}
