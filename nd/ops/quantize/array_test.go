package quantize_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

func want(t *testing.T, got, want *nd.Array) {
	t.Helper()
	if got.DType() != want.DType() || !ops.ArrayEqual(got, want) {
		t.Errorf("got %#v, want %#v", got, want)
	}
}

// TestFakeQuantize compares with values and gradients of PyTorch.
func TestFakeQuantize(t *testing.T) {
	x := nd.FromRows([][]float32{{-2, -1.27, -0.05, 0.03}, {0.05, 0.5, 1.3, 2.5}})
	check := func(y, g *nd.Array, values, slopes [][]float32) {
		t.Helper()
		if y.DType() != dtype.Float32 || !ops.AllClose(y, nd.FromRows(values)) {
			t.Errorf("got %v, want %v", y, values)
		}
		want(t, g, nd.FromRows(slopes))
	}
	tape := grad.NewTape()
	w := tape.Watch(x)
	y := quantize.FakeQuantize(w, nd.Scalar(0.1), nd.Scalar(2), -8, 7)
	check(y, tape.Gradient(ops.Sum(y), w)[0], [][]float32{{-1, -1, 0, 0}, {0, 0.5, 0.5, 0.5}}, [][]float32{{0, 0, 1, 1}, {1, 1, 0, 0}})
	y = quantize.FakeQuantize(w, nd.FromSlice([]float32{0.1, 0.25}), nd.FromSlice([]int32{0, -3}), -8, 7, ops.Over(0))
	check(y, tape.Gradient(ops.Sum(y), w)[0], [][]float32{{-0.8, -0.8, 0, 0}, {0, 0.5, 1.25, 2.5}}, [][]float32{{0, 0, 1, 1}, {1, 1, 1, 1}})
}

func TestLinear(t *testing.T) {
	x := nd.FromSlice([]float32{-2, -1.27, -0.05, 0.03, 0.05, 0.5, 1.3, 2.5, 30, float32(math.NaN())})
	q := quantize.Linear(x, 0.1, quantize.LinearOptions{ZeroPoint: 10, DType: dtype.Uint8})
	want(t, q.Values, nd.FromSlice([]uint8{0, 0, 10, 10, 10, 15, 23, 35, 255, 0})) // as PyTorch, except for NaN
	if y := q.Dequantize(); y.DType() != dtype.Float32 || !ops.AllClose(y.Index(nd.Until(5)), nd.FromSlice([]float32{-1, -1, 0, 0, 0})) {
		t.Errorf("dequantized %v", y)
	}
	want(t, quantize.Linear(nd.FromSlice([]float64{2.5, 3.5, -2.5, 1e9}), 1, quantize.LinearOptions{DType: dtype.Int16}).Values,
		nd.FromSlice([]int16{2, 4, -2, math.MaxInt16}))
}

// TestHalvesAreDivided checks multiples of scale/2: Linear and FakeQuantize divide by the scale. Products with 1/scale round a tenth of these halves in another way.
func TestHalvesAreDivided(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		for _, scale := range []float64{0.1, 0.05, 0.3, 1. / 127, 0.007, 0.02, 0.7, 3} {
			halves := make([]float64, 251)
			for k := range halves {
				halves[k] = (float64(k) - 125) * scale / 2
			}
			x := nd.FromSlice(halves).AsType(dt)
			wide := make([]int8, len(halves))
			narrow := make([]float64, len(halves))
			for k, v := range floats(x) {
				wide[k] = int8(math.RoundToEven(v / scale))
				if dt != dtype.Float64 {
					wide[k] = int8(math.RoundToEven(float64(float32(v) / float32(scale))))
				}
				narrow[k] = float64(wide[k])
			}
			want(t, quantize.Linear(x, scale).Values, nd.FromSlice(wide))
			if dt.Size() == 2 { // FakeQuantize takes the scale in x's dtype
				continue
			}
			fake := quantize.FakeQuantize(x, nd.Scalar(scale), nd.Scalar(0), -128, 127)
			if steps := ops.Rint(ops.Divide(fake, scale)); !ops.ArrayEqual(steps, nd.FromSlice(narrow)) {
				t.Errorf("FakeQuantize of %s in steps of %v: %v, want %v", dt, scale, steps, narrow)
			}
		}
	}
}

func floats(x *nd.Array) []float64 { return nd.ToSlice[float64](x.AsType(dtype.Float64)) }

func TestSymmetric(t *testing.T) {
	x := nd.FromSlice([]float64{-4, 1, 2, 3.99})
	q := quantize.Symmetric(x)
	want(t, q.Values, nd.FromSlice([]int8{-127, 32, 64, 127}))
	if q.Scale != 4./127 || q.ZeroPoint != 0 {
		t.Errorf("scale %v, zero point %v", q.Scale, q.ZeroPoint)
	}
	want(t, quantize.Symmetric(x, quantize.SymmetricOptions{Max: 2, Levels: 127.5}).Values, nd.FromSlice([]int8{-128, 64, 127, 127}))
	want(t, quantize.Symmetric(x, quantize.SymmetricOptions{DType: dtype.Uint8}).Values, nd.FromSlice([]uint8{0, 64, 128, 254}))
	want(t, quantize.Symmetric(nd.FromSlice([]int8{-128, 64})).Values, nd.FromSlice([]int8{-127, 64}))
	want(t, quantize.Symmetric(nd.Zeros([]int{2})).Values, nd.Zeros([]int{2}, dtype.Int8))
	want(t, quantize.Symmetric(nd.Zeros([]int{0})).Values, nd.Zeros([]int{0}, dtype.Int8))
	sums := quantize.Array{Values: nd.FromSlice([]int32{-math.MaxInt32, 1 << 30, 0}), Scale: 1e-6}
	r := quantize.Requantize(sums)
	want(t, r.Values, nd.FromSlice([]int8{-127, 64, 0}))
	if math.Abs(r.Scale*127-1e-6*math.MaxInt32) > 1e-9 {
		t.Errorf("scale %v", r.Scale)
	}
}

// TestZeroPoints multiplies integers with nonzero zero points, and expects the products of the numbers.
func TestZeroPoints(t *testing.T) {
	rng := nd.NewRand(1)
	x := quantize.Array{Values: random.Integers(rng, 0, 256, []int{2, 3, 5, 5}).AsType(dtype.Uint8), Scale: 0.5, ZeroPoint: 100}
	w := quantize.Array{Values: random.Integers(rng, -128, 128, []int{4, 3, 3, 3}).AsType(dtype.Int8), Scale: 0.25, ZeroPoint: -3}
	b := quantize.Array{Values: random.Integers(rng, -128, 128, []int{4}).AsType(dtype.Int8), Scale: 0.125, ZeroPoint: 7}
	y := quantize.Convolution(x, w, quantize.ConvolutionOptions{Bias: &b, Pad: []int{1}, Stride: []int{2}})
	if y.Values.DType() != dtype.Int32 || y.Scale != 0.125 {
		t.Errorf("%s in steps of %v", y.Values.DType(), y.Scale)
	}
	want(t, y.Dequantize(), conv.Convolution(x.Dequantize(), w.Dequantize(), b.Dequantize(), conv.ConvolutionOptions{Pad: []int{1}, Stride: []int{2}}))

	last := quantize.Array{Values: x.Values.MoveAxis([]int{1}, []int{3}), Scale: x.Scale, ZeroPoint: x.ZeroPoint}
	taps := quantize.Array{Values: w.Values.MoveAxis([]int{1}, []int{3}), Scale: w.Scale, ZeroPoint: w.ZeroPoint}
	z := quantize.Convolution(last, taps, quantize.ConvolutionOptions{Bias: &b, Pad: []int{1}, Stride: []int{2}, ChannelLast: true})
	want(t, z.Values.MoveAxis([]int{3}, []int{1}), y.Values)

	flat := quantize.Array{Values: w.Values.Reshape(4, 27), Scale: w.Scale, ZeroPoint: w.ZeroPoint}
	part := quantize.Array{Values: x.Values.Index(nd.All(), nd.All(), nd.Until(3), nd.Until(3)), Scale: x.Scale, ZeroPoint: x.ZeroPoint}
	full := quantize.FullyConnected(part, flat, quantize.FullyConnectedOptions{Bias: &b})
	want(t, full.Values, quantize.Convolution(part, w, quantize.ConvolutionOptions{Bias: &b}).Values.Reshape(2, 4))

	x.ZeroPoint = 0.5
	if err := nd.Catch(func() { quantize.Convolution(x, w) }); err == nil {
		t.Error("a fractional zero point was not refused")
	}
}

// TestLSTMFollowsFloats compares with the same network in floats: the error of each weight is at most half of a 127th
// of the largest weight in its row.
func TestLSTMFollowsFloats(t *testing.T) {
	const times, batch, features, units = 7, 3, 12, 10
	size := 2*4*units*(features+units+2) + 2*4*units*(3*units+2)
	parameters := ops.Multiply(random.Uniform(nd.NewRand(5), -1, 1, []int{size}), 0.4).AsType(dtype.Float32)
	x := random.Normal(nd.NewRand(6), 0, 1, []int{times, batch, features}, dtype.Float32)
	state := random.Normal(nd.NewRand(7), 0, 1, []int{4, batch, units}, dtype.Float32)
	y, hn, cn := quantize.LSTM(quantize.Symmetric(x), parameters, state, state, quantize.LSTMOptions{NumLayers: 2, Bidirectional: true})
	wantY, wantH, wantC := sequence.Recurrent(x, parameters, state, "lstm", units, sequence.RecurrentOptions{StateCell: state, NumLayers: 2, Bidirectional: true})
	for k, pair := range [][2]*nd.Array{{y, wantY}, {hn, wantH}, {cn, wantC}} {
		if off := ops.Max(ops.Absolute(ops.Subtract(pair[0], pair[1]))).Float(); off > 0.03 {
			t.Errorf("result %d is off by %v", k, off)
		}
	}
}
