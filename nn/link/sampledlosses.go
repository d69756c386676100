package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// NegativeSampling is a loss that separates the label of an example from noise labels: softplus(-x·w_t) + Σ
// softplus(x·w_n) over SampleSize labels n that are drawn for each example. Its parameter W (labels, InSize) is
// initially zero. See loss.NegativeSampling.
// Chainer: links.NegativeSampling.
type NegativeSampling struct {
	InSize int // elements per example; 0: from the first input
	// Sampler draws labels; W has as many rows as Sampler has labels. [NegativeSampler] returns the usual sampler.
	Sampler    *random.WalkerAlias
	SampleSize int // noise labels per example
	// Reduce is loss.SumReduction (the default), or loss.NoReduction for one loss per example.
	Reduce loss.Reduction
	// Samples (B, SampleSize) replaces draws, for tests and debugging.
	Samples *nd.Array
}

// Apply returns the sum of the losses of examples x (B, inputs) with integer labels t (B), a 0-d array, or with
// loss.NoReduction (B). Labels of -1 have loss 0. Apply draws from [nn.Scope.Rand], in an evaluation too: without Samples it
// refuses a scope that is not watched.
// Chainer: links.NegativeSampling.__call__.
func (l NegativeSampling) Apply(s *nn.Scope, x, t *nd.Array) *nd.Array {
	const fn nd.Func = "NegativeSampling.Apply"
	defer s.Span("NegativeSampling", x, t)()
	if l.Reduce != "" && l.Reduce != loss.SumReduction && l.Reduce != loss.NoReduction {
		panic(fn.Errorf([]*nd.Array{x, t}, "Reduce %q: want sum or no", l.Reduce))
	}
	d := draw{fn, l.Sampler, l.SampleSize, l.Samples}
	losses := d.loss(s, x, t, l.InSize, -1, loss.NegativeSampling)
	if l.Reduce == loss.NoReduction {
		return losses
	}
	defer losses.Release()
	return ops.Sum(losses)
}

// BlackOut is a loss that separates the label of an example from other labels, which are drawn for it: -log p_t - Σ
// log(1 - p_s), where p is the softmax of the scores x·w of the label and of SampleSize labels s. Its parameter W
// (labels, InSize) is initialised by initializer.LeCunNormal(1); Chainer's documentation does not state the initial
// values. See loss.BlackOut.
// Chainer: links.BlackOut.
type BlackOut struct {
	InSize int // elements per example; 0: from the first input
	// Sampler draws labels; W has as many rows as Sampler has labels. It is random.NewWalkerAlias of the number of
	// occurrences per label.
	Sampler    *random.WalkerAlias
	SampleSize int // labels drawn per example
	// Samples (B, SampleSize) replaces draws, for tests and debugging.
	Samples *nd.Array
}

// Apply returns the mean of the losses of examples x (B, inputs) with integer labels t (B), a 0-d array. It draws from
// [nn.Scope.Rand], in an evaluation too: without Samples it refuses a scope that is not watched.
// Chainer: links.BlackOut.__call__.
func (l BlackOut) Apply(s *nn.Scope, x, t *nd.Array) *nd.Array {
	defer s.Span("BlackOut", x, t)()
	d := draw{"BlackOut.Apply", l.Sampler, l.SampleSize, l.Samples}
	loss := d.loss(s, x, t, l.InSize, 0, loss.BlackOut)
	defer loss.Release()
	return ops.Mean(loss)
}

// NegativeSampler returns a sampler for [NegativeSampling]. A label's probability is proportional to its count, the
// number of its occurrences, raised to the given power; Mikolov et al. (2013) found 0.75 to work well.
func NegativeSampler(counts *nd.Array, power float64) *random.WalkerAlias {
	const fn nd.Func = "link.NegativeSampler"
	layer.WantReal(fn, dtype.Float64, counts)
	made := fn.Temporaries(&counts)
	defer made.Release()
	return random.NewWalkerAlias(ops.Power(counts.Detach().AsType(dtype.Float64), power))
}

// draw is where a link's samples come from.
type draw struct {
	fn      nd.Func
	sampler *random.WalkerAlias
	size    int
	given   *nd.Array
}

// loss computes the losses of examples, (B), by a function of samples. The smallest valid label is least.
func (d draw) loss(s *nn.Scope, x, t *nd.Array, size, least int, of func(x, t, w, samples *nd.Array) *nd.Array) *nd.Array {
	fn := d.fn
	in := labelled(fn, s, x, t, size)
	if d.sampler == nil || d.size < 0 {
		panic(fn.Errorf([]*nd.Array{x, t}, "%d samples, sampler %v: want a sampler, and no negative number", d.size, d.sampler))
	}
	shape := []int{x.Dim(0), d.size}
	wantLabels(fn, t, least, d.sampler.Len(), nil)
	samples := d.given
	if samples != nil {
		if fn.Check(samples); !samples.DType().IsInteger() || !broadcast.Equal(samples.Shape(), shape) {
			panic(fn.Errorf([]*nd.Array{x, samples}, "want integer samples of shape %s", broadcast.FormatShape(shape)))
		}
		wantLabels(fn, samples, 0, d.sampler.Len(), nil)
	} else {
		drawn := d.sampler.Sample(s.Rand(), shape)
		defer drawn.Release()
		samples = drawn.To(x.Device())
		defer samples.Release() // only if it was drawn here
	}
	initial := initializer.Initializer(nil)
	if least == 0 {
		initial = initializer.LeCunNormal(1)
	}
	w := s.Precise().Parameter("W", []int{d.sampler.Len(), in}, initial, true)
	made := fn.Temporaries(&x, &w)
	defer made.Release()
	return made.Keep(of(layer.InDType(x, w), t, w, samples))
}

// wantLabels refuses labels outside least to n-1, except for the one to ignore, if any.
func wantLabels(fn nd.Func, t *nd.Array, least, n int, ignore *int) {
	if t.Size() == 0 {
		return
	}
	low, high := layer.Extremes(t, ignore)
	defer low.Release()
	defer high.Release()
	if nd.Value[float64](low) < float64(least) || nd.Value[float64](high) >= float64(n) {
		panic(fn.Errorf([]*nd.Array{t}, "labels from %v to %v: want those from %d to %d", low, high, least, n-1))
	}
}
