package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// SpectralNormOptions are the options of [SpectralNorm].
type SpectralNormOptions struct {
	// Axis is the axis of the outputs: 0 for weights of convolutions (nil means 0), 1 for those of Affine.
	Axis ops.Axes
	// Itr is the number of steps of the power iteration; 0 means 1.
	Itr int
	// Eps is added to sums of squares before their roots; nil means 1e-12.
	Eps *float64
	// UInit makes the initial vector; nil means initializer.Normal(1).
	UInit initializer.Initializer
}

// SpectralNormOption is a [SpectralNormOptions], or the axis alone.
type SpectralNormOption interface{ ops.Option }

// Option marks the struct as an option.
func (SpectralNormOptions) Option() {}

func spectralNormOver(axes ops.Axes, o SpectralNormOptions) SpectralNormOptions {
	o.Axis = axes
	return o
}

// SpectralNorm divides the weights w, as a matrix, by an estimate of its largest singular value; see
// normalize.SpectralNorm. The power iteration continues from call to call with "spectral-norm/u", a vector of the scope
// that the layer creates on first use. No optimizer trains it. Training stores the new vector, evaluation leaves it
// unchanged.
//
// Shapes: w and the result alike, u (w's length along Axis). It computes in the dtype of u, like [Affine].
// PyTorch: nn.utils.spectral_norm. NNabla: parametric_functions.spectral_norm.
func SpectralNorm(scope *Scope, w *nd.Array, opts ...SpectralNormOption) *nd.Array {
	const fn nd.Func = "nn.SpectralNorm"
	o := options.Of(fn, opts, spectralNormOver)
	axis := scope.onlyAxis(fn, w, o.Axis, 0)
	if o.Itr < 0 {
		panic(fn.Errorf([]*nd.Array{w}, "Itr %d: want a positive number of steps", o.Itr))
	}
	if o.UInit == nil {
		o.UInit = initializer.Normal(1)
	}
	u := scope.Sub("spectral-norm").Parameter("u", []int{w.Dim(axis)}, o.UInit, false)
	made := fn.Temporaries(&w, &u)
	defer made.Release()
	return made.Keep(normalize.SpectralNorm(layer.InDType(w, u), u,
		normalize.SpectralNormOptions{Axis: ops.Over(axis), Itr: o.Itr, Eps: o.Eps, Test: !scope.Training()}))
}
