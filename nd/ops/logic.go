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

// IsNaN returns a bool array that is true where x is NaN; for complex numbers, where either part is NaN.
// NumPy: isnan. NNabla: isnan.
func IsNaN(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isNaN, x, opts) }

var isInf = ufunc.Definition{Fn: "ops.IsInf", Body: "isinf(x)", Out: "bool"}

// IsInf returns a bool array that is true where x is infinite; for complex numbers, where either part is infinite.
// NumPy: isinf. NNabla: isinf.
func IsInf(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isInf, x, opts) }

var isPosInf = ufunc.Definition{Fn: "ops.IsPosInf", Body: "isinf(x) && x > 0", Out: "bool", Loop: ufunc.RealNumber}

// IsPosInf returns a bool array that is true where x is positive infinity.
// NumPy: isposinf.
func IsPosInf(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isPosInf, x, opts) }

var isNegInf = ufunc.Definition{Fn: "ops.IsNegInf", Body: "isinf(x) && x < 0", Out: "bool", Loop: ufunc.RealNumber}

// IsNegInf returns a bool array that is true where x is negative infinity.
// NumPy: isneginf.
func IsNegInf(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isNegInf, x, opts) }

var isFinite = ufunc.Definition{Fn: "ops.IsFinite", Body: "isfinite(x)", Out: "bool"}

// IsFinite returns a bool array that is true where x is neither infinite nor NaN; for complex numbers, where both parts
// are finite.
// NumPy: isfinite.
func IsFinite(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&isFinite, x, opts) }

// IsCloseOptions are the options of IsClose and AllClose.
type IsCloseOptions struct {
	// RTol is the tolerance relative to |b|, a scalar or an array that broadcasts with a and b; nil means 1e-5.
	RTol *nd.Array
	// ATol is the absolute tolerance, which is added, also a scalar or an array; nil means 1e-8.
	ATol *nd.Array
	// EqualNaN makes NaN close to NaN.
	EqualNaN bool
}

var isClose = ufunc.Definition{Fn: "ops.IsClose", In: "T a, T b, R rtol, R atol", Scalars: "R both", Out: "bool", Loop: ufunc.Quotient,
	Body: "a == b || isfinite(b) && abs(a - b) <= atol + rtol * abs(b) || both != 0 && isnan(a) && isnan(b)"}

// IsClose returns a bool array that is true where |a - b| ≤ ATol + RTol·|b|; an infinity is close to itself.
// NumPy: isclose.
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

// AllClose reports whether all elements are close, as in IsClose. It waits for the device.
// NumPy: allclose.
func AllClose[A, B nd.Operand](a A, b B, opts ...IsCloseOptions) bool {
	near := IsClose(a, b, opts...)
	every := All(near)
	defer release.Operands(nil, near, every)
	return nd.Value[bool](every)
}

const twoTruths = "bool a, bool b"

var logicalAnd = ufunc.Definition{Fn: "ops.LogicalAnd", In: twoTruths, Body: "a && b", Out: "bool", Loop: ufunc.AsBool}

// LogicalAnd returns a bool array that is true where neither a nor b is 0.
// NumPy: logical_and. NNabla: logical_and, logical_and_scalar.
func LogicalAnd[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&logicalAnd, a, b, opts)
}

var logicalOr = ufunc.Definition{Fn: "ops.LogicalOr", In: twoTruths, Body: "a || b", Out: "bool", Loop: ufunc.AsBool}

// LogicalOr returns a bool array that is true where a or b is not 0.
// NumPy: logical_or. NNabla: logical_or, logical_or_scalar.
func LogicalOr[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&logicalOr, a, b, opts)
}

var logicalXor = ufunc.Definition{Fn: "ops.LogicalXor", In: twoTruths, Body: "a != b", Out: "bool", Loop: ufunc.AsBool}

// LogicalXor returns a bool array that is true where exactly one of a and b is 0.
// NumPy: logical_xor. NNabla: logical_xor, logical_xor_scalar.
func LogicalXor[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&logicalXor, a, b, opts)
}

var logicalNot = ufunc.Definition{Fn: "ops.LogicalNot", In: "bool x", Body: "!x", Out: "bool", Loop: ufunc.AsBool}

// LogicalNot returns a bool array that is true where x is 0.
// NumPy: logical_not. NNabla: logical_not.
func LogicalNot(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&logicalNot, x, opts)
}

var all = reduction.Definition{Fn: "ops.All", In: "bool x", Combine: device.CombineAll, Result: reduction.ToBool}

// All returns whether all elements, or all along the given axes, are true (not 0).
// NumPy: all.
func All(x *nd.Array, opts ...ReduceOption) *nd.Array { return combine(&all, x, opts) }

var anyTrue = reduction.Definition{Fn: "ops.Any", In: "bool x", Combine: device.CombineAny, Result: reduction.ToBool}

// Any returns whether any element, or any along the given axes, is true (not 0).
// NumPy: any.
func Any(x *nd.Array, opts ...ReduceOption) *nd.Array { return combine(&anyTrue, x, opts) }

var resetNaN = ufunc.Definition{Fn: "ops.ResetNaN", Scalars: "T v", Body: "isnan(x) ? v : x", Loop: ufunc.RealFloat}

// ResetOptions are the options of ResetNaN and ResetInf.
type ResetOptions struct {
	// Val is the replacement.
	Val float64
}

// ResetNaN returns x with NaN replaced by a number; no gradient flows to replaced elements.
// NNabla: reset_nan.
func ResetNaN(x *nd.Array, opts ...ResetOptions) *nd.Array {
	return resetNaN.Compute([]float64{options.Read(resetNaN.Fn, opts).Val}, x)
}

var resetInf = ufunc.Definition{Fn: "ops.ResetInf", Scalars: "T v", Body: "isinf(x) ? v : x", Loop: ufunc.RealFloat}

// ResetInf returns x with infinities replaced by a number; no gradient flows to replaced elements.
// NNabla: reset_inf.
func ResetInf(x *nd.Array, opts ...ResetOptions) *nd.Array {
	return resetInf.Compute([]float64{options.Read(resetInf.Fn, opts).Val}, x)
}
