package ops

import (
	"github.com/ndgrad/ndgrad/nd"
)

var sigmoid = elementwise{fn: "ops.Sigmoid", body: "sigmoid(x)", loop: realFloat}

// Sigmoid returns 1/(1 + exp(-x)). nnabla sigmoid, chainer sigmoid.
func Sigmoid(x *nd.Array, opts ...UfuncOptions) *nd.Array { return sigmoid.call1(x, opts) }

var logSigmoid = elementwise{fn: "ops.LogSigmoid", body: "-softplus(-x)", loop: realFloat}

// LogSigmoid returns log(1/(1 + exp(-x))). nnabla log_sigmoid.
func LogSigmoid(x *nd.Array, opts ...UfuncOptions) *nd.Array { return logSigmoid.call1(x, opts) }

// SoftplusOptions are the options of Softplus.
type SoftplusOptions struct {
	// Beta is how sharp the bend is; nil means 1.
	Beta *float64
}

var softplus = elementwise{fn: "ops.Softplus", scalars: "T beta", body: "softplus(beta * x) / beta", loop: realFloat}

// Softplus returns log(1 + exp(βx))/β. nnabla softplus, chainer softplus.
func Softplus(x *nd.Array, opts ...SoftplusOptions) *nd.Array {
	beta := valueOr(firstOf(opts).Beta, 1)
	if beta == 0 {
		panic(softplus.fn.Errorf([]*nd.Array{x}, "Beta must not be 0"))
	}
	return softplus.call(nil, []float64{beta}, x)
}

var softsign = elementwise{fn: "ops.Softsign", body: "isinf(x) ? copysign(1, x) : x / (1 + abs(x))", loop: realFloat,
	gradient: "r = 1 / (1 + abs(x)); gx = gy * r * r"}

// Softsign returns x/(1 + |x|). nnabla softsign.
func Softsign(x *nd.Array, opts ...UfuncOptions) *nd.Array { return softsign.call1(x, opts) }

// Below float64, computing in float64 rounds once. In float64, where the sigmoid underflows it is the square of
// exp(x/2), which does not. The bound keeps -Inf from meeting 0.
var swish = elementwise{fn: "ops.Swish", loop: realFloat,
	body:     "double v = max(x, -2000); y = v * sigmoid(v)",
	body64:   "v = max(x, -2000); e = exp(v / 2); y = v < -708 ? v * e * e : v * sigmoid(v)",
	gradient: "v = min(max(x, -2000), 2000); p = sigmoid(v); gx = gy * (p + v * p * sigmoid(-v))"}

// Swish returns x·sigmoid(x), also called SiLU. nnabla swish.
//
// Source: P. Ramachandran et al., Searching for Activation Functions, 2017.
func Swish(x *nd.Array, opts ...UfuncOptions) *nd.Array { return swish.call1(x, opts) }

// As swish. With e = exp(x), tanh(softplus(x)) is n/(n+2), where n = e·(e+2).
var mish = elementwise{fn: "ops.Mish", loop: realFloat,
	body: "double v = max(x, -2000); double e = exp(min(v, 40)); double n2 = e * (e + 2); y = v * (n2 / (n2 + 2))",
	body64: "v = max(x, -2000); h = exp(v / 2); e = exp(min(v, 40)); n2 = e * (e + 2); " +
		"y = v < -708 ? v * h * h : v < -1 ? v * tanh(softplus(v)) : v * (n2 / (n2 + 2))",
	gradient: "v = min(max(x, -2000), 20); e = exp(v); n2 = e * (e + 2); r = 1 / (n2 + 2); " +
		"gx = gy * ((v < 0 ? n2 * r : 1 - 2 * r) + 4 * v * e * (e + 1) * r * r)"}

// Mish returns x·tanh(log(1 + exp(x))). nnabla mish.
//
// Source: D. Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019.
func Mish(x *nd.Array, opts ...UfuncOptions) *nd.Array { return mish.call1(x, opts) }

var tanhShrink = elementwise{fn: "ops.TanhShrink", loop: realFloat, gradient: "t = tanh(x); gx = gy * t * t",
	body: "s = x * x; q = s / (3 + s / (5 + s / (7 + s / (9 + s / (11 + s / (13 + s / (15 + s / (17 + s / 19)))))))); " +
		"y = abs(x) < 1 ? x * q / (1 + q) : x - tanh(x)"}

// TanhShrink returns x - tanh(x), within 4 ulp; for |x| < 1 by the continued fraction of the tangent, in which nothing
// cancels. nnabla tanh_shrink.
func TanhShrink(x *nd.Array, opts ...UfuncOptions) *nd.Array { return tanhShrink.call1(x, opts) }

var hardSigmoid = elementwise{fn: "ops.HardSigmoid", body: "min(max((x + 2.5) / 5, 0), 1)", loop: realFloat,
	gradient: "gx = abs(x) > 2.5 ? T(0) : T(0.2) * gy + (x - x)"}

// HardSigmoid returns 0.2x + 0.5, clipped to [0, 1]. At the bounds the gradient is 0.2·gy. nnabla hard_sigmoid, chainer
// hard_sigmoid.
func HardSigmoid(x *nd.Array, opts ...UfuncOptions) *nd.Array { return hardSigmoid.call1(x, opts) }

var hardTanh = elementwise{fn: "ops.HardTanh", body: "min(max(x, -1), 1)", loop: realFloat,
	gradient: "gx = abs(x) > 1 ? T(0) : gy + (x - x)"}

// HardTanh returns x, clipped to [-1, 1]. At the bounds the gradient is gy. nnabla hard_tanh.
func HardTanh(x *nd.Array, opts ...UfuncOptions) *nd.Array { return hardTanh.call1(x, opts) }

var binarySigmoid = elementwise{fn: "ops.BinarySigmoid", body: "x > 0 ? T(1) : T(0)", loop: realFloat,
	gradient: "gx = abs(x) < 1 ? gy / 2 : T(0)"}

// BinarySigmoid returns 1 where x > 0, else 0. Its gradient is straight-through: gy/2 where |x| < 1, else 0.
// nnabla binary_sigmoid.
//
// Source: M. Courbariaux et al., Binarized Neural Networks, 2016.
func BinarySigmoid(x *nd.Array, opts ...UfuncOptions) *nd.Array { return binarySigmoid.call1(x, opts) }

var binaryTanh = elementwise{fn: "ops.BinaryTanh", body: "x > 0 ? T(1) : T(-1)", loop: realFloat,
	gradient: "gx = abs(x) < 1 ? gy : T(0)"}

// BinaryTanh returns 1 where x > 0, else -1. Its gradient is straight-through: gy where |x| < 1, else 0.
// nnabla binary_tanh.
//
// Source: M. Courbariaux et al., Binarized Neural Networks, 2016.
func BinaryTanh(x *nd.Array, opts ...UfuncOptions) *nd.Array { return binaryTanh.call1(x, opts) }
