package nn

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// EmbedOptions are the options of [Embed].
type EmbedOptions struct {
	// Initializer makes the initial weights; nil means initializer.Uniform(-√3, √3), whose variance is 1.
	Initializer initializer.Initializer
	// IgnoreLabel is an index whose result is zeros, which no gradient passes. It need not be the index of a row. Nil
	// means none.
	IgnoreLabel *int
}

// Embed returns the rows of the parameter "embed/W" at the given indices: from 0 to inputs-1, or, counted from the end,
// from -inputs to -1. It creates the parameter in the scope on first use.
//
// Shapes: indices (N…); W (inputs, features); the result (N…, features).
// PyTorch: nn.Embedding. NNabla: parametric_functions.embed.
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
	if scope.Get("embed/W") == nil {
		wantRows(fn, indices, inputs, o.IgnoreLabel)
	}
	if o.Initializer == nil {
		o.Initializer = initializer.Uniform(-math.Sqrt(3), math.Sqrt(3))
	}
	w := scope.Sub("embed").Parameter("W", []int{inputs, features}, o.Initializer, true)
	made := fn.Temporaries(&indices, &w)
	defer made.Release()
	return made.Keep(ops.Embedding(indices, w, ops.EmbeddingOptions{IgnoreLabel: o.IgnoreLabel}))
}

// wantRows refuses indices that are out of range, except for the one to ignore, before the parameter exists; later
// ops.Embedding refuses them.
func wantRows(fn nd.Func, indices *nd.Array, rows int, ignore *int) {
	if indices.Size() == 0 {
		return
	}
	low, high := layer.Extremes(indices, ignore)
	defer low.Release()
	defer high.Release()
	if nd.Value[float64](low) < -float64(rows) || nd.Value[float64](high) >= float64(rows) {
		panic(fn.Errorf([]*nd.Array{indices}, "indices from %v to %v: want indices of %d rows", low, high, rows))
	}
}
