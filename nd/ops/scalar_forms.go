package ops

import "github.com/ndgrad/ndgrad/nd"

// The short forms for a number as one operand: it is weak, as nd.Scalar says.

// AddScalar returns x + v. nnabla add_scalar.
func AddScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Add(x, nd.Scalar(v)) }

// SubScalar returns x - v.
func SubScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Subtract(x, nd.Scalar(v)) }

// MulScalar returns x·v. nnabla mul_scalar.
func MulScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Multiply(x, nd.Scalar(v)) }

// DivScalar returns x/v.
func DivScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Divide(x, nd.Scalar(v)) }

// PowScalar returns x to the power v. nnabla pow_scalar.
func PowScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Power(x, nd.Scalar(v)) }

// RSubScalar returns v - x. nnabla r_sub_scalar.
func RSubScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Subtract(nd.Scalar(v), x) }

// RDivScalar returns v/x. nnabla r_div_scalar.
func RDivScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Divide(nd.Scalar(v), x) }

// RPowScalar returns v to the power x. nnabla r_pow_scalar.
func RPowScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Power(nd.Scalar(v), x) }

// MaximumScalar returns the larger of x and v. Where they are equal no gradient flows to x. nnabla maximum_scalar.
func MaximumScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Maximum(nd.Scalar(v), x) }

// MinimumScalar returns the smaller of x and v. Where they are equal no gradient flows to x. nnabla minimum_scalar.
func MinimumScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Minimum(nd.Scalar(v), x) }

// EqualScalar tells where x = v. nnabla equal_scalar.
func EqualScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Equal(x, nd.Scalar(v)) }

// NotEqualScalar tells where x ≠ v. nnabla not_equal_scalar.
func NotEqualScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return NotEqual(x, nd.Scalar(v)) }

// LessScalar tells where x < v. nnabla less_scalar.
func LessScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Less(x, nd.Scalar(v)) }

// LessEqualScalar tells where x ≤ v. nnabla less_equal_scalar.
func LessEqualScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return LessEqual(x, nd.Scalar(v)) }

// GreaterScalar tells where x > v. nnabla greater_scalar.
func GreaterScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Greater(x, nd.Scalar(v)) }

// GreaterEqualScalar tells where x ≥ v. nnabla greater_equal_scalar.
func GreaterEqualScalar[V nd.Number](x *nd.Array, v V) *nd.Array {
	return GreaterEqual(x, nd.Scalar(v))
}

// LogicalAndScalar tells where x is not 0, if v; else nowhere. nnabla logical_and_scalar.
func LogicalAndScalar(x *nd.Array, v bool) *nd.Array { return LogicalAnd(x, nd.Scalar(v)) }

// LogicalOrScalar tells where x is not 0, or everywhere if v. nnabla logical_or_scalar.
func LogicalOrScalar(x *nd.Array, v bool) *nd.Array { return LogicalOr(x, nd.Scalar(v)) }

// LogicalXorScalar tells where x is not 0, or is 0 if v. nnabla logical_xor_scalar.
func LogicalXorScalar(x *nd.Array, v bool) *nd.Array { return LogicalXor(x, nd.Scalar(v)) }
