package nn

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// EmbedOptions are the options of [Embed].
type EmbedOptions struct {
	// Initializer makes the initial weights; nil means Uniform(-√3, √3), of which the variance is 1.
	Initializer Initializer
}

// Embed returns the rows of the parameter "embed/W" of the scope, which it creates on first use, that the indices name, which must be of 0 to inputs-1.
// nnabla.parametric_functions.embed, torch.nn.Embedding.
//
// Shapes: indices (N…); W (inputs, features); the result (N…, features).
func Embed(scope *Scope, indices *nd.Array, inputs, features int, opts ...EmbedOptions) *nd.Array {
	const fn nd.Func = "nn.Embed"
	o := options.Read(fn, opts)
	fn.Check(indices)
	if inputs < 1 || features < 0 {
		panic(fn.Errorf([]*nd.Array{indices}, "%d inputs, %d features: want at least one input, and no negative number of features",
			inputs, features))
	}
	if !indices.DType().IsInteger() || indices.IsScalar() {
		panic(fn.Errorf([]*nd.Array{indices}, "want an array of integers"))
	}
	if indices.Rank() == nd.MaxRank {
		panic(fn.Errorf([]*nd.Array{indices}, "%d axes: the result would have one more, of at most %d", nd.MaxRank, nd.MaxRank))
	}
	if o.Initializer == nil {
		o.Initializer = Uniform(-math.Sqrt(3), math.Sqrt(3))
	}
	w := scope.Sub("embed").Parameter("W", []int{inputs, features}, o.Initializer, true)
	made := fn.Temporaries(&indices, &w)
	defer made.Release()
	return made.Keep(ops.Embedding(indices, w))
}
