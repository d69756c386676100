package ops

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// EmbeddingOptions are the options of Embedding.
type EmbeddingOptions struct {
	// Padding is the index of the row that gets no gradient, counted from the end if negative; nil means none.
	Padding *int
	// IgnoreLabel is an index whose result is zeros, which no gradient passes. It need not be the index of a row, and -1
	// is not the last row. Nil means none.
	IgnoreLabel *int
}

// Embedding returns the rows of weights at the given integer indices.
//
// Shapes: indices (N…), weights (V, …); the result (N…, …).
// PyTorch: nn.functional.embedding. NNabla: embed. Chainer: embed_id.
func Embedding(indices, weights *nd.Array, opts ...EmbeddingOptions) *nd.Array {
	const fn nd.Func = "ops.Embedding"
	o := options.Read(fn, opts)
	padding := checkEmbedding(fn, indices, weights, o.Padding)
	in := []*nd.Array{indices, weights}
	defer argument.Explain(fn, in, func() []argument.Bounds { return rowsOf(in[0], in[1], o.IgnoreLabel) })
	fixed := padding >= 0 && ufunc.Recorded(weights)
	if !fixed && o.IgnoreLabel == nil {
		return Take(weights, indices, Over(0))
	}
	made := fn.Temporaries(&indices, &weights)
	defer made.Release()
	alongRows := func(mask *nd.Array) *nd.Array {
		return mask.Reshape(append(indices.Shape(), broadcast.Ones(weights.Rank()-1)...)...)
	}
	at, counts := indices, (*nd.Array)(nil)
	if o.IgnoreLabel != nil {
		counts = NotEqual(indices, *o.IgnoreLabel)
		at = Where(counts, indices, 0)
	}
	rows := Take(weights, at, Over(0))
	if fixed {
		rows = Where(alongRows(NotEqual(indices, padding)), rows, rows.Detach())
	}
	if counts != nil {
		rows = Where(alongRows(counts), rows, 0)
	}
	return made.Keep(rows)
}

// rowsOf says that indices are those of rows of weights, which negative ones count from the end, or an ignored label.
func rowsOf(indices, weights *nd.Array, ignore *int) []argument.Bounds {
	n := weights.Dim(0)
	b := argument.Bounds{Name: "indices", Values: indices, Low: -n, High: n - 1, Want: fmt.Sprintf("the index of one of %d rows", n)}
	if ignore != nil {
		b.Ignored = []int{*ignore}
	}
	return []argument.Bounds{b}
}

// checkEmbedding returns the index of the padding row, or -1.
func checkEmbedding(fn nd.Func, indices, weights *nd.Array, padding *int) int {
	fn.Check(indices, weights)
	in := []*nd.Array{indices, weights}
	if weights.Rank() == 0 || !indices.DType().IsInteger() || indices.IsScalar() {
		panic(fn.Errorf(in, "want integer indices, and weights of at least one axis"))
	}
	if padding == nil {
		return -1
	}
	row, n := *padding, weights.Dim(0)
	if row < 0 {
		row += n
	}
	if row < 0 || row >= n {
		panic(fn.Errorf(in, "padding %d: want the index of one of %d rows", *padding, n))
	}
	return row
}

// BagMode says how EmbeddingBag combines the rows of a bag.
type BagMode string

const (
	BagMean BagMode = "mean" // the mean
	BagSum  BagMode = "sum"  // the sum
	BagMax  BagMode = "max"  // the largest elements
)

// EmbeddingBagOptions are the options of EmbeddingBag.
type EmbeddingBagOptions struct {
	// Mode says how the rows of a bag are combined; the default is BagMean.
	Mode BagMode
	// Offsets holds the offset in a list of indices at which each bag begins; it begins with 0 and never decreases.
	Offsets *nd.Array
	// Weight has a factor for each index; only BagSum allows it.
	Weight *nd.Array
	// Padding is the index of the row that no bag includes; as in Embedding, negative ones count from the end.
	Padding *int
}

// EmbeddingBag returns the means, sums or largest elements of the rows of weights in each bag of integer indices. An
// empty bag gives 0.
//
// Shapes: indices (B, n), or a list (N) with Offsets (B), weights (V, D); the result (B, D).
// PyTorch: nn.functional.embedding_bag.
func EmbeddingBag(indices, weights *nd.Array, opts ...EmbeddingBagOptions) *nd.Array {
	const fn nd.Func = "ops.EmbeddingBag"
	o := options.Read(fn, opts)
	padding := checkEmbedding(fn, indices, weights, o.Padding)
	in := []*nd.Array{indices, weights}
	if o.Mode != "" && o.Mode != BagMean && o.Mode != BagSum && o.Mode != BagMax {
		panic(fn.Errorf(in, "mode %q: want mean, sum or max", o.Mode))
	}
	if weights.Rank() != 2 || (o.Offsets == nil) != (indices.Rank() == 2) || (o.Offsets != nil) != (indices.Rank() == 1) {
		panic(fn.Errorf(in, "want indices (B, n), or a list and offsets, and weights (V, D)"))
	}
	if w := o.Weight; w != nil && (o.Mode != BagSum || !broadcast.Equal(w.Shape(), indices.Shape())) {
		panic(fn.Errorf(append(in, w), "want a weight for each index, and mode sum"))
	}
	made := fn.Temporaries(&indices, &weights, &o.Weight, &o.Offsets)
	defer made.Release()
	defer argument.Explain(fn, in, func() []argument.Bounds { return rowsOf(in[0], in[1], o.Padding) })
	weights = argument.Float(fn, weights)
	var inside *nd.Array
	if o.Offsets == nil {
		inside = made.Own(fn.NewFilled(dtype.Bool, indices.Shape(), 1, indices))
	} else {
		var at *nd.Array
		at, inside = bags(fn, made, o.Offsets, indices.Dim(0))
		indices = Take(indices, at)
		if o.Weight != nil {
			o.Weight = Take(o.Weight, at)
		}
	}
	if padding >= 0 {
		inside = LogicalAnd(inside, NotEqual(indices, padding))
	}
	rows := Take(weights, Where(inside, indices, 0), Over(0))
	inside = inside.ExpandDims(2)
	if o.Weight != nil {
		rows = Multiply(rows, o.Weight.AsType(rows.DType()).ExpandDims(2))
	}
	if o.Mode == BagMax {
		if indices.Dim(1) == 0 {
			return made.Keep(Sum(rows, Over(1)))
		}
		y := Max(Where(inside, rows, math.Inf(-1)), Over(1))
		return made.Keep(Where(Any(inside, Over(1)), y, 0))
	}
	y := Sum(Where(inside, rows, 0), Over(1))
	if o.Mode == BagSum {
		return made.Keep(y)
	}
	return made.Keep(Divide(y, Maximum(1, Sum(inside.AsType(y.DType()), Over(1)))))
}

// bags returns at, the positions in the list of the indices of each bag, (B, longest), and inside, which entries a bag
// has.
func bags(fn nd.Func, made *nd.Temporaries, offsets *nd.Array, n int) (at, inside *nd.Array) {
	if offsets.Rank() != 1 || !offsets.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{offsets}, "want integer offsets of one axis"))
	}
	starts := nd.ToSlice[int64](offsets.Detach().AsType(dtype.Int64))
	longest := 0
	for b, from := range starts {
		to := n
		if b+1 < len(starts) {
			to = int(starts[b+1])
		}
		if b == 0 && from != 0 || int(from) > to || to > n {
			panic(fn.Errorf([]*nd.Array{offsets}, "want offsets from 0 to %d that do not fall", n))
		}
		longest = max(longest, to-int(from))
	}
	positions, counts := make([]int64, len(starts)*longest), make([]bool, len(starts)*longest)
	for b, from := range starts {
		to := n
		if b+1 < len(starts) {
			to = int(starts[b+1])
		}
		for k := range to - int(from) {
			positions[b*longest+k], counts[b*longest+k] = from+int64(k), true
		}
	}
	dev := offsets.Device()
	return made.Own(nd.FromSliceOn(dev, positions, len(starts), longest)), made.Own(nd.FromSliceOn(dev, counts, len(starts), longest))
}
