package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var squaredError = elementwise{fn: "ops.SquaredError", two: true, body: "d = a - b; y = d * d", loop: realNumber}

// SquaredError returns (a - b)², element by element. nnabla squared_error, chainer squared_difference.
func SquaredError(a, b *nd.Array, opts ...UfuncOptions) *nd.Array {
	return squaredError.call2(a, b, opts)
}

var absoluteError = elementwise{fn: "ops.AbsoluteError", two: true, body: "abs(a - b)", loop: realNumber,
	gradient: "s = a > b ? gy : -gy; ga = s; gb = -s"}

// AbsoluteError returns |a - b|, element by element. Where they are equal the gradient of a is -gy. nnabla
// absolute_error.
func AbsoluteError(a, b *nd.Array, opts ...UfuncOptions) *nd.Array {
	return absoluteError.call2(a, b, opts)
}

// HuberLossOptions are the options of HuberLoss.
type HuberLossOptions struct {
	// Delta is the difference at which the parabola passes into a straight line; nil means 1.
	Delta *float64
}

var huberLoss = elementwise{fn: "ops.HuberLoss", two: true, scalars: "T delta", loop: realFloat,
	body:     "d = a - b; r = abs(d); y = r < delta ? d * d : delta * (2 * r - delta)",
	gradient: "d = a - b; s = gy * (abs(d) < delta ? 2 * d : 2 * delta * sign(d)); ga = s; gb = -s"}

// HuberLoss returns, with d = a - b, d² where |d| < delta, else delta·(2|d| - delta), element by element: twice the loss
// that Chainer has under this name. nnabla huber_loss.
func HuberLoss(a, b *nd.Array, opts ...HuberLossOptions) *nd.Array {
	return huberLoss.call(nil, []float64{valueOr(firstOf(opts).Delta, 1)}, a, b)
}

var epsilonInsensitiveLoss = elementwise{fn: "ops.EpsilonInsensitiveLoss", two: true, scalars: "T epsilon", loop: realFloat,
	body:     "max(abs(a - b) - epsilon, 0)",
	gradient: "d = a - b; s = gy * (abs(d) <= epsilon ? T(0) : sign(d)); ga = s; gb = -s"}

// EpsilonInsensitiveLoss returns |a - b| - epsilon where that is positive, else 0, element by element,
// as is the gradient where it is just 0. nnabla epsilon_insensitive_loss.
func EpsilonInsensitiveLoss(a, b *nd.Array, epsilon float64) *nd.Array {
	return epsilonInsensitiveLoss.call(nil, []float64{epsilon}, a, b)
}

var binaryCrossEntropy = elementwise{fn: "ops.BinaryCrossEntropy", in: "T x, T t", scalars: "T least", loop: realFloat,
	body: "-(t * max(log(x), least) + (1 - t) * max(log1p(-x), least))",
	gradient: "gx = gy * (x - t) / max(x * (1 - x), exp(least)); " +
		"gt = gy * (max(log1p(-x), least) - max(log(x), least))"}

// BinaryCrossEntropy returns -(t·log(x) + (1-t)·log(1-x)), element by element, for probabilities x and targets t. The
// logarithms are not below that of the smallest normal float. nnabla binary_cross_entropy.
func BinaryCrossEntropy(x, t *nd.Array) *nd.Array {
	in := []*nd.Array{x, t}
	binaryCrossEntropy.fn.Check(in...)
	lt := binaryCrossEntropy.loopType(UfuncOptions{}, in)
	least := math.Log(dtype.Info(dtype.ComputeType(lt)).Tiny)
	return binaryCrossEntropy.call(nil, []float64{least}, x, t)
}

var sigmoidCrossEntropy = elementwise{fn: "ops.SigmoidCrossEntropy", in: "T x, T t", loop: realFloat,
	body:     "max(x, 0) - x * t + softplus(-abs(x))",
	gradient: "gx = gy * (sigmoid(x) - t)"}

// SigmoidCrossEntropy returns -(t·log(p) + (1-t)·log(1-p)) with p = Sigmoid(x), element by element. t, of any real
// dtype, has no gradient. nnabla sigmoid_cross_entropy; chainer sigmoid_cross_entropy is its mean.
func SigmoidCrossEntropy(x, t *nd.Array) *nd.Array {
	d := &sigmoidCrossEntropy
	in := []*nd.Array{x, t}
	d.fn.Check(in...)
	if t.DType().IsComplex() {
		panic(d.fn.Errorf(in, "targets are real"))
	}
	lt := d.loopType(UfuncOptions{}, in[:1])
	return run(d.fn, d.program(lt), nil, UfuncOptions{}, in)
}

var gaussianKLDivergence = elementwise{fn: "ops.GaussianKLDivergence", in: "T m, T v", loop: realFloat,
	body: "(m * m + exp(v) - v - 1) / 2"}

// GaussianKLDivergence returns, element by element, how far the normal distribution of the given mean and logarithm of
// the variance is from the standard one: (mean² + exp(lnVar) - lnVar - 1)/2. chainer gaussian_kl_divergence is its sum.
func GaussianKLDivergence(mean, lnVar *nd.Array) *nd.Array {
	return gaussianKLDivergence.call(nil, nil, mean, lnVar)
}
