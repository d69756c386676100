package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// EmbedID is a table of vectors, the rows of its parameter W (InSize, OutSize).
// PyTorch: nn.Embedding. Chainer: links.EmbedID.
type EmbedID struct {
	InSize, OutSize int
	// InitialW makes the initial W; nil means initializer.Normal(1).
	InitialW initializer.Initializer
	// IgnoreLabel is a label whose result is zeros. It need not be a row index. Nil means none.
	IgnoreLabel *int
}

// Apply returns the rows at the indices x (N…), integers from 0 to InSize-1, in an array of shape (N…, OutSize).
// Chainer: links.EmbedID.__call__.
func (l EmbedID) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "EmbedID.Apply"
	defer s.Span("EmbedID", x)()
	layer.WantReal(fn, s.DType(), x)
	if l.InSize < 1 || l.OutSize < 1 {
		panic(fn.Errorf([]*nd.Array{x}, "InSize %d, OutSize %d: want positive ones", l.InSize, l.OutSize))
	}
	if !x.DType().IsInteger() || x.IsScalar() || x.Rank() == nd.MaxRank {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of integers, of fewer than %d axes", nd.MaxRank))
	}
	wantLabels(fn, x, 0, l.InSize, l.IgnoreLabel) // ops.Embedding counts negative indices from the end
	w := s.Parameter("W", []int{l.InSize, l.OutSize}, orDefault(l.InitialW, initializer.Normal(1)), true)
	made := fn.Temporaries(&x, &w)
	defer made.Release()
	return made.Keep(ops.Embedding(x, w, ops.EmbeddingOptions{IgnoreLabel: l.IgnoreLabel}))
}
