package normalize

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// RMSNormalizationOptions are the options of RMSNormalization.
type RMSNormalizationOptions struct {
	// Axes are the axes of the means; nil means the last one.
	Axes ops.Axes
	// Eps is added to the mean square; nil means the epsilon (the distance from 1 to the next number) of the dtype of the
	// computation: 1.19e-7, or 2.22e-16 for float64.
	Eps *float64
}

// RMSNormalizationOption is an [RMSNormalizationOptions], or the axes alone.
type RMSNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (RMSNormalizationOptions) Option() {}

func rmsNormalizationOver(axes ops.Axes, o RMSNormalizationOptions) RMSNormalizationOptions {
	o.Axes = axes
	return o
}

var overAndTimes = ufunc.Definition{Fn: "normalize.RMSNormalization", In: "T x, T r, T g", Body: "x / r * g", Loop: ufunc.RealFloat}

// RMSNormalization returns x/√(mean(x²) + eps)·gamma. gamma broadcasts to x, and may be nil. Floats of 16 bits are
// computed in float32.
//
// Source: B. Zhang, R. Sennrich, Root Mean Square Layer Normalization, 2019.
// PyTorch: nn.functional.rms_norm, rms_norm.
func RMSNormalization(x, gamma *nd.Array, opts ...RMSNormalizationOption) *nd.Array {
	const fn nd.Func = "normalize.RMSNormalization"
	o := options.Of(fn, opts, rmsNormalizationOver)
	n := newNormalization(fn, x, nil, gamma)
	defer n.release()
	axes := []int(o.Axes)
	if axes == nil {
		axes = []int{-1}
	}
	eps := argument.ValueOr(o.Eps, dtype.Info(n.x.DType()).Eps)
	norm := ops.Norm(n.x, ops.NormOptions{Axes: axes, KeepDims: true})
	made := fn.Temporaries(&norm, &gamma)
	defer made.Release()
	made.Own(norm)
	count := max(1, n.x.Size()/max(1, norm.Size()))
	root := ops.Hypot(ops.Multiply(norm, 1/math.Sqrt(float64(count))), math.Sqrt(eps))
	var y *nd.Array
	if gamma == nil {
		y = ops.Divide(n.x, root)
	} else {
		y = overAndTimes.Compute(nil, n.x, root, gamma)
	}
	return made.Keep(release.Replace(y, y.AsType(n.result)))
}
