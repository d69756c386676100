package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var isNaN = ufunc.Definition{Fn: "ops.IsNaN", Body: "isnan(x)", Out: "bool"}

// IsNaN tells where x is not a number; complex numbers where either part is. numpy.isnan, nnabla isnan.
func IsNaN(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isNaN, x, opts) }

var isInf = ufunc.Definition{Fn: "ops.IsInf", Body: "isinf(x)", Out: "bool"}

// IsInf tells where x is infinite; complex numbers where either part is. numpy.isinf, nnabla isinf.
func IsInf(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isInf, x, opts) }

var isPosInf = ufunc.Definition{Fn: "ops.IsPosInf", Body: "isinf(x) && x > 0", Out: "bool", Loop: ufunc.RealNumber}

// IsPosInf tells where x is positive infinity. numpy.isposinf.
func IsPosInf(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isPosInf, x, opts) }

var isNegInf = ufunc.Definition{Fn: "ops.IsNegInf", Body: "isinf(x) && x < 0", Out: "bool", Loop: ufunc.RealNumber}

// IsNegInf tells where x is negative infinity. numpy.isneginf.
func IsNegInf(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isNegInf, x, opts) }

var isFinite = ufunc.Definition{Fn: "ops.IsFinite", Body: "isfinite(x)", Out: "bool"}

// IsFinite tells where x is neither infinite nor not-a-number; complex numbers where both parts are so. numpy.isfinite.
func IsFinite(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isFinite, x, opts) }

// IsCloseOptions are the options of IsClose and AllClose.
type IsCloseOptions struct {
	// RTol is the tolerance relative to |b|, a number or an array that broadcasts with a and b; nil means 1e-5.
	RTol *nd.Array
	// ATol is the absolute tolerance, which is added, a number or an array too; nil means 1e-8.
	ATol *nd.Array
	// EqualNaN makes two not-a-numbers close.
	EqualNaN bool
}

var isClose = ufunc.Definition{Fn: "ops.IsClose", In: "T a, T b, R rtol, R atol", Scalars: "R both", Out: "bool", Loop: ufunc.Quotient,
	Body: "a == b || isfinite(b) && abs(a - b) <= atol + rtol * abs(b) || both != 0 && isnan(a) && isnan(b)"}

// IsClose tells where |a - b| ≤ ATol + RTol·|b|; infinities are close to themselves. numpy.isclose.
func IsClose[A, B nd.Operand](a A, b B, opts ...IsCloseOptions) *nd.Array {
	return closeTo(nd.AsArray(a), nd.AsArray(b), options.Read(isClose.Fn, opts))
}

func closeTo(a, b *nd.Array, o IsCloseOptions) *nd.Array {
	fn := isClose.Fn
	both := 0.0
	if o.EqualNaN {
		both = 1
	}
	relative, absolute := o.RTol, o.ATol
	if relative == nil {
		relative = nd.Scalar(1e-5)
	}
	if absolute == nil {
		absolute = nd.Scalar(1e-8)
	}
	fn.Check(a, b, relative, absolute)
	if relative.DType().IsComplex() || absolute.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{relative, absolute}, "want real tolerances"))
	}
	return isClose.Compute([]float64{both}, a, b, relative, absolute)
}

// AllClose reports whether all elements are close, as IsClose says. It waits for the device. numpy.allclose.
func AllClose[A, B nd.Operand](a A, b B, opts ...IsCloseOptions) bool {
	near := IsClose(a, b, opts...)
	every := All(near)
	defer release.Operands(nil, near, every)
	return nd.Value[bool](every)
}

const twoTruths = "bool a, bool b"

var logicalAnd = ufunc.Definition{Fn: "ops.LogicalAnd", In: twoTruths, Body: "a && b", Out: "bool", Loop: ufunc.AsBool}

// LogicalAnd tells where neither a nor b is 0. numpy.logical_and, nnabla logical_and.
func LogicalAnd[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&logicalAnd, a, b, opts)
}

var logicalOr = ufunc.Definition{Fn: "ops.LogicalOr", In: twoTruths, Body: "a || b", Out: "bool", Loop: ufunc.AsBool}

// LogicalOr tells where a or b is not 0. numpy.logical_or, nnabla logical_or.
func LogicalOr[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&logicalOr, a, b, opts)
}

var logicalXor = ufunc.Definition{Fn: "ops.LogicalXor", In: twoTruths, Body: "a != b", Out: "bool", Loop: ufunc.AsBool}

// LogicalXor tells where exactly one of a and b is 0. numpy.logical_xor, nnabla logical_xor.
func LogicalXor[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&logicalXor, a, b, opts)
}

var logicalNot = ufunc.Definition{Fn: "ops.LogicalNot", In: "bool x", Body: "!x", Out: "bool", Loop: ufunc.AsBool}

// LogicalNot tells where x is 0. numpy.logical_not, nnabla logical_not.
func LogicalNot(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&logicalNot, x, opts)
}

var all = reduction.Definition{Fn: "ops.All", In: "bool x", Combine: device.CombineAll, Result: reduction.ToBool}

// All tells whether all elements, or all along the given axes, are true (not 0). numpy.all.
func All(x *nd.Array, opts ...ReduceOption) *nd.Array { return combine(&all, x, opts) }

var anyTrue = reduction.Definition{Fn: "ops.Any", In: "bool x", Combine: device.CombineAny, Result: reduction.ToBool}

// Any tells whether any element, or any along the given axes, is true (not 0). numpy.any.
func Any(x *nd.Array, opts ...ReduceOption) *nd.Array { return combine(&anyTrue, x, opts) }

var resetNaN = ufunc.Definition{Fn: "ops.ResetNaN", Scalars: "T v", Body: "isnan(x) ? v : x", Loop: ufunc.RealFloat}

// ResetOptions are the options of ResetNaN and ResetInf.
type ResetOptions struct {
	// Val replaces what is reset.
	Val float64
}

// ResetNaN returns x with a number in place of not-a-number, to which no gradient flows. nnabla reset_nan.
func ResetNaN(x *nd.Array, opts ...ResetOptions) *nd.Array {
	return resetNaN.Compute([]float64{options.Read(resetNaN.Fn, opts).Val}, x)
}

var resetInf = ufunc.Definition{Fn: "ops.ResetInf", Scalars: "T v", Body: "isinf(x) ? v : x", Loop: ufunc.RealFloat}

// ResetInf returns x with a number in place of infinities, to which no gradient flows. nnabla reset_inf.
func ResetInf(x *nd.Array, opts ...ResetOptions) *nd.Array {
	return resetInf.Compute([]float64{options.Read(resetInf.Fn, opts).Val}, x)
}
