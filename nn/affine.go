package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// AffineOptions are the options of [Affine].
type AffineOptions struct {
	// BaseAxis is the first axis of one example: the axes before it count examples, the axes from it on are flattened.
	// Nil means 1. Negative values count from the end.
	BaseAxis *int
	// WithBias controls whether b is added; nil means yes.
	WithBias *bool
	// WInit makes the initial weights; nil means UniformGlorot(inputs, outputs).
	WInit Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit Initializer
	// OutShape gives the output of an example several axes, whose product must be the number of outputs; nil means one
	// axis.
	OutShape []int
}

// Affine returns x·W + b with the parameters "affine/W" and "affine/b" of the scope, which it creates on first use. The
// weight of PyTorch's nn.Linear is the transpose of W.
//
// Affine computes in the parameters' dtype. It converts a batch of another real dtype, such as float64 in a float32
// model, like AsType. Otherwise the batch would decide the dtype of the rest of the model, at twice the time and
// memory. If a batch is used many times, it is faster to convert it once before.
//
// Shapes: x (M0, …, D1, D2, …) with the examples' axes first; W (D1·D2·…, outputs), b (outputs); the result (M0, …,
// outputs). OutShape replaces outputs in all of these shapes.
// NNabla: parametric_functions.affine. PyTorch: nn.Linear.
func Affine(scope *Scope, x *nd.Array, outputs int, opts ...AffineOptions) *nd.Array {
	const fn nd.Func = "nn.Affine"
	return affine(fn, scope.Sub("affine"), x, outputs, options.Read(fn, opts), nil)
}

// affine is a layer with the parameters W and b of s, or with values that derive computes from them.
func affine(fn nd.Func, s *Scope, x *nd.Array, outputs int, o AffineOptions, derive *derivation) *nd.Array {
	base, out := o.shapes(fn, x, outputs)
	inputs := broadcast.Size(x.Shape()[base:])
	if o.WInit == nil {
		o.WInit = UniformGlorot(inputs, outputs)
	}
	w := derive.parameter(fn, s, "W", append([]int{inputs}, out...), o.WInit)
	var b *nd.Array
	if yes(o.WithBias) {
		b = derive.parameter(fn, s, "b", out, o.BInit)
	}
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(ops.Affine(layer.InDType(x, w), derive.of(s, "W", w), ops.AffineOptions{Bias: derive.of(s, "b", b), BaseAxis: &base}))
}

// shapes checks the arguments of a layer of x. It returns the base axis and the shape of an example's outputs.
func (o *AffineOptions) shapes(fn nd.Func, x *nd.Array, outputs int) (base int, out []int) {
	fn.Check(x)
	out = o.OutShape
	if out == nil {
		out = []int{outputs}
	}
	if err := broadcast.CheckShape(out); err != nil || broadcast.Size(out) != outputs {
		panic(fn.Errorf([]*nd.Array{x}, "%d outputs, OutShape %s: want a shape of that many elements", outputs,
			broadcast.FormatShape(out)))
	}
	return baseAxis(fn, x, o.BaseAxis, x.Rank()), out
}
