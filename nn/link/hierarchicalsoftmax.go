package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// BinaryHierarchicalSoftmax is a loss of labels by a binary tree of labels. Its time is proportional to the length of
// the path to a label, not to the number of labels. The loss is -log Π σ(±x·w_e) over the inner nodes e on the path to
// the label, with + if the path turns left. Its parameter W (labels - 1, InSize) has a row for each inner node: a node,
// then the nodes on its left, then those on its right. Initial weights are uniform from -1 to 1.
//
// Source: F. Morin and Y. Bengio, Hierarchical Probabilistic Neural Network Language Model, 2005.
// Chainer: links.BinaryHierarchicalSoftmax.
type BinaryHierarchicalSoftmax struct {
	InSize int   // elements per example; 0: from the first input
	Tree   *Tree // with at least two labels; see [HuffmanTree]
}

// Apply returns the sum of the losses of examples x (B, inputs) with integer labels t (B), a 0-d array. It waits for
// the labels.
// Chainer: links.BinaryHierarchicalSoftmax.__call__.
func (l BinaryHierarchicalSoftmax) Apply(s *nn.Scope, x, t *nd.Array) *nd.Array {
	const fn nd.Func = "BinaryHierarchicalSoftmax.Apply"
	defer s.Span("BinaryHierarchicalSoftmax", x, t)()
	in := labelled(fn, s, x, t, l.InSize)
	if l.Tree == nil || l.Tree.left == nil {
		panic(fn.Errorf([]*nd.Array{x, t}, "a tree without a branch: want at least two labels"))
	}
	paths := l.Tree.paths()
	if paths == nil {
		panic(fn.Errorf([]*nd.Array{x, t}, "two leaves of the tree have the same label"))
	}
	// The steps of all paths, one after the other: the example, the node and the direction of each.
	examples, nodes, turns := []int32{}, []int32{}, []float32{}
	for b, label := range labelsOf(fn, t) {
		way, ok := paths[label]
		if !ok {
			panic(fn.Errorf([]*nd.Array{x, t}, "the tree has no label %d", label))
		}
		for range way.nodes {
			examples = append(examples, int32(b))
		}
		nodes, turns = append(nodes, way.nodes...), append(turns, way.turns...)
	}
	w := s.Precise().Parameter("W", []int{len(paths) - 1, in}, initializer.Uniform(-1, 1), true)
	made := fn.Temporaries(&x, &w)
	defer made.Release()
	of := made.Own(nd.FromSliceOn(x.Device(), examples))
	at := made.Own(nd.FromSliceOn(x.Device(), nodes))
	sign := made.Own(nd.FromSliceOn(x.Device(), turns))
	scores := ops.Sum(ops.Multiply(ops.Take(layer.InDType(x, w), of, ops.Over(0)), ops.Take(w, at, ops.Over(0))), ops.Over(1))
	return made.Keep(ops.Sum(ops.Softplus(ops.Multiply(scores, ops.Negative(sign).AsType(w.DType())))))
}

// labelled checks examples (B, inputs) and their integer labels (B), and returns the number of inputs.
func labelled(fn nd.Func, s *nn.Scope, x, t *nd.Array, size int) int {
	layer.WantReal(fn, s.DType(), x, t)
	if x.Rank() != 2 || !t.DType().IsInteger() || !broadcast.Equal(t.Shape(), x.Shape()[:1]) || size != 0 && size != x.Dim(1) {
		panic(fn.Errorf([]*nd.Array{x, t}, "InSize %d: want examples (B, inputs) of as many numbers, and labels (B) of integers", size))
	}
	return x.Dim(1)
}

// labelsOf waits for the labels and returns them.
func labelsOf(fn nd.Func, t *nd.Array) []int {
	made := fn.Temporaries(&t)
	defer made.Release()
	wide := t.Detach().AsType(dtype.Int64)
	labels := make([]int, wide.Size())
	for k, label := range nd.ToSlice[int64](wide) {
		labels[k] = int(label)
	}
	return labels
}
