package quantize_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

func TestRanges(t *testing.T) {
	bytes := nd.FromSlice([]int8{-128, -127, 0, 127})
	for _, test := range []struct {
		values *nd.Array
		r      quantize.Range
		levels float64
		scale  float64
		back   quantize.Range
	}{
		{bytes, quantize.Range{Low: -254, High: 100}, 0, 2, quantize.Range{Low: -254, High: 254}},
		{bytes, quantize.Range{Low: 1, High: 255}, 127.5, 2, quantize.Range{Low: -255, High: 255}},
		{bytes.AsType(dtype.Uint8), quantize.Range{Low: 0, High: 127.5}, 0, 0.5, quantize.Range{Low: 0, High: 127.5}},
		{bytes.AsType(dtype.Int32), quantize.Range{Low: -1, High: math.MaxInt32 / 4.}, 0, 0.25, quantize.Range{Low: -math.MaxInt32 / 4., High: math.MaxInt32 / 4.}},
		{bytes, quantize.Range{}, 0, 0, quantize.Range{}},
	} {
		o := quantize.RangeOptions{Levels: test.levels}
		a := quantize.FromRange(test.values, test.r, o)
		if a.Scale != test.scale || a.ZeroPoint != 0 || a.Values != test.values {
			t.Errorf("%v: %v", test.r, a)
		}
		if back := a.Range(o); math.Abs(back.Low-test.back.Low) > 1e-12*test.r.Max() || math.Abs(back.High-test.back.High) > 1e-12*test.r.Max() {
			t.Errorf("%v: back %v, want %v", test.r, back, test.back)
		}
	}
	shifted := quantize.Array{Values: nd.FromSlice([]uint8{0}), Scale: 0.5, ZeroPoint: 10}
	if r := shifted.Range(); r != (quantize.Range{Low: -5, High: 122.5}) {
		t.Errorf("with a zero point: %v", r)
	}
	x := nd.FromSlice([]float64{3, -4, 1, 2}, 2, 2)
	if r := quantize.RangeOf(grad.NewTape().Watch(x.T())); r != (quantize.Range{Low: -4, High: 3}) || r.Max() != 4 {
		t.Errorf("%v", r)
	}
	if r := quantize.RangeOf(nd.Zeros([]int{0})); r != (quantize.Range{}) {
		t.Errorf("of no elements %v", r)
	}
	if quantize.RangeOf(x).DType() != dtype.Int8 || quantize.RangeOf(ops.Absolute(x)).DType() != dtype.Uint8 || (quantize.Range{}).DType() != dtype.Uint8 {
		t.Error("the dtype of a range depends on its sign")
	}
	infinite := quantize.Range{Low: math.Inf(-1)}
	for text, f := range map[string]func(){
		"quantize.RangeOf":     func() { quantize.RangeOf(nd.FromSlice([]complex128{1})) },
		"want finite numbers":  func() { quantize.FromRange(bytes, infinite) },
		"quantize.FromRange":   func() { quantize.FromRange(bytes, quantize.RangeOf(nd.FromSlice([]float64{math.NaN()}))) },
		"an array of integers": func() { quantize.FromRange(x, quantize.Range{}) },
		"Levels -1":            func() { quantize.FromRange(bytes, quantize.Range{}, quantize.RangeOptions{Levels: -1}) },
		"Array.Range":          func() { shifted.Range(quantize.RangeOptions{Levels: math.Inf(1)}) },
	} {
		opstest.Refuses(t, text, f)
	}
}

// TestRounding tests every mode at halves, and beside them.
func TestRounding(t *testing.T) {
	x := nd.FromSlice([]float64{0.5, 1.5, -0.5, -2.5, 0.49999999999999994, 1.9, -1.9, 127, 300, math.NaN()})
	for r, values := range map[quantize.Rounding][]int8{
		"":                       {0, 2, 0, -2, 0, 2, -2, 127, 127, 0},
		quantize.RoundHalfEven:   {0, 2, 0, -2, 0, 2, -2, 127, 127, 0},
		quantize.RoundHalfAway:   {1, 2, -1, -3, 0, 2, -2, 127, 127, 0},
		quantize.RoundTowardZero: {0, 1, 0, -2, 0, 1, -1, 127, 127, 0},
	} {
		want(t, quantize.Symmetric(x, quantize.SymmetricOptions{Max: 127, Rounding: r}).Values, nd.FromSlice(values))
	}
	opstest.Refuses(t, "half even, half away or toward zero", func() { quantize.Symmetric(x, quantize.SymmetricOptions{Rounding: "up"}) })
}

// TestCalibratedProducts gives products in the steps of a calibrated range: 0.5·0.25/0.375 = 1/3 of the products.
func TestCalibratedProducts(t *testing.T) {
	a := quantize.Array{Values: nd.FromSlice([]int8{2, -5, 100, 127}), Scale: 0.5}
	b := quantize.Array{Values: nd.FromSlice([]int8{4, 4, 5, -127}), Scale: 0.25}
	o := quantize.SymmetricOptions{Max: 0.375 * 127.5, Levels: 127.5, Rounding: quantize.RoundTowardZero}
	q := quantize.Requantize(quantize.Multiply(a, b), o)
	want(t, q.Values, nd.FromSlice([]int8{2, -6, 127, -128})) // of 8/3, -20/3, 500/3 and -16129/3
	if q.Scale != 0.375 {
		t.Errorf("scale %v", q.Scale)
	}
}

// TestAveragePooling rounds halves away from 0, keeps steps, and pads with the zero point.
func TestAveragePooling(t *testing.T) {
	values := nd.FromSlice([]int8{1, 2, 4, -1, -2, -127, 127, 127}, 1, 1, 2, 4)
	pairs := conv.AveragePoolingOptions{Stride: []int{1, 2}}
	y := quantize.AveragePooling(quantize.Array{Values: values, Scale: 0.5}, []int{1, 2}, pairs)
	want(t, y.Values, nd.FromSlice([]int8{2, 2, -65, 127}, 1, 1, 2, 2)) // of 1.5, 1.5, -64.5 and 127
	if y.Scale != 0.5 || y.ZeroPoint != 0 {
		t.Errorf("scale %v, zero point %v", y.Scale, y.ZeroPoint)
	}
	for _, z := range []float64{0, 7, -100} { // the same numbers with another zero point
		x := quantize.Array{Values: ops.Add(values.AsType(dtype.Int16), int(z)), Scale: 0.5, ZeroPoint: z}
		for _, o := range []conv.AveragePoolingOptions{pairs, {Stride: []int{1, 2}, Pad: []int{0, 1}}, {Stride: []int{1, 2}, Pad: []int{0, 1}, IncludingPad: new(false)}} {
			got := quantize.AveragePooling(x, []int{1, 2}, o)
			rounded := ops.RoundHalfAway(conv.AveragePooling(values.AsType(dtype.Float64), []int{1, 2}, o))
			want(t, got.Values, ops.Add(rounded, z).AsType(dtype.Int16))
		}
	}
	last := quantize.AveragePooling(quantize.Array{Values: values.MoveAxis([]int{1}, []int{3}), Scale: 1}, []int{1, 2}, conv.AveragePoolingOptions{Stride: []int{1, 2}, ChannelLast: true})
	want(t, last.Values.Reshape(4), nd.FromSlice([]int8{2, 2, -65, 127}))
	wide := quantize.Array{Values: nd.FromSlice([]int32{1<<30 + 1, 1<<30 + 2}, 1, 1, 2), Scale: 1}
	want(t, quantize.AveragePooling(wide, []int{2}).Values, nd.FromSlice([]int32{1<<30 + 2}, 1, 1, 1))
	none := quantize.AveragePooling(quantize.Array{Values: nd.Zeros([]int{0, 1, 4}, dtype.Int8), Scale: 1}, []int{2})
	want(t, none.Values, nd.Zeros([]int{0, 1, 2}, dtype.Int8))
	opstest.Refuses(t, "array of integers", func() { quantize.AveragePooling(quantize.Array{Values: values.AsType(dtype.Float32)}, []int{1, 2}) })
	opstest.Refuses(t, "a whole number", func() { quantize.AveragePooling(quantize.Array{Values: values, ZeroPoint: 0.5}, []int{1, 2}) })
	opstest.Refuses(t, "quantize.AveragePooling", func() { quantize.AveragePooling(quantize.Array{Values: values}, []int{1, 2, 3, 4, 5}) })
}

// TestDynamicFullyConnected derives results by hand: of 127 steps of 4, x is 127, -32 (of -31.75) and 64 (of 63.5).
func TestDynamicFullyConnected(t *testing.T) {
	x := nd.FromSlice([]float32{4, -1, 2}, 1, 3)
	w := quantize.Array{Values: nd.FromSlice([]int8{1, 2, 3, 0, -1, 100}, 2, 3), Scale: 0.5}
	step := 0.5 * 4 / 127
	bias := nd.FromSlice([]float64{10, -20})
	y := quantize.DynamicFullyConnected(x, w, quantize.DynamicFullyConnectedOptions{Bias: bias})
	sums := []float64{127 - 64 + 192, 32 + 6400}
	if y.DType() != dtype.Float32 {
		t.Errorf("dtype %s", y.DType())
	}
	opstest.Close(t, y.AsType(dtype.Float64), nd.FromSlice([]float64{sums[0]*step + 10, sums[1]*step - 20}, 1, 2), 1e-5)
	for _, dt := range []dtype.DType{dtype.Float16, dtype.Float64} {
		if y := quantize.DynamicFullyConnected(x.AsType(dt), w); y.DType() != dt || math.Abs(y.Float(0, 1)-sums[1]*step) > 0.1 {
			t.Errorf("of %s: %v of %s", dt, y, y.DType())
		}
	}
	bytes := quantize.DynamicFullyConnected(nd.FromSlice([]int8{1, -1, 2}, 3, 1).T(), w, quantize.DynamicFullyConnectedOptions{BaseAxis: new(-1)})
	want(t, bytes, nd.FromSlice([]float32{2.5, 100.5}, 1, 2))
	many := quantize.DynamicFullyConnected(nd.Ones([]int{2, 5, 3}), w, quantize.DynamicFullyConnectedOptions{BaseAxis: new(2), Bias: bias})
	opstest.Close(t, many.Index(nd.At(1), nd.At(4)), nd.FromSlice([]float64{13, 29.5}), 1e-12)
	want(t, quantize.DynamicFullyConnected(nd.Zeros([]int{0, 3}, dtype.Float32), w, quantize.DynamicFullyConnectedOptions{Bias: bias}), nd.Zeros([]int{0, 2}, dtype.Float32))
	tape := grad.NewTape()
	watched := tape.Watch(x)
	if g := tape.Gradient(ops.Sum(quantize.DynamicFullyConnected(watched, w, quantize.DynamicFullyConnectedOptions{Bias: tape.Watch(bias)})), watched); g[0] != nil {
		t.Errorf("a gradient of %v", g[0])
	}
	for text, f := range map[string]func(){
		"a real bias for each row": func() {
			quantize.DynamicFullyConnected(x, w, quantize.DynamicFullyConnectedOptions{Bias: nd.Ones([]int{3})})
		},
		"of shape (N, 3)":                func() { quantize.DynamicFullyConnected(x, quantize.Array{Values: w.Values.T(), Scale: 1}) },
		"quantize.DynamicFullyConnected": func() { quantize.DynamicFullyConnected(nd.FromSlice([]complex128{1}, 1, 1), w) },
	} {
		opstest.Refuses(t, text, f)
	}
}
