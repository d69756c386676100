package nn

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// DeformableConvolutionOptions are the options of [DeformableConvolution].
type DeformableConvolutionOptions struct {
	ConvolutionOptions
	// Mask holds a factor for each element that a window reads; nil means none.
	Mask *nd.Array
	// DeformableGroup is the number of groups that the channels of x are divided into, each with its own offsets and
	// mask; 0 means 1.
	DeformableGroup int
}

// DeformableConvolution is a two-dimensional convolution whose windows read elements of x at locations moved by offset,
// with the parameters "deformable_conv/W" and "deformable_conv/b" of the scope, which it creates on first use: see
// conv.DeformableConvolution. Offsets and masks mostly come from a convolution.
// nnabla.parametric_functions.deformable_convolution, whose offsets and masks have an entry for each pixel of x, of which those
// at multiples of Stride count.
//
// It computes in the parameters' dtype, like [Affine].
//
// Shapes, with D for DeformableGroup: x (M…, C, H, W), W (outmaps, C/Group, K, L), b (outmaps), offset (M…, D·K·L·2,
// H', W'), Mask (M…, D·K·L, H', W'); the result (M…, outmaps, H', W'). With ChannelLast the channels of all of these
// are last.
// NNabla: parametric_functions.deformable_convolution.
func DeformableConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, offset *nd.Array,
	opts ...DeformableConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.DeformableConvolution"
	o := options.Read(fn, opts)
	scope.wantReal(fn, x, offset)
	if len(kernel) != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "kernel %v: want two lengths", kernel))
	}
	plan := layer.ConvolutionOptions(o.ConvolutionOptions)
	g := plan.Geometry(fn, x, outmaps, kernel)
	o.check(g, offset)
	p := plan.Weights(g, outmaps, nil)
	w, b := p.Create(scope.Sub("deformable_conv"), g.Windows(outmaps, g.Channels/g.Group), []int{outmaps})
	made := fn.Temporaries(&x, &offset, &o.Mask, &w, &b)
	defer made.Release()
	mask := o.Mask
	if mask != nil {
		mask = layer.InDType(mask, w)
	}
	return made.Keep(conv.DeformableConvolution(layer.InDType(x, w), w, layer.InDType(offset, w), mask, b, conv.DeformableConvolutionOptions{
		BaseAxis: &g.Base, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: g.Group, ChannelLast: o.ChannelLast,
		DeformableGroup: o.DeformableGroup}))
}

// check refuses offsets and a mask that do not fit a geometry.
func (o *DeformableConvolutionOptions) check(g *layer.Geometry, offset *nd.Array) {
	groups := max(o.DeformableGroup, 1)
	if o.DeformableGroup < 0 || g.Channels%groups != 0 {
		g.Refuse("%d channels, DeformableGroup %d: want one that divides the channels", g.Channels, o.DeformableGroup)
	}
	each := broadcast.Product(groups, g.Kernel[0], g.Kernel[1])
	checkPerPosition(g, "offset", offset, broadcast.Product(each, 2))
	if o.Mask != nil {
		checkPerPosition(g, "mask", o.Mask, each)
	}
}

// checkPerPosition refuses an operand unless it has the given number of channels, of real numbers, for each position of the
// result.
func checkPerPosition(g *layer.Geometry, name string, a *nd.Array, channels int) {
	g.Fn.Check(g.X, a)
	want := slices.Concat(g.X.Shape()[:g.Base], []int{channels}, g.OutLengths)
	if g.ChannelLast {
		want = slices.Concat(g.X.Shape()[:g.Base], g.OutLengths, []int{channels})
	}
	if a.DType().IsComplex() || !broadcast.Equal(a.Shape(), want) {
		panic(g.Fn.Errorf([]*nd.Array{g.X, a}, "want a real %s of shape %s", name, broadcast.FormatShape(want)))
	}
}
