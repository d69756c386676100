package conv_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func ExampleConvolution() {
	x := nd.ArangeInt(0, 16, 1).AsType(dtype.Float32).Reshape(1, 1, 4, 4)
	w := nd.FromSlice([]float32{-1, 1, -1, 1}, 1, 1, 2, 2)
	fmt.Println(conv.Convolution(x, w, nil, conv.ConvolutionOptions{Stride: []int{2}}).Reshape(2, 2))
	fmt.Println(conv.Deconvolution(nd.Ones([]int{1, 1, 2}), nd.FromSlice([]float64{1, 2, 3}, 1, 1, 3), nil).Ravel())
	// Output:
	// [[2. 2.]
	//  [2. 2.]]
	// [1. 3. 5. 3.]
}

func TestConvolutionByHand(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3, 4, 5}, 1, 1, 5)
	w := nd.FromSlice([]int{1, 10, 100}, 1, 1, 3)
	convolved := func(o conv.ConvolutionOptions) *nd.Array { return conv.Convolution(x, w, nil, o).Ravel() }
	opstest.Repr(t, convolved(conv.ConvolutionOptions{}), "array([321, 432, 543])")
	opstest.Repr(t, convolved(conv.ConvolutionOptions{Pad: []int{1}}), "array([210, 321, 432, 543, 54])")
	opstest.Repr(t, convolved(conv.ConvolutionOptions{Stride: []int{2}}), "array([321, 543])")
	opstest.Repr(t, convolved(conv.ConvolutionOptions{Dilation: []int{2}}), "array([531])")
	opstest.Repr(t, convolved(conv.ConvolutionOptions{Stride: []int{3}}), "array([321])")
	opstest.Repr(t, convolved(conv.ConvolutionOptions{Stride: []int{3}, CoverAll: true}), "array([321, 54])")
	opstest.Repr(t, convolved(conv.ConvolutionOptions{Pad: []int{7}, Stride: []int{8}}), "array([ 0, 432, 0])")
	opstest.Repr(t, conv.Convolution(x, w, nd.FromSlice([]int{1000})).Ravel(), "array([1321, 1432, 1543])")
	opstest.Repr(t, conv.Convolution(x.Index(nd.At(0)), w, nil, conv.ConvolutionOptions{BaseAxis: new(0)}), "array([[321, 432, 543]])")
	opstest.Repr(t, conv.Convolution(x.Flip(2), w.BroadcastTo(2, 1, 3), nil), "array([[[345, 234, 123], [345, 234, 123]]])")
	opstest.Repr(t, conv.Convolution(nd.Zeros([]int{0, 1, 5}), nd.Zeros([]int{2, 1, 3}), nil), "array([], shape=(0, 2, 3), dtype=float64)")
	opstest.Repr(t, conv.Deconvolution(x, w, nil, conv.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1}, OutputPadding: []int{1}}).Ravel(),
		"array([ 10, 102, 20, 203, 30, 304, 40, 405, 50, 500])")
	opstest.Repr(t, conv.DepthwiseConvolution(nd.FromSlice([]int{1, 2, 3, 4}, 1, 2, 2), nd.FromSlice([]int{1, 2, 3, 4}, 4, 1), nil,
		conv.DepthwiseConvolutionOptions{Multiplier: 2}).Reshape(4, 2), "array([[ 1, 2], [ 2, 4], [ 9, 12], [12, 16]])")
	opstest.Repr(t, conv.DepthwiseDeconvolution(nd.FromSlice([]int{1, 2, 3, 4}, 1, 2, 2), nd.FromSlice([]int{1, 10}, 2, 1), nil,
		conv.DepthwiseDeconvolutionOptions{Divisor: 2}).Ravel(), "array([31, 42])")
	opstest.Repr(t, conv.Im2Col(x, []int{2}, conv.Im2ColOptions{Stride: []int{2}, Pad: []int{1}}), "array([[[0, 2, 4], [1, 3, 5]]])")
	opstest.Repr(t, conv.Im2Col(x, []int{2}, conv.Im2ColOptions{Stride: []int{2}, CoverAll: true}), "array([[[1, 3, 5], [2, 4, 0]]])")
}

// TestConvolutionsOfGivenDTypes computes sums that the operands' dtype cannot hold.
func TestConvolutionsOfGivenDTypes(t *testing.T) {
	x, w := nd.FromSlice([]uint8{255, 200, 0, 250}, 1, 1, 4), nd.FromSlice([]int8{-128, 127}, 1, 1, 2)
	wide := conv.ConvolutionOptions{DType: dtype.Int32}
	opstest.Repr(t, conv.Convolution(x, w, nil, wide).Ravel(), "array([ -7240, -25600, 31750], dtype=int32)")
	opstest.Repr(t, conv.Convolution(x, w, nd.FromSlice([]int8{-100}), wide).Ravel(), "array([ -7340, -25700, 31650], dtype=int32)")
	opstest.Repr(t, conv.Deconvolution(x, w, nil, conv.DeconvolutionOptions{DType: dtype.Int32}).Ravel(),
		"array([-32640, 6785, 25400, -32000, 31750], dtype=int32)")
	y := conv.Convolution(x, w, nd.FromSlice([]float64{0.5}), conv.ConvolutionOptions{DType: dtype.Float32})
	opstest.Repr(t, y.Ravel(), "array([ -7239.5, -25599.5, 31750.5], dtype=float32)")
	opstest.Refuses(t, "cannot cast int8 to dtype uint16", func() { conv.Convolution(x, w, nil, conv.ConvolutionOptions{DType: dtype.Uint16}) })
	opstest.Refuses(t, "cannot cast float64 to dtype int32", func() { conv.Convolution(x, w, nd.Ones([]int{1}), wide) })
}

// TestConvolutionLayouts compares channels last with channels first, and windows with more axes than the kernel
// supports with the sum over the taps of the first axis.
func TestConvolutionLayouts(t *testing.T) {
	x, w, b := opstest.Normal(1, dtype.Float64, 2, 4, 7, 6), opstest.Normal(2, dtype.Float64, 6, 2, 3, 2), opstest.Normal(3, dtype.Float64, 6)
	o := conv.ConvolutionOptions{Pad: []int{1, 2}, Stride: []int{2, 1}, Dilation: []int{1, 2}, Group: 2}
	first := conv.Convolution(x, w, b, o)
	o.ChannelLast = true
	last := conv.Convolution(x.MoveAxis([]int{1}, []int{-1}), w.MoveAxis([]int{1}, []int{-1}), b, o)
	opstest.Close(t, last.MoveAxis([]int{-1}, []int{1}), first, 1e-12)
	if !last.IsContiguous() {
		t.Errorf("the channels are not last in memory: strides %v", last.Strides())
	}
	d := conv.DeconvolutionOptions{Pad: []int{1, 2}, Stride: []int{2, 1}, Dilation: []int{1, 2}, Group: 2, OutputPadding: []int{1, 0}}
	back := conv.Deconvolution(first, w, nil, d)
	d.ChannelLast = true
	opstest.Close(t, conv.Deconvolution(last, w.MoveAxis([]int{1}, []int{-1}), nil, d).MoveAxis([]int{-1}, []int{1}), back, 1e-11)

	deep, taps := opstest.Normal(4, dtype.Float64, 1, 2, 4, 3, 4, 5), opstest.Normal(5, dtype.Float64, 3, 2, 2, 1, 2, 3)
	strides, pads := []int{2, 1, 1, 2}, []int{1, 0, 1, 0}
	y := conv.Convolution(deep, taps, nil, conv.ConvolutionOptions{Stride: strides, Pad: pads})
	columns := conv.Im2Col(deep, []int{2, 1, 2, 3}, conv.Im2ColOptions{Stride: strides, Pad: pads})
	opstest.Close(t, y.Reshape(3, -1), ops.MatMul(taps.Reshape(3, -1), columns.Reshape(2*12, -1)), 1e-12)
	g := conv.Deconvolution(y, taps, nil, conv.DeconvolutionOptions{Stride: strides, Pad: pads, OutputPadding: []int{0, 0, 0, 0}})
	_, gx := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
		z := conv.Convolution(x, taps, nil, conv.ConvolutionOptions{Stride: strides, Pad: pads})
		return ops.Multiply(ops.Square(z), 0.5)
	}, deep)
	shape := g.Shape()
	opstest.Close(t, gx.Index(nd.All(), nd.All(), nd.Until(shape[2]), nd.All(), nd.All(), nd.Until(shape[5])),
		g, 1e-11)
}

func TestConvolutionGradients(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
		x1, w1 := opstest.Normal(6, dt, 2, 2, 5), opstest.Normal(7, dt, 4, 1, 3)
		x2, w2 := opstest.Normal(8, dt, 2, 2, 4, 5), opstest.Normal(9, dt, 3, 2, 2, 3)
		x3, w3 := opstest.Normal(10, dt, 1, 1, 2, 3, 3), opstest.Normal(11, dt, 2, 1, 2, 2, 1)
		x4, w4 := opstest.Normal(12, dt, 1, 1, 2, 2, 3, 2), opstest.Normal(13, dt, 2, 1, 2, 1, 2, 1)
		bias := opstest.Normal(14, dt, 4)
		for name, c := range map[string]struct {
			f    func(x, w *nd.Array) *nd.Array
			x, w *nd.Array
		}{
			"groups": {func(x, w *nd.Array) *nd.Array {
				return conv.Convolution(x, w, bias, conv.ConvolutionOptions{Group: 2, Pad: []int{2}, Stride: []int{2}})
			}, x1, w1},
			"bias": {func(x, b *nd.Array) *nd.Array { return conv.Convolution(x, w1, b, conv.ConvolutionOptions{Group: 2}) }, x1, bias},
			"images": {func(x, w *nd.Array) *nd.Array {
				return conv.Convolution(x, w, nil, conv.ConvolutionOptions{Pad: []int{1, 2}, Dilation: []int{2, 1}, Stride: []int{1, 2}, CoverAll: true})
			}, x2, w2},
			"channels last": {func(x, w *nd.Array) *nd.Array {
				return conv.Convolution(x, w, nil, conv.ConvolutionOptions{ChannelLast: true, Pad: []int{1}})
			}, x2.Transpose(0, 2, 3, 1), w2.Transpose(0, 2, 3, 1)},
			"volumes": {func(x, w *nd.Array) *nd.Array {
				return conv.Convolution(x, w, nil, conv.ConvolutionOptions{Pad: []int{1}})
			}, x3, w3},
			"deconvolution": {func(x, w *nd.Array) *nd.Array {
				return conv.Deconvolution(x, w.SwapAxes(0, 1), nil, conv.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1}, OutputPadding: []int{1}})
			}, x2, w2},
			"depthwise": {func(x, w *nd.Array) *nd.Array {
				return conv.DepthwiseConvolution(x, w.Squeeze(1), bias, conv.DepthwiseConvolutionOptions{Multiplier: 2})
			}, x1, w1},
			"four axes": {func(x, w *nd.Array) *nd.Array { return conv.Convolution(x, w, nil) }, x4, w4},
			"four axes back": {func(x, w *nd.Array) *nd.Array {
				return conv.Deconvolution(x, w.SwapAxes(0, 1), nil, conv.DeconvolutionOptions{Stride: []int{2}, Pad: []int{1, 0, 1, 0}})
			}, x4, w4},
			"Im2Col": {func(x, w *nd.Array) *nd.Array {
				return ops.Multiply(conv.Im2Col(x, []int{2, 3}, conv.Im2ColOptions{Stride: []int{2}, Pad: []int{1}}), w.Index(nd.At(0), nd.At(0), nd.At(0), nd.At(0)))
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
	inf, nan := math.Inf(1), math.NaN()
	for _, name := range device.Names() {
		dev, err := device.Get(name)
		if err != nil {
			continue
		}
		on := func(shape []int, v ...float64) *nd.Array { return nd.FromSliceOn(dev, v, shape...) }
		x, w := on([]int{1, 1, 3}, 1, 2, 3), on([]int{1, 1, 2}, 1, inf)
		opstest.Floats(t, name+": Deconvolution", conv.Deconvolution(x, w, nil), 1, inf, inf, inf)
		opstest.Floats(t, name+": DepthwiseDeconvolution", conv.DepthwiseDeconvolution(x, w.Reshape(1, 2), nil), 1, inf, inf, inf)
		padded := conv.ConvolutionOptions{Pad: []int{1}}
		opstest.Floats(t, name+": Convolution", conv.Convolution(x, w, nil, padded), inf, inf, inf, nan)
		_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return conv.Convolution(x, w, nil) }, x)
		opstest.Floats(t, name+": the gradient of x", g, 1, inf, inf)
		_, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return conv.Convolution(x, w, nil, padded) }, x)
		opstest.Floats(t, name+": the gradient of padded x", g, inf, inf, inf)
		_, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
			return conv.DepthwiseConvolution(x, w.Reshape(1, 2), nil, conv.DepthwiseConvolutionOptions{Stride: []int{2}})
		}, x)
		opstest.Floats(t, name+": the gradient of x of a depthwise convolution in steps", g, 1, inf, 0)
	}
}

func TestConvolutionDTypes(t *testing.T) {
	half := conv.Convolution(nd.Ones([]int{1, 1, 4000}, dtype.Float16),
		nd.Ones([]int{1, 1, 3000}, dtype.Float16), nil, conv.ConvolutionOptions{Stride: []int{1000}})
	opstest.Repr(t, half.Ravel(), "array([3.e+03, 3.e+03], dtype=float16)")
	mixed := conv.Convolution(nd.Ones([]int{1, 1, 2}, dtype.Int8), nd.Ones([]int{1, 1, 2}, dtype.Float32), nil)
	opstest.Repr(t, mixed.Ravel(), "array([2.], dtype=float32)")
}

func TestConvolutionRefusals(t *testing.T) {
	x, w := nd.Zeros([]int{2, 4, 5, 6}), nd.Zeros([]int{6, 4, 3, 3})
	convolve := func(x, w, b *nd.Array, o conv.ConvolutionOptions) func() {
		return func() { conv.Convolution(x, w, b, o) }
	}
	opstest.Refuses(t, "float64(2, 4, 5, 6) float64(6, 3, 3, 3)", convolve(x, nd.Zeros([]int{6, 3, 3, 3}), nil, conv.ConvolutionOptions{}))
	opstest.Refuses(t, "x has 4 channels, w is for 8 in 2 groups", convolve(x, w, nil, conv.ConvolutionOptions{Group: 2}))
	opstest.Refuses(t, "4 groups: want a divisor of 6", convolve(x, w, nil, conv.ConvolutionOptions{Group: 4}))
	opstest.Refuses(t, "want w to have 4 axes", convolve(x, w.Index(nd.At(0)), nil, conv.ConvolutionOptions{}))
	opstest.Refuses(t, "base axis 3 of 4 axes", convolve(x, w, nil, conv.ConvolutionOptions{BaseAxis: new(3)}))
	opstest.Refuses(t, "want a bias of shape (6,)", convolve(x, w, nd.Zeros([]int{4}), conv.ConvolutionOptions{}))
	opstest.Refuses(t, "Stride [0 1]: want at least 1", convolve(x, w, nil, conv.ConvolutionOptions{Stride: []int{0, 1}}))
	opstest.Refuses(t, "Pad [1 1 1]: want one number, or one for each of 2 axes", convolve(x, w, nil, conv.ConvolutionOptions{Pad: []int{1, 1, 1}}))
	opstest.Refuses(t, "spans 7 along its axis 0, the padded input has 5", convolve(x, w, nil, conv.ConvolutionOptions{Dilation: []int{3}}))
	opstest.Refuses(t, "x has 4 channels, w is for 6", func() { conv.Deconvolution(x, w, nil) })
	opstest.Refuses(t, "want less than the strides", func() {
		conv.Deconvolution(x, w.SwapAxes(0, 1), nil, conv.DeconvolutionOptions{OutputPadding: []int{1}})
	})
	opstest.Refuses(t, "would have length -1", func() {
		conv.Deconvolution(x, w.SwapAxes(0, 1), nil, conv.DeconvolutionOptions{Pad: []int{4}})
	})
	opstest.Refuses(t, "x has 4 channels, w 6 windows", func() { conv.DepthwiseConvolution(x, w.Index(nd.All(), nd.At(0)), nil) })
	opstest.Refuses(t, "a multiple of the divisor 3", func() {
		conv.DepthwiseDeconvolution(x, nd.Zeros([]int{4, 3, 3}), nil, conv.DepthwiseDeconvolutionOptions{Divisor: 3})
	})
	opstest.Refuses(t, "kernel [2 2 2]", func() { conv.Im2Col(x, []int{2, 2, 2}) })
}

// TestDeconvolutionPadsBelowDilation checks that OutputPadding may be any number below the stride or the dilation.
func TestDeconvolutionPadsBelowDilation(t *testing.T) {
	x, w := nd.FromSlice([]float64{1, 2}, 1, 1, 2), nd.Ones([]int{1, 1, 2})
	o := conv.DeconvolutionOptions{Dilation: []int{3}, OutputPadding: []int{2}}
	opstest.Floats(t, "Deconvolution", conv.Deconvolution(x, w, nil, o), 1, 2, 0, 1, 2, 0, 0)
	o.OutputPadding[0] = 3
	opstest.Refuses(t, "strides or dilations", func() { conv.Deconvolution(x, w, nil, o) })
}
