package ops

import "github.com/ndgrad/ndgrad/nd"

var bitwiseAnd = elementwise{fn: "ops.BitwiseAnd", two: true, body: "a & b", loop: bitType}

// BitwiseAnd returns the bits that a and b both have; of bools, a and b. numpy.bitwise_and.
func BitwiseAnd(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return bitwiseAnd.call2(a, b, opts) }

var bitwiseOr = elementwise{fn: "ops.BitwiseOr", two: true, body: "a | b", loop: bitType}

// BitwiseOr returns the bits that a or b has; of bools, a or b. numpy.bitwise_or.
func BitwiseOr(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return bitwiseOr.call2(a, b, opts) }

var bitwiseXor = elementwise{fn: "ops.BitwiseXor", two: true, body: "a ^ b", loop: bitType}

// BitwiseXor returns the bits that one of a and b has; of bools, whether they differ. numpy.bitwise_xor.
func BitwiseXor(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return bitwiseXor.call2(a, b, opts) }

var invert = elementwise{fn: "ops.Invert", body: "~x", loop: bitType}

// Invert returns the bits that x does not have; of bools, not x. numpy.invert and bitwise_not.
func Invert(x *nd.Array, opts ...UfuncOptions) *nd.Array { return invert.call1(x, opts) }

var leftShift = elementwise{fn: "ops.LeftShift", two: true, body: "a << b", loop: integral}

// LeftShift returns a·2ᵇ, of which the bits that fit remain: 0 where b is negative or not below the width.
// numpy.left_shift.
func LeftShift(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return leftShift.call2(a, b, opts) }

var rightShift = elementwise{fn: "ops.RightShift", two: true, body: "a >> b", loop: integral}

// RightShift returns a/2ᵇ, rounded down: 0, or -1 for a negative a, where b is negative or not below the width.
// numpy.right_shift.
func RightShift(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return rightShift.call2(a, b, opts) }
