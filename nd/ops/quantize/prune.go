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

// Prune returns x with 0 in place of the elements that are smallest by their absolute value: of those below the one at place
// ⌊(size - 1)·rate⌋ of all in their order, or of all of them where the rate is 1. Its gradient is straight-through: gy, to what
// is pruned as well. nnabla prune.
func Prune(x *nd.Array, opts ...PruneOptions) *nd.Array {
	fn := prune.Fn
	fn.Check(x)
	rate := argument.ValueOr(options.Read(fn, opts).Rate, 0.9)
	switch {
	case !(rate >= 0 && rate <= 1):
		panic(fn.Errorf([]*nd.Array{x}, "Rate %v: want one from 0 to 1", rate))
	case rate == 1:
		return prune.Compute(nil, x, nd.Scalar(math.Inf(1)))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	threshold := nd.Scalar(0)
	if at := int(float32(x.Size()-1) * float32(rate)); x.Size() > 0 { // rounded, so that 0.29 of 100 is at place 29
		threshold = ops.Sort(ops.Absolute(x.Detach()).Ravel()).Index(nd.At(at))
	}
	return made.Keep(prune.Compute(nil, x, threshold))
}
