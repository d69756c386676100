package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// comparison is the definition of a comparison. Signed and unsigned 64-bit integers promote to float64, which would
// round: they have a program of their own, for operands in this order and, mirrored, in the other.
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

// mixed is the arguments of comparisons of signed with unsigned integers.
const mixed = "int64 a, uint64 b"

// mirrored is the comparison of b with a that is this one of a with b.
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
	a, b = beyond(a, b), beyond(b, a)
	return call2(&c.Definition, a, b, opts)
}

// beyond replaces an integer that is out of range of the integer array it is compared with by an infinity: it is above
// or below every element.
func beyond(x, other *nd.Array) *nd.Array {
	if !x.IsScalar() || other.IsScalar() || other.DType().IsInexact() || x.Fits(other.DType()) {
		return x
	}
	return nd.Scalar(math.Copysign(math.Inf(1), nd.Value[float64](x)))
}

// Equal tells where a = b. numpy.equal, nnabla equal, torch.eq.
func Equal[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return equal.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// NotEqual tells where a ≠ b; a not-a-number differs from everything. numpy.not_equal, nnabla not_equal, torch.ne.
func NotEqual[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return notEqual.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// Less tells where a < b; complex numbers compare by their real, then their imaginary parts. numpy.less, nnabla less,
// torch.lt.
func Less[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return less.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// LessEqual tells where a ≤ b. numpy.less_equal, nnabla less_equal, torch.le.
func LessEqual[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return lessEqual.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// Greater tells where a > b. numpy.greater, nnabla greater, torch.gt.
func Greater[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return greater.compare(nd.AsArray(a), nd.AsArray(b), opts)
}

// GreaterEqual tells where a ≥ b. numpy.greater_equal, nnabla greater_equal, torch.ge.
func GreaterEqual[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return greaterEqual.compare(nd.AsArray(a), nd.AsArray(b), opts)
}
