package conv_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestDeformableConvolutionOfWholeOffsets uses offsets from one element to another: offsets of 0 give a Convolution,
// offsets of 1 that of the image moved by one step.
func TestDeformableConvolutionOfWholeOffsets(t *testing.T) {
	x, w, b := opstest.Normal(1, dtype.Float64, 2, 4, 6, 7), opstest.Normal(2, dtype.Float64, 6, 2, 3, 2), opstest.Normal(3, dtype.Float64, 6)
	plain := conv.ConvolutionOptions{Pad: []int{1, 0}, Stride: []int{2, 1}, Dilation: []int{1, 3}, Group: 2}
	o := conv.DeformableConvolutionOptions{Pad: plain.Pad, Stride: plain.Stride, Dilation: plain.Dilation, Group: 2, DeformableGroup: 2}
	offset, mask := nd.Zeros([]int{2, 24, 3, 4}), nd.Full([]int{2, 12, 3, 4}, 0.5)
	opstest.Close(t, conv.DeformableConvolution(x, w, offset, nil, b, o), conv.Convolution(x, w, b, plain), 1e-12)
	opstest.Close(t, conv.DeformableConvolution(x, w, offset, mask, nil, o), ops.Multiply(conv.Convolution(x, w, nil, plain), 0.5), 1e-12)
	next := ops.Pad(x.Index(nd.All(), nd.All(), nd.From(1), nd.From(1)), [][2]int{{}, {}, {0, 1}, {0, 1}})
	for _, inside := range []bool{false, true} {
		o.Inside, o.Pad, plain.Pad = inside, nil, nil
		offset := nd.Ones([]int{2, 24, 2, 4})
		opstest.Close(t, conv.DeformableConvolution(x, w, offset, nil, nil, o), conv.Convolution(next, w, nil, plain), 1e-12)
	}
}

// TestDeformableConvolutionAtBorders reads locations one half outside of the image, on each side.
func TestDeformableConvolutionAtBorders(t *testing.T) {
	x, w := nd.Full([]int{1, 1, 2, 2}, 8), nd.Ones([]int{1, 1, 1, 1})
	offset := nd.FromSlice([]float64{-0.5, 0, 0, 0.5, 0, 0.5, -0.5, 0}, 1, 2, 2, 2) // by rows: up, not, not, down
	opstest.Repr(t, conv.DeformableConvolution(x, w, offset, nil, nil).Reshape(4), "array([4., 4., 4., 4.])")
	opstest.Repr(t, conv.DeformableConvolution(x, w, offset, nil, nil, conv.DeformableConvolutionOptions{Inside: true}).Reshape(4), "array([0., 8., 0., 8.])")
}

func TestDeformableConvolutionGradients(t *testing.T) {
	x, w, b := opstest.Normal(1, dtype.Float64, 2, 2, 4, 3), opstest.Normal(2, dtype.Float64, 2, 1, 2, 2), opstest.Normal(3, dtype.Float64, 2)
	sin := ops.Sin(nd.Arange(0, 2*16*3*2, 1).Reshape(2, 16, 3, 2))
	offset := ops.Add(ops.Rint(ops.Multiply(sin, 1.4)), ops.Multiply(ops.Add(ops.Cos(sin), 0.1), 0.6)) // not near whole numbers
	mask := opstest.Normal(4, dtype.Float64, 2, 8, 3, 2)
	for _, inside := range []bool{false, true} {
		o := conv.DeformableConvolutionOptions{Group: 2, DeformableGroup: 2, Inside: inside}
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			return conv.DeformableConvolution(xs[0], xs[1], xs[2], xs[3], xs[4], o)
		}, x, w, offset, mask, b)
	}
	opstest.Refuses(t, "want 16 channels of the offset, and [3 2] locations", func() {
		conv.DeformableConvolution(x, w, mask, nil, nil, conv.DeformableConvolutionOptions{Group: 2, DeformableGroup: 2})
	})
}

// TestDeformableConvolutionPerPixel compares offsets and masks for each pixel with those at the strides.
func TestDeformableConvolutionPerPixel(t *testing.T) {
	x, w := opstest.Normal(1, dtype.Float64, 2, 2, 5, 6), opstest.Normal(2, dtype.Float64, 3, 2, 2, 3)
	offset, mask := opstest.Normal(3, dtype.Float64, 2, 12, 5, 6), opstest.Normal(4, dtype.Float64, 2, 6, 5, 6)
	o := conv.DeformableConvolutionOptions{Stride: []int{2, 3}, Pad: []int{1, 1}}
	strided := func(a *nd.Array) *nd.Array { return a.Index(nd.All(), nd.All(), nd.From(0).By(2), nd.From(0).By(3)) }
	want := conv.DeformableConvolution(x, w, strided(offset), strided(mask), nil, o)
	o.PerPixel = true
	opstest.Close(t, conv.DeformableConvolution(x, w, offset, mask, nil, o), want, 0)
	opstest.Refuses(t, "conv.DeformableConvolution: want one entry of the offset for each pixel", func() {
		conv.DeformableConvolution(x, w, strided(offset), mask, nil, o)
	})
	opstest.Refuses(t, "want one entry of the mask for each pixel", func() { conv.DeformableConvolution(x, w, offset, strided(mask), nil, o) })
	last := func(a *nd.Array) *nd.Array { return a.MoveAxis([]int{1}, []int{3}) }
	o.ChannelLast = true
	opstest.Close(t, last(want), conv.DeformableConvolution(last(x), last(w), last(offset), last(mask), nil, o), 1e-12)

	o = conv.DeformableConvolutionOptions{PerPixel: true, Stride: []int{2, 1}}
	small := ops.Add(ops.Multiply(ops.Cos(offset), 0.3), 0.5) // not near whole numbers
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		return conv.DeformableConvolution(xs[0], xs[1], xs[2], xs[3], nil, o)
	}, x, w, small, mask)
	o.Pad = []int{4, 0}
	opstest.Refuses(t, "windows that begin at pixels", func() { conv.DeformableConvolution(x, w, offset, mask, nil, o) })
	none := conv.DeformableConvolution(x.Index(nd.Until(0)), w, offset.Index(nd.Until(0)), nil, nil, conv.DeformableConvolutionOptions{PerPixel: true})
	if none.Size() != 0 {
		t.Errorf("of no images: shape %v", none.Shape())
	}
}
