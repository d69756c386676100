package link

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// CRF1d is the loss of label sequences in a linear-chain conditional random field. Its parameter cost (NLabel, NLabel),
// initially zeros, scores each pair of consecutive labels. See sequence.CRF1D.
// Chainer: links.CRF1d.
type CRF1d struct {
	NLabel int
	// Reduce is loss.MeanReduction (the default), or loss.NoReduction for one loss per sequence.
	Reduce loss.Reduction
}

// Apply returns the mean of the losses of the sequences, a 0-d array, or with loss.NoReduction (B_0).
//
// Shapes: xs[t] (B_t, NLabel), the scores at time t of the sequences that have not ended, and ys[t] (B_t), their
// integer labels. The longest sequences come first, so that B_t does not grow; sequence.Transpose makes such lists.
// Chainer: links.CRF1d.__call__.
func (l CRF1d) Apply(s *nn.Scope, xs, ys []*nd.Array) *nd.Array {
	const fn nd.Func = "CRF1d.Apply"
	if l.Reduce != "" && l.Reduce != loss.MeanReduction && l.Reduce != loss.NoReduction {
		panic(fn.Errorf(xs, "Reduce %q: want mean or no", l.Reduce))
	}
	l.check(fn, s, xs)
	if len(ys) != len(xs) {
		panic(fn.Errorf(xs, "scores at %d times and labels at %d: want equal numbers", len(xs), len(ys)))
	}
	fn.Check(ys...)
	for t, y := range ys {
		if !y.DType().IsInteger() || !broadcast.Equal(y.Shape(), xs[t].Shape()[:1]) {
			panic(fn.Errorf([]*nd.Array{xs[t], y}, "want integer labels of shape %s at time %d", broadcast.FormatShape(xs[t].Shape()[:1]), t))
		}
		wantLabels(fn, y, 0, l.NLabel, nil)
	}
	cost, xs, made := l.parameter(fn, s, xs)
	defer made.Release()
	losses := sequence.CRF1D(cost, xs, ys)
	if l.Reduce == loss.NoReduction {
		return made.Keep(losses)
	}
	return made.Keep(ops.Mean(losses))
}

// Argmax returns the score of the best labels of every sequence (B_0), and the labels (int64) at time t of the
// sequences that have not ended, path[t] (B_t). See sequence.ArgMaxCRF1D.
// Chainer: links.CRF1d.argmax.
func (l CRF1d) Argmax(s *nn.Scope, xs []*nd.Array) (score *nd.Array, path []*nd.Array) {
	const fn nd.Func = "CRF1d.Argmax"
	l.check(fn, s, xs)
	cost, xs, made := l.parameter(fn, s, xs)
	defer made.Release()
	score, path = sequence.ArgMaxCRF1D(cost, xs)
	for t := range path {
		path[t] = made.Keep(path[t])
	}
	return made.Keep(score), path
}

// check refuses scores unless they are those of sequences, the longest first.
func (l CRF1d) check(fn nd.Func, s *nn.Scope, xs []*nd.Array) {
	layer.WantReal(fn, s.DType(), xs...)
	if l.NLabel < 1 || len(xs) == 0 {
		panic(fn.Errorf(xs, "%d labels, scores at %d times: want at least one of each", l.NLabel, len(xs)))
	}
	for t, x := range xs {
		if x.Rank() != 2 || x.Dim(1) != l.NLabel || t > 0 && x.Dim(0) > xs[t-1].Dim(0) {
			panic(fn.Errorf([]*nd.Array{x}, "want scores of shape (B_t, %d) at time %d, of no more sequences than before", l.NLabel, t))
		}
	}
}

// parameter returns the costs, and the scores in their dtype.
func (l CRF1d) parameter(fn nd.Func, s *nn.Scope, xs []*nd.Array) (cost *nd.Array, scores []*nd.Array, made *nd.Temporaries) {
	cost, scores = s.Precise().Parameter("cost", []int{l.NLabel, l.NLabel}, nil, true), slices.Clone(xs)
	given := []**nd.Array{&cost}
	for t := range scores {
		given = append(given, &scores[t])
	}
	made = fn.Temporaries(given...)
	for t, x := range scores {
		scores[t] = layer.InDType(x, cost)
	}
	return cost, scores, made
}
