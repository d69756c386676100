package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

var isNaN = elementwise{fn: "ops.IsNaN", body: "isnan(x)", out: "bool"}

// IsNaN tells where x is not a number; complex numbers where either part is. numpy.isnan, nnabla isnan.
func IsNaN(x *nd.Array, opts ...UfuncOptions) *nd.Array { return isNaN.call1(x, opts) }

var isInf = elementwise{fn: "ops.IsInf", body: "isinf(x)", out: "bool"}

// IsInf tells where x is infinite; complex numbers where either part is. numpy.isinf, nnabla isinf.
func IsInf(x *nd.Array, opts ...UfuncOptions) *nd.Array { return isInf.call1(x, opts) }

var isFinite = elementwise{fn: "ops.IsFinite", body: "isfinite(x)", out: "bool"}

// IsFinite tells where x is neither infinite nor not-a-number; complex numbers where both parts are so. numpy.isfinite.
func IsFinite(x *nd.Array, opts ...UfuncOptions) *nd.Array { return isFinite.call1(x, opts) }

// IsCloseOptions are the options of IsClose and AllClose.
type IsCloseOptions struct {
	// RTol is the tolerance relative to |b|; nil means 1e-5.
	RTol *float64
	// ATol is the absolute tolerance, which is added; nil means 1e-8.
	ATol *float64
	// EqualNaN makes two not-a-numbers close.
	EqualNaN bool
}

var isClose = elementwise{fn: "ops.IsClose", two: true, scalars: "R rtol, R atol, R both", out: "bool", loop: quotient,
	body: "a == b || isfinite(b) && abs(a - b) <= atol + rtol * abs(b) || both != 0 && isnan(a) && isnan(b)"}

// IsClose tells where |a - b| ≤ ATol + RTol·|b|; infinities are close to themselves. numpy.isclose.
func IsClose(a, b *nd.Array, opts ...IsCloseOptions) *nd.Array {
	o := firstOf(opts)
	both := 0.0
	if o.EqualNaN {
		both = 1
	}
	return isClose.call(nil, []float64{valueOr(o.RTol, 1e-5), valueOr(o.ATol, 1e-8), both}, a, b)
}

// AllClose reports whether all elements are close, as IsClose says. It waits for the device. numpy.allclose.
func AllClose(a, b *nd.Array, opts ...IsCloseOptions) bool {
	return nd.Value[bool](All(IsClose(a, b, opts...)))
}

const twoTruths = "bool a, bool b"

var logicalAnd = elementwise{fn: "ops.LogicalAnd", in: twoTruths, body: "a && b", out: "bool", loop: asBool}

// LogicalAnd tells where neither a nor b is 0. numpy.logical_and, nnabla logical_and.
func LogicalAnd(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return logicalAnd.call2(a, b, opts) }

var logicalOr = elementwise{fn: "ops.LogicalOr", in: twoTruths, body: "a || b", out: "bool", loop: asBool}

// LogicalOr tells where a or b is not 0. numpy.logical_or, nnabla logical_or.
func LogicalOr(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return logicalOr.call2(a, b, opts) }

var logicalXor = elementwise{fn: "ops.LogicalXor", in: twoTruths, body: "a != b", out: "bool", loop: asBool}

// LogicalXor tells where exactly one of a and b is 0. numpy.logical_xor, nnabla logical_xor.
func LogicalXor(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return logicalXor.call2(a, b, opts) }

var logicalNot = elementwise{fn: "ops.LogicalNot", in: "bool x", body: "!x", out: "bool", loop: asBool}

// LogicalNot tells where x is 0. numpy.logical_not, nnabla logical_not.
func LogicalNot(x *nd.Array, opts ...UfuncOptions) *nd.Array { return logicalNot.call1(x, opts) }

var all = reduction{fn: "ops.All", in: "bool x", combine: device.CombineAll, result: toBool}

// All tells whether all elements, or all along the given axes, are true (not 0). numpy.all.
func All(x *nd.Array, opts ...ReduceOptions) *nd.Array { return all.call(x, opts) }

var anyTrue = reduction{fn: "ops.Any", in: "bool x", combine: device.CombineAny, result: toBool}

// Any tells whether any element, or any along the given axes, is true (not 0). numpy.any.
func Any(x *nd.Array, opts ...ReduceOptions) *nd.Array { return anyTrue.call(x, opts) }

var resetNaN = elementwise{fn: "ops.ResetNaN", scalars: "T v", body: "isnan(x) ? v : x", loop: realFloat}

// ResetOptions are the options of ResetNaN and ResetInf.
type ResetOptions struct {
	// Val replaces what is reset.
	Val float64
}

// ResetNaN returns x with a number in place of not-a-number, to which no gradient flows. nnabla reset_nan.
func ResetNaN(x *nd.Array, opts ...ResetOptions) *nd.Array {
	return resetNaN.call(nil, []float64{firstOf(opts).Val}, x)
}

var resetInf = elementwise{fn: "ops.ResetInf", scalars: "T v", body: "isinf(x) ? v : x", loop: realFloat}

// ResetInf returns x with a number in place of infinities, to which no gradient flows. nnabla reset_inf.
func ResetInf(x *nd.Array, opts ...ResetOptions) *nd.Array {
	return resetInf.call(nil, []float64{firstOf(opts).Val}, x)
}
