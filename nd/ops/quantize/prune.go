package quantize

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// PruneOptions are the options of Prune.
type PruneOptions struct {
	// Rate is the share of elements that become 0, from 0 to 1; nil means 0.9.
	Rate *float64
}

var prune = ufunc.Definition{Fn: "quantize.Prune", In: "T x, T threshold", Body: "abs(x) < threshold ? T(0) : x", Loop: ufunc.RealFloat,
	Gradient: "gx = gy; gthreshold = T(0)"}

// Prune returns x with the elements of smallest absolute value set to 0: those below the element at index ⌊(size -
// 1)·rate⌋ of the sorted absolute values, or all elements if the rate is 1. Its gradient is straight-through, also for
// pruned elements: gy.
// NNabla: prune.
func Prune(x *nd.Array, opts ...PruneOptions) *nd.Array {
	fn := prune.Fn
	fn.Check(x)
	rate := argument.ValueOr(options.Read(fn, opts).Rate, 0.9)
	switch {
	case !(rate >= 0 && rate <= 1):
		panic(fn.Errorf([]*nd.Array{x}, "Rate %v: want a number from 0 to 1", rate))
	case rate == 1:
		return prune.Compute(nil, x, nd.Scalar(math.Inf(1)))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	threshold := nd.Scalar(0)
	if at := int(float32(x.Size()-1) * float32(rate)); x.Size() > 0 { // rounded in float32, so that 0.29 of 100 gives index 29
		threshold = ops.Sort(ops.Absolute(x.Detach()).Ravel()).Index(nd.At(at))
	}
	return made.Keep(prune.Compute(nil, x, threshold))
}
