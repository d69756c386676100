package loss

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var squaredError = ufunc.Definition{Fn: "loss.SquaredError", Two: true, Body: "d = a - b; y = d * d", Loop: ufunc.RealNumber}

// SquaredError returns (a - b)², element by element.
// PyTorch: nn.functional.mse_loss. NNabla: squared_error. Chainer: squared_difference.
func SquaredError(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array {
	return squaredError.Call2(a, b, elementwise(squaredError.Fn, opts))
}

var absoluteError = ufunc.Definition{Fn: "loss.AbsoluteError", Two: true, Body: "abs(a - b)", Out: "R",
	Loop:    func(t dtype.DType) dtype.DType { return ufunc.Number(ufunc.BoolAsInt8(t)) },
	Complex: "abs(a - b)", Gradient: "s = a > b ? gy : -gy; ga = s; gb = -s"}

// AbsoluteError returns |a - b|, element by element, which is real for complex numbers. Where a equals b, the gradient
// of a is -gy; for complex numbers it is 0.
// PyTorch: nn.functional.l1_loss. NNabla: absolute_error.
func AbsoluteError(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array {
	return absoluteError.Call2(a, b, elementwise(absoluteError.Fn, opts))
}

// elementwise reads the options of elementwise functions.
func elementwise(fn nd.Func, opts []ops.UfuncOption) ufunc.Options {
	return ufunc.Options(options.Of(fn, opts, func(out ops.Output, o ops.UfuncOptions) ops.UfuncOptions {
		o.Out = out.Array()
		return o
	}))
}

// HuberLossOptions are the options of HuberLoss.
type HuberLossOptions struct {
	// Delta is the difference at which the parabola becomes a straight line; nil means 1.
	Delta *float64
}

var huberLoss = ufunc.Definition{Fn: "loss.HuberLoss", Two: true, Scalars: "T delta", Loop: ufunc.RealFloat,
	Body:     "d = a - b; r = abs(d); y = r < delta ? d * d : delta * (2 * r - delta)",
	Gradient: "d = a - b; s = gy * (abs(d) < delta ? 2 * d : 2 * delta * sign(d)); ga = s; gb = -s"}

// HuberLoss returns, with d = a - b, d² where |d| < delta, else delta·(2|d| - delta), element by element. This is twice
// the loss that Chainer has under this name.
// PyTorch: nn.functional.huber_loss. NNabla: huber_loss.
func HuberLoss(a, b *nd.Array, opts ...HuberLossOptions) *nd.Array {
	return huberLoss.Compute([]float64{argument.ValueOr(options.Read(huberLoss.Fn, opts).Delta, 1)}, a, b)
}

var epsilonInsensitiveLoss = ufunc.Definition{Fn: "loss.EpsilonInsensitiveLoss", Two: true, Scalars: "T epsilon", Loop: ufunc.RealFloat,
	Body:     "max(abs(a - b) - epsilon, 0)",
	Gradient: "d = a - b; s = gy * (abs(d) <= epsilon ? T(0) : sign(d)); ga = s; gb = -s"}

// EpsilonInsensitiveLoss returns |a - b| - epsilon where that is positive, else 0, element by element. Where |a - b|
// equals epsilon the gradient is 0.
// NNabla: epsilon_insensitive_loss.
func EpsilonInsensitiveLoss(a, b *nd.Array, epsilon float64) *nd.Array {
	return epsilonInsensitiveLoss.Compute([]float64{epsilon}, a, b)
}

var binaryCrossEntropy = ufunc.Definition{Fn: "loss.BinaryCrossEntropy", In: "T x, T t", Scalars: "T least", Loop: ufunc.RealFloat,
	Body: "-(t * max(log(x), least) + (1 - t) * max(log1p(-x), least))",
	Gradient: "gx = gy * (x - t) / max(x * (1 - x), exp(least)); " +
		"gt = gy * (max(log1p(-x), least) - max(log(x), least))"}

// BinaryCrossEntropy returns -(t·log(x) + (1-t)·log(1-x)), element by element, for probabilities x and targets t. The
// logarithms are bounded below by that of the smallest normal float.
// PyTorch: nn.functional.binary_cross_entropy. NNabla: binary_cross_entropy.
func BinaryCrossEntropy(x, t *nd.Array) *nd.Array {
	in := []*nd.Array{x, t}
	binaryCrossEntropy.Fn.Check(in...)
	lt := binaryCrossEntropy.LoopType(ufunc.Options{}, in)
	least := math.Log(dtype.Info(dtype.ComputeType(lt)).Tiny)
	return binaryCrossEntropy.Compute([]float64{least}, x, t)
}

// SigmoidCrossEntropyOptions are the options of SigmoidCrossEntropy.
type SigmoidCrossEntropyOptions struct {
	// PosWeight, which broadcasts, is the factor of the term t·log(p); nil means 1.
	PosWeight *nd.Array
}

var weightedSigmoidCrossEntropy = ufunc.Definition{Fn: "loss.SigmoidCrossEntropy", In: "T x, T t, T w", Loop: ufunc.RealFloat,
	Body:     "u = 1 - t; v = w * t; y = (u == 0 ? T(0) : u * softplus(x)) + (v == 0 ? T(0) : v * softplus(-x))",
	Gradient: "gx = gy * ((1 - t) * sigmoid(x) - w * t * sigmoid(-x))"}

var sigmoidCrossEntropy = ufunc.Definition{Fn: "loss.SigmoidCrossEntropy", In: "T x, T t", Loop: ufunc.RealFloat,
	Body:     "r = x > 0 ? 1 - t : -t; y = (r == 0 ? T(0) : r * x) + softplus(-abs(x))",
	Gradient: "gx = gy * (sigmoid(x) - t)"}

// SigmoidCrossEntropy returns -(t·log(p) + (1-t)·log(1-p)) with p = Sigmoid(x), element by element; a factor
// of 0 makes its term 0. t, of any real dtype, has no gradient. Chainer's sigmoid_cross_entropy is its mean.
// PyTorch: nn.functional.binary_cross_entropy_with_logits. NNabla: sigmoid_cross_entropy. Chainer:
// sigmoid_cross_entropy (for the mean).
func SigmoidCrossEntropy(x, t *nd.Array, opts ...SigmoidCrossEntropyOptions) *nd.Array {
	d := &sigmoidCrossEntropy
	in := []*nd.Array{x, t}
	d.Fn.Check(in...)
	if t.DType().IsComplex() {
		panic(d.Fn.Errorf(in, "want real targets"))
	}
	if w := options.Read(d.Fn, opts).PosWeight; w != nil {
		return weightedSigmoidCrossEntropy.Compute(nil, x, t, w)
	}
	lt := d.LoopType(ufunc.Options{}, in[:1])
	return ufunc.Run(d.Fn, d.Program(lt), nil, ufunc.Options{}, in)
}

var gaussianKLDivergence = ufunc.Definition{Fn: "loss.GaussianKLDivergence", In: "T m, T v", Loop: ufunc.RealFloat,
	Body: "(m * m + exp(v) - v - 1) / 2"}

// GaussianKLDivergence returns, element by element, the divergence of the normal distribution with the given mean and
// logarithm of the variance from the standard one: (mean² + exp(lnVar) - lnVar - 1)/2. Chainer's gaussian_kl_divergence
// is its sum.
// Chainer: gaussian_kl_divergence (for the sum).
func GaussianKLDivergence(mean, lnVar *nd.Array) *nd.Array {
	return gaussianKLDivergence.Compute(nil, mean, lnVar)
}
