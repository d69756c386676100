package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// complexSigmoid is the sigmoid of a complex number. It uses the exponential that does not overflow.
const complexSigmoid = "left = real(x) < 0; e = exp(left ? x : -x); p = (left ? e : T(1)) / (T(1) + e); "

var sigmoid = ufunc.Definition{Fn: "ops.Sigmoid", Body: "sigmoid(x)", Complex: complexSigmoid + "y = p", Loop: ufunc.FloatOf}

// Sigmoid returns 1/(1 + exp(-x)), also of complex numbers.
// PyTorch: sigmoid, special.expit. NNabla: sigmoid. Chainer: sigmoid.
func Sigmoid(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&sigmoid, x, opts) }

var logSigmoid = ufunc.Definition{Fn: "ops.LogSigmoid", Body: "-softplus(-x)", Loop: ufunc.RealFloat}

// LogSigmoid returns log(1/(1 + exp(-x))).
// PyTorch: nn.functional.logsigmoid. NNabla: log_sigmoid.
func LogSigmoid(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&logSigmoid, x, opts)
}

// SoftplusOptions are the options of Softplus.
type SoftplusOptions struct {
	// Beta is the sharpness β of the bend; nil means 1.
	Beta *float64
}

var softplus = ufunc.Definition{Fn: "ops.Softplus", Scalars: "T beta", Body: "softplus(beta * x) / beta", Loop: ufunc.RealFloat}

// Softplus returns log(1 + exp(βx))/β.
// PyTorch: nn.functional.softplus. NNabla: softplus. Chainer: softplus.
func Softplus(x *nd.Array, opts ...SoftplusOptions) *nd.Array {
	beta := argument.ValueOr(options.Read(softplus.Fn, opts).Beta, 1)
	if beta == 0 {
		panic(softplus.Fn.Errorf([]*nd.Array{x}, "Beta must not be 0"))
	}
	return softplus.Compute([]float64{beta}, x)
}

var softsign = ufunc.Definition{Fn: "ops.Softsign", Body: "isinf(x) ? copysign(1, x) : x / (1 + abs(x))", Loop: ufunc.FloatOf,
	Complex: "x / T(1 + abs(x))", Gradient: "r = 1 / (1 + abs(x)); gx = gy * r * r"}

// Softsign returns x/(1 + |x|), also of complex numbers.
// PyTorch: nn.functional.softsign. NNabla: softsign.
func Softsign(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&softsign, x, opts) }

// Dtypes below float64 are computed in float64 and rounded once. In float64, where the sigmoid underflows, it is the
// square of exp(x/2), which does not underflow. The bound on v avoids -Inf·0.
var swish = ufunc.Definition{Fn: "ops.Swish", Loop: ufunc.FloatOf, Complex: complexSigmoid + "y = x * p",
	Body:     "double v = max(x, -2000); y = v * sigmoid(v)",
	Body64:   "v = max(x, -2000); e = exp(v / 2); y = v < -708 ? v * e * e : v * sigmoid(v)",
	Gradient: "v = min(max(x, -2000), 2000); p = sigmoid(v); gx = gy * (p + v * p * sigmoid(-v))"}

// Swish returns x·sigmoid(x), also called SiLU, also of complex numbers.
//
// Source: P. Ramachandran et al., Searching for Activation Functions, 2017.
// PyTorch: nn.functional.silu. NNabla: swish.
func Swish(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&swish, x, opts) }

// Mish is computed like Swish. With e = exp(x), tanh(softplus(x)) is n/(n+2), where n = e·(e+2).
var mish = ufunc.Definition{Fn: "ops.Mish", Loop: ufunc.RealFloat,
	Body: "double v = max(x, -2000); double e = exp(min(v, 40)); double n2 = e * (e + 2); y = v * (n2 / (n2 + 2))",
	Body64: "v = max(x, -2000); h = exp(v / 2); e = exp(min(v, 40)); n2 = e * (e + 2); " +
		"y = v < -708 ? v * h * h : v < -1 ? v * tanh(softplus(v)) : v * (n2 / (n2 + 2))",
	Gradient: "v = min(max(x, -2000), 20); e = exp(v); n2 = e * (e + 2); r = 1 / (n2 + 2); " +
		"gx = gy * ((v < 0 ? n2 * r : 1 - 2 * r) + 4 * v * e * (e + 1) * r * r)"}

// Mish returns x·tanh(log(1 + exp(x))).
//
// Source: D. Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019.
// PyTorch: nn.functional.mish. NNabla: mish.
func Mish(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&mish, x, opts) }

var tanhShrink = ufunc.Definition{Fn: "ops.TanhShrink", Loop: ufunc.RealFloat, Gradient: "t = tanh(x); gx = gy * t * t",
	Body: "s = x * x; q = s / (3 + s / (5 + s / (7 + s / (9 + s / (11 + s / (13 + s / (15 + s / (17 + s / 19)))))))); " +
		"y = abs(x) < 1 ? x * q / (1 + q) : x - tanh(x)"}

// TanhShrink returns x - tanh(x), within 4 ulp. For |x| < 1 it uses the continued fraction of the tangent, in which
// nothing cancels.
// PyTorch: nn.functional.tanhshrink. NNabla: tanh_shrink.
func TanhShrink(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&tanhShrink, x, opts)
}

const hardSigmoidBody = "min(max((x + 2.5) / 5, 0), 1)"

var hardSigmoid = ufunc.Definition{Fn: "ops.HardSigmoid", Body: hardSigmoidBody, Loop: ufunc.RealFloat,
	Gradient: "gx = abs(x) > 2.5 ? T(0) : T(0.2) * gy + (x - x)"}

// HardSigmoid returns 0.2x + 0.5, clipped to [0, 1]. At the bounds the gradient is 0.2·gy, unless UfuncOptions has a
// Kink for corners.
// NNabla: hard_sigmoid. Chainer: hard_sigmoid (with KinkLeast).
func HardSigmoid(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return callAtCorner(&hardSigmoid, hardSigmoidAtCorners, x, opts)
}

var hardTanh = ufunc.Definition{Fn: "ops.HardTanh", Body: "min(max(x, -1), 1)", Loop: ufunc.RealFloat,
	Gradient: "gx = abs(x) > 1 ? T(0) : gy + (x - x)"}

// HardTanh returns x, clipped to [-1, 1]. At the bounds the gradient is gy.
// PyTorch: nn.functional.hardtanh. NNabla: hard_tanh.
func HardTanh(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&hardTanh, x, opts) }

var binarySigmoid = ufunc.Definition{Fn: "ops.BinarySigmoid", Body: "x > 0 ? T(1) : T(0)", Loop: ufunc.RealFloat,
	Gradient: "gx = abs(x) < 1 ? gy / 2 : T(0)"}

// BinarySigmoid returns 1 where x > 0, else 0. Its gradient is straight-through: gy/2 where |x| < 1, else 0.
//
// Source: M. Courbariaux et al., Binarized Neural Networks, 2016.
// NNabla: binary_sigmoid.
func BinarySigmoid(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&binarySigmoid, x, opts)
}

var binaryTanh = ufunc.Definition{Fn: "ops.BinaryTanh", Body: "x > 0 ? T(1) : T(-1)", Loop: ufunc.RealFloat,
	Gradient: "gx = abs(x) < 1 ? gy : T(0)"}

// BinaryTanh returns 1 where x > 0, else -1. Its gradient is straight-through: gy where |x| < 1, else 0.
//
// Source: M. Courbariaux et al., Binarized Neural Networks, 2016.
// NNabla: binary_tanh.
func BinaryTanh(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&binaryTanh, x, opts)
}

var hardSwish = ufunc.Definition{Fn: "ops.HardSwish", Body: "x <= -3 ? T(0) : x * ((min(x, 3) + 3) / 6)", Loop: ufunc.RealFloat,
	Gradient: "gx = x <= -3 ? T(0) : (x < 3 ? gy * (x / 3 + 0.5) : gy)"}

// HardSwish returns x·min(max(x + 3, 0), 6)/6. Its gradient at -3 is 0, at 3 it is gy.
//
// Source: A. Howard et al., Searching for MobileNetV3, 2019.
// PyTorch: nn.functional.hardswish.
func HardSwish(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&hardSwish, x, opts) }

// ShrinkOptions are the options of HardShrink and SoftShrink.
type ShrinkOptions struct {
	// Lambda is the largest |x| that becomes 0; nil means 0.5. It must not be negative.
	Lambda *float64
}

var (
	hardShrink = ufunc.Definition{Fn: "ops.HardShrink", Scalars: "T least", Body: "abs(x) <= least ? T(0) : x", Loop: ufunc.RealFloat}
	softShrink = ufunc.Definition{Fn: "ops.SoftShrink", Scalars: "T least", Body: "abs(x) <= least ? T(0) : x - copysign(least, x)", Loop: ufunc.RealFloat,
		Gradient: "gx = abs(x) <= least ? T(0) : gy"}
)

// HardShrink returns x where |x| > lambda, else 0. The gradient is gy where |x| > lambda, else 0.
// PyTorch: nn.functional.hardshrink.
func HardShrink(x *nd.Array, opts ...ShrinkOptions) *nd.Array { return shrink(&hardShrink, x, opts) }

// SoftShrink returns x moved towards 0 by lambda where |x| > lambda, else 0. The gradient is gy where |x| > lambda,
// else 0.
// PyTorch: nn.functional.softshrink.
func SoftShrink(x *nd.Array, opts ...ShrinkOptions) *nd.Array { return shrink(&softShrink, x, opts) }

func shrink(d *ufunc.Definition, x *nd.Array, opts []ShrinkOptions) *nd.Array {
	least := argument.ValueOr(options.Read(d.Fn, opts).Lambda, 0.5)
	if !(least >= 0) {
		panic(d.Fn.Errorf([]*nd.Array{x}, "Lambda = %v: want at least 0", least))
	}
	return d.Compute([]float64{least}, x)
}

var gated = ufunc.Definition{Fn: "ops.GLU", In: "T a, T b", Body: "a * sigmoid(b)", Loop: ufunc.RealFloat}

// GLU returns a·sigmoid(b), where a and b are the two halves of x along an axis, by default the last one. For variants
// with another function of b, multiply the halves from ops.Split with ops.Multiply: ops.Swish of b gives SwiGLU,
// ops.GELUErf GEGLU, ops.ReLU ReGLU.
//
// Source: Y. Dauphin et al., Language Modeling with Gated Convolutional Networks, 2016.
// PyTorch: nn.functional.glu.
func GLU(x *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.GLU"
	fn.Check(x)
	axis := fn.Axis(x, options.Read(fn, over), -1)
	if x.Dim(axis)%2 != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "axis %d does not split into halves", axis))
	}
	halves := Split(x, 2, Over(axis))
	return release.Operands(gated.Compute(nil, halves[0], halves[1]), halves...)
}
