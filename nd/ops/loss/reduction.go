package loss

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Reduction says how the losses of the examples are combined.
type Reduction string

const (
	NoReduction   Reduction = "no"   // one loss per example
	SumReduction  Reduction = "sum"  // their sum
	MeanReduction Reduction = "mean" // their mean: of labels the sum divided by that of their weights, NaN if no label counts
	// CountMeanReduction is the sum divided by the number of losses that count: those of labels that are not ignored.
	// If no label counts, it is 0.
	CountMeanReduction Reduction = "countmean"
	// BatchMeanReduction is the sum divided by the length of the first axis; of no examples it is 0.
	BatchMeanReduction Reduction = "batchmean"
)

// check panics if the reduction is unknown.
func (r Reduction) check(fn nd.Func, in []*nd.Array) {
	switch r {
	case "", NoReduction, SumReduction, MeanReduction, CountMeanReduction, BatchMeanReduction:
	default:
		panic(fn.Errorf(in, "reduction %q: want no, sum, mean, countmean or batchmean", r))
	}
}

// reduces reports whether the losses are combined.
func (r Reduction) reduces() bool { return r != "" && r != NoReduction }

// of combines losses. counts says which of them count, and shares are their weights in the mean; nil means that all
// count, and that those that count have equal weights.
func (r Reduction) of(losses, counts, shares *nd.Array) *nd.Array {
	switch {
	case !r.reduces():
		return losses
	case r == SumReduction:
		return ops.Sum(losses)
	case r == MeanReduction && counts == nil:
		return ops.Mean(losses)
	}
	wide := ops.ReduceOptions{DType: dtype.ComputeType(losses.DType())} // sums of float16 overflow where their means do not
	var n *nd.Array
	switch {
	case r == MeanReduction && shares != nil:
		n = ops.Sum(shares, wide)
	case r == MeanReduction:
		n = ops.CountNonzero(counts).AsType(wide.DType)
	case r == BatchMeanReduction:
		n = nd.Scalar(batch(losses))
	case counts == nil:
		n = nd.Scalar(max(losses.Size(), 1))
	default:
		n = ops.Maximum(ops.CountNonzero(counts), 1).AsType(wide.DType)
	}
	return ops.Divide(ops.Sum(losses, wide), n).AsType(losses.DType())
}

// batch returns the length of the first axis, at least 1.
func batch(losses *nd.Array) int {
	if losses.Rank() == 0 {
		return 1
	}
	return max(losses.Dim(0), 1)
}
