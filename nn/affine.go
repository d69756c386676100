package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// AffineOptions are the options of [Affine].
type AffineOptions struct {
	// BaseAxis is the first axis of one example: those before it count examples, those from it on are flattened; nil means
	// 1. Negative ones count from the end.
	BaseAxis *int
	// WithBias says whether b is added; nil means yes.
	WithBias *bool
	// WInit makes the initial weights; nil means initializer.UniformGlorot(inputs, outputs).
	WInit initializer.Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit initializer.Initializer
	// OutShape gives the outputs several axes, whose product must be the number of outputs; nil means one.
	OutShape []int
}

// Affine returns x·W + b with the parameters "affine/W" and "affine/b" of the scope, which it creates on first use.
// nnabla.parametric_functions.affine, torch.nn.Linear (whose weight is W's transpose).
//
// It computes in the parameters' dtype: a batch of another real dtype, such as float64 in a model of float32, is converted, as
// AsType does it. Else it would decide how the rest of the model computes, at twice the time and memory. Where batches are used
// many times it is faster to convert them once.
//
// Shapes: x (M0, …, D1, D2, …) with the examples' axes first; W (D1·D2·…, outputs), b (outputs); the result
// (M0, …, outputs). With OutShape it stands in place of outputs in all of them.
func Affine(scope *Scope, x *nd.Array, outputs int, opts ...AffineOptions) *nd.Array {
	const fn nd.Func = "nn.Affine"
	return layer.Affine(fn, scope.Sub("affine"), x, outputs, layer.AffineOptions(options.Read(fn, opts)), nil)
}
