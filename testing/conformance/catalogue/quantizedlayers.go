package catalogue

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

// MXNet's integer arrays come with the range that they represent: two arrays with one number each, the minimum and the
// maximum. The one with the larger absolute value lies a number of steps from 0 that depends on the function.

// steps127 is 127 for int8, 255 for uint8.
func steps127(t dtype.DType) float64 { return float64(dtype.Info(t).MaxInt) }

// steps127Half is 127.5 for int8, 255.5 for uint8.
func steps127Half(t dtype.DType) float64 { return steps127(t) + 0.5 }

// inRange returns an array of integers with a range.
func inRange(fn nd.Func, x, low, high *nd.Array, steps func(dtype.DType) float64) quantize.Array {
	wantBytes(fn, x)
	return quantize.Array{Values: x, Scale: farther(theNumber(fn, x, low), theNumber(fn, x, high)) / steps(x.DType())}
}

// theNumber returns the only element of an array that belongs to x.
func theNumber(fn nd.Func, x, of *nd.Array) float64 {
	requireSameDevice(fn, x, of)
	return of.Float()
}

// requireSameDevice refuses arrays that are on another device than x.
func requireSameDevice(fn nd.Func, x *nd.Array, others ...*nd.Array) {
	for _, y := range others {
		if y == nil || y.IsReleased() || !y.IsScalar() && !x.IsReleased() && y.Device() != x.Device() {
			panic(fn.Errorf(nil, "want arrays on one device"))
		}
	}
}

// unchanged returns the result y of a function of x, with the range of x.
func unchanged(fn nd.Func, y, x, low, high *nd.Array) (values, least, most *nd.Array) {
	requireSameDevice(fn, x, low, high)
	return y, copied(low), copied(high)
}

// copied returns a copy of x without a gradient.
func copied(x *nd.Array) *nd.Array {
	x = x.Detach()
	defer x.Release()
	return ops.Positive(x)
}

func farther(low, high float64) float64 { return math.Max(math.Abs(low), math.Abs(high)) }

// withRange returns values with the range from low to high.
func withRange(y *nd.Array, low, high float64) (values, least, most *nd.Array) {
	return y, nd.FromSliceOn(y.Device(), []float32{float32(low)}), nd.FromSliceOn(y.Device(), []float32{float32(high)})
}

// spanning returns values with their range. Its end is a number of steps from 0; it begins at the negative end, or at
// 0.
func spanning(y quantize.Array, steps float64) (values, least, most *nd.Array) {
	end := y.Scale * steps
	if y.Values.DType().IsUnsigned() {
		return withRange(y.Values, 0, end)
	}
	return withRange(y.Values, -end, end)
}

// wantBytes refuses arrays that are not int8 or uint8.
func wantBytes(fn nd.Func, xs ...*nd.Array) {
	for _, x := range xs {
		if x == nil || x.IsReleased() || x.IsScalar() || x.DType() != dtype.Int8 && x.DType() != dtype.Uint8 {
			panic(fn.Errorf(nil, "want arrays of int8 or uint8"))
		}
	}
}

func wantAlike(fn nd.Func, a, b *nd.Array) {
	wantBytes(fn, a, b)
	if !broadcast.Equal(a.Shape(), b.Shape()) {
		panic(fn.Errorf([]*nd.Array{a, b}, "want arrays of the same shape"))
	}
}

// outType returns the dtype for out_type: auto means uint8 if the calibrated range has no negative numbers, otherwise
// int8.
func outType(fn nd.Func, name string, low, high *float64) dtype.DType {
	switch {
	case name == "uint8", name == "auto" && low != nil && high != nil && *low >= 0:
		return dtype.Uint8
	case name == "int8", name == "auto":
		return dtype.Int8
	}
	panic(fn.Errorf(nil, "out_type %q: want auto, int8 or uint8", name))
}

// quantizeV2 follows MXNet 1.9, with 127.5 steps; the document says 127.
func quantizeV2(x *nd.Array, to string, low, high *float64) (y, least, most *nd.Array) {
	t := outType("contrib_quantize_v2", to, low, high)
	given := low != nil && high != nil
	if in := x.DType(); in == dtype.Int8 || in == dtype.Uint8 {
		switch {
		case given:
			return withRange(ops.Positive(x), *low, *high)
		case in == dtype.Uint8:
			return withRange(ops.Positive(x), 0, steps127Half(in))
		}
		return withRange(ops.Positive(x), -steps127Half(in), steps127Half(in))
	}
	var from, upto float64
	if given {
		from, upto = *low, *high
	} else {
		from, upto = extremes(x)
	}
	o := quantize.SymmetricOptions{DType: t, Max: farther(from, upto), Levels: steps127Half(t)}
	if t == dtype.Int8 {
		from, upto = -o.Max, o.Max
	}
	return withRange(quantize.Symmetric(x, o).Values, from, upto)
}

func extremes(x *nd.Array) (low, high float64) {
	least, most := ops.Min(x), ops.Max(x)
	defer least.Release()
	defer most.Release()
	return least.Float(), most.Float()
}

func requantize(x, low, high *nd.Array, to string, calibratedLow, calibratedHigh *float64) (y, least, most *nd.Array) {
	const fn nd.Func = "requantize"
	o := quantize.SymmetricOptions{DType: outType(fn, to, calibratedLow, calibratedHigh)}
	o.HalfAway = o.DType == dtype.Int8
	if calibratedLow != nil && calibratedHigh != nil {
		o.Max = farther(*calibratedLow, *calibratedHigh)
	}
	sums := quantize.Array{Values: x, Scale: farther(theNumber(fn, x, low), theNumber(fn, x, high)) / math.MaxInt32}
	return spanning(quantize.Requantize(sums, o), steps127(o.DType))
}

func quantizedConv(x, w, bias, xMin, xMax, wMin, wMax, bMin, bMax *nd.Array, kernel, stride, dilate, pad []int, filters, groups int,
	noBias bool, layout string) (y, least, most *nd.Array) {
	const fn nd.Func = "quantized_conv"
	last := channelLast(layout)
	data, weight := inRange(fn, x, xMin, xMax, steps127), inRange(fn, w, wMin, wMax, steps127)
	checkFilters(x, w, kernel, last)
	if w.Rank() == 0 || w.Dim(0) != filters {
		panic(fn.Errorf([]*nd.Array{x, w}, "num_filter %d differs from that of the weight", filters))
	}
	o := quantize.ConvolutionOptions{Stride: stride, Dilation: dilate, Pad: pad, Group: groups, ChannelLast: last}
	if bias != nil && !noBias {
		o.Bias = new(inRange(fn, bias, bMin, bMax, steps127))
	}
	return spanning(quantize.Convolution(data, weight, o), math.MaxInt32)
}

func quantizedFullyConnected(x, w, bias, xMin, xMax, wMin, wMax, bMin, bMax *nd.Array, hidden int, noBias, flatten bool) (y, least, most *nd.Array) {
	const fn nd.Func = "quantized_fully_connected"
	data, weight := inRange(fn, x, xMin, xMax, steps127), inRange(fn, w, wMin, wMax, steps127)
	o := quantize.FullyConnectedOptions{BaseAxis: baseAxis(x, flatten)}
	if bias != nil && !noBias {
		o.Bias = new(inRange(fn, bias, bMin, bMax, steps127))
	}
	wantHidden(fn, w, hidden)
	return spanning(quantize.FullyConnected(data, weight, o), math.MaxInt32)
}

// baseAxis returns the axis at which features begin: 1, or the last axis.
func baseAxis(x *nd.Array, flatten bool) *int {
	if flatten {
		return new(1)
	}
	return new(x.Rank() - 1)
}

func wantHidden(fn nd.Func, w *nd.Array, hidden int) {
	if w.Rank() == 0 || w.Dim(0) != hidden {
		panic(fn.Errorf([]*nd.Array{w}, "num_hidden %d differs from that of the weight", hidden))
	}
}

// quantizedAdd rounds sums to the steps of a range: the calibrated range, or in int32 the smallest range that holds all
// sums.
func quantizedAdd(fn nd.Func, a, b, aMin, aMax, bMin, bMax *nd.Array, low, high *float64) (y, least, most *nd.Array) {
	left, right := inRange(fn, a, aMin, aMax, steps127Half), inRange(fn, b, bMin, bMax, steps127Half)
	if low == nil || high == nil {
		end := farther(aMin.Float(), aMax.Float()) + farther(bMin.Float(), bMax.Float())
		return withRange(quantize.Add(left, right, quantize.SymmetricOptions{DType: dtype.Int32, Max: end}).Values, -end, end)
	}
	t := dtype.Int8
	if a.DType() == dtype.Uint8 && b.DType() == dtype.Uint8 {
		t = dtype.Uint8
	}
	o := quantize.SymmetricOptions{DType: t, Max: farther(*low, *high), Levels: steps127Half(t)}
	return withRange(quantize.Add(left, right, o).Values, *low, *high)
}

// quantizedMul truncates products to the steps of the calibrated range.
func quantizedMul(a, b, aMin, aMax, bMin, bMax *nd.Array, low, high *float64, float bool) []*nd.Array {
	const fn nd.Func = "quantized_elemwise_mul"
	wantAlike(fn, a, b)
	product := func(steps func(dtype.DType) float64) quantize.Array {
		return quantize.Multiply(inRange(fn, a, aMin, aMax, steps), inRange(fn, b, bMin, bMax, steps))
	}
	switch {
	case float:
		return []*nd.Array{numbers(product(steps127Half), 1).AsType(dtype.Float32)}
	case low != nil && high != nil:
		perStep := steps127Half(dtype.Int8) / farther(*low, *high)
		return listed(withRange(numbers(product(steps127Half), perStep).AsType(dtype.Int8), *low, *high))
	}
	return listed(spanning(product(steps127), math.MaxInt32))
}

func listed(y, least, most *nd.Array) []*nd.Array { return []*nd.Array{y, least, most} }

// numbers returns the values of an integer array, multiplied by times.
func numbers(q quantize.Array, times float64) *nd.Array {
	defer q.Values.Release()
	q.Scale *= times
	return q.Dequantize(quantize.DequantizeOptions{DType: dtype.Float64})
}

// quantizedPooling computes in floats if a gradient is needed, which passes through the rounding of means.
func quantizedPooling(x, low, high *nd.Array, kernel []int, kind string, global bool, convention string, stride, pad []int, includePad *bool) (y, least, most *nd.Array) {
	const fn nd.Func = "quantized_pooling"
	if kind != "avg" && kind != "max" {
		panic(fn.Errorf([]*nd.Array{x}, "pool_type %q: want avg or max", kind))
	}
	if x == nil || x.DType() != dtype.Float32 {
		wantBytes(fn, x)
	}
	requireSameDevice(fn, x, low, high)
	return likeBytes(mxnetPooling(x, kernel, kind, global, convention, stride, pad, nil, includePad, ""), x), withoutGradient(low), withoutGradient(high)
}

// likeBytes rounds the result of a function of bytes x, or of floats that represent them.
func likeBytes(y, x *nd.Array) *nd.Array {
	if y.DType() == x.DType() && x.DType() != dtype.Float32 {
		return y
	}
	defer y.Release()
	rounded := ops.RoundHalfAway(y)
	if x.DType() == dtype.Float32 {
		return rounded
	}
	defer rounded.Release()
	return rounded.AsType(x.DType())
}

// withoutGradient returns x with a gradient of 0.
func withoutGradient(x *nd.Array) *nd.Array {
	same := &grad.Function{
		Name:     "quantized_pooling",
		Forward:  func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Positive(in[0])} },
		Backward: func(c *nd.Call) { c.SetGx(0, nd.ZerosLike(c.Gy(0))) },
	}
	return same.Call(x)[0]
}

func quantizedRNN(x, parameters, state, cell, scale, shift *nd.Array, size, layers int, both bool, mode string, states bool, projection *int,
	low, high *float64, useLengths bool) []*nd.Array {
	const fn nd.Func = "contrib_quantized_rnn"
	wantBytes(fn, x)
	if mode != "lstm" || projection != nil || useLengths || state == nil || state.Rank() != 3 || state.Dim(2) != size {
		panic(fn.Errorf([]*nd.Array{x, state}, "mode %q, state_size %d: want mode lstm and a state of that size, without projection and lengths", mode, size))
	}
	data := quantize.Array{Values: x, Scale: 1 / theNumber(fn, x, scale), ZeroPoint: theNumber(fn, x, shift)}
	y, hn, cn := quantize.LSTM(data, parameters, state, cell, quantize.LSTMOptions{NumLayers: layers, Bidirectional: both, ClipMin: low, ClipMax: high})
	if states {
		return []*nd.Array{y, hn, cn}
	}
	hn.Release()
	cn.Release()
	return []*nd.Array{y}
}

// prepared returns x in int8; 127 represents the number in most.
func prepared(fn nd.Func, x, most *nd.Array) *nd.Array {
	return quantize.Symmetric(x, quantize.SymmetricOptions{Max: theNumber(fn, x, most)}).Values
}

func intgemmFullyConnected(x, w, scaling, bias *nd.Array, hidden int, noBias, flatten bool, out string) *nd.Array {
	const fn nd.Func = "intgemm_fully_connected"
	wantBytes(fn, w)
	wantHidden(fn, w, hidden)
	if out != "int32" && (out != "float32" || scaling == nil) {
		panic(fn.Errorf([]*nd.Array{x, w}, "out_type %q: want float32 and a scaling, or int32", out))
	}
	if bias == nil || noBias {
		return intgemm(fn, x, w, scaling, flatten, out)
	}
	requireSameDevice(fn, w, bias)
	y := intgemm(fn, x, w, scaling, flatten, out)
	defer y.Release()
	return ops.Add(y, bias)
}

// intgemm returns the product of integers, or the floats that it represents.
func intgemm(fn nd.Func, x, w, scaling *nd.Array, flatten bool, out string) *nd.Array {
	data, weight := quantize.Array{Values: x, Scale: 1}, quantize.Array{Values: w, Scale: 1}
	if !x.DType().IsInteger() {
		data = quantize.Symmetric(x)
		defer data.Values.Release()
	}
	o := quantize.FullyConnectedOptions{BaseAxis: baseAxis(x, flatten)}
	if out == "int32" {
		return quantize.FullyConnected(data, weight, o).Values
	}
	scale := theNumber(fn, w, scaling)
	y := numbers(quantize.FullyConnected(data, weight, o), scale)
	defer y.Release()
	return y.AsType(dtype.Float32)
}
