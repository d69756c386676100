package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var bitwiseAnd = ufunc.Definition{Fn: "ops.BitwiseAnd", Two: true, Body: "a & b", Loop: ufunc.BitType}

// BitwiseAnd returns the bits that are set in both a and b; for bools, a and b.
// NumPy: bitwise_and.
func BitwiseAnd[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&bitwiseAnd, a, b, opts)
}

var bitwiseOr = ufunc.Definition{Fn: "ops.BitwiseOr", Two: true, Body: "a | b", Loop: ufunc.BitType}

// BitwiseOr returns the bits that are set in a or b; for bools, a or b.
// NumPy: bitwise_or.
func BitwiseOr[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&bitwiseOr, a, b, opts)
}

var bitwiseXor = ufunc.Definition{Fn: "ops.BitwiseXor", Two: true, Body: "a ^ b", Loop: ufunc.BitType}

// BitwiseXor returns the bits that are set in exactly one of a and b; for bools, whether they differ.
// NumPy: bitwise_xor.
func BitwiseXor[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&bitwiseXor, a, b, opts)
}

var invert = ufunc.Definition{Fn: "ops.Invert", Body: "~x", Loop: ufunc.BitType}

// Invert returns the bits that are not set in x; for bools, not x.
// NumPy: invert.
func Invert(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&invert, x, opts) }

var leftShift = ufunc.Definition{Fn: "ops.LeftShift", Two: true, Body: "a << b", Loop: integral}

// LeftShift returns a·2ᵇ, cut to the bits of the dtype: 0 where b is negative or not below the width.
// NumPy: left_shift.
func LeftShift[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&leftShift, a, b, opts)
}

var rightShift = ufunc.Definition{Fn: "ops.RightShift", Two: true, Body: "a >> b", Loop: integral}

// RightShift returns a/2ᵇ, rounded down: 0, or -1 for a negative a, where b is negative or not below the width.
// NumPy: right_shift.
func RightShift[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&rightShift, a, b, opts)
}

var bitwiseCount = ufunc.Definition{Fn: "ops.BitwiseCount", Out: "uint8", Loop: integral,
	Body: "u = x < 0 ? uint64(0) - uint64(x) : uint64(x); " +
		"pairs = u - ((u >> 1) & 6148914691236517205); " + // 0x5555…: counts bits per pair, then per four bits, then per byte
		"fours = (pairs & 3689348814741910323) + ((pairs >> 2) & 3689348814741910323); " +
		"bytes = (fours + (fours >> 4)) & 1085102592571150095; " +
		"y = uint8((bytes * 72340172838076673) >> 56)"}

// BitwiseCount returns (uint8) the number of bits that are 1 in the absolute value of x.
// NumPy: bitwise_count.
func BitwiseCount(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&bitwiseCount, x, opts) }
