package nn

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// WeightNormalizationOptions are the options of [WeightNormalization].
type WeightNormalizationOptions struct {
	// Dim is the axis of the outputs, 0 for weights of convolutions and 1 for those of Affine. Negative values count
	// from the end.
	Dim int
	// Eps is added to the sum of squares; nil means 1e-12.
	Eps *float64
	// GInit makes the initial norms; nil means the norms of the slices of w, so that w initially keeps its values.
	GInit Initializer
}

// WeightNormalization gives the slices of the weights w along an axis the norms "wn/g", a parameter of the scope that
// it creates on first use: g·w/√(Σw² + eps), with the sum over all other axes; see ops.WeightNormalization. So the
// norms and the directions of the slices are trained separately.
//
// Shapes: w and the result alike, g (w's length along Dim). It computes in the dtype of g, like [Affine].
// NNabla: parametric_functions.weight_normalization. PyTorch: nn.utils.weight_norm.
func WeightNormalization(scope *Scope, w *nd.Array, opts ...WeightNormalizationOptions) *nd.Array {
	const fn nd.Func = "nn.WeightNormalization"
	o := options.Read(fn, opts)
	axis := scope.separateAxes(fn, w, o.Dim)[0]
	if o.GInit == nil {
		o.GInit = func(*nd.Rand, []int, nd.ArrayOptions) *nd.Array { return lengths(fn, w.Detach(), axis, o.Eps) }
	}
	g := scope.Sub("wn").Parameter("g", []int{w.Dim(axis)}, o.GInit, true)
	made := fn.Temporaries(&w, &g)
	defer made.Release()
	return made.Keep(ops.WeightNormalization(layer.InDType(w, g), g, ops.WeightNormalizationOptions{Dim: axis, Eps: o.Eps}))
}

// lengths returns √(Σw² + eps) for the slices of w along an axis.
func lengths(fn nd.Func, w *nd.Array, axis int, eps *float64) *nd.Array {
	made := fn.Temporaries(&w)
	defer made.Release()
	others := slices.Delete(broadcast.AllAxes(w.Rank()), axis, axis+1)
	e := 1e-12
	if eps != nil {
		e = *eps
	}
	return made.Keep(ops.Sqrt(ops.AddScalar(ops.Sum(ops.Square(ops.Absolute(w)), ops.Axes(others)), e)))
}
