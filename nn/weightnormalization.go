package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// WeightNormalizationOptions are the options of [WeightNormalization].
type WeightNormalizationOptions struct {
	// Axis is the axis of the outputs: 0 for weights of convolutions (nil means 0), 1 for those of Affine.
	Axis ops.Axes
	// Eps is added to the sum of squares; nil means 1e-12.
	Eps *float64
	// GInit makes the initial norms; nil means the norms of the slices of w, so that w initially keeps its values.
	GInit initializer.Initializer
}

// WeightNormalizationOption is a [WeightNormalizationOptions], or the axis alone.
type WeightNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (WeightNormalizationOptions) Option() {}

func weightNormalizationOver(axes ops.Axes, o WeightNormalizationOptions) WeightNormalizationOptions {
	o.Axis = axes
	return o
}

// WeightNormalization gives the slices of the weights w along an axis the norms "wn/g", a parameter of the scope that
// it creates on first use: g·w/√(Σw² + eps), with the sum over all other axes; see normalize.WeightNormalization. So
// the norms and the directions of the slices are trained separately.
//
// Shapes: w and the result alike, g (w's length along Axis). It computes in the dtype of g, like [Affine].
// PyTorch: nn.utils.weight_norm. NNabla: parametric_functions.weight_normalization.
func WeightNormalization(scope *Scope, w *nd.Array, opts ...WeightNormalizationOption) *nd.Array {
	const fn nd.Func = "nn.WeightNormalization"
	o := options.Of(fn, opts, weightNormalizationOver)
	axis := scope.onlyAxis(fn, w, o.Axis, 0)
	if o.GInit == nil {
		o.GInit = initializer.WeightNormalizationScale(w, initializer.WeightNormalizationScaleOptions{Axis: ops.Over(axis), Eps: o.Eps})
	}
	g := scope.Sub("wn").Precise().Parameter("g", []int{w.Dim(axis)}, o.GInit, true)
	made := fn.Temporaries(&w, &g)
	defer made.Release()
	return made.Keep(normalize.WeightNormalization(layer.InDType(w, g), g, normalize.WeightNormalizationOptions{Axis: ops.Over(axis), Eps: o.Eps}))
}
