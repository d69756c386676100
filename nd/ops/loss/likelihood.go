package loss

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var gaussianNLL = ufunc.Definition{Fn: "loss.GaussianNLL", In: "T x, T m, T v", Scalars: "T c", Loop: ufunc.RealFloat,
	Body: "d = (x - m) * exp(v * T(-0.5)); y = (v + c + d * d) / 2"} // exp(-v) may be 0 where the square is infinite

// GaussianNLL returns the negative log-likelihood of x under the normal distribution N(mean, exp(lnVar)), element by
// element: (lnVar + log 2π + (x - mean)²·exp(-lnVar))/2. Chainer's gaussian_nll is its sum.
// PyTorch: nn.functional.gaussian_nll_loss. Chainer: gaussian_nll (for the sum).
func GaussianNLL(x, mean, lnVar *nd.Array) *nd.Array {
	return gaussianNLL.Compute([]float64{math.Log(2 * math.Pi)}, x, mean, lnVar)
}

var bernoulliNLL = ufunc.Definition{Fn: "loss.BernoulliNLL", In: "T x, T z", Loop: ufunc.RealFloat,
	Body:     "r = z > 0 ? 1 - x : -x; y = (r == 0 ? T(0) : r * z) + softplus(-abs(z))", // softplus(z) - x·z without Inf - Inf
	Gradient: "gz = gy * (sigmoid(z) - x); gx = -gy * z"}

// BernoulliNLL returns the negative log-likelihood of x under the Bernoulli distribution with the probability p =
// Sigmoid(y), element by element: -(x·log p + (1-x)·log(1-p)), with gradients of both. Chainer's bernoulli_nll is its
// sum.
// Chainer: bernoulli_nll (for the sum).
func BernoulliNLL(x, y *nd.Array) *nd.Array {
	return bernoulliNLL.Compute(nil, x, y)
}

var negativeLog = ufunc.Definition{Fn: "loss.CategoricalCrossEntropy", In: "T x", Scalars: "T least", Loop: ufunc.RealFloat,
	Body: "0 - log(max(x, least))", Gradient: "gx = -gy / max(x, least)"}

// CategoricalCrossEntropy returns, for every example, -log x[t] along the axis of the classes, with probabilities x and
// integer labels t. Probabilities below the smallest normal float are raised to it. The axis stays, with length 1.
// Labels must lie in [0, classes) or be Ignore. The gradient of the label's probability is -gy/p, with the raised p. t
// may hold probabilities, as in SoftmaxCrossEntropy. NNabla's categorical_cross_entropy uses the last axis by default.
//
// Shapes: x (N, C, …), t (N, 1, …) or (N, …), or (N, C, …) for probabilities; the result (N, 1, …), or () with a
// Reduction.
// NNabla: categorical_cross_entropy.
func CategoricalCrossEntropy(x, t *nd.Array, opts ...CrossEntropyOption) *nd.Array {
	const fn nd.Func = "loss.CategoricalCrossEntropy"
	fn.Check(x, t)
	o := options.Of(fn, opts, crossEntropyOver)
	made := fn.Temporaries(&x, &t, &o.Weight)
	defer made.Release()
	givenX, givenT := x, t
	defer argument.Explain(fn, []*nd.Array{x, t}, func() []argument.Bounds { return o.labelled(fn, givenX, givenT) })
	x = argument.Float(fn, x)
	axis := fn.Axis(x, o.Axis, min(1, x.Rank()-1))
	t = o.targets(fn, x, t, axis)
	least := []float64{dtype.Info(x.DType()).Tiny}
	if !o.isDefault() || !t.DType().IsInteger() {
		logP := ops.Negative(negativeLog.Compute(least, x))
		if !t.DType().IsInteger() {
			return made.Keep(o.ofProbabilities(logP, t, axis))
		}
		return made.Keep(o.ofLabels(losses(logP, t, axis, argument.ValueOr(o.Ignore, -1)), t, logP, axis))
	}
	counts := ops.NotEqual(t, argument.ValueOr(o.Ignore, -1))
	p := ops.TakeAlongAxis(x, indicesOf(t, counts, x.Dim(axis)), ops.Over(axis))
	return made.Keep(ops.Where(counts, negativeLog.Compute(least, p), 0))
}

// KLDivergenceOptions are the options of KLDivergence.
type KLDivergenceOptions struct {
	// Log says that p is given by its logarithm, too.
	Log bool
}

var (
	klDivergence = ufunc.Definition{Fn: "loss.KLDivergence", In: "T q, T p", Loop: ufunc.RealFloat,
		Body: "p == 0 ? T(0) : p * (log(p) - q)", Gradient: "gq = -gy * p; gp = p == 0 && q == -inf ? T(0) : gy * (log(p) + 1 - q)"}
	klDivergenceOfLogs = ufunc.Definition{Fn: "loss.KLDivergence", In: "T q, T p", Loop: ufunc.RealFloat,
		Body: "p == -inf ? T(0) : exp(p) * (p - q)"}
)

// KLDivergence returns p·(log p - log q), element by element, where q is given by its logarithm. It is 0 where p is 0,
// also if q is 0 there; then the gradient of p is 0, too.
// Its sum (ops.Sum) is the Kullback-Leibler divergence of p from q; the sum divided by the number of examples is
// PyTorch's batchmean.
// PyTorch: nn.functional.kl_div.
func KLDivergence(logQ, p *nd.Array, opts ...KLDivergenceOptions) *nd.Array {
	if options.Read(klDivergence.Fn, opts).Log {
		return klDivergenceOfLogs.Compute(nil, logQ, p)
	}
	return klDivergence.Compute(nil, logQ, p)
}

// PoissonNLLOptions are the options of PoissonNLL.
type PoissonNLLOptions struct {
	// Rate says that x is the mean, not its logarithm.
	Rate bool
	// Full adds Stirling's approximation t·log(t) - t + log(2πt)/2 of log(t!) where t > 1.
	Full bool
	// Eps is added to the mean inside the logarithm, with Rate; nil means 1e-8.
	Eps *float64
}

var (
	poissonNLL = ufunc.Definition{Fn: "loss.PoissonNLL", In: "T x, T t", Scalars: "T full", Loop: ufunc.RealFloat,
		Body: "y = exp(x) - (t == 0 && x == -inf ? T(0) : t * x) + (full > 0 && t > 1 ? t * log(t) - t + log(t * 6.283185307179586) / 2 : T(0))"}
	poissonNLLOfRate = ufunc.Definition{Fn: "loss.PoissonNLL", In: "T x, T t", Scalars: "T full, T eps", Loop: ufunc.RealFloat,
		Body: "l = log(x + eps); y = x - (t == 0 && l == -inf ? T(0) : t * l) + (full > 0 && t > 1 ? t * log(t) - t + log(t * 6.283185307179586) / 2 : T(0))"}
)

// PoissonNLL returns the negative log-likelihood of t under the Poisson distribution with the mean exp(x), element by
// element: exp(x) - t·x, which is 0 for a mean and a t of 0. It leaves out the term log(t!), which does not depend on x.
// PyTorch: nn.functional.poisson_nll_loss.
func PoissonNLL(x, t *nd.Array, opts ...PoissonNLLOptions) *nd.Array {
	o := options.Read(poissonNLL.Fn, opts)
	full := 0.0
	if o.Full {
		full = 1
	}
	if o.Rate {
		return poissonNLLOfRate.Compute([]float64{full, argument.ValueOr(o.Eps, 1e-8)}, x, t)
	}
	return poissonNLL.Compute([]float64{full}, x, t)
}

// KLMultinomialOptions are the options of KLMultinomial.
type KLMultinomialOptions struct {
	// BaseAxis is the first axis of the probabilities of a distribution, negative ones counted from the end; nil means
	// 1. The axes before it belong to the examples.
	BaseAxis *int
}

var klTerm = ufunc.Definition{Fn: "loss.KLMultinomial", In: "T p, T q", Loop: ufunc.RealFloat,
	Body: "p * (log(p + 1e-8) - log(q + 1e-8))", Gradient: "gp = gy * (log(p + 1e-8) - log(q + 1e-8) + p / (p + 1e-8)); gq = -gy * p / (q + 1e-8)"}

// KLMultinomial returns the Kullback-Leibler divergence Σp·log(p/q) of the distributions q from p, with 1e-8 added
// inside both logarithms.
//
// Shapes: p and q (M…, K…); the result (M…, 1).
// NNabla: kl_multinomial.
func KLMultinomial(p, q *nd.Array, opts ...KLMultinomialOptions) *nd.Array {
	klTerm.Fn.Check(p, q)
	if !broadcast.Equal(p.Shape(), q.Shape()) {
		panic(klTerm.Fn.Errorf([]*nd.Array{p, q}, "want probabilities of one shape"))
	}
	base := argument.Axis(klTerm.Fn, p, options.Read(klTerm.Fn, opts).BaseAxis, 1)
	terms := klTerm.Compute(nil, p, q)
	terms = release.Replace(terms, terms.Reshape(append(p.Shape()[:base:base], -1)...))
	return klTerm.Fn.Made(release.Operands(ops.Sum(terms, ops.Over(base).KeepDims()), terms))
}
