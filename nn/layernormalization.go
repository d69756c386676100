package nn

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd/ops/normalize"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// LayerNormalizationOptions are the options of [LayerNormalization].
type LayerNormalizationOptions struct {
	// BatchAxis are the axes along which slices are normalised separately. Nil means 0, an empty slice means no axis.
	// Negative axes count from the end.
	BatchAxis ops.Axes
	// Eps is added to the variance; nil means 1e-5.
	Eps *float64
	// NoScale and NoBias leave gamma and beta out.
	NoScale, NoBias bool
	// ParamInit holds initializers for the parameters beta and gamma, by these names; their defaults are 0 and 1.
	ParamInit map[string]initializer.Initializer
}

// LayerNormalizationOption is a [LayerNormalizationOptions], or the axes of the batch alone.
type LayerNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (LayerNormalizationOptions) Option() {}

func layerNormalizationOver(axes ops.Axes, o LayerNormalizationOptions) LayerNormalizationOptions {
	o.BatchAxis = axes
	return o
}

// LayerNormalization normalises over all axes except those of the batch. It then scales and shifts each element by the
// parameters "layer_normalization/gamma" and "layer_normalization/beta" of the scope, which it creates on first use: y
// = (x - μ)/√(σ² + eps)·gamma + beta; see normalize.LayerNormalization. It does the same in training and in evaluation.
//
// To normalise the features of a sequence (T, B, E), as in a transformer, pass ops.Over(0, 1).
//
// The parameters have length 1 along BatchAxis and x's lengths elsewhere. The layer computes in their dtype, like
// [Affine].
// PyTorch: nn.LayerNorm. NNabla: parametric_functions.layer_normalization.
func LayerNormalization(scope *Scope, x *nd.Array, opts ...LayerNormalizationOption) *nd.Array {
	const fn nd.Func = "nn.LayerNormalization"
	o := options.Of(fn, opts, layerNormalizationOver)
	p := o.parameters(fn, scope, x)
	made := fn.Temporaries(&x, &p.beta, &p.gamma)
	defer made.Release()
	return made.Keep(normalize.LayerNormalization(p.convert(x), p.beta, p.gamma,
		normalize.LayerNormalizationOptions{BatchAxis: o.BatchAxis, Eps: o.Eps}))
}

// LayerNormalizationWithStat returns the result of LayerNormalization, and the mean and the biased variance, in which
// the normalised axes have length 1.
func LayerNormalizationWithStat(scope *Scope, x *nd.Array, opts ...LayerNormalizationOption) (y, mean, variance *nd.Array) {
	const fn nd.Func = "nn.LayerNormalizationWithStat"
	o := options.Of(fn, opts, layerNormalizationOver)
	p := o.parameters(fn, scope, x)
	made := fn.Temporaries(&x, &p.beta, &p.gamma)
	defer made.Release()
	y, mean, variance = normalize.LayerNormalizationWithStat(p.convert(x), p.beta, p.gamma,
		normalize.LayerNormalizationOptions{BatchAxis: o.BatchAxis, Eps: o.Eps})
	return made.Keep(y), made.Keep(mean), made.Keep(variance)
}

func (o *LayerNormalizationOptions) parameters(fn nd.Func, scope *Scope, x *nd.Array) scaleAndBias {
	batch := o.BatchAxis
	if batch == nil {
		batch = ops.Over(0)
	}
	shape := slices.Clone(x.Shape())
	for _, axis := range scope.separateAxes(fn, x, batch...) {
		shape[axis] = 1
	}
	return newScaleAndBias(fn, scope.Sub("layer_normalization"), x, shape, o.NoScale, o.NoBias, o.ParamInit)
}
