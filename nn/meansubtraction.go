package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// MeanSubtractionOptions are the options of [MeanSubtraction].
type MeanSubtractionOptions struct {
	// BaseAxis is the number of example axes of x; nil means 1. Negative values count from the end.
	BaseAxis *int
	// UpdateRunningMean moves the mean towards the mean of x in training, and counts the batch; nil means yes.
	UpdateRunningMean *bool
}

// MeanSubtraction returns x less the mean of the samples of all batches that it was trained with. This mean and the
// batch count are the parameters "mean_subtraction/mean" and "mean_subtraction/t" of the scope. The layer creates them
// on first use, as zeros, and no optimizer trains them. In training the batch becomes part of the mean before the
// subtraction; see normalize.MeanSubtraction, also for the gradient, which ignores the earlier batches. Evaluation
// changes neither parameter.
//
// It computes in the mean's dtype, like [Affine].
//
// Shapes: x (M…, D…) with the samples' axes first, mean (D…), t (1).
// NNabla: parametric_functions.mean_subtraction.
func MeanSubtraction(scope *Scope, x *nd.Array, opts ...MeanSubtractionOptions) *nd.Array {
	const fn nd.Func = "nn.MeanSubtraction"
	o := options.Read(fn, opts)
	scope.wantReal(fn, x)
	if x.IsScalar() {
		panic(fn.Errorf([]*nd.Array{x}, "want an array"))
	}
	base := layer.BaseAxis(fn, x, o.BaseAxis, x.Rank())
	s := scope.Sub("mean_subtraction")
	mean := s.Parameter("mean", x.Shape()[base:], nil, false)
	t := s.Parameter("t", []int{1}, nil, false)
	update := scope.Training() && layer.IsOn(o.UpdateRunningMean)
	made := fn.Temporaries(&x, &mean)
	defer made.Release()
	return made.Keep(normalize.MeanSubtraction(layer.InDType(x, mean), mean, t,
		normalize.MeanSubtractionOptions{BaseAxis: &base, UpdateRunningMean: &update}))
}
