package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// DeformableConvolutionOptions are the options of [DeformableConvolution].
type DeformableConvolutionOptions struct {
	ConvolutionOptions
	// Mask is what each element that a window takes up is multiplied by; nil for none.
	Mask *nd.Array
	// DeformableGroup is how many groups the channels of x are divided into, each with offsets and a mask of its own; 0 means 1.
	DeformableGroup int
}

// DeformableConvolution is a two-dimensional convolution whose windows take up elements of x at places that are moved by offset, with the
// parameters "deformable_conv/W" and "deformable_conv/b" of the scope, which it creates on first use: see
// ops.DeformableConvolution. Offsets and masks mostly come from a convolution. nnabla.parametric_functions.deformable_convolution, whose
// offsets and masks have an entry for each pixel of x, of which those at multiples of Stride count.
//
// It computes in the parameters' dtype, as [Affine] does.
//
// Shapes: with D for DeformableGroup x (M…, C, H, W), W (outmaps, C/Group, K, L), b (outmaps), offset (M…, D·K·L·2, H', W'), Mask
// (M…, D·K·L, H', W'); the result (M…, outmaps, H', W'). With ChannelLast the channels of all of these are last.
func DeformableConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, offset *nd.Array,
	opts ...DeformableConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.DeformableConvolution"
	o := options.Read(fn, opts)
	fn.Check(x, offset)
	if len(kernel) != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "kernel %v: want two lengths", kernel))
	}
	if o.Mask != nil {
		fn.Check(x, offset, o.Mask)
	}
	g := o.geometry(fn, x, outmaps, kernel)
	w, b := o.parameters(scope.Sub("deformable_conv"), &g, outmaps, nil)
	made := fn.Temporaries(&x, &offset, &o.Mask, &w, &b)
	defer made.Release()
	mask := o.Mask
	if mask != nil {
		mask = inDType(mask, w)
	}
	return made.Keep(ops.DeformableConvolution(inDType(x, w), w, inDType(offset, w), mask, b, ops.DeformableConvolutionOptions{
		BaseAxis: &g.base, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: g.group, ChannelLast: o.ChannelLast,
		DeformableGroup: o.DeformableGroup}))
}
