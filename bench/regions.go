package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

// regions returns cases that read images at given coordinates, and cases with boxes on images.
func regions() (cs []Case) {
	for _, c := range []struct{ batch, channels, side int }{{4, 64, 28}, {1, 32, 64}} {
		operands := func() []*nd.Array {
			return []*nd.Array{f32(c.batch, c.channels, c.side, c.side), f32(64, c.channels, 3, 3),
				floats(dtype.Float32, -2, 2, c.batch, 18, c.side, c.side), f32(c.batch, 9, c.side, c.side)}
		}
		convolution := func(in []*nd.Array) *nd.Array {
			return conv.DeformableConvolution(in[0], in[1], in[2], in[3], nil, conv.DeformableConvolutionOptions{Pad: []int{1}})
		}
		name := func(part string) string {
			return fmt.Sprintf("deform2d/k3_64_%s/%dx%dx%dx%d/f32", part, c.batch, c.channels, c.side, c.side)
		}
		cs = append(cs, fixed(name("fwd"), 0, operands, convolution), forwardBackward(name("fwdbwd"), 0, operands, convolution))
	}
	boxes := func() *nd.Array { // 128 boxes on 8 images
		corners := floats(dtype.Float32, 0, 100, 128, 2)
		sizes := floats(dtype.Float32, 20, 100, 128, 2)
		image := integers(8, 128, 1).AsType(dtype.Float32)
		return ops.Concatenate([]*nd.Array{image, corners, ops.Add(corners, sizes)}, ops.Over(1))
	}
	features := func() []*nd.Array { return []*nd.Array{f32(8, 64, 50, 50)} }
	at, size := boxes(), []int{7, 7}
	align := func(in []*nd.Array) *nd.Array {
		return image.ROIAlign(in[0], at, size, image.ROIAlignOptions{Scale: []float64{0.25}, Samples: 2})
	}
	return append(cs,
		fixed("boxes/roi_align_fwd/128of8x64x50x50/f32", 0, features, align),
		forwardBackward("boxes/roi_align_fwdbwd/128of8x64x50x50/f32", 0, features, align),
		fixed("boxes/roi_pooling_fwd/128of8x64x50x50/f32", 0, features, func(in []*nd.Array) *nd.Array {
			return image.ROIPooling(in[0], at, size, 0.25)
		}),
		fixed("boxes/nms/8x1000x6/f32", 0, func() []*nd.Array {
			corners := floats(dtype.Float32, 0, 1, 8, 1000, 2)
			return []*nd.Array{ops.Concatenate([]*nd.Array{floats(dtype.Float32, 0, 1, 8, 1000, 2), corners,
				ops.Add(corners, floats(dtype.Float32, 0, 0.2, 8, 1000, 2))}, ops.Over(2))}
		}, func(in []*nd.Array) *nd.Array { return image.BoxNMS(in[0]) }))
}
