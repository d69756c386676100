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

// BinaryHierarchicalSoftmax is a loss of labels by a binary tree of them, which takes time in the order of the path's length instead of
// the number of labels: -log Π σ(±x·w_e) over the inner nodes e on the path to the label, with + where it turns left. Its parameter W
// (labels - 1, InSize) has a row for each inner node: a node, then those on its left, then those on its right. Initial weights are
// uniform from -1 to 1. chainer.links.BinaryHierarchicalSoftmax.
//
// Source: F. Morin and Y. Bengio, Hierarchical Probabilistic Neural Network Language Model, 2005.
type BinaryHierarchicalSoftmax struct {
	InSize int   // of an example; 0: as the first input's
	Tree   *Tree // of two labels at least; see [HuffmanTree]
}

// Apply returns the sum of the losses of examples x (B, inputs) with labels t (B), of integers, which it waits for; one number.
// chainer.links.BinaryHierarchicalSoftmax.__call__.
func (l BinaryHierarchicalSoftmax) Apply(s *nn.Scope, x, t *nd.Array) *nd.Array {
	const fn nd.Func = "BinaryHierarchicalSoftmax.Apply"
	defer s.Span("BinaryHierarchicalSoftmax", x, t)()
	in := labelled(fn, s, x, t, l.InSize)
	if l.Tree == nil || l.Tree.left == nil {
		panic(fn.Errorf([]*nd.Array{x, t}, "a tree of no branch: want two labels at least"))
	}
	paths := l.Tree.paths()
	if paths == nil {
		panic(fn.Errorf([]*nd.Array{x, t}, "two leaves of the tree have the same label"))
	}
	// The steps of all paths, one after the other: which example takes each, at which node, in which direction.
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
	w := s.Parameter("W", []int{len(paths) - 1, in}, initializer.Uniform(-1, 1), true)
	made := fn.Temporaries(&x, &w)
	defer made.Release()
	of := made.Own(nd.FromSliceOn(x.Device(), examples))
	at := made.Own(nd.FromSliceOn(x.Device(), nodes))
	sign := made.Own(nd.FromSliceOn(x.Device(), turns))
	scores := ops.Sum(ops.Multiply(ops.Take(layer.InDType(x, w), of, ops.Over(0)), ops.Take(w, at, ops.Over(0))), ops.Over(1))
	return made.Keep(ops.Sum(ops.Softplus(ops.Multiply(scores, ops.Negative(sign).AsType(w.DType())))))
}

// labelled checks examples (B, inputs) and their labels (B), of integers, and returns the number of inputs.
func labelled(fn nd.Func, s *nn.Scope, x, t *nd.Array, size int) int {
	layer.WantReal(fn, s.DType(), x, t)
	if x.Rank() != 2 || !t.DType().IsInteger() || !broadcast.Equal(t.Shape(), x.Shape()[:1]) || size != 0 && size != x.Dim(1) {
		panic(fn.Errorf([]*nd.Array{x, t}, "InSize %d: want examples (B, inputs) of as many numbers, and labels (B) of integers", size))
	}
	return x.Dim(1)
}

// labelsOf waits for labels.
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
