package ops_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func ExampleConvolution() {
	x := nd.ArangeInt(0, 16, 1).AsType(dtype.Float32).Reshape(1, 1, 4, 4)
	w := nd.FromSlice([]float32{-1, 1, -1, 1}, 1, 1, 2, 2)
	fmt.Println(ops.Convolution(x, w, nil, ops.ConvolutionOptions{Stride: []int{2}}).Reshape(2, 2))
	fmt.Println(ops.Deconvolution(nd.Ones([]int{1, 1, 2}), nd.FromSlice([]float64{1, 2, 3}, 1, 1, 3), nil).Ravel())
	// Output:
	// [[2. 2.]
	//  [2. 2.]]
	// [1. 3. 5. 3.]
}

func TestConvolutionByHand(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3, 4, 5}, 1, 1, 5)
	w := nd.FromSlice([]int{1, 10, 100}, 1, 1, 3)
	conv := func(o ops.ConvolutionOptions) *nd.Array { return ops.Convolution(x, w, nil, o).Ravel() }
	want(t, conv(ops.ConvolutionOptions{}), "array([321, 432, 543])")
	want(t, conv(ops.ConvolutionOptions{Pad: []int{1}}), "array([210, 321, 432, 543, 54])")
	want(t, conv(ops.ConvolutionOptions{Stride: []int{2}}), "array([321, 543])")
	want(t, conv(ops.ConvolutionOptions{Dilation: []int{2}}), "array([531])")
	want(t, conv(ops.ConvolutionOptions{Stride: []int{3}}), "array([321])")
	want(t, conv(ops.ConvolutionOptions{Stride: []int{3}, CoverAll: true}), "array([321, 54])")
	want(t, conv(ops.ConvolutionOptions{Pad: []int{7}, Stride: []int{8}}), "array([ 0, 432, 0])")
	want(t, ops.Convolution(x, w, nd.FromSlice([]int{1000})).Ravel(), "array([1321, 1432, 1543])")
	want(t, ops.Convolution(x.Index(nd.At(0)), w, nil, ops.ConvolutionOptions{BaseAxis: new(0)}), "array([[321, 432, 543]])")
	want(t, ops.Convolution(x.Flip(2), w.BroadcastTo(2, 1, 3), nil), "array([[[345, 234, 123], [345, 234, 123]]])")
	want(t, ops.Convolution(nd.Zeros([]int{0, 1, 5}), nd.Zeros([]int{2, 1, 3}), nil), "array([], shape=(0, 2, 3), dtype=float64)")
	want(t, ops.Deconvolution(x, w, nil, ops.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1}, OutputPadding: []int{1}}).Ravel(),
		"array([ 10, 102, 20, 203, 30, 304, 40, 405, 50, 500])")
	want(t, ops.DepthwiseConvolution(nd.FromSlice([]int{1, 2, 3, 4}, 1, 2, 2), nd.FromSlice([]int{1, 2, 3, 4}, 4, 1), nil,
		ops.DepthwiseConvolutionOptions{Multiplier: 2}).Reshape(4, 2), "array([[ 1, 2], [ 2, 4], [ 9, 12], [12, 16]])")
	want(t, ops.DepthwiseDeconvolution(nd.FromSlice([]int{1, 2, 3, 4}, 1, 2, 2), nd.FromSlice([]int{1, 10}, 2, 1), nil,
		ops.DepthwiseDeconvolutionOptions{Divisor: 2}).Ravel(), "array([31, 42])")
	want(t, ops.Im2Col(x, []int{2}, ops.Im2ColOptions{Stride: []int{2}, Pad: []int{1}}), "array([[[0, 2, 4], [1, 3, 5]]])")
	want(t, ops.Im2Col(x, []int{2}, ops.Im2ColOptions{Stride: []int{2}, CoverAll: true}), "array([[[1, 3, 5], [2, 4, 0]]])")
}

// TestConvolutionsOfGivenDTypes computes sums that the operands' dtype cannot hold.
func TestConvolutionsOfGivenDTypes(t *testing.T) {
	x, w := nd.FromSlice([]uint8{255, 200, 0, 250}, 1, 1, 4), nd.FromSlice([]int8{-128, 127}, 1, 1, 2)
	wide := ops.ConvolutionOptions{DType: dtype.Int32}
	want(t, ops.Convolution(x, w, nil, wide).Ravel(), "array([ -7240, -25600, 31750], dtype=int32)")
	want(t, ops.Convolution(x, w, nd.FromSlice([]int8{-100}), wide).Ravel(), "array([ -7340, -25700, 31650], dtype=int32)")
	want(t, ops.Deconvolution(x, w, nil, ops.DeconvolutionOptions{DType: dtype.Int32}).Ravel(),
		"array([-32640, 6785, 25400, -32000, 31750], dtype=int32)")
	y := ops.Convolution(x, w, nd.FromSlice([]float64{0.5}), ops.ConvolutionOptions{DType: dtype.Float32})
	want(t, y.Ravel(), "array([ -7239.5, -25599.5, 31750.5], dtype=float32)")
	refuses(t, "cannot cast int8 to dtype uint16", func() { ops.Convolution(x, w, nil, ops.ConvolutionOptions{DType: dtype.Uint16}) })
	refuses(t, "cannot cast float64 to dtype int32", func() { ops.Convolution(x, w, nd.Ones([]int{1}), wide) })
}

// TestConvolutionLayouts compares channels last with channels first, and windows with more axes than the kernel
// supports with the sum over the taps of the first axis.
func TestConvolutionLayouts(t *testing.T) {
	x, w, b := normal(1, dtype.Float64, 2, 4, 7, 6), normal(2, dtype.Float64, 6, 2, 3, 2), normal(3, dtype.Float64, 6)
	o := ops.ConvolutionOptions{Pad: []int{1, 2}, Stride: []int{2, 1}, Dilation: []int{1, 2}, Group: 2}
	first := ops.Convolution(x, w, b, o)
	o.ChannelLast = true
	last := ops.Convolution(x.MoveAxis([]int{1}, []int{-1}), w.MoveAxis([]int{1}, []int{-1}), b, o)
	close64(t, last.MoveAxis([]int{-1}, []int{1}), first, 1e-12)
	if !last.IsContiguous() {
		t.Errorf("the channels are not last in memory: strides %v", last.Strides())
	}
	d := ops.DeconvolutionOptions{Pad: []int{1, 2}, Stride: []int{2, 1}, Dilation: []int{1, 2}, Group: 2, OutputPadding: []int{1, 0}}
	back := ops.Deconvolution(first, w, nil, d)
	d.ChannelLast = true
	close64(t, ops.Deconvolution(last, w.MoveAxis([]int{1}, []int{-1}), nil, d).MoveAxis([]int{-1}, []int{1}), back, 1e-11)

	deep, taps := normal(4, dtype.Float64, 1, 2, 4, 3, 4, 5), normal(5, dtype.Float64, 3, 2, 2, 1, 2, 3)
	strides, pads := []int{2, 1, 1, 2}, []int{1, 0, 1, 0}
	y := ops.Convolution(deep, taps, nil, ops.ConvolutionOptions{Stride: strides, Pad: pads})
	columns := ops.Im2Col(deep, []int{2, 1, 2, 3}, ops.Im2ColOptions{Stride: strides, Pad: pads})
	close64(t, y.Reshape(3, -1), ops.MatMul(taps.Reshape(3, -1), columns.Reshape(2*12, -1)), 1e-12)
	g := ops.Deconvolution(y, taps, nil, ops.DeconvolutionOptions{Stride: strides, Pad: pads, OutputPadding: []int{0, 0, 0, 0}})
	_, gx := gradOf(func(x *nd.Array) *nd.Array {
		z := ops.Convolution(x, taps, nil, ops.ConvolutionOptions{Stride: strides, Pad: pads})
		return ops.MulScalar(ops.Square(z), 0.5)
	}, deep)
	shape := g.Shape()
	close64(t, gx.Index(nd.All(), nd.All(), nd.Until(shape[2]), nd.All(), nd.All(), nd.Until(shape[5])),
		g, 1e-11)
}

func TestConvolutionGradients(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
		x1, w1 := normal(6, dt, 2, 2, 5), normal(7, dt, 4, 1, 3)
		x2, w2 := normal(8, dt, 2, 2, 4, 5), normal(9, dt, 3, 2, 2, 3)
		x3, w3 := normal(10, dt, 1, 1, 2, 3, 3), normal(11, dt, 2, 1, 2, 2, 1)
		x4, w4 := normal(12, dt, 1, 1, 2, 2, 3, 2), normal(13, dt, 2, 1, 2, 1, 2, 1)
		bias := normal(14, dt, 4)
		for name, c := range map[string]struct {
			f    func(x, w *nd.Array) *nd.Array
			x, w *nd.Array
		}{
			"groups": {func(x, w *nd.Array) *nd.Array {
				return ops.Convolution(x, w, bias, ops.ConvolutionOptions{Group: 2, Pad: []int{2}, Stride: []int{2}})
			}, x1, w1},
			"bias": {func(x, b *nd.Array) *nd.Array { return ops.Convolution(x, w1, b, ops.ConvolutionOptions{Group: 2}) }, x1, bias},
			"images": {func(x, w *nd.Array) *nd.Array {
				return ops.Convolution(x, w, nil, ops.ConvolutionOptions{Pad: []int{1, 2}, Dilation: []int{2, 1}, Stride: []int{1, 2}, CoverAll: true})
			}, x2, w2},
			"channels last": {func(x, w *nd.Array) *nd.Array {
				return ops.Convolution(x, w, nil, ops.ConvolutionOptions{ChannelLast: true, Pad: []int{1}})
			}, x2.Transpose(0, 2, 3, 1), w2.Transpose(0, 2, 3, 1)},
			"volumes": {func(x, w *nd.Array) *nd.Array {
				return ops.Convolution(x, w, nil, ops.ConvolutionOptions{Pad: []int{1}})
			}, x3, w3},
			"deconvolution": {func(x, w *nd.Array) *nd.Array {
				return ops.Deconvolution(x, w.SwapAxes(0, 1), nil, ops.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1}, OutputPadding: []int{1}})
			}, x2, w2},
			"depthwise": {func(x, w *nd.Array) *nd.Array {
				return ops.DepthwiseConvolution(x, w.Squeeze(1), bias, ops.DepthwiseConvolutionOptions{Multiplier: 2})
			}, x1, w1},
			"four axes": {func(x, w *nd.Array) *nd.Array { return ops.Convolution(x, w, nil) }, x4, w4},
			"four axes back": {func(x, w *nd.Array) *nd.Array {
				return ops.Deconvolution(x, w.SwapAxes(0, 1), nil, ops.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1, 0, 1, 0}})
			}, x4, w4},
			"Im2Col": {func(x, w *nd.Array) *nd.Array {
				return ops.Multiply(ops.Im2Col(x, []int{2, 3}, ops.Im2ColOptions{Stride: []int{2}, Pad: []int{1}}), w.Index(nd.At(0), nd.At(0), nd.At(0), nd.At(0)))
			}, x2, w2},
		} {
			t.Run(name+" of "+dt.String(), func(t *testing.T) {
				f := func(xs ...*nd.Array) *nd.Array { return c.f(xs[0], xs[1]) }
				gradcheck.Check(t, f, c.x, c.w)
				gradcheck.CheckSecondOrder(t, f, c.x, c.w)
			})
		}
	}
}

// TestWeightsThatAreNotFinite checks that an infinity reaches only the results of its products, and zero padding only
// where x has it.
func TestWeightsThatAreNotFinite(t *testing.T) {
	for _, name := range device.Names() {
		dev, err := device.Get(name)
		if err != nil {
			continue
		}
		on := func(shape []int, v ...float64) *nd.Array { return nd.FromSliceOn(dev, v, shape...) }
		x, w := on([]int{1, 1, 3}, 1, 2, 3), on([]int{1, 1, 2}, 1, inf)
		wantFloats(t, name+": Deconvolution", ops.Deconvolution(x, w, nil), 1, inf, inf, inf)
		wantFloats(t, name+": DepthwiseDeconvolution", ops.DepthwiseDeconvolution(x, w.Reshape(1, 2), nil), 1, inf, inf, inf)
		padded := ops.ConvolutionOptions{Pad: []int{1}}
		wantFloats(t, name+": Convolution", ops.Convolution(x, w, nil, padded), inf, inf, inf, nan)
		_, g := gradOf(func(x *nd.Array) *nd.Array { return ops.Convolution(x, w, nil) }, x)
		wantFloats(t, name+": the gradient of x", g, 1, inf, inf)
		_, g = gradOf(func(x *nd.Array) *nd.Array { return ops.Convolution(x, w, nil, padded) }, x)
		wantFloats(t, name+": the gradient of padded x", g, inf, inf, inf)
		_, g = gradOf(func(x *nd.Array) *nd.Array {
			return ops.DepthwiseConvolution(x, w.Reshape(1, 2), nil, ops.DepthwiseConvolutionOptions{Stride: []int{2}})
		}, x)
		wantFloats(t, name+": the gradient of x of a depthwise convolution in steps", g, 1, inf, 0)
	}
}

func TestConvolutionDTypes(t *testing.T) {
	half := ops.Convolution(nd.Ones([]int{1, 1, 4000}, nd.ArrayOptions{DType: dtype.Float16}),
		nd.Ones([]int{1, 1, 3000}, nd.ArrayOptions{DType: dtype.Float16}), nil, ops.ConvolutionOptions{Stride: []int{1000}})
	want(t, half.Ravel(), "array([3.e+03, 3.e+03], dtype=float16)")
	mixed := ops.Convolution(nd.Ones([]int{1, 1, 2}, nd.ArrayOptions{DType: dtype.Int8}), nd.Ones([]int{1, 1, 2}, nd.ArrayOptions{DType: dtype.Float32}), nil)
	want(t, mixed.Ravel(), "array([2.], dtype=float32)")
}

func TestConvolutionRefusals(t *testing.T) {
	x, w := nd.Zeros([]int{2, 4, 5, 6}), nd.Zeros([]int{6, 4, 3, 3})
	conv := func(x, w, b *nd.Array, o ops.ConvolutionOptions) func() {
		return func() { ops.Convolution(x, w, b, o) }
	}
	refuses(t, "float64(2, 4, 5, 6) float64(6, 3, 3, 3)", conv(x, nd.Zeros([]int{6, 3, 3, 3}), nil, ops.ConvolutionOptions{}))
	refuses(t, "x has 4 channels, w is for 8 in 2 groups", conv(x, w, nil, ops.ConvolutionOptions{Group: 2}))
	refuses(t, "4 groups: want a divisor of 6", conv(x, w, nil, ops.ConvolutionOptions{Group: 4}))
	refuses(t, "want w to have 4 axes", conv(x, w.Index(nd.At(0)), nil, ops.ConvolutionOptions{}))
	refuses(t, "base axis 3 of 4 axes", conv(x, w, nil, ops.ConvolutionOptions{BaseAxis: new(3)}))
	refuses(t, "want a bias of shape (6,)", conv(x, w, nd.Zeros([]int{4}), ops.ConvolutionOptions{}))
	refuses(t, "Stride [0 1]: want at least 1", conv(x, w, nil, ops.ConvolutionOptions{Stride: []int{0, 1}}))
	refuses(t, "Pad [1 1 1]: want one number, or one for each of 2 axes", conv(x, w, nil, ops.ConvolutionOptions{Pad: []int{1, 1, 1}}))
	refuses(t, "spans 7 along its axis 0, the padded input has 5", conv(x, w, nil, ops.ConvolutionOptions{Dilation: []int{3}}))
	refuses(t, "x has 4 channels, w is for 6", func() { ops.Deconvolution(x, w, nil) })
	refuses(t, "want less than the strides", func() {
		ops.Deconvolution(x, w.SwapAxes(0, 1), nil, ops.DeconvolutionOptions{OutputPadding: []int{1}})
	})
	refuses(t, "would have length -1", func() {
		ops.Deconvolution(x, w.SwapAxes(0, 1), nil, ops.DeconvolutionOptions{Pad: []int{4}})
	})
	refuses(t, "x has 4 channels, w 6 windows", func() { ops.DepthwiseConvolution(x, w.Index(nd.All(), nd.At(0)), nil) })
	refuses(t, "a multiple of the divisor 3", func() {
		ops.DepthwiseDeconvolution(x, nd.Zeros([]int{4, 3, 3}), nil, ops.DepthwiseDeconvolutionOptions{Divisor: 3})
	})
	refuses(t, "kernel [2 2 2]", func() { ops.Im2Col(x, []int{2, 2, 2}) })
}
