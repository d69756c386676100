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
	// PerPixel says that offset and Mask have an entry for each pixel of x, as in NNabla: see
	// conv.DeformableConvolutionOptions.
	PerPixel bool
}

// DeformableConvolution is a two-dimensional convolution whose windows read elements of x at positions that offset
// moves. Its parameters are "deformable_conv/W" and "deformable_conv/b" of the scope, which it creates on first use:
// see conv.DeformableConvolution. Offsets and masks usually come from a convolution.
//
// It computes in the parameters' dtype, like [Affine].
//
// Shapes, with D for DeformableGroup: x (M…, C, H, W), W (outmaps, C/Group, K, L), b (outmaps), offset (M…, D·K·L·2,
// H', W'), Mask (M…, D·K·L, H', W'); the result (M…, outmaps, H', W'). With PerPixel offset and Mask have the lengths H
// and W. With ChannelLast the channels of all of these are last.
// NNabla: parametric_functions.deformable_convolution (with PerPixel).
func DeformableConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, offset *nd.Array,
	opts ...DeformableConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.DeformableConvolution"
	o := options.Read(fn, opts)
	scope.wantReal(fn, x, offset)
	plan := layer.ConvolutionOptions(o.ConvolutionOptions)
	g := plan.Geometry(fn, x, outmaps, kernel)
	if len(g.Kernel) != 2 {
		g.Refuse("kernel %v: want two lengths", kernel)
	}
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
		DeformableGroup: o.DeformableGroup, PerPixel: o.PerPixel}))
}

// check refuses offsets and a mask that do not fit a geometry.
func (o *DeformableConvolutionOptions) check(g *layer.Geometry, offset *nd.Array) {
	groups := max(o.DeformableGroup, 1)
	if o.DeformableGroup < 0 || g.Channels%groups != 0 {
		g.Refuse("%d channels, DeformableGroup %d: want one that divides the channels", g.Channels, o.DeformableGroup)
	}
	each := broadcast.Product(groups, g.Kernel[0], g.Kernel[1])
	lengths := g.OutLengths
	if o.PerPixel {
		lengths = g.Lengths()
		for axis, stride := range g.PerAxis("Stride", o.Stride, 1, 1) {
			if n := g.OutLengths[axis]; n > 0 && (n-1)*stride >= lengths[axis] {
				g.Refuse("Pad %v: with PerPixel want windows that begin at pixels", o.Pad)
			}
		}
	}
	checkPerPosition(g, "offset", offset, broadcast.Product(each, 2), lengths)
	if o.Mask != nil {
		checkPerPosition(g, "mask", o.Mask, each, lengths)
	}
}

// checkPerPosition refuses an operand unless it has the given number of channels, of real numbers, along axes of the
// given lengths.
func checkPerPosition(g *layer.Geometry, name string, a *nd.Array, channels int, lengths []int) {
	g.Fn.Check(g.X, a)
	want := slices.Concat(g.X.Shape()[:g.Base], []int{channels}, lengths)
	if g.ChannelLast {
		want = slices.Concat(g.X.Shape()[:g.Base], lengths, []int{channels})
	}
	if a.DType().IsComplex() || !broadcast.Equal(a.Shape(), want) {
		panic(g.Fn.Errorf([]*nd.Array{g.X, a}, "want a real %s of shape %s", name, broadcast.FormatShape(want)))
	}
}
