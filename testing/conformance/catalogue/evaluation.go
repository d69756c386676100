package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// evaluationRows is the chapter of likelihoods, losses of examples, and evaluation of predictions.
var evaluationRows = []Row{
	{Signature: "nnabla.functions.categorical_cross_entropy(x, target, axis=None)", Func: func(x, t *nd.Array, axis ops.Axes) *nd.Array {
		if axis == nil {
			axis = ops.Over(-1)
		}
		return loss.CategoricalCrossEntropy(x, t, axis)
	}},
	{Signature: "nnabla.functions.kl_multinomial(p, q, base_axis=1)", Func: loss.KLMultinomial},
	{Signature: "nnabla.functions.top_k_data(x, k, abs=False, reduce=True, base_axis=1)", Func: ops.TopKData,
		Note: "the smallest elements, and indices, come from ops.TopK: NNabla's later options largest and with_index"},
	{Signature: "nnabla.functions.top_k_grad(x, k, abs=False, base_axis=1)", Func: ops.TopKGrad, StraightThrough: true},
	{Signature: "nnabla.functions.assign(dst, src)", Func: func(dst, src *nd.Array) *nd.Array {
		dst.Detach().Assign(src.Detach())
		return dst
	}, Writes: []string{"dst"}, StraightThrough: true},

	{Signature: "chainer.functions.mean_squared_error(x0, x1)", Func: func(a, b *nd.Array) *nd.Array { return ops.Mean(loss.SquaredError(a, b)) }},
	{Signature: "chainer.functions.mean_absolute_error(x0, x1)", Func: func(a, b *nd.Array) *nd.Array {
		return ops.Mean(loss.AbsoluteError(a, b, ops.UfuncOptions{Kink: ops.KinkEven}))
	}},
	{Signature: "chainer.functions.bernoulli_nll(x, y, reduce='sum')", Func: summed(loss.BernoulliNLL)},
	{Signature: "chainer.functions.gaussian_nll(x, mean, ln_var, reduce='sum')", Func: func(x, mean, lnVar *nd.Array, reduce string) *nd.Array {
		return reduced(loss.GaussianNLL(x, mean, lnVar), reduce, "sum")
	}},
	{Signature: "chainer.functions.gaussian(mean, ln_var)", Func: ops.Gaussian, Random: true},
	{Signature: "chainer.functions.softmax_cross_entropy(x, t, use_cudnn=True, normalize=True, cache_score=True, class_weight=None, ignore_label=-1, reduce='mean')",
		Func: chainerSoftmaxCrossEntropy, Ignores: []string{"use_cudnn", "cache_score"}},
	{Signature: "chainer.functions.hinge(x, t, norm='L1', reduce='mean')", Func: func(x, t *nd.Array, norm, reduce string) *nd.Array {
		l := loss.Hinge(x, t, loss.HingeOptions{Norm: loss.HingeNorm(norm)})
		if reduce == "mean" {
			l = ops.Sum(l, ops.Over(1))
		}
		return reduced(l, reduce, "mean")
	}},
	{Signature: "chainer.functions.contrastive(x0, x1, y, margin=1, reduce='mean')", Func: func(x0, x1, y *nd.Array, margin float64, reduce string) *nd.Array {
		return reduced(loss.Contrastive(x0, x1, y, loss.ContrastiveOptions{Margin: &margin}), reduce, "mean")
	}},
	{Signature: "chainer.functions.triplet(anchor, positive, negative, margin=0.2, reduce='mean')",
		Func: func(anchor, positive, negative *nd.Array, margin float64, reduce string) *nd.Array {
			return reduced(loss.Triplet(anchor, positive, negative, loss.TripletOptions{Margin: &margin}), reduce, "mean")
		}},
	{Signature: "chainer.functions.black_out(x, t, W, samples, reduce='mean')", Func: func(x, t, w, samples *nd.Array, reduce string) *nd.Array {
		return reduced(loss.BlackOut(x, t, w, samples), reduce, "mean")
	}, Domain: map[string]Interval{"": {-1, 1}}}, // 1-p cancels if a sample takes nearly all of the probability
	{Signature: "chainer.functions.negative_sampling(x, t, W, sampler, sample_size, reduce='sum')",
		Func: func(x, t, w, samples *nd.Array, size int, reduce string) *nd.Array {
			// The label replaces the first of the samples that the sampler draws.
			return reduced(loss.NegativeSampling(x, t, w, samples.Index(nd.All(), nd.Span(1, size+1))), reduce, "sum")
		}},

	{Signature: "chainer.functions.accuracy(y, t, ignore_label=None)", Func: ops.Accuracy, NoGrad: true},
	{Signature: "chainer.functions.binary_accuracy(y, t)", Func: ops.BinaryAccuracy, NoGrad: true},
	{Signature: "chainer.functions.classification_summary(y, t, label_num=None, beta=1.0, ignore_label=-1)", Func: ops.ClassificationSummary, NoGrad: true},
	{Signature: "chainer.functions.r2_score(pred, true, sample_weight=None, multioutput='uniform_average')", Func: r2Score, NoGrad: true,
		Ignores: []string{"sample_weight"}},

	{Signature: "chainer.functions.bilinear(e1, e2, W, V1=None, V2=None, b=None)", Func: ops.Bilinear},
	{Signature: "chainer.functions.simplified_dropconnect(x, W, b=None, ratio=0.5, train=True, mask=None)",
		Func: func(x, w, b *nd.Array, ratio float64, train bool, mask *nd.Array, rng *nd.Rand) *nd.Array {
			if !train {
				ratio = 0
			}
			return ops.SimplifiedDropConnect(x, w, rng, ops.SimplifiedDropConnectOptions{B: b, Ratio: &ratio, Mask: mask})
		}, Random: true},
	{Signature: "chainer.functions.depth2space(X, r)", Func: ops.DepthToSpace},
	{Signature: "chainer.functions.space2depth(X, r)", Func: ops.SpaceToDepth},
	{Signature: "chainer.Variable.__matmul__(self, rhs)", Func: ops.MatMul},
	{Signature: "chainer.Variable.__rmatmul__(self, rhs)", Func: func(x, left *nd.Array) *nd.Array { return ops.MatMul(left, x) }},

	{Signature: "mxnet.npx.stop_gradient(data)", Func: grad.StopGradient, NoGrad: true},
	{Signature: "mxnet.npx.constraint_check(input, msg)", Func: func(x *nd.Array, message string) *nd.Array {
		y := ops.All(x)
		if !nd.Value[bool](y) {
			panic(nd.Func("constraint_check").Errorf([]*nd.Array{x}, "%s", message))
		}
		return y
	}, NoGrad: true},
}

// reduced reduces losses as Chainer does: by the default function, or not at all.
func reduced(loss *nd.Array, reduce, def string) *nd.Array {
	switch {
	case reduce == "no":
		return loss
	case reduce == def && def == "mean":
		return ops.Mean(loss)
	case reduce == def:
		return ops.Sum(loss)
	}
	panic(nd.Func("reduce").Errorf([]*nd.Array{loss}, "%q: want %s or no", reduce, def))
}

// chainerSoftmaxCrossEntropy drops the axis of the classes from losses that are not combined.
func chainerSoftmaxCrossEntropy(x, t *nd.Array, normalize bool, weight *nd.Array, ignore int, reduce string) *nd.Array {
	y := loss.SoftmaxCrossEntropy(x, t, loss.CrossEntropyOptions{Axis: ops.Over(1), Ignore: &ignore, Weight: weight,
		Reduction: chainerReduction(reduce, normalize)})
	if reduce == "no" {
		return y.Squeeze(1)
	}
	return y
}

// chainerReduction is the reduction for Chainer's arguments reduce and normalize.
func chainerReduction(reduce string, normalize bool) loss.Reduction {
	switch {
	case reduce == "no":
		return loss.NoReduction
	case reduce == "mean" && normalize:
		return loss.CountMeanReduction
	case reduce == "mean":
		return loss.BatchMeanReduction
	}
	panic(nd.Func("reduce").Errorf(nil, "%q: want mean or no", reduce))
}

func r2Score(pred, truth *nd.Array, output string) *nd.Array {
	scores := ops.R2Score(pred, truth)
	switch output {
	case "raw_values":
		return scores
	case "uniform_average":
		return ops.Mean(scores)
	}
	panic(nd.Func("r2_score").Errorf([]*nd.Array{pred, truth}, "multioutput %q: want uniform_average or raw_values", output))
}
