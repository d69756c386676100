package link

import (
	"slices"
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// ChildSumTreeLSTM is a node of a tree whose children have no order. With the gates a, i and o in W_x·x + b +
// W_h_aio·Σhₖ, and one gate fₖ for each child in W_x·x + b + W_h_f·hₖ,
//
//	c = tanh(a)·σ(i) + Σ σ(fₖ)·cₖ,   h = σ(o)·tanh(c)
//
// Its parameters are W_x/W (4·OutSize, InSize) and W_x/b (4·OutSize), with blocks of rows for a, i, o and f, W_h_aio/W
// (3·OutSize, OutSize) and W_h_f/W (OutSize, OutSize), initialised by initializer.LeCunNormal(1).
//
// Source: K. Tai et al., Improved Semantic Representations From Tree-Structured Long Short-Term Memory Networks, 2015.
// Chainer: links.ChildSumTreeLSTM (in later versions).
type ChildSumTreeLSTM struct {
	InSize  int // elements per example; 0: from the first input
	OutSize int // the number of units
}

// Apply returns the memory and the output of nodes, both (B, OutSize), from the memories cs and the outputs hs of their
// children, of the same shape, and the nodes' own inputs x (B, …). A nil child means zeros. So does a nil x, for which
// InSize must be set. A leaf has no children.
func (l ChildSumTreeLSTM) Apply(s *nn.Scope, cs, hs []*nd.Array, x *nd.Array) (c, h *nd.Array) {
	const fn nd.Func = "ChildSumTreeLSTM.Apply"
	n := treeNodeOf(fn, s, cs, hs, x, l.InSize, l.OutSize)
	own := productOf(s, "W_x", n.in, 4*l.OutSize, nil, nil)
	sum, forget := lateralOf(s, "W_h_aio", l.OutSize, 3*l.OutSize, nil), lateralOf(s, "W_h_f", l.OutSize, l.OutSize, nil)
	made := n.temporaries(fn, &own, &sum, &forget)
	defer made.Release()
	gates := n.gates(own)
	if len(n.hs) == 0 {
		c, h = n.join(gates, nil)
		return made.Keep(c), made.Keep(h)
	}
	n.fillMissing(fn, made, own.W)
	aio, f := gates.Index(nd.All(), nd.Until(3)), gates.Index(nd.All(), nd.From(3))
	h = ops.Stack(n.hs, ops.Over(1))
	aio = ops.Add(aio, sum.Of(ops.Sum(h, ops.Over(1))).Reshape(n.batch, 3, n.units))
	f = ops.Add(f, forget.Of(h.Reshape(-1, n.units)).Reshape(h.Shape()...))
	c, h = n.join(aio, f)
	return made.Keep(c), made.Keep(h)
}

// NaryTreeLSTM is a node of a tree whose children are ordered, each with its own weights. With the gates a, i, o and
// f₁, f₂, …, one f per child, in W_x·x + b + Σ W_hₖ·hₖ,
//
//	c = tanh(a)·σ(i) + Σ σ(fₖ)·cₖ,   h = σ(o)·tanh(c)
//
// Its parameters are W_x/W ((3+NAry)·OutSize, InSize) and W_x/b ((3+NAry)·OutSize), with a block of rows for each gate,
// and W_h1/W, W_h2/W, … ((3+NAry)·OutSize, OutSize), initialised by initializer.LeCunNormal(1).
//
// Source: S. Bowman et al., A Fast Unified Model for Parsing and Sentence Understanding, 2016.
// Chainer: links.NaryTreeLSTM (in later versions).
type NaryTreeLSTM struct {
	InSize  int // elements per example; 0: from the first input
	OutSize int // the number of units
	NAry    int // the number of children; 0 means 2
}

// Apply returns the memory and the output of nodes, both (B, OutSize), from the memories cs and the outputs hs of their
// NAry children, of the same shape, and the nodes' own inputs x (B, …). A nil child means zeros. So does a nil x, for
// which InSize must be set.
func (l NaryTreeLSTM) Apply(s *nn.Scope, cs, hs []*nd.Array, x *nd.Array) (c, h *nd.Array) {
	const fn nd.Func = "NaryTreeLSTM.Apply"
	children := l.NAry
	if children == 0 {
		children = 2
	}
	if len(cs) != children {
		panic(fn.Errorf(nil, "the memories of %d children: want %d", len(cs), children))
	}
	n := treeNodeOf(fn, s, cs, hs, x, l.InSize, l.OutSize)
	rows := (3 + children) * l.OutSize
	products := []*layer.Product{new(productOf(s, "W_x", n.in, rows, nil, nil))}
	for k := range children {
		products = append(products, new(lateralOf(s, "W_h"+strconv.Itoa(k+1), l.OutSize, rows, nil)))
	}
	made := n.temporaries(fn, products...)
	defer made.Release()
	gates := n.gates(*products[0])
	for k, h := range n.hs {
		if h != nil {
			gates = ops.Add(gates, products[1+k].Of(h).Reshape(n.batch, -1, n.units))
		}
	}
	n.fillMissing(fn, made, products[0].W)
	c, h = n.join(gates.Index(nd.All(), nd.Until(3)), gates.Index(nd.All(), nd.From(3)))
	return made.Keep(c), made.Keep(h)
}

// treeNode is a call of a link for nodes of trees.
type treeNode struct {
	cs, hs           []*nd.Array
	x                *nd.Array
	in, batch, units int
}

// treeNodeOf checks the arguments of a call.
func treeNodeOf(fn nd.Func, s *nn.Scope, cs, hs []*nd.Array, x *nd.Array, in, units int) *treeNode {
	n := &treeNode{cs: slices.Clone(cs), hs: slices.Clone(hs), x: x, in: in, units: units, batch: -1}
	if x != nil {
		n.in, n.batch = inputs(fn, s, x, in, units), x.Dim(0)
	} else if layer.WantReal(fn, s.DType()); in < 1 || units < 1 {
		panic(fn.Errorf(nil, "%d inputs, %d units: want at least one unit, and without x at least one input", in, units))
	}
	fn.CheckAllocatable(s.DType(), 3+len(cs), units, max(n.in, units))
	if len(cs) != len(hs) {
		panic(fn.Errorf(nil, "memories of %d children and outputs of %d: want equal numbers", len(cs), len(hs)))
	}
	for _, y := range slices.Concat(cs, hs) {
		if y != nil && n.batch < 0 && y.Rank() > 0 {
			n.batch = y.Dim(0)
		}
	}
	if n.batch < 0 {
		panic(fn.Errorf(nil, "neither x nor a child: want at least one of them"))
	}
	at := x
	for k := range cs {
		if at == nil { // errors name an array
			at = cs[k]
		}
		(&nn.State{H: hs[k], C: cs[k]}).Check(fn, at, []int{n.batch, units})
	}
	return n
}

func (n *treeNode) temporaries(fn nd.Func, products ...*layer.Product) *nd.Temporaries {
	arguments := []**nd.Array{&n.x}
	for k := range n.cs {
		arguments = append(arguments, &n.cs[k], &n.hs[k])
	}
	return temporaries(fn, arguments, products...)
}

// gates returns the products of the inputs with the weights, (B, gates, units).
func (n *treeNode) gates(own layer.Product) *nd.Array {
	if n.x == nil {
		return own.B.Reshape(-1, n.units).BroadcastTo(n.batch, own.B.Dim(0)/n.units, n.units)
	}
	return own.Of(n.x).Reshape(n.batch, -1, n.units)
}

// fillMissing replaces nil children by zeros.
func (n *treeNode) fillMissing(fn nd.Func, made *nd.Temporaries, w *nd.Array) {
	for k := range n.cs {
		n.cs[k] = layer.OrZeros(fn, made, n.cs[k], w, n.batch, n.units)
		n.hs[k] = layer.OrZeros(fn, made, n.hs[k], w, n.batch, n.units)
	}
}

// join returns memory and output from the gates a, i and o, and one for each child (B, children, units).
func (n *treeNode) join(aio, f *nd.Array) (c, h *nd.Array) {
	gate := func(k int) *nd.Array { return aio.Index(nd.All(), nd.At(k)) }
	c = ops.Multiply(ops.Tanh(gate(0)), ops.Sigmoid(gate(1)))
	if f != nil {
		c = ops.Add(c, ops.Sum(ops.Multiply(ops.Sigmoid(f), ops.Stack(n.cs, ops.Over(1))), ops.Over(1)))
	}
	return c, ops.Multiply(ops.Sigmoid(gate(2)), ops.Tanh(c))
}
