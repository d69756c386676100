package ops

import "github.com/ndgrad/ndgrad/nd"

// These are the short forms for a number as one operand. The number is weak, as nd.Scalar describes.

// AddScalar returns x + v.
// NNabla: add_scalar.
func AddScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Add(x, nd.Scalar(v)) }

// SubScalar returns x - v.
func SubScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Subtract(x, nd.Scalar(v)) }

// MulScalar returns x·v.
// NNabla: mul_scalar.
func MulScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Multiply(x, nd.Scalar(v)) }

// DivScalar returns x/v.
func DivScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Divide(x, nd.Scalar(v)) }

// PowScalar returns x to the power v.
// NNabla: pow_scalar.
func PowScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Power(x, nd.Scalar(v)) }

// RSubScalar returns v - x.
// NNabla: r_sub_scalar.
func RSubScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Subtract(nd.Scalar(v), x) }

// RDivScalar returns v/x.
// NNabla: r_div_scalar.
func RDivScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Divide(nd.Scalar(v), x) }

// RPowScalar returns v to the power x.
// NNabla: r_pow_scalar.
func RPowScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Power(nd.Scalar(v), x) }

// MaximumScalar returns the larger of x and v. At a tie no gradient flows to x.
// NNabla: maximum_scalar.
func MaximumScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Maximum(nd.Scalar(v), x) }

// MinimumScalar returns the smaller of x and v. At a tie no gradient flows to x.
// NNabla: minimum_scalar.
func MinimumScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Minimum(nd.Scalar(v), x) }

// EqualScalar returns, per element, whether x = v.
// NNabla: equal_scalar.
func EqualScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Equal(x, nd.Scalar(v)) }

// NotEqualScalar returns, per element, whether x ≠ v.
// NNabla: not_equal_scalar.
func NotEqualScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return NotEqual(x, nd.Scalar(v)) }

// LessScalar returns, per element, whether x < v.
// NNabla: less_scalar.
func LessScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Less(x, nd.Scalar(v)) }

// LessEqualScalar returns, per element, whether x ≤ v.
// NNabla: less_equal_scalar.
func LessEqualScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return LessEqual(x, nd.Scalar(v)) }

// GreaterScalar returns, per element, whether x > v.
// NNabla: greater_scalar.
func GreaterScalar[V nd.Number](x *nd.Array, v V) *nd.Array { return Greater(x, nd.Scalar(v)) }

// GreaterEqualScalar returns, per element, whether x ≥ v.
// NNabla: greater_equal_scalar.
func GreaterEqualScalar[V nd.Number](x *nd.Array, v V) *nd.Array {
	return GreaterEqual(x, nd.Scalar(v))
}

// LogicalAndScalar returns, per element, whether x is not 0 and v is true.
// NNabla: logical_and_scalar.
func LogicalAndScalar(x *nd.Array, v bool) *nd.Array { return LogicalAnd(x, nd.Scalar(v)) }

// LogicalOrScalar returns, per element, whether x is not 0 or v is true.
// NNabla: logical_or_scalar.
func LogicalOrScalar(x *nd.Array, v bool) *nd.Array { return LogicalOr(x, nd.Scalar(v)) }

// LogicalXorScalar returns, per element, whether x is not 0, or whether x is 0 if v is true.
// NNabla: logical_xor_scalar.
func LogicalXorScalar(x *nd.Array, v bool) *nd.Array { return LogicalXor(x, nd.Scalar(v)) }
