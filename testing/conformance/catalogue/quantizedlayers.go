package catalogue

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

// MXNet's integer arrays come with the range that they represent: two arrays with one number each, the minimum and the
// maximum. Here quantize.FromRange and Array.Range convert ranges.

// halfLevel is the range of some functions, which ends half a step after the largest value: 127.5 for int8, 255.5 for
// uint8.
func halfLevel(t dtype.DType) quantize.RangeOptions {
	return quantize.RangeOptions{Levels: float64(dtype.Info(t).MaxInt) + 0.5}
}

// inRange returns an array of bytes with a range.
func inRange(fn nd.Func, x, low, high *nd.Array, opts ...quantize.RangeOptions) quantize.Array {
	wantBytes(fn, x)
	return quantize.FromRange(x, theRange(fn, x, low, high), opts...)
}

// theRange returns the range in two arrays that belong to x.
func theRange(fn nd.Func, x, low, high *nd.Array) quantize.Range {
	return quantize.Range{Low: theNumber(fn, x, low), High: theNumber(fn, x, high)}
}

// calibrated returns the range of a calibration, if there is one.
func calibrated(low, high *float64) (r quantize.Range, given bool) {
	if low == nil || high == nil {
		return r, false
	}
	return quantize.Range{Low: *low, High: *high}, true
}

// theNumber returns the only element of an array that belongs to x.
func theNumber(fn nd.Func, x, of *nd.Array) float64 {
	requireSameDevice(fn, x, of)
	return of.Float()
}

// requireSameDevice refuses arrays that are on another device than x.
func requireSameDevice(fn nd.Func, x *nd.Array, others ...*nd.Array) {
	isElsewhere := func(y *nd.Array) bool {
		return y == nil || y.IsReleased() || !y.IsScalar() && !x.IsReleased() && y.Device() != x.Device()
	}
	if slices.ContainsFunc(others, isElsewhere) {
		panic(fn.Errorf(nil, "want arrays on one device"))
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

// withRange returns values with their range.
func withRange(y *nd.Array, r quantize.Range) (values, least, most *nd.Array) {
	return y, nd.FromSliceOn(y.Device(), []float32{float32(r.Low)}), nd.FromSliceOn(y.Device(), []float32{float32(r.High)})
}

// wantBytes refuses arrays that are not int8 or uint8.
func wantBytes(fn nd.Func, xs ...*nd.Array) {
	isOther := func(x *nd.Array) bool {
		return x == nil || x.IsReleased() || x.IsScalar() || x.DType() != dtype.Int8 && x.DType() != dtype.Uint8
	}
	if slices.ContainsFunc(xs, isOther) {
		panic(fn.Errorf(nil, "want arrays of int8 or uint8"))
	}
}

func wantAlike(fn nd.Func, a, b *nd.Array) {
	wantBytes(fn, a, b)
	if !broadcast.Equal(a.Shape(), b.Shape()) {
		panic(fn.Errorf([]*nd.Array{a, b}, "want arrays of the same shape"))
	}
}

// outType returns the dtype for out_type: auto is that of the calibrated range, or int8.
func outType(fn nd.Func, name string, low, high *float64) dtype.DType {
	switch r, given := calibrated(low, high); {
	case name == "uint8":
		return dtype.Uint8
	case name == "auto" && given:
		return r.DType()
	case name == "int8", name == "auto":
		return dtype.Int8
	}
	panic(fn.Errorf(nil, "out_type %q: want auto, int8 or uint8", name))
}

// quantizeV2 follows MXNet 1.9, with 127.5 steps; the document says 127. It leaves bytes as they are.
func quantizeV2(x *nd.Array, to string, low, high *float64) (y, least, most *nd.Array) {
	t := outType("contrib_quantize_v2", to, low, high)
	r, given := calibrated(low, high)
	if in := x.DType(); in == dtype.Int8 || in == dtype.Uint8 {
		if !given {
			r = quantize.Array{Values: x, Scale: 1}.Range(halfLevel(in))
		}
		return withRange(copied(x), r)
	}
	if !given {
		r = quantize.RangeOf(x)
	}
	y = quantize.Symmetric(x, quantize.SymmetricOptions{DType: t, Max: r.Max(), Levels: halfLevel(t).Levels}).Values
	if t == dtype.Int8 {
		r = quantize.Range{Low: -r.Max(), High: r.Max()}
	}
	return withRange(y, r)
}

func requantize(x, low, high *nd.Array, to string, calibratedLow, calibratedHigh *float64) (y, least, most *nd.Array) {
	const fn nd.Func = "requantize"
	r, _ := calibrated(calibratedLow, calibratedHigh)
	o := quantize.SymmetricOptions{DType: outType(fn, to, calibratedLow, calibratedHigh), Max: r.Max()}
	if o.DType == dtype.Int8 {
		o.Rounding = quantize.RoundHalfAway
	}
	q := quantize.Requantize(quantize.FromRange(x, theRange(fn, x, low, high)), o)
	return withRange(q.Values, q.Range())
}

func quantizedConv(x, w, bias, xMin, xMax, wMin, wMax, bMin, bMax *nd.Array, kernel, stride, dilate, pad []int, filters, groups int,
	noBias bool, layout string) (y, least, most *nd.Array) {
	const fn nd.Func = "quantized_conv"
	last := channelLast(layout)
	data, weight := inRange(fn, x, xMin, xMax), inRange(fn, w, wMin, wMax)
	checkFilters(x, w, kernel, last)
	if w.Rank() == 0 || w.Dim(0) != filters {
		panic(fn.Errorf([]*nd.Array{x, w}, "num_filter %d differs from that of the weight", filters))
	}
	o := quantize.ConvolutionOptions{Stride: stride, Dilation: dilate, Pad: pad, Group: groups, ChannelLast: last}
	if bias != nil && !noBias {
		o.Bias = new(inRange(fn, bias, bMin, bMax))
	}
	q := quantize.Convolution(data, weight, o)
	return withRange(q.Values, q.Range())
}

func quantizedFullyConnected(x, w, bias, xMin, xMax, wMin, wMax, bMin, bMax *nd.Array, hidden int, noBias, flatten bool) (y, least, most *nd.Array) {
	const fn nd.Func = "quantized_fully_connected"
	data, weight := inRange(fn, x, xMin, xMax), inRange(fn, w, wMin, wMax)
	o := quantize.FullyConnectedOptions{BaseAxis: baseAxis(x, flatten)}
	if bias != nil && !noBias {
		o.Bias = new(inRange(fn, bias, bMin, bMax))
	}
	wantHidden(fn, w, hidden)
	q := quantize.FullyConnected(data, weight, o)
	return withRange(q.Values, q.Range())
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

// quantizedAdd gives sums in a calibrated range, or in int32 in the smallest range that holds all sums.
func quantizedAdd(fn nd.Func, a, b, aMin, aMax, bMin, bMax *nd.Array, low, high *float64) (y, least, most *nd.Array) {
	wantBytes(fn, a, b)
	left, right := theRange(fn, a, aMin, aMax), theRange(fn, b, bMin, bMax)
	r, given := calibrated(low, high)
	var o quantize.SymmetricOptions
	switch end := left.Max() + right.Max(); {
	case !given:
		o, r = quantize.SymmetricOptions{DType: dtype.Int32, Max: end}, quantize.Range{Low: -end, High: end}
	case a.DType() == dtype.Uint8 && b.DType() == dtype.Uint8:
		o = quantize.SymmetricOptions{DType: dtype.Uint8, Max: r.Max(), Levels: halfLevel(dtype.Uint8).Levels}
	default:
		o = quantize.SymmetricOptions{Max: r.Max(), Levels: halfLevel(dtype.Int8).Levels}
	}
	q := quantize.Add(quantize.FromRange(a, left, halfLevel(a.DType())), quantize.FromRange(b, right, halfLevel(b.DType())), o)
	return withRange(q.Values, r)
}

// quantizedMul gives the numbers, or integers in a calibrated range, or in int32.
func quantizedMul(a, b, aMin, aMax, bMin, bMax *nd.Array, low, high *float64, float bool) []*nd.Array {
	const fn nd.Func = "quantized_elemwise_mul"
	wantAlike(fn, a, b)
	r, given := calibrated(low, high)
	if !float && !given {
		q := quantize.Multiply(inRange(fn, a, aMin, aMax), inRange(fn, b, bMin, bMax))
		return listed(withRange(q.Values, q.Range()))
	}
	q := quantize.Multiply(inRange(fn, a, aMin, aMax, halfLevel(a.DType())), inRange(fn, b, bMin, bMax, halfLevel(b.DType())))
	defer q.Values.Release()
	if float {
		return []*nd.Array{q.Dequantize()}
	}
	o := quantize.SymmetricOptions{Max: r.Max(), Levels: halfLevel(dtype.Int8).Levels, Rounding: quantize.RoundTowardZero}
	return listed(withRange(quantize.Requantize(q, o).Values, r))
}

func listed(y, least, most *nd.Array) []*nd.Array { return []*nd.Array{y, least, most} }

// quantizedPooling pools floats that represent integers if a gradient is needed, which passes through the rounding of
// means.
func quantizedPooling(x, low, high *nd.Array, kernel []int, kind string, global bool, convention string, stride, pad []int, includePad *bool) (y, least, most *nd.Array) {
	const fn nd.Func = "quantized_pooling"
	if kind != "avg" && kind != "max" {
		panic(fn.Errorf([]*nd.Array{x}, "pool_type %q: want avg or max", kind))
	}
	if x == nil || x.DType() != dtype.Float32 {
		wantBytes(fn, x)
	}
	requireSameDevice(fn, x, low, high)
	if kind == "avg" && x.DType() != dtype.Float32 {
		kernel, o := mxnetWindows(x, kernel, global, convention, stride, pad, "")
		y = quantize.AveragePooling(quantize.Array{Values: x, Scale: 1}, kernel, conv.AveragePoolingOptions{Stride: o.Stride,
			IgnoreBorder: o.IgnoreBorder, CoverPadding: o.CoverPadding, Pad: o.Pad, IncludingPad: includePad}).Values
	} else if y = mxnetPooling(x, kernel, kind, global, convention, stride, pad, nil, includePad, ""); kind == "avg" {
		defer y.Release()
		y = ops.RoundHalfAway(y)
	}
	return y, constant(low), constant(high)
}

// constant returns a copy of x with a gradient of 0.
func constant(x *nd.Array) *nd.Array {
	fixed := x.Detach()
	defer fixed.Release()
	return ops.Where(nd.Scalar(false), x, fixed)
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

// intgemmFullyConnected gives numbers, or integers in int32, to which the bias is added in the same steps.
func intgemmFullyConnected(x, w, scaling, bias *nd.Array, hidden int, noBias, flatten bool, out string) *nd.Array {
	const fn nd.Func = "intgemm_fully_connected"
	wantBytes(fn, w)
	wantHidden(fn, w, hidden)
	if noBias {
		bias = nil
	}
	switch {
	case out == "float32" && scaling != nil:
		return quantize.DynamicFullyConnected(x, quantize.Array{Values: w, Scale: theNumber(fn, w, scaling)},
			quantize.DynamicFullyConnectedOptions{Bias: bias, BaseAxis: baseAxis(x, flatten)})
	case out != "int32":
		panic(fn.Errorf([]*nd.Array{x, w}, "out_type %q: want float32 and a scaling, or int32", out))
	}
	data := quantize.Array{Values: x, Scale: 1}
	if !x.DType().IsInteger() {
		data = quantize.Symmetric(x)
		defer data.Values.Release()
	}
	o := quantize.FullyConnectedOptions{BaseAxis: baseAxis(x, flatten)}
	if bias != nil {
		o.Bias = &quantize.Array{Values: bias, Scale: data.Scale}
	}
	return quantize.FullyConnected(data, quantize.Array{Values: w, Scale: 1}, o).Values
}
