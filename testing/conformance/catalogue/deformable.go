package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

// deformableRows is the chapter of functions that sample images at computed locations.
var deformableRows = []Row{
	{Signature: "nnabla.functions.deformable_convolution(x, weight, offset, mask=None, bias=None, base_axis=1, pad=None, stride=None, " +
		"dilation=None, group=1, deformable_group=1, channel_last=False)", Func: func(x, w, offset, mask, b *nd.Array, baseAxis int, pad, stride, dilation []int, group, deformable int, last bool) *nd.Array {
		return conv.DeformableConvolution(x, w, offset, mask, b, conv.DeformableConvolutionOptions{BaseAxis: &baseAxis, Pad: pad,
			Stride: stride, Dilation: dilation, Group: group, DeformableGroup: deformable, ChannelLast: last, PerPixel: true})
	}},
	{Signature: "nnabla.functions.roi_align(input, boxes, output_size, spatial_scale=(1.0, 1.0), sampling_ratio=None, channel_last=None)",
		Func: func(x, boxes *nd.Array, size []int, scale []float64, samples *int, last *bool) *nd.Array {
			o := image.ROIAlignOptions{Scale: scale, ChannelLast: last != nil && *last}
			if samples != nil {
				o.Samples = *samples
			}
			return image.ROIAlign(x, boxes, size, o)
		}, Fixed: []string{"boxes"}},
	{Signature: "mxnet.npx.deformable_convolution(data, offset, weight, bias=None, kernel=[], stride=[], dilate=[], pad=[], num_filter=0, " +
		"num_group=1, num_deformable_group=1, workspace=1024, no_bias=False, layout=None)",
		Func: func(x, offset, w, b *nd.Array, kernel, stride, dilate, pad []int, filters, groups, deformable int, noBias bool, layout string) *nd.Array {
			return mxnetDeformable(x, offset, nil, w, b, kernel, filters, noBias, layout, conv.DeformableConvolutionOptions{
				Stride: stride, Dilation: dilate, Pad: pad, Group: groups, DeformableGroup: deformable, Inside: true})
		}, Ignores: []string{"workspace"}},
	{Signature: "mxnet.npx.modulated_deformable_convolution(data, offset, mask, weight, bias=None, kernel=[], stride=[], dilate=[], pad=[], " +
		"num_filter=0, num_group=1, num_deformable_group=1, workspace=1024, no_bias=False, im2col_step=64, layout=None)",
		Func: func(x, offset, mask, w, b *nd.Array, kernel, stride, dilate, pad []int, filters, groups, deformable int, noBias bool, layout string) *nd.Array {
			return mxnetDeformable(x, offset, mask, w, b, kernel, filters, noBias, layout, conv.DeformableConvolutionOptions{
				Stride: stride, Dilation: dilate, Pad: pad, Group: groups, DeformableGroup: deformable})
		}, Ignores: []string{"workspace", "im2col_step"}},
}

// mxnetDeformable also takes the shape of the weight as arguments.
func mxnetDeformable(x, offset, mask, w, b *nd.Array, kernel []int, filters int, noBias bool, layout string, o conv.DeformableConvolutionOptions) *nd.Array {
	if channelLast(layout) {
		panic(nd.Func("deformable_convolution").Errorf([]*nd.Array{x}, "layout %q: want NCHW", layout))
	}
	checkFilters(x, w, kernel, false)
	if w.Dim(0) != filters {
		panic(nd.Func("deformable_convolution").Errorf([]*nd.Array{x, w}, "num_filter %d: the weight has %d", filters, w.Dim(0)))
	}
	if noBias {
		b = nil
	}
	return conv.DeformableConvolution(x, w, offset, mask, b, o)
}
