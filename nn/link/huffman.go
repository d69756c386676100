package link

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/ndgrad/ndgrad/nd"
)

// Tree is a binary tree whose leaves are labels, for [BinaryHierarchicalSoftmax]. It is immutable.
type Tree struct {
	left, right *Tree // nil in a leaf
	label       int
	paths       func() map[int]path // of a root; computed at the first use
}

// path is the way from the root to a leaf.
type path struct {
	nodes []int32   // its inner nodes, numbered in this order: a node, then all nodes on its left, then all on its right
	turns []float32 // 1 for a turn to the left, -1 for a turn to the right
}

// Leaf returns the tree of one label.
func Leaf(label int) *Tree {
	if label < 0 {
		panic(nd.Func("link.Leaf").Errorf(nil, "label %d: want at least 0", label))
	}
	t := &Tree{label: label}
	t.paths = sync.OnceValue(t.walk)
	return t
}

// Branch returns the tree of two trees, which must have no label in common.
func Branch(left, right *Tree) *Tree {
	if left == nil || right == nil {
		panic(nd.Func("link.Branch").Errorf(nil, "a tree is nil: want two"))
	}
	t := &Tree{left: left, right: right}
	t.paths = sync.OnceValue(t.walk)
	return t
}

// String writes a label as a number, and a branch as a pair: ((3, 1), (2, 0)).
func (t *Tree) String() string {
	if t.left == nil {
		return fmt.Sprint(t.label)
	}
	return fmt.Sprintf("(%v, %v)", t.left, t.right)
}

// walk finds the paths to all labels; it returns nil if two leaves have the same label.
func (t *Tree) walk() map[int]path {
	paths, nodes, twice := map[int]path{}, int32(0), false
	var visit func(t *Tree, to path)
	visit = func(t *Tree, to path) {
		if t.left == nil {
			_, known := paths[t.label]
			twice = twice || known
			paths[t.label] = path{slices.Clone(to.nodes), slices.Clone(to.turns)}
			return
		}
		to.nodes = append(to.nodes, nodes)
		nodes++
		visit(t.left, path{to.nodes, append(to.turns, 1)})
		visit(t.right, path{to.nodes, append(to.turns, -1)})
	}
	if visit(t, path{}); twice {
		return nil
	}
	return paths
}

// HuffmanTree makes a tree of labels from the number of occurrences of each: frequent labels have short paths. It
// repeatedly joins the two rarest trees, with the rarer one on the left. Among equally rare trees, the one with the
// smallest label comes first.
//
// Source: D. Huffman, A Method for the Construction of Minimum-Redundancy Codes, 1952.
// Chainer: links.BinaryHierarchicalSoftmax.create_huffman_tree.
func HuffmanTree(wordCounts map[int]float64) *Tree {
	const fn nd.Func = "link.HuffmanTree"
	if len(wordCounts) == 0 {
		panic(fn.Errorf(nil, "no labels: want at least one"))
	}
	var all treeHeap
	for label, count := range wordCounts {
		if !(count >= 0) || math.IsInf(count, 1) {
			panic(fn.Errorf(nil, "label %d occurs %v times: want a number that is at least 0", label, count))
		}
		all = append(all, weightedTree{count, label, Leaf(label)})
	}
	heap.Init(&all)
	for len(all) > 1 {
		a, b := heap.Pop(&all).(weightedTree), heap.Pop(&all).(weightedTree)
		heap.Push(&all, weightedTree{a.count + b.count, min(a.least, b.least), Branch(a.tree, b.tree)})
	}
	return all[0].tree
}

// weightedTree is a tree with the total number of occurrences of its labels, and its smallest label.
type weightedTree struct {
	count float64
	least int
	tree  *Tree
}

// treeHeap is a heap of trees. The rarest tree comes first.
type treeHeap []weightedTree

func (g treeHeap) Len() int { return len(g) }
func (g treeHeap) Less(i, j int) bool {
	return g[i].count < g[j].count || g[i].count == g[j].count && g[i].least < g[j].least
}
func (g treeHeap) Swap(i, j int) { g[i], g[j] = g[j], g[i] }
func (g *treeHeap) Push(x any)   { *g = append(*g, x.(weightedTree)) }
func (g *treeHeap) Pop() any {
	last := len(*g) - 1
	x := (*g)[last]
	*g = (*g)[:last]
	return x
}
