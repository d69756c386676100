package quantize

import (
	"cmp"
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Array is an array of integers that stand for numbers: Scale·(Values - ZeroPoint). Functions that only rearrange or choose, such
// as those of views, ops.Take or conv.MaxPooling, work on Values alone. No gradients flow.
type Array struct {
	Values    *nd.Array
	Scale     float64 // the number that one step is
	ZeroPoint float64 // the value that stands for 0; a whole number where integers are multiplied
}

// LinearOptions are the options of Linear.
type LinearOptions struct {
	// ZeroPoint is the value that stands for 0.
	ZeroPoint float64
	// DType is the integers' dtype; by default int8.
	DType dtype.DType
}

// toSteps counts the steps in x.
var toSteps = ufunc.Definition{Fn: "quantize.Linear", Scalars: "T perStep, T zero, T low, T high",
	Body: "min(max(rint(x * perStep) + zero, low), high)", Gradient: "gx = T(0)", Loop: ufunc.RealFloat}

// toStepsAway rounds half away from 0: a half is what the whole part leaves exactly.
var toStepsAway = ufunc.Definition{Fn: "quantize.Symmetric", Scalars: "T perStep, T zero, T low, T high",
	Body:     "v = x * perStep; w = trunc(v); y = min(max((abs(v - w) < 0.5 ? w : w + copysign(1, v)) + zero, low), high)",
	Gradient: "gx = T(0)", Loop: ufunc.RealFloat}

// Linear returns x in steps of a scale: the nearest integers, of two the even one, to x/scale, plus ZeroPoint. What the dtype does
// not hold becomes the nearest number that it holds, and a not-a-number 0. mxnet contrib_quantize_v2, torch.quantize_per_tensor.
func Linear(x *nd.Array, scale float64, opts ...LinearOptions) Array {
	fn := toSteps.Fn
	o := options.Read(fn, opts)
	o.DType = integers(fn, x, o.DType)
	if !(scale > 0) || math.IsInf(scale, 1) {
		panic(fn.Errorf([]*nd.Array{x}, "scale %v: want a positive number", scale))
	}
	return Array{inSteps(x, 1/scale, o.ZeroPoint, math.Inf(1), o.DType), scale, o.ZeroPoint}
}

// integers is the dtype of the results of a function of x, int8 unless another is given.
func integers(fn nd.Func, x *nd.Array, t dtype.DType) dtype.DType {
	fn.Check(x)
	if x.IsScalar() || x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of real numbers"))
	}
	if t == dtype.Unspecified {
		t = dtype.Int8
	}
	if !t.IsInteger() {
		panic(fn.Errorf([]*nd.Array{x}, "want integers, not %s", t))
	}
	return t
}

// inSteps returns x·perStep + zero, rounded, clipped to ±limit, of an integer dtype.
func inSteps(x *nd.Array, perStep, zero, limit float64, t dtype.DType) *nd.Array {
	return rounded(&toSteps, x, perStep, zero, limit, t)
}

func rounded(rule *ufunc.Definition, x *nd.Array, perStep, zero, limit float64, t dtype.DType) *nd.Array {
	x = x.Detach()
	defer x.Release()
	o := ufunc.Options{Out: rule.Fn.NewLike(t, x.Shape(), x), DType: floatsOf(x), Casting: dtype.CastUnsafe}
	return rule.Call(o, []float64{perStep, zero, -limit, limit}, x)
}

// floatsOf is the dtype in which an array's elements are numbers.
func floatsOf(x *nd.Array) dtype.DType {
	if t := x.DType(); t == dtype.Float64 || t.IsInteger() && t.Size() > 2 {
		return dtype.Float64
	}
	return dtype.Float32
}

// SymmetricOptions are the options of Symmetric and Requantize.
type SymmetricOptions struct {
	// DType is the integers' dtype; by default int8.
	DType dtype.DType
	// Max is the number that the largest value stands for, from calibration; 0 means the largest absolute value that there is.
	Max float64
	// Levels is how many steps Max is from 0; 0 means the largest value of the dtype: 127 of int8, 255 of uint8. MXNet's
	// contrib_quantize_v2 has 127.5 and 255.5, so that -128 occurs.
	Levels float64
	// HalfAway rounds what lies in the middle away from 0, not to the even integer.
	HalfAway bool
}

// Symmetric returns x in steps of which the largest absolute value of x is 127 (of int8), or 255 (of uint8): the nearest integers,
// of two the even one. 0 stands for 0, and -128 does not occur. mxnet intgemm_prepare_data and intgemm_prepare_weight,
// contrib_quantize_v2.
func Symmetric(x *nd.Array, opts ...SymmetricOptions) Array {
	const fn nd.Func = "quantize.Symmetric"
	o := options.Read(fn, opts)
	return symmetric(fn, x, 1, o)
}

// symmetric is Symmetric of scale·x.
func symmetric(fn nd.Func, x *nd.Array, scale float64, o SymmetricOptions) Array {
	o.DType = integers(fn, x, o.DType)
	o.Levels = cmp.Or(o.Levels, float64(dtype.Info(o.DType).MaxInt))
	if o.Max == 0 {
		o.Max = farthest(fn, x) * scale
	}
	if !(o.Max >= 0) || !(o.Levels > 0) || math.IsInf(o.Max, 1) {
		panic(fn.Errorf([]*nd.Array{x}, "Max %v, Levels %v: want positive numbers", o.Max, o.Levels))
	}
	if o.Max == 0 { // nothing but zeros
		o.Max = o.Levels
	}
	rule := &toSteps
	if o.HalfAway {
		rule = &toStepsAway
	}
	return Array{rounded(rule, x, scale*o.Levels/o.Max, 0, math.Floor(o.Levels+0.5), o.DType), o.Max / o.Levels, 0}
}

// farthest is the largest absolute value of x.
func farthest(fn nd.Func, x *nd.Array) float64 {
	if x.Size() == 0 {
		return 0
	}
	t := floatsOf(x)
	most := fn.NewLike(t, nil, x)
	defer most.Release()
	fn.Reduce(magnitudes.Of(t), nil, device.CombineMax, broadcast.AllAxes(x.Rank()), nil, most, x)
	return most.Float()
}

var magnitudes = device.Programs{Source: device.Source{Name: "quantize.Symmetric", Inputs: "T x", Outputs: "T y", Body: "abs(x)"}}

// Requantize returns a in larger steps: what sums in int32 are, as int8 again. Its options and steps are those of Symmetric. mxnet
// requantize.
func Requantize(a Array, opts ...SymmetricOptions) Array {
	const fn nd.Func = "quantize.Requantize"
	o := options.Read(fn, opts)
	a.check(fn)
	values := a.centered(fn)
	y := symmetric(fn, values, a.Scale, o)
	release.Unless(values, a.Values)
	return y
}

var fromSteps = ufunc.Definition{Fn: "Array.Dequantize", Scalars: "T scale, T zero", Body: "(x - zero) * scale", Gradient: "gx = T(0)",
	Loop: ufunc.RealFloat}

// DequantizeOptions are the options of Dequantize.
type DequantizeOptions struct {
	// DType is the dtype of the numbers; by default float32.
	DType dtype.DType
}

// Dequantize returns the numbers that the integers stand for. torch.dequantize.
func (a Array) Dequantize(opts ...DequantizeOptions) *nd.Array {
	fn := fromSteps.Fn
	o := options.Read(fn, opts)
	a.check(fn)
	if o.DType == dtype.Unspecified {
		o.DType = dtype.Float32
	}
	if !o.DType.IsFloat() {
		panic(fn.Errorf([]*nd.Array{a.Values}, "want floats, not %s", o.DType))
	}
	return a.numbers(o.DType)
}

// numbers are what the integers stand for.
func (a Array) numbers(t dtype.DType) *nd.Array {
	return fromSteps.Call(ufunc.Options{DType: t, Casting: dtype.CastUnsafe}, []float64{a.Scale, a.ZeroPoint}, a.Values)
}

// check refuses what is no array of integers.
func (a Array) check(fn nd.Func) {
	fn.Check(a.Values)
	if a.Values.IsScalar() || !a.Values.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{a.Values}, "want an array of integers"))
	}
}

// centered are the values less the zero point.
func (a Array) centered(fn nd.Func) *nd.Array {
	switch {
	case a.ZeroPoint == 0:
		return a.Values
	case a.ZeroPoint != math.Trunc(a.ZeroPoint):
		panic(fn.Errorf([]*nd.Array{a.Values}, "zero point %v: want a whole number", a.ZeroPoint))
	}
	return ops.Subtract(a.Values, nd.Scalar(int(a.ZeroPoint)), ops.UfuncOptions{DType: dtype.Int32})
}
