package conv_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestDeconvolutionOutSize compares OutSize with Pad and OutputPadding, and with parts of the result that nothing is cut off.
func TestDeconvolutionOutSize(t *testing.T) {
	x, w := nd.FromSlice([]float64{1, 2, 3}, 1, 1, 3), nd.FromSlice([]float64{1, 10, 100}, 1, 1, 3)
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, stride := range []int{1, 2, 3} {
		o := conv.DeconvolutionOptions{Stride: []int{stride}}
		whole := conv.Deconvolution(x, w, nil, o)
		n := whole.Dim(2)
		for size := range n + stride {
			o.OutSize = []int{size}
			for _, dev := range []device.Device{x.Device(), ref} {
				y := conv.Deconvolution(x.To(dev), w.To(dev), nil, o).To(x.Device())
				if y.Dim(2) != size {
					t.Fatalf("stride %d: length %d, want %d", stride, y.Dim(2), size)
				}
				from := max(n-size+1, 0) / 2
				want := conv.Deconvolution(x, w, nil, conv.DeconvolutionOptions{Stride: o.Stride, OutputPadding: []int{max(size-n, 0)}})
				opstest.Close(t, y, want.Index(nd.All(), nd.All(), nd.Span(from, from+size)), 1e-12)
			}
		}
	}
	padded := conv.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1}, OutSize: []int{6}}
	opstest.Close(t, conv.Deconvolution(x, w, nil, padded),
		conv.Deconvolution(x, w, nil, conv.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1}, OutputPadding: []int{1}}), 0)
	images, windows := nd.Ones([]int{1, 2, 3, 4}), nd.Ones([]int{2, 3, 3, 3})
	y := conv.Deconvolution(images, windows, nil, conv.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1}, OutSize: []int{6, 7}})
	if y.Dim(2) != 6 || y.Dim(3) != 7 {
		t.Errorf("shape %v", y.Shape())
	}
	last := conv.DeconvolutionOptions{ChannelLast: true, OutSize: []int{4}}
	if y := conv.Deconvolution(nd.Ones([]int{1, 3, 3, 2}), nd.Ones([]int{2, 3, 3, 1}), nil, last); y.Dim(1) != 4 || y.Dim(2) != 4 {
		t.Errorf("shape %v", y.Shape())
	}
	if y := conv.Deconvolution(nd.Ones([]int{1, 1, 2, 2, 2, 2}), nd.Ones([]int{1, 1, 2, 2, 2, 2}), nil,
		conv.DeconvolutionOptions{OutSize: []int{2}}); y.Size() != 16 {
		t.Errorf("shape %v", y.Shape())
	}
	for text, o := range map[string]conv.DeconvolutionOptions{
		"OutSize [9] along axis 0: want 7 to 8":      {Stride: []int{2}, OutSize: []int{9}},
		"OutSize [4] along axis 0: want 5 to 6":      {Stride: []int{2}, Pad: []int{1}, OutSize: []int{4}},
		"OutSize [4] along axis 0: want 5 to 5":      {Pad: []int{0}, OutSize: []int{4}},
		"OutSize [-1]: want at least 0":              {OutSize: []int{-1}},
		"OutSize [5 5]: want one number":             {OutSize: []int{5, 5}},
		"want OutSize or OutputPadding, not both":    {Stride: []int{2}, OutSize: []int{7}, OutputPadding: []int{0}},
		"OutSize [9223372036854775807] along axis 0": {OutSize: []int{1<<63 - 1}},
	} {
		opstest.Refuses(t, text, func() { conv.Deconvolution(x, w, nil, o) })
	}
	for _, size := range []int{4, 7} { // an odd element cut off, and one more
		gradcheck.CheckSecondOrder(t, func(in ...*nd.Array) *nd.Array {
			return conv.Deconvolution(in[0], in[1], in[2], conv.DeconvolutionOptions{Stride: []int{2, 1}, OutSize: []int{size, 3}})
		}, opstest.Normal(1, dtype.Float64, 2, 2, 3, 3), opstest.Normal(2, dtype.Float64, 2, 1, 2, 2), opstest.Normal(3, dtype.Float64, 1))
	}
}
