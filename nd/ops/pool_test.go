package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func ExampleMaxPooling() {
	image := nd.ArangeInt(0, 16, 1).Reshape(1, 1, 4, 4) // batch, channels, height, width
	fmt.Println(ops.MaxPooling(image, []int{2, 2}))
	// Output:
	// [[[[ 5  7]
	//    [13 15]]]]
}

func TestPooling(t *testing.T) {
	x := nd.FromSlice([]float64{1, 5, 2, 4, 3}, 1, 1, 5)
	two := []int{2}
	want(t, ops.MaxPooling(x, two), "array([[[5., 4.]]])")
	want(t, ops.MaxPooling(x, two, ops.PoolingOptions{IgnoreBorder: new(false)}), "array([[[5., 4., 3.]]])")
	want(t, ops.MaxPooling(x, two, ops.PoolingOptions{Stride: []int{1}, Pad: []int{1}}), "array([[[1., 5., 5., 4., 4., 3.]]])")
	want(t, ops.SumPooling(x, []int{3}, ops.PoolingOptions{Stride: two, Pad: []int{1}}), "array([[[ 6., 11., 7.]]])")
	want(t, ops.AveragePooling(x, two, ops.AveragePoolingOptions{Pad: []int{1}}), "array([[[0.5, 3.5, 3.5]]])")
	want(t, ops.AveragePooling(x, two, ops.AveragePoolingOptions{Pad: []int{1}, IncludingPad: new(false)}), "array([[[1. , 3.5, 3.5]]])")
	want(t, ops.AveragePooling(x, two, ops.AveragePoolingOptions{CoverAll: true}), "array([[[3., 3., 3.]]])")
	want(t, ops.LPPooling(nd.FromSlice([]float64{3, 4, 0, 0}, 4), two, 2), "array([5., 0.])")
	want(t, ops.MaxPooling(x.Reshape(1, 5, 1), two, ops.PoolingOptions{ChannelLast: true}), "array([[[5.], [4.]]])")
	want(t, ops.MaxPooling(nd.Zeros([]int{2, 0, 4}), two), "array([], shape=(2, 0, 2), dtype=float64)")
	want(t, ops.MaxPooling(nd.Zeros([]int{2, 3, 0}), two), "array([], shape=(2, 3, 0), dtype=float64)")
	want(t, ops.MaxPooling(nd.FromSlice([]uint8{3, 200, 7, 9}), two), "array([200, 9], dtype=uint8)")
	want(t, ops.MaxPooling(nd.FromSlice([]float64{1, math.NaN(), math.Inf(-1), math.Inf(-1)}), two), "array([ nan, -inf])")
	want(t, ops.GlobalAveragePooling(nd.ArangeInt(0, 8, 1).Reshape(1, 2, 4)), "array([[[[1.5]], [[5.5]]]])")
	large := nd.Full([]int{4}, 60000, nd.ArrayOptions{DType: dtype.Float16})
	want(t, ops.AveragePooling(large, []int{4}), "array([6.e+04], dtype=float16)")
}

func TestMaxPoolingTakesTheFirst(t *testing.T) {
	x := nd.FromSlice([]float64{2, 2, 2, 2}, 2, 2)
	y, index := ops.MaxPoolingWithIndex(x, []int{2, 2})
	want(t, y, "array([[2.]])")
	want(t, index, "array([[0]])")
	_, g := gradOf(func(x *nd.Array) *nd.Array { return ops.MaxPooling(x, []int{2, 2}) }, x)
	want(t, g, "array([[1., 0.], [0., 0.]])")
}

func TestUnpooling(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2}, 1, 1, 2)
	want(t, ops.Unpooling(x, []int{2}), "array([[[1., 1., 2., 2.]]])")
	want(t, ops.Unpooling(x, []int{3}, ops.UnpoolingOptions{Stride: []int{2}}), "array([[[1., 1., 3., 2., 2.]]])")
	want(t, ops.Unpooling(x, []int{2}, ops.UnpoolingOptions{CoverAll: true}), "array([[[1., 1., 2.]]])")
	want(t, ops.Unpooling(x, []int{2}, ops.UnpoolingOptions{OutSize: []int{5}}), "array([[[1., 1., 2., 2., 0.]]])")
	image := normal(1, dtype.Float64, 2, 3, 4, 6)
	y, index := ops.MaxPoolingWithIndex(image, []int{2, 3})
	back := ops.Upsampling(y, index, []int{2, 3})
	close64(t, ops.MaxPooling(ops.Where(ops.Equal(back, image), image, nd.Scalar(-9)), []int{2, 3}), y, 0)
	outside := nd.FromSlice([]int{-1, 2}, 1, 1, 2)
	want(t, ops.Upsampling(x, outside, []int{2}), "array([[[0., 0., 0., 0.]]])")
}

func TestSpatialPyramidPooling(t *testing.T) {
	y := ops.SpatialPyramidPooling(nd.ArangeInt(0, 25, 1).Reshape(1, 1, 5, 5), 2)
	want(t, y.Reshape(5), "array([24, 12, 14, 22, 24])")
}

func TestPoolingOverManyAxes(t *testing.T) {
	x := normal(2, dtype.Float64, 2, 4, 5, 4, 5)
	kernel, pad := []int{2, 3, 2, 2}, []int{1, 1, 0, 1}
	o := ops.PoolingOptions{Stride: []int{2, 2, 1, 2}, Pad: pad}
	half := ops.SumPooling(x, kernel[1:], ops.PoolingOptions{Stride: o.Stride[1:], Pad: pad[1:]})
	first := ops.SumPooling(half.MoveAxis([]int{1}, []int{-1}), kernel[:1], ops.PoolingOptions{Stride: o.Stride[:1], Pad: pad[:1]})
	close64(t, ops.SumPooling(x, kernel, o), first.MoveAxis([]int{-1}, []int{1}), 1e-12)
	o.ChannelLast = true
	last := ops.MaxPooling(x.MoveAxis([]int{0}, []int{-1}), kernel, o)
	o.ChannelLast = false
	close64(t, last.MoveAxis([]int{-1}, []int{0}), ops.MaxPooling(x, kernel, o), 0)
}

func TestPoolingGradients(t *testing.T) {
	x := normal(3, dtype.Float64, 2, 2, 5, 4)
	y, index := ops.MaxPoolingWithIndex(x, []int{3, 2}, ops.PoolingOptions{Stride: []int{1, 2}, Pad: []int{1, 1}})
	o := ops.PoolingOptions{Stride: []int{1, 2}, Pad: []int{1, 1}}
	for name, test := range map[string]struct {
		f gradcheck.Function
		x *nd.Array
	}{
		"MaxPooling": {func(xs ...*nd.Array) *nd.Array { return ops.MaxPooling(xs[0], []int{3, 2}, o) }, x},
		"channel last": {func(xs ...*nd.Array) *nd.Array {
			return ops.MaxPooling(xs[0], []int{2, 2}, ops.PoolingOptions{ChannelLast: true})
		}, x},
		"SumPooling": {func(xs ...*nd.Array) *nd.Array { return ops.SumPooling(xs[0], []int{3, 2}, o) }, x},
		"AveragePooling": {func(xs ...*nd.Array) *nd.Array {
			return ops.AveragePooling(xs[0], []int{3, 2}, ops.AveragePoolingOptions{Stride: o.Stride, Pad: o.Pad, IncludingPad: new(false)})
		}, x},
		"LPPooling": {func(xs ...*nd.Array) *nd.Array { return ops.LPPooling(xs[0], []int{3, 2}, 2, o) }, x},
		"Unpooling": {func(xs ...*nd.Array) *nd.Array {
			return ops.Unpooling(xs[0], []int{3, 2}, ops.UnpoolingOptions{Stride: []int{2, 1}})
		}, x},
		"four axes": {func(xs ...*nd.Array) *nd.Array { return ops.MaxPooling(xs[0], []int{2, 1, 2, 2}) }, x},
		"Upsampling": {func(xs ...*nd.Array) *nd.Array {
			return ops.Upsampling(xs[0], index, []int{3, 2}, ops.UnpoolingOptions{Stride: o.Stride, Pad: o.Pad})
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
	refuses(t, "at least one length", func() { ops.MaxPooling(x, nil) })
	refuses(t, "at least one length", func() { ops.SumPooling(nd.Zeros([]int{3}), []int{1, 1}) })
	refuses(t, "lengths, strides and dilations from 1", func() { ops.MaxPooling(x, []int{0, 2}) })
	refuses(t, "lengths, strides and dilations from 1", func() { ops.MaxPooling(x, []int{2, 2}, ops.PoolingOptions{Stride: []int{1, 0}}) })
	refuses(t, "padding from 0", func() { ops.AveragePooling(x, []int{2, 2}, ops.AveragePoolingOptions{Pad: []int{-1, 0}}) })
	refuses(t, "want one for each length", func() { ops.MaxPooling(x, []int{2, 2}, ops.PoolingOptions{Stride: []int{1}}) })
	refuses(t, "no window", func() { ops.MaxPooling(x, []int{5, 2}) })
	refuses(t, "up to three lengths", func() { ops.MaxPoolingWithIndex(x, []int{1, 1, 1, 1}) })
	refuses(t, "no largest", func() { ops.MaxPooling(nd.Zeros([]int{4}, nd.ArrayOptions{DType: dtype.Complex64}), []int{2}) })
	refuses(t, "array of numbers", func() { ops.MaxPooling(nd.Scalar(1), []int{2}) })
	refuses(t, "p = 4", func() { ops.LPPooling(x, []int{2, 2}, 4) })
	refuses(t, "another number of windows", func() { ops.Unpooling(x, []int{2, 2}, ops.UnpoolingOptions{OutSize: []int{8, 11}}) })
	refuses(t, "integer indices", func() { ops.Upsampling(x, x, []int{2, 2}) })
	refuses(t, "four axes", func() { ops.SpatialPyramidPooling(nd.Zeros([]int{2, 2}), 1) })
}
