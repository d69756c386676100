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

var cornerOfAbsoluteError = ufunc.Definition{Fn: "loss.AbsoluteError", Two: true, Scalars: "T corner", Body: "abs(a - b)", Loop: ufunc.RealFloat,
	Gradient: "s = a == b ? gy * corner : (a > b ? gy : -gy); ga = s; gb = -s"}

// AbsoluteError returns |a - b|, element by element, which is real for complex numbers. Where a equals b, the gradient
// of a is -gy, and that of b is gy, unless UfuncOptions has a Kink for the corner at a - b = 0; for complex numbers it
// is 0, and they do not accept a Kink.
// PyTorch: nn.functional.l1_loss (with KinkEven). NNabla: absolute_error. Chainer: mean_absolute_error (for the mean,
// with KinkEven).
func AbsoluteError(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array {
	o, kink := kinkOptions(absoluteError.Fn, opts)
	if kink == 0 {
		return absoluteError.Call2(a, b, o)
	}
	absoluteError.Fn.Check(a, b)
	in := []*nd.Array{a, b}
	at := argument.Choice(absoluteError.Fn, in, "Kink", kink, ops.KinkLeft, ops.KinkRight, ops.KinkLeast, ops.KinkEven)
	if !a.DType().IsInexact() && !b.DType().IsInexact() {
		return absoluteError.Call2(a, b, o)
	}
	return cornerOfAbsoluteError.Call(o, []float64{[]float64{-1, 1, 0, 0}[at]}, a, b)
}

// elementwise reads the options of elementwise functions that have no Kink.
func elementwise(fn nd.Func, opts []ops.UfuncOption) ufunc.Options {
	o, kink := kinkOptions(fn, opts)
	if kink != 0 {
		fn.RefuseOptions("it has no Kink")
	}
	return o
}

// kinkOptions reads the options of elementwise functions.
func kinkOptions(fn nd.Func, opts []ops.UfuncOption) (ufunc.Options, ops.Kink) {
	o := options.Of(fn, opts, func(out ops.Output, o ops.UfuncOptions) ops.UfuncOptions {
		o.Out = out.Array()
		return o
	})
	return ufunc.Options{Out: o.Out, Where: o.Where, DType: o.DType, Casting: o.Casting}, o.Kink
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

var gaussianKLDivergence = ufunc.Definition{Fn: "loss.GaussianKLDivergence", In: "T m, T v", Loop: ufunc.RealFloat,
	Body: "(m * m + exp(v) - v - 1) / 2"}

// GaussianKLDivergence returns, element by element, the divergence of the normal distribution with the given mean and
// logarithm of the variance from the standard one: (mean² + exp(lnVar) - lnVar - 1)/2. Chainer's gaussian_kl_divergence
// is its sum.
// Chainer: gaussian_kl_divergence (for the sum).
func GaussianKLDivergence(mean, lnVar *nd.Array) *nd.Array {
	return gaussianKLDivergence.Compute(nil, mean, lnVar)
}
