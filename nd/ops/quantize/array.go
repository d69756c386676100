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

// Array is an array of integers that represent the numbers Scale·(Values - ZeroPoint). Functions that only rearrange or
// select elements, such as view functions, ops.Take, ops.ReLU (with zero point 0) or conv.MaxPooling, work on Values alone.
// No gradients flow.
type Array struct {
	Values    *nd.Array
	Scale     float64 // the number that one step represents
	ZeroPoint float64 // the value that represents 0; a whole number if integers are multiplied
}

// LinearOptions are the options of Linear.
type LinearOptions struct {
	// ZeroPoint is the value that represents 0.
	ZeroPoint float64
	// DType is the dtype of the integers; the default is int8.
	DType dtype.DType
}

// linear converts x to a number of steps of a given size. The product with 1/scale is another number near halves.
var linear = ufunc.Definition{Fn: "quantize.Linear", Scalars: "T scale, T zero, T low, T high",
	Body: "min(max(rint(x / scale) + zero, low), high)", Gradient: "gx = T(0)", Loop: ufunc.RealFloat}

// toSteps converts x to a number of steps, of which a unit has perStep.
var toSteps = ufunc.Definition{Fn: "quantize.Symmetric", Scalars: "T perStep, T zero, T low, T high",
	Body: "min(max(rint(x * perStep) + zero, low), high)", Gradient: "gx = T(0)", Loop: ufunc.RealFloat}

// toStepsAway rounds halves away from 0.
var toStepsAway = ufunc.Definition{Fn: "quantize.Symmetric", Scalars: "T perStep, T zero, T low, T high",
	Body: "min(max(round(x * perStep) + zero, low), high)", Gradient: "gx = T(0)", Loop: ufunc.RealFloat}

// toStepsTowardZero drops the fraction.
var toStepsTowardZero = ufunc.Definition{Fn: "quantize.Symmetric", Scalars: "T perStep, T zero, T low, T high",
	Body: "min(max(trunc(x * perStep) + zero, low), high)", Gradient: "gx = T(0)", Loop: ufunc.RealFloat}

// Linear returns x quantised with a scale: x/scale rounded to the nearest integer, halves to the even one, plus
// ZeroPoint. Floats of up to 32 bits are divided in float32, others in float64. Values out of range of the dtype are
// clamped; NaN becomes 0.
// PyTorch: quantize_per_tensor. MXNet: contrib_quantize_v2.
func Linear(x *nd.Array, scale float64, opts ...LinearOptions) Array {
	fn := linear.Fn
	o := options.Read(fn, opts)
	o.DType = integers(fn, x, o.DType)
	if !(scale > 0) || math.IsInf(scale, 1) {
		panic(fn.Errorf([]*nd.Array{x}, "scale %v: want a positive number", scale))
	}
	return Array{rounded(&linear, x, scale, o.ZeroPoint, math.Inf(1), o.DType), scale, o.ZeroPoint}
}

// integers returns the dtype for the results of a function of x: t, or int8 if t is unspecified.
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

// rounded returns the steps of x by a rule, plus zero and clipped to ±limit, in an integer dtype. For the rule linear,
// factor is the scale, for all others the number of steps of a unit.
func rounded(rule *ufunc.Definition, x *nd.Array, factor, zero, limit float64, t dtype.DType) *nd.Array {
	x = x.Detach()
	defer x.Release()
	o := ufunc.Options{Out: rule.Fn.NewLike(t, x.Shape(), x), DType: floatsOf(x), Casting: dtype.CastUnsafe}
	return rule.Call(o, []float64{factor, zero, -limit, limit}, x)
}

// floatsOf returns the float dtype for an array's elements.
func floatsOf(x *nd.Array) dtype.DType {
	if t := x.DType(); t == dtype.Float64 || t.IsInteger() && t.Size() > 2 {
		return dtype.Float64
	}
	return dtype.Float32
}

// Rounding says how a number of steps becomes an integer.
type Rounding string

const (
	RoundHalfEven   Rounding = "half even"   // the nearest integer, halves to the even one
	RoundHalfAway   Rounding = "half away"   // the nearest integer, halves away from 0
	RoundTowardZero Rounding = "toward zero" // the integer without the fraction
)

// rule returns the function that rounds.
func (r Rounding) rule(fn nd.Func, x *nd.Array) *ufunc.Definition {
	switch r {
	case "", RoundHalfEven:
		return &toSteps
	case RoundHalfAway:
		return &toStepsAway
	case RoundTowardZero:
		return &toStepsTowardZero
	}
	panic(fn.Errorf([]*nd.Array{x}, "rounding %q: want half even, half away or toward zero", r))
}

// SymmetricOptions are the options of Symmetric, Requantize and Add.
type SymmetricOptions struct {
	// DType is the dtype of the integers; the default is int8.
	DType dtype.DType
	// Max is the number that the largest value represents, from calibration: Range.Max. 0 means the largest absolute
	// value of x.
	Max float64
	// Levels is the number of steps from 0 to Max. 0 means the largest value of the dtype: 127 for int8, 255 for uint8.
	// MXNet's contrib_quantize_v2 uses 127.5 and 255.5, so that -128 occurs.
	Levels float64
	// Rounding says how the number of steps is rounded; the default is RoundHalfEven.
	Rounding Rounding
}

// Symmetric returns x quantised so that its largest absolute value becomes 127 (int8) or 255 (uint8): x·(Levels/Max), by
// default rounded to the nearest integer, halves to the even one. 0 represents 0, and -128 does not occur.
// MXNet: intgemm_prepare_data, intgemm_prepare_weight, contrib_quantize_v2.
func Symmetric(x *nd.Array, opts ...SymmetricOptions) Array {
	const fn nd.Func = "quantize.Symmetric"
	o := options.Read(fn, opts)
	return symmetric(fn, x, 1, o)
}

// symmetric is Symmetric of scale·x.
func symmetric(fn nd.Func, x *nd.Array, scale float64, o SymmetricOptions) Array {
	o.DType = integers(fn, x, o.DType)
	rule := o.Rounding.rule(fn, x)
	o.Levels = cmp.Or(o.Levels, float64(dtype.Info(o.DType).MaxInt))
	if o.Max == 0 {
		o.Max = maxAbs(fn, x) * scale
	}
	if !(o.Max >= 0) || !(o.Levels > 0) || math.IsInf(o.Max, 1) {
		panic(fn.Errorf([]*nd.Array{x}, "Max %v, Levels %v: want positive numbers", o.Max, o.Levels))
	}
	if o.Max == 0 { // all elements are zero
		o.Max = o.Levels
	}
	return Array{rounded(rule, x, scale*o.Levels/o.Max, 0, math.Floor(o.Levels+0.5), o.DType), o.Max / o.Levels, 0}
}

// maxAbs returns the largest absolute value of x.
func maxAbs(fn nd.Func, x *nd.Array) float64 {
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

// Requantize returns a in larger steps, for example int32 sums as int8. Its options and steps are those of Symmetric.
// MXNet: requantize.
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
	// DType is the dtype of the numbers; the default is float32.
	DType dtype.DType
}

// Dequantize returns the numbers that the integers represent.
// PyTorch: dequantize.
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

// numbers returns the numbers that the integers represent.
func (a Array) numbers(t dtype.DType) *nd.Array {
	return fromSteps.Call(ufunc.Options{DType: t, Casting: dtype.CastUnsafe}, []float64{a.Scale, a.ZeroPoint}, a.Values)
}

// check panics if a is not an array of integers.
func (a Array) check(fn nd.Func) {
	fn.Check(a.Values)
	if a.Values.IsScalar() || !a.Values.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{a.Values}, "want an array of integers"))
	}
}

// centered returns the values minus the zero point.
func (a Array) centered(fn nd.Func) *nd.Array {
	switch {
	case a.ZeroPoint == 0:
		return a.Values
	case a.ZeroPoint != math.Trunc(a.ZeroPoint):
		panic(fn.Errorf([]*nd.Array{a.Values}, "zero point %v: want a whole number", a.ZeroPoint))
	}
	return ops.Subtract(a.Values, int(a.ZeroPoint), ops.UfuncOptions{DType: dtype.Int32})
}
