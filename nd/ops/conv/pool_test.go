package conv_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func ExampleMaxPooling() {
	image := nd.ArangeInt(0, 16, 1).Reshape(1, 1, 4, 4) // batch, channels, height, width
	fmt.Println(conv.MaxPooling(image, []int{2, 2}))
	// Output:
	// [[[[ 5  7]
	//    [13 15]]]]
}

func TestPooling(t *testing.T) {
	x := nd.FromSlice([]float64{1, 5, 2, 4, 3}, 1, 1, 5)
	two := []int{2}
	opstest.Repr(t, conv.MaxPooling(x, two), "array([[[5., 4.]]])")
	opstest.Repr(t, conv.MaxPooling(x, two, conv.PoolingOptions{IgnoreBorder: new(false)}), "array([[[5., 4., 3.]]])")
	opstest.Repr(t, conv.MaxPooling(x, two, conv.PoolingOptions{Stride: []int{1}, Pad: []int{1}}), "array([[[1., 5., 5., 4., 4., 3.]]])")
	opstest.Repr(t, conv.SumPooling(x, []int{3}, conv.PoolingOptions{Stride: two, Pad: []int{1}}), "array([[[ 6., 11., 7.]]])")
	opstest.Repr(t, conv.AveragePooling(x, two, conv.AveragePoolingOptions{Pad: []int{1}}), "array([[[0.5, 3.5, 3.5]]])")
	opstest.Repr(t, conv.AveragePooling(x, two, conv.AveragePoolingOptions{Pad: []int{1}, IncludingPad: new(false)}), "array([[[1. , 3.5, 3.5]]])")
	opstest.Repr(t, conv.AveragePooling(x, two, conv.AveragePoolingOptions{CoverAll: true}), "array([[[3., 3., 3.]]])")
	opstest.Repr(t, conv.LPPooling(nd.FromSlice([]float64{3, 4, 0, 0}, 4), two, 2), "array([5., 0.])")
	opstest.Repr(t, conv.MaxPooling(x.Reshape(1, 5, 1), two, conv.PoolingOptions{ChannelLast: true}), "array([[[5.], [4.]]])")
	opstest.Repr(t, conv.MaxPooling(nd.Zeros([]int{2, 0, 4}), two), "array([], shape=(2, 0, 2), dtype=float64)")
	opstest.Repr(t, conv.MaxPooling(nd.Zeros([]int{2, 3, 0}), two), "array([], shape=(2, 3, 0), dtype=float64)")
	opstest.Repr(t, conv.MaxPooling(nd.FromSlice([]uint8{3, 200, 7, 9}), two), "array([200, 9], dtype=uint8)")
	opstest.Repr(t, conv.MaxPooling(nd.FromSlice([]float64{1, math.NaN(), math.Inf(-1), math.Inf(-1)}), two), "array([ nan, -inf])")
	opstest.Repr(t, conv.GlobalAveragePooling(nd.ArangeInt(0, 8, 1).Reshape(1, 2, 4)), "array([[[[1.5]], [[5.5]]]])")
	large := nd.Full([]int{4}, 60000, dtype.Float16)
	opstest.Repr(t, conv.AveragePooling(large, []int{4}), "array([6.e+04], dtype=float16)")
}

// TestCoveringWindowsHoldElements slides windows over ones with CoverAll: the maxima of all windows are 1, their means
// over elements too, and there are as many as in PyTorch. CoverPadding keeps windows of padding.
func TestCoveringWindowsHoldElements(t *testing.T) {
	for size := 1; size <= 9; size++ {
		for kernel := 1; kernel <= 5; kernel++ {
			for stride := 1; stride <= 6; stride++ {
				for pad := 0; pad <= kernel/2; pad++ {
					for _, dt := range []dtype.DType{dtype.Int8, dtype.Uint64, dtype.BFloat16, dtype.Float32, dtype.Float64} {
						coverOnes(t, nd.Ones([]int{1, 1, size}, nd.ArrayOptions{DType: dt}), size, kernel, stride, pad)
					}
				}
			}
		}
	}
	x := nd.Ones([]int{1, 1, 4})
	o := conv.PoolingOptions{Stride: []int{3}, Pad: []int{1}, CoverAll: true}
	opstest.Repr(t, conv.MaxPooling(x, []int{2}, o), "array([[[1., 1.]]])") // a third window would begin at index 5
	o.CoverPadding = true
	opstest.Repr(t, conv.MaxPooling(x, []int{2}, o), "array([[[ 1., 1., -inf]]])")
}

func coverOnes(t *testing.T, x *nd.Array, size, kernel, stride, pad int) {
	t.Helper()
	room := size + 2*pad - kernel + stride - 1
	if room < 0 {
		return // no window
	}
	count := room/stride + 1
	if (count-1)*stride >= size+pad {
		count--
	}
	for _, channelLast := range []bool{false, true} {
		if channelLast {
			x = x.MoveAxis([]int{1}, []int{2})
		}
		o := conv.PoolingOptions{Stride: []int{stride}, Pad: []int{pad}, CoverAll: true, ChannelLast: channelLast}
		mean := conv.AveragePoolingOptions{Stride: o.Stride, Pad: o.Pad, CoverAll: true, ChannelLast: channelLast, IncludingPad: new(false)}
		indexed, _ := conv.MaxPoolingWithIndex(x, []int{kernel}, o)
		for name, y := range map[string]*nd.Array{"max": conv.MaxPooling(x, []int{kernel}, o), "indexed": indexed,
			"mean": conv.AveragePooling(x, []int{kernel}, mean)} {
			if y.Size() != count || !ops.ArrayEqual(y, nd.OnesLike(y)) {
				t.Errorf("%s of %s, size %d, kernel %d, stride %d, pad %d: %v, want %d ones", name, x.DType(), size, kernel, stride, pad, y, count)
			}
		}
	}
}

func TestMaxPoolingTakesTheFirst(t *testing.T) {
	x := nd.FromSlice([]float64{2, 2, 2, 2}, 2, 2)
	y, index := conv.MaxPoolingWithIndex(x, []int{2, 2})
	opstest.Repr(t, y, "array([[2.]])")
	opstest.Repr(t, index, "array([[0]])")
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return conv.MaxPooling(x, []int{2, 2}) }, x)
	opstest.Repr(t, g, "array([[1., 0.], [0., 0.]])")
}

func TestUnpooling(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2}, 1, 1, 2)
	opstest.Repr(t, conv.Unpooling(x, []int{2}), "array([[[1., 1., 2., 2.]]])")
	opstest.Repr(t, conv.Unpooling(x, []int{3}, conv.UnpoolingOptions{Stride: []int{2}}), "array([[[1., 1., 3., 2., 2.]]])")
	opstest.Repr(t, conv.Unpooling(x, []int{2}, conv.UnpoolingOptions{CoverAll: true}), "array([[[1., 1., 2.]]])")
	opstest.Repr(t, conv.Unpooling(x, []int{2}, conv.UnpoolingOptions{OutSize: []int{5}}), "array([[[1., 1., 2., 2., 0.]]])")
	image := opstest.Normal(1, dtype.Float64, 2, 3, 4, 6)
	y, index := conv.MaxPoolingWithIndex(image, []int{2, 3})
	back := conv.Upsampling(y, index, []int{2, 3})
	opstest.Close(t, conv.MaxPooling(ops.Where(ops.Equal(back, image), image, -9), []int{2, 3}), y, 0)
	outside := nd.FromSlice([]int{-1, 2}, 1, 1, 2)
	opstest.Repr(t, conv.Upsampling(x, outside, []int{2}), "array([[[0., 0., 0., 0.]]])")
}

func TestSpatialPyramidPooling(t *testing.T) {
	y := conv.SpatialPyramidPooling(nd.ArangeInt(0, 25, 1).Reshape(1, 1, 5, 5), 2)
	opstest.Repr(t, y.Reshape(5), "array([24, 12, 14, 22, 24])")
}

// TestOneLengthForAllAxes compares kernels, strides and so on of one number with those of a number for each axis.
func TestOneLengthForAllAxes(t *testing.T) {
	x := opstest.Normal(5, dtype.Float64, 2, 3, 6, 7)
	two, one := []int{2, 2}, []int{2}
	both := conv.PoolingOptions{Stride: two, Pad: []int{1, 1}, Dilation: two}
	single := conv.PoolingOptions{Stride: one, Pad: []int{1}, Dilation: one}
	opstest.Close(t, conv.MaxPooling(x, one), conv.MaxPooling(x, two), 0)
	opstest.Close(t, conv.MaxPooling(x, one, single), conv.MaxPooling(x, two, both), 0)
	opstest.Close(t, conv.SumPooling(x, one, single), conv.SumPooling(x, two, both), 0)
	opstest.Close(t, conv.LPPooling(x, one, 1, single), conv.LPPooling(x, two, 1, both), 0)
	opstest.Close(t, conv.AveragePooling(x, one, conv.AveragePoolingOptions{Stride: one, Pad: []int{1}}),
		conv.AveragePooling(x, two, conv.AveragePoolingOptions{Stride: two, Pad: []int{1, 1}}), 0)
	y, index := conv.MaxPoolingWithIndex(x, one, single)
	want, wantIndex := conv.MaxPoolingWithIndex(x, two, both)
	opstest.Close(t, y, want, 0)
	opstest.Close(t, index, wantIndex, 0)
	opstest.Close(t, conv.Unpooling(x, one, conv.UnpoolingOptions{Stride: one}), conv.Unpooling(x, two), 0)
	at := nd.Zeros(x.Shape(), dtype.Int64)
	opstest.Close(t, conv.Upsampling(x, at, one), conv.Upsampling(x, at, two), 0)
	opstest.Close(t, conv.AdaptiveAveragePooling(x, one), conv.AdaptiveAveragePooling(x, two), 0)
	opstest.Close(t, conv.AdaptiveMaxPooling(x, one), conv.AdaptiveMaxPooling(x, two), 0)
	last := x.MoveAxis([]int{1}, []int{-1})
	opstest.Close(t, conv.MaxPooling(last, one, conv.PoolingOptions{ChannelLast: true}), conv.MaxPooling(x, two).MoveAxis([]int{1}, []int{-1}), 0)
	deep := opstest.Normal(6, dtype.Float64, 1, 1, 2, 4, 2, 4) // more axes than a launch supports
	opstest.Close(t, conv.MaxPooling(deep, one), conv.MaxPooling(deep, []int{2, 2, 2, 2}), 0)
	images, region := opstest.Normal(7, dtype.Float64, 1, 2, 4, 4), nd.FromSlice([]float64{0, 0, 0, 3, 3}, 1, 5)
	opstest.Close(t, image.ROIPooling(images, region, one, 1), image.ROIPooling(images, region, two, 1), 0)
	opstest.Close(t, image.ROIAlign(images, region, one), image.ROIAlign(images, region, two), 0)
}

func TestPoolingOverManyAxes(t *testing.T) {
	x := opstest.Normal(2, dtype.Float64, 2, 4, 5, 4, 5)
	kernel, pad := []int{2, 3, 2, 2}, []int{1, 1, 0, 1}
	o := conv.PoolingOptions{Stride: []int{2, 2, 1, 2}, Pad: pad}
	half := conv.SumPooling(x, kernel[1:], conv.PoolingOptions{Stride: o.Stride[1:], Pad: pad[1:]})
	first := conv.SumPooling(half.MoveAxis([]int{1}, []int{-1}), []int{1, 1, 2}, conv.PoolingOptions{Stride: []int{1, 1, 2}, Pad: []int{0, 0, 1}})
	opstest.Close(t, conv.SumPooling(x, kernel, o), first.MoveAxis([]int{-1}, []int{1}), 1e-12)
	o.ChannelLast = true
	last := conv.MaxPooling(x.MoveAxis([]int{0}, []int{-1}), kernel, o)
	o.ChannelLast = false
	opstest.Close(t, last.MoveAxis([]int{-1}, []int{0}), conv.MaxPooling(x, kernel, o), 0)
}

func TestPoolingGradients(t *testing.T) {
	x := opstest.Normal(3, dtype.Float64, 2, 2, 5, 4)
	y, index := conv.MaxPoolingWithIndex(x, []int{3, 2}, conv.PoolingOptions{Stride: []int{1, 2}, Pad: []int{1, 1}})
	o := conv.PoolingOptions{Stride: []int{1, 2}, Pad: []int{1, 1}}
	for name, test := range map[string]struct {
		f gradcheck.Function
		x *nd.Array
	}{
		"MaxPooling": {func(xs ...*nd.Array) *nd.Array { return conv.MaxPooling(xs[0], []int{3, 2}, o) }, x},
		"channel last": {func(xs ...*nd.Array) *nd.Array {
			return conv.MaxPooling(xs[0], []int{2, 2}, conv.PoolingOptions{ChannelLast: true})
		}, x},
		"SumPooling": {func(xs ...*nd.Array) *nd.Array { return conv.SumPooling(xs[0], []int{3, 2}, o) }, x},
		"AveragePooling": {func(xs ...*nd.Array) *nd.Array {
			return conv.AveragePooling(xs[0], []int{3, 2}, conv.AveragePoolingOptions{Stride: o.Stride, Pad: o.Pad, IncludingPad: new(false)})
		}, x},
		"LPPooling": {func(xs ...*nd.Array) *nd.Array { return conv.LPPooling(xs[0], []int{3, 2}, 2, o) }, x},
		"Unpooling": {func(xs ...*nd.Array) *nd.Array {
			return conv.Unpooling(xs[0], []int{3, 2}, conv.UnpoolingOptions{Stride: []int{2, 1}})
		}, x},
		"four axes": {func(xs ...*nd.Array) *nd.Array { return conv.MaxPooling(xs[0], []int{2, 1, 2, 2}) }, x},
		"Upsampling": {func(xs ...*nd.Array) *nd.Array {
			return conv.Upsampling(xs[0], index, []int{3, 2}, conv.UnpoolingOptions{Stride: o.Stride, Pad: o.Pad})
		}, y},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, test.f, test.x)
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(test.f(xs...)) }, test.x)
		})
	}
}

func TestPoolingRefuses(t *testing.T) {
	x := nd.Zeros([]int{1, 2, 4, 4})
	opstest.Refuses(t, "at least one length", func() { conv.MaxPooling(x, nil) })
	opstest.Refuses(t, "at least one length", func() { conv.SumPooling(nd.Zeros([]int{3}), []int{1, 1}) })
	opstest.Refuses(t, "kernel [0 2]: want at least 1", func() { conv.MaxPooling(x, []int{0, 2}) })
	opstest.Refuses(t, "Stride [1 0]: want at least 1", func() { conv.MaxPooling(x, []int{2, 2}, conv.PoolingOptions{Stride: []int{1, 0}}) })
	opstest.Refuses(t, "Pad [-1 0]: want at least 0", func() { conv.AveragePooling(x, []int{2, 2}, conv.AveragePoolingOptions{Pad: []int{-1, 0}}) })
	opstest.Refuses(t, "want one number, or one for each of 2 axes", func() { conv.MaxPooling(x, []int{2, 2}, conv.PoolingOptions{Stride: []int{1, 1, 1}}) })
	opstest.Refuses(t, "want one number, or one for each of 2 axes", func() { conv.Unpooling(x, []int{2}, conv.UnpoolingOptions{OutSize: []int{8, 8, 8}}) })
	opstest.Refuses(t, "no window", func() { conv.MaxPooling(x, []int{5, 2}) })
	opstest.Refuses(t, "up to three lengths", func() { conv.MaxPoolingWithIndex(x, []int{1, 1, 1, 1}) })
	opstest.Refuses(t, "no largest", func() { conv.MaxPooling(nd.Zeros([]int{4}, dtype.Complex64), []int{2}) })
	opstest.Refuses(t, "array of numbers", func() { conv.MaxPooling(nd.Scalar(1), []int{2}) })
	opstest.Refuses(t, "p = 4", func() { conv.LPPooling(x, []int{2, 2}, 4) })
	opstest.Refuses(t, "another number of windows", func() { conv.Unpooling(x, []int{2, 2}, conv.UnpoolingOptions{OutSize: []int{8, 11}}) })
	opstest.Refuses(t, "integer indices", func() { conv.Upsampling(x, x, []int{2, 2}) })
	opstest.Refuses(t, "four axes", func() { conv.SpatialPyramidPooling(nd.Zeros([]int{2, 2}), 1) })
}

// TestDilatedPooling compares dilated windows with windows of every second element, and their gradients with
// differences.
func TestDilatedPooling(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 2, 9)
	even := x.Index(nd.All(), nd.Span(0, 9).By(2))
	o := conv.PoolingOptions{Stride: []int{2}, Dilation: []int{2}}
	side := conv.PoolingOptions{Stride: []int{1}}
	opstest.Close(t, conv.MaxPooling(x, []int{3}, o), conv.MaxPooling(even, []int{3}, side), 0)
	opstest.Close(t, conv.SumPooling(x, []int{3}, o), conv.SumPooling(even, []int{3}, side), 1e-14)
	padded := conv.AveragePoolingOptions{Stride: []int{1}, Dilation: []int{3}, Pad: []int{2}, IncludingPad: new(false)}
	y := conv.AveragePooling(nd.FromSlice([]float64{1, 2, 3, 4, 5}, 1, 5), []int{2}, padded)
	opstest.Floats(t, "AveragePooling", y, 2, 3, 2.5, 3.5, 3, 4)
	high := []int{1, 1, 2, 2}
	many := opstest.Normal(2, dtype.Float64, 1, 2, 2, 5, 5)
	deep := conv.MaxPooling(many, high, conv.PoolingOptions{Dilation: []int{1, 1, 3, 2}, Stride: []int{1, 1, 1, 1}})
	flat := conv.MaxPooling(many.Reshape(4, 5, 5), []int{2, 2}, conv.PoolingOptions{Dilation: []int{3, 2}, Stride: []int{1, 1}})
	opstest.Close(t, deep.Reshape(4, 2, 3), flat, 0)
	for _, f := range []gradcheck.Function{
		func(xs ...*nd.Array) *nd.Array { return ops.Square(conv.MaxPooling(xs[0], []int{3}, o)) },
		func(xs ...*nd.Array) *nd.Array { return ops.Square(conv.AveragePooling(xs[0], []int{2}, padded)) },
	} {
		gradcheck.Check(t, f, x)
		gradcheck.CheckSecondOrder(t, f, x)
	}
	opstest.Refuses(t, "Dilation [0]: want at least 1", func() { conv.MaxPooling(x, []int{2}, conv.PoolingOptions{Dilation: []int{0}}) })
	opstest.Refuses(t, "fits into axis", func() { conv.MaxPooling(x, []int{2}, conv.PoolingOptions{Dilation: []int{9}}) })
}

// TestAdaptivePooling uses windows of all lengths, of one element and of none, and axes that stay.
func TestAdaptivePooling(t *testing.T) {
	x := nd.FromSlice([]float64{1, 5, 3, 4, 2}, 1, 5)
	opstest.Floats(t, "AdaptiveAveragePooling", conv.AdaptiveAveragePooling(x, []int{2}), 3, 3)
	opstest.Floats(t, "as it is", conv.AdaptiveAveragePooling(x, []int{-1}), 1, 5, 3, 4, 2)
	y, index := conv.AdaptiveMaxPoolingWithIndex(x, []int{3})
	opstest.Floats(t, "AdaptiveMaxPooling", y, 5, 5, 4)
	opstest.Repr(t, index, "array([[1, 1, 3]])")
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return conv.AdaptiveMaxPooling(x, []int{3}) }, x)
	opstest.Floats(t, "its gradient", g, 0, 2, 0, 1, 0)
	opstest.Refuses(t, "no elements", func() { conv.AdaptiveMaxPooling(nd.Ones([]int{0}), []int{2}) })
	opstest.Refuses(t, "at least one length", func() { conv.AdaptiveMaxPooling(x, nil) })
}
