package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// comparison is the definition of a comparison. Signed and unsigned 64-bit integers promote to float64, which would
// round. So comparison has a program of its own for a signed first and an unsigned second operand; mirrored serves the
// other order.
type comparison struct {
	ufunc.Definition
	mixed ufunc.Definition
}

var (
	equal = comparison{ufunc.Definition{Fn: "ops.Equal", Two: true, Body: "a == b", Out: "bool"},
		ufunc.Definition{Fn: "ops.Equal", In: mixed, Body: "a >= 0 && uint64(a) == b", Out: "bool"}}
	notEqual = comparison{ufunc.Definition{Fn: "ops.NotEqual", Two: true, Body: "a != b", Out: "bool"},
		ufunc.Definition{Fn: "ops.NotEqual", In: mixed, Body: "a < 0 || uint64(a) != b", Out: "bool"}}
	less = comparison{ufunc.Definition{Fn: "ops.Less", Two: true, Body: "a < b", Out: "bool"},
		ufunc.Definition{Fn: "ops.Less", In: mixed, Body: "a < 0 || uint64(a) < b", Out: "bool"}}
	lessEqual = comparison{ufunc.Definition{Fn: "ops.LessEqual", Two: true, Body: "a <= b", Out: "bool"},
		ufunc.Definition{Fn: "ops.LessEqual", In: mixed, Body: "a < 0 || uint64(a) <= b", Out: "bool"}}
	greater = comparison{ufunc.Definition{Fn: "ops.Greater", Two: true, Body: "a > b", Out: "bool"},
		ufunc.Definition{Fn: "ops.Greater", In: mixed, Body: "a >= 0 && uint64(a) > b", Out: "bool"}}
	greaterEqual = comparison{ufunc.Definition{Fn: "ops.GreaterEqual", Two: true, Body: "a >= b", Out: "bool"},
		ufunc.Definition{Fn: "ops.GreaterEqual", In: mixed, Body: "a >= 0 && uint64(a) >= b", Out: "bool"}}
)

// mixed are the arguments of comparisons of signed with unsigned integers.
const mixed = "int64 a, uint64 b"

// mirrored returns the comparison that gives the same result with exchanged operands.
func (c *comparison) mirrored() *comparison {
	switch c {
	case &less:
		return &greater
	case &lessEqual:
		return &greaterEqual
	case &greater:
		return &less
	case &greaterEqual:
		return &lessEqual
	}
	return c
}

func (c *comparison) compare(a, b *nd.Array, opts []UfuncOption) *nd.Array {
	c.Fn.Check(a, b)
	if !a.IsScalar() && !b.IsScalar() && a.DType().IsInteger() && b.DType().IsInteger() &&
		ufunc.CommonType([]*nd.Array{a, b}) == dtype.Float64 {
		o := ufuncOptions(c.Fn, opts)
		c.LoopType(ufunc.Options{DType: o.DType}, []*nd.Array{a, b})
		o.CheckCasting(c.Fn, []*nd.Array{a, b})
		if a.DType().IsUnsigned() {
			c, a, b = c.mirrored(), b, a
		}
		o.CheckInputs(c.Fn, []*nd.Array{a}, dtype.Int64)
		o.CheckInputs(c.Fn, []*nd.Array{b}, dtype.Uint64)
		return ufunc.Run(c.Fn, c.mixed.Program(dtype.Float64), nil, o, []*nd.Array{a, b})
	}
	a, b = infiniteIfOutOfRange(a, b), infiniteIfOutOfRange(b, a)
	return c.Call2(a, b, ufuncOptions(c.Fn, opts))
}

// infiniteIfOutOfRange replaces an integer x that does not fit the dtype of the integer array it is compared with by an
// infinity: x is above or below every element.
func infiniteIfOutOfRange(x, other *nd.Array) *nd.Array {
	if !x.IsScalar() || !x.DType().IsInteger() || other.IsScalar() || other.DType().IsInexact() || x.Fits(other.DType()) {
		return x
	}
	return nd.Scalar(math.Copysign(math.Inf(1), nd.Value[float64](x)))
}

// Equal returns a bool array that is true where a = b.
// NumPy: equal. PyTorch: eq. NNabla: equal, equal_scalar.
func Equal[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return equal.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// NotEqual returns a bool array that is true where a ≠ b; NaN differs from everything.
// NumPy: not_equal. PyTorch: ne. NNabla: not_equal, not_equal_scalar.
func NotEqual[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return notEqual.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// Less returns a bool array that is true where a < b. Complex numbers compare by their real, then their imaginary
// parts.
// NumPy: less. PyTorch: lt. NNabla: less, less_scalar.
func Less[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return less.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// LessEqual returns a bool array that is true where a ≤ b.
// NumPy: less_equal. PyTorch: le. NNabla: less_equal, less_equal_scalar.
func LessEqual[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return lessEqual.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// Greater returns a bool array that is true where a > b.
// NumPy: greater. PyTorch: gt. NNabla: greater, greater_scalar.
func Greater[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return greater.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// GreaterEqual returns a bool array that is true where a ≥ b.
// NumPy: greater_equal. PyTorch: ge. NNabla: greater_equal, greater_equal_scalar.
func GreaterEqual[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return greaterEqual.compare(nd.AsArray(a), nd.AsArray(b), opts)
}
