package loss

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// NegativeSampling returns, for every example, softplus(-x·w_t) + Σ softplus(x·w_n) over the sampled classes n: the
// loss of distinguishing the example's class from noise samples. Examples with the label -1 have loss 0. The sum of the
// result is Chainer's negative_sampling.
//
// Shapes: x (N, D), t (N), w (V, D), samples (N, S), all of them negative examples; the result (N).
//
// Source: T. Mikolov et al., Distributed Representations of Words and Phrases and their Compositionality, 2013.
// Chainer: negative_sampling (for the sum).
func NegativeSampling(x, t, w, samples *nd.Array) *nd.Array {
	const fn nd.Func = "loss.NegativeSampling"
	checkSamples(fn, x, t, w, samples)
	made := fn.Temporaries(&x, &t, &w, &samples)
	defer made.Release()
	given := []*nd.Array{x, t, w, samples}
	defer argument.Explain(fn, given, func() []argument.Bounds { return sampled(given, -1) })
	counts := ops.NotEqual(t, -1)
	named := indicesOf(t, counts, w.Dim(0)).ExpandDims(1)
	samples = indicesOf(samples, nil, w.Dim(0))
	loss := ops.Add(ops.Softplus(ops.Negative(scoresAt(x, w, named).Squeeze(1))),
		ops.Sum(ops.Softplus(scoresAt(x, w, samples)), ops.Over(1)))
	return made.Keep(ops.Where(counts, loss, 0))
}

// BlackOut returns, for every example, -log p_t - Σ log(1 - p_s) over the sampled classes s. p is the softmax of the
// scores x·w of the label and the samples. The mean of the result is Chainer's black_out.
//
// Shapes: x (N, D), t (N), w (V, D), samples (N, S); the result (N).
//
// Source: S. Ji et al., BlackOut: Speeding up Recurrent Neural Network Language Models With Very Large Vocabularies,
// 2015.
// Chainer: black_out (for the mean).
func BlackOut(x, t, w, samples *nd.Array) *nd.Array {
	const fn nd.Func = "loss.BlackOut"
	checkSamples(fn, x, t, w, samples)
	made := fn.Temporaries(&x, &t, &w, &samples)
	defer made.Release()
	given := []*nd.Array{x, t, w, samples}
	defer argument.Explain(fn, given, func() []argument.Bounds { return sampled(given) })
	t, samples = indicesOf(t, nil, w.Dim(0)), indicesOf(samples, nil, w.Dim(0))
	scores := ops.Concatenate([]*nd.Array{scoresAt(x, w, t.ExpandDims(1)), scoresAt(x, w, samples)}, ops.Over(1))
	logP := ops.LogSoftmax(scores)
	others := ops.Log1p(ops.Negative(ops.Exp(logP.Index(nd.All(), nd.From(1)))))
	return made.Keep(ops.Negative(ops.Add(logP.Index(nd.All(), nd.At(0)), ops.Sum(others, ops.Over(1)))))
}

func checkSamples(fn nd.Func, x, t, w, samples *nd.Array) {
	fn.Check(x, t, w, samples)
	if x.Rank() != 2 || w.Rank() != 2 || x.Dim(1) != w.Dim(1) || !broadcast.Equal(t.Shape(), x.Shape()[:1]) ||
		samples.Rank() != 2 || samples.Dim(0) != x.Dim(0) || !t.DType().IsInteger() || !samples.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{x, t, w, samples},
			"want features (N, D), integer labels (N), weights (V, D) and integer samples (N, S)"))
	}
}

// sampled says what the labels and the samples may be.
func sampled(in []*nd.Array, ignored ...int) []argument.Bounds {
	classes := in[2].Dim(0)
	return []argument.Bounds{labelled("t", in[1], classes, ignored...), labelled("samples", in[3], classes)}
}

// scoresAt returns the product of each example with the weights of the classes in its row.
func scoresAt(x, w, classes *nd.Array) *nd.Array {
	rows := ops.Take(w, classes, ops.Over(0))
	return ops.MatMul(rows, x.ExpandDims(2)).Squeeze(2)
}
