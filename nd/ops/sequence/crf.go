package sequence

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// CRF1D returns, for every sequence, the negative logarithm of the probability of its labels in a linear chain of
// conditional random fields: log Z - Σ x[t, y[t]] - Σ cost[y[t], y[t+1]]. Z is the sum of exp(Σ x[t, y[t]] + Σ
// cost[y[t], y[t+1]]) over all label sequences. A larger cost makes two successive labels more likely. Gradients flow
// to cost and to the scores. The mean of the result is Chainer's crf1d. (Lafferty et al., Conditional Random Fields,
// ICML 2001.)
//
// Shapes: cost (K, K), xs[t] (B_t, K), the scores at time step t of the unfinished sequences, and ys[t] (B_t), their
// integer labels. The longest sequences come first, so that B_t does not grow. The result is (B_0).
// Chainer: crf1d (for the mean).
func CRF1D(cost *nd.Array, xs, ys []*nd.Array) *nd.Array {
	const fn nd.Func = "sequence.CRF1D"
	checkChain(fn, cost, xs)
	if len(ys) != len(xs) {
		panic(fn.Errorf([]*nd.Array{cost}, "scores at %d time steps and labels at %d: want as many", len(xs), len(ys)))
	}
	fn.Check(ys...)
	for t, y := range ys {
		if !y.DType().IsInteger() || !broadcast.Equal(y.Shape(), xs[t].Shape()[:1]) {
			panic(fn.Errorf([]*nd.Array{cost, xs[t], y}, "want integer labels of shape %s at time step %d", broadcast.FormatShape(xs[t].Shape()[:1]), t))
		}
	}
	cost, xs, ys, made := chainTemporaries(fn, cost, xs, ys)
	defer made.Release()
	given := append([]*nd.Array{cost}, ys...)
	defer argument.Explain(fn, given, func() []argument.Bounds { return chainLabels(cost, given[1:]) })
	for t, y := range ys { // TakeAlongAxis would count negative labels from the end
		y = y.AsType(dtype.Int64)
		ys[t] = ops.Where(ops.Less(y, 0), cost.Dim(0), y)
	}
	at := func(t int) *nd.Array { return ops.TakeAlongAxis(xs[t], ys[t].ExpandDims(1), ops.Over(1)).Squeeze(1) }
	all, score := xs[0], at(0)
	for t := 1; t < len(xs); t++ {
		n := xs[t].Dim(0)
		next := ops.Add(ops.LogSumExp(ops.Add(rows(all, 0, n).ExpandDims(2), cost), ops.Over(1)), xs[t])
		now := ops.Add(ops.Add(rows(score, 0, n), cost.Index(nd.Pick(rows(ys[t-1], 0, n)), nd.Pick(ys[t]))), at(t))
		all, score = overRows(all, next), overRows(score, now)
	}
	return made.Keep(ops.Subtract(ops.LogSumExp(all, ops.Over(1)), score))
}

// chainLabels says what the labels at each time step may be.
func chainLabels(cost *nd.Array, ys []*nd.Array) []argument.Bounds {
	bounds := make([]argument.Bounds, len(ys))
	for t, y := range ys {
		last := cost.Dim(0) - 1
		bounds[t] = argument.Bounds{Name: fmt.Sprintf("ys[%d]", t), Values: y, High: last, Want: fmt.Sprintf("one of the labels 0 to %d", last)}
	}
	return bounds
}

// ArgMaxCRF1D returns the best labels of every sequence, and their score, Σ x[t, y[t]] + Σ cost[y[t], y[t+1]]
// (Viterbi's algorithm). The gradient of the score is that of the chosen labels. The arguments are those of [CRF1D];
// path[t] are the labels (int64) at time step t of the unfinished sequences.
// Chainer: argmax_crf1d.
func ArgMaxCRF1D(cost *nd.Array, xs []*nd.Array) (score *nd.Array, path []*nd.Array) {
	const fn nd.Func = "sequence.ArgMaxCRF1D"
	checkChain(fn, cost, xs)
	cost, xs, _, made := chainTemporaries(fn, cost, xs, nil)
	defer made.Release()
	best := xs[0]
	from := make([]*nd.Array, len(xs)) // for each label, the label before it on the best path
	for t := 1; t < len(xs); t++ {
		ways := ops.Add(rows(best, 0, xs[t].Dim(0)).ExpandDims(2), cost)
		from[t] = ops.ArgMax(ways, ops.Over(1))
		best = overRows(best, ops.Add(ops.Max(ways, ops.Over(1)), xs[t]))
	}
	last := ops.ArgMax(best, ops.Over(1))
	path = make([]*nd.Array, len(xs))
	for t := len(xs) - 1; t >= 0; t-- {
		path[t] = rows(last, 0, xs[t].Dim(0))
		if t+1 < len(xs) {
			path[t] = overRows(path[t], ops.TakeAlongAxis(from[t+1], path[t+1].ExpandDims(1), ops.Over(1)).Squeeze(1))
		}
	}
	for t := range path {
		path[t] = made.Keep(path[t].Copy())
	}
	return made.Keep(ops.Max(best, ops.Over(1))), path
}

// overRows replaces the first rows of all by x.
func overRows(all, x *nd.Array) *nd.Array {
	if x.Dim(0) == all.Dim(0) {
		return x
	}
	return ops.Concatenate([]*nd.Array{x, rows(all, x.Dim(0), all.Dim(0))})
}

// checkChain panics if the scores are not those of sequences, the longest first.
func checkChain(fn nd.Func, cost *nd.Array, xs []*nd.Array) {
	fn.Check(append([]*nd.Array{cost}, xs...)...)
	if cost.Rank() != 2 || cost.Dim(0) != cost.Dim(1) || cost.Dim(0) == 0 || len(xs) == 0 {
		panic(fn.Errorf([]*nd.Array{cost}, "want costs of shape (K, K), and scores at one time step at least"))
	}
	for t, x := range xs {
		if x.Rank() != 2 || x.Dim(1) != cost.Dim(0) || t > 0 && x.Dim(0) > xs[t-1].Dim(0) {
			panic(fn.Errorf([]*nd.Array{cost, x}, "want scores of shape (B_t, %d) at time step %d, of no more sequences than before", cost.Dim(0), t))
		}
		if x.DType().IsComplex() || cost.DType().IsComplex() {
			panic(fn.Errorf([]*nd.Array{cost, x}, "it has no meaning for complex numbers"))
		}
	}
}

// chainTemporaries makes temporary headers for the arguments of a call.
func chainTemporaries(fn nd.Func, cost *nd.Array, xs, ys []*nd.Array) (c *nd.Array, x, y []*nd.Array, made *nd.Temporaries) {
	x, y = slices.Clone(xs), slices.Clone(ys)
	given := []**nd.Array{&cost}
	for _, list := range [][]*nd.Array{x, y} {
		for t := range list {
			given = append(given, &list[t])
		}
	}
	made = fn.Temporaries(given...)
	return cost, x, y, made
}
