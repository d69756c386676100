package nn

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// EmbedOptions are the options of [Embed].
type EmbedOptions struct {
	// Initializer makes the initial weights; nil means Uniform(-√3, √3), of variance 1.
	Initializer Initializer
}

// Embed returns the rows of the parameter "embed/W" of the scope, which it creates on first use, that the integers in x name.
// nnabla.parametric_functions.embed, torch.nn.Embedding.
//
// Shapes: x (N…), W (inputs, features); the result (N…, features).
func Embed(scope *Scope, x *nd.Array, inputs, features int, opts ...EmbedOptions) *nd.Array {
	const fn nd.Func = "nn.Embed"
	o := options.Read(fn, opts)
	fn.Check(x)
	if !x.DType().IsInteger() || inputs < 0 || features < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d inputs, %d features: want integers that name rows of such weights", inputs, features))
	}
	if o.Initializer == nil {
		o.Initializer = Uniform(-math.Sqrt(3), math.Sqrt(3))
	}
	return ops.Take(scope.Sub("embed").Parameter("W", []int{inputs, features}, o.Initializer, true), x, ops.Over(0))
}
