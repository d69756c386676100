package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// AffineOptions are the options of [Affine].
type AffineOptions struct {
	// BaseAxis is the first axis of one example: the axes before it count examples, the axes from it on are flattened.
	// Nil means 1. Negative values count from the end.
	BaseAxis *int
	// WithBias controls whether b is added; nil means yes.
	WithBias *bool
	// WInit makes the initial weights; nil means initializer.UniformGlorot(inputs, outputs).
	WInit initializer.Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit initializer.Initializer
	// OutShape gives the output of an example several axes, whose product must be the number of outputs; nil means one
	// axis.
	OutShape []int
}

// Affine returns x·W + b with the parameters "affine/W" and "affine/b" of the scope, which it creates on first use. The
// weight of PyTorch's nn.Linear is the transpose of W.
//
// Affine computes in the parameters' dtype. It converts a batch of another real dtype, such as float64 in a float32
// model, like AsType. Otherwise the batch would decide the dtype of the rest of the model, at twice the time and
// memory. If a batch is used many times, it is faster to convert it once before. A batch of 16-bit floats becomes float32
// too; the option Compute of [Scope.Watch] makes layers compute in 16 bits.
//
// Shapes: x (M0, …, D1, D2, …) with the examples' axes first; W (D1·D2·…, outputs), b (outputs); the result (M0, …,
// outputs). OutShape replaces outputs in all of these shapes.
// PyTorch: nn.Linear. NNabla: parametric_functions.affine.
func Affine(scope *Scope, x *nd.Array, outputs int, opts ...AffineOptions) *nd.Array {
	const fn nd.Func = "nn.Affine"
	return layer.Affine(fn, scope.Sub("affine"), x, outputs, layer.AffineOptions(options.Read(fn, opts)), nil)
}
