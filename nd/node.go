package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Node is one recorded operation, or a watched array if Op is nil, for authors of tapes and hooks. It is valid until
// its tape is reset; after that no array refers to it.
type Node struct {
	Func Func // the function that was called
	Op   Op
	Tape Recorder
	Seq  uint64 // assigned by the tape: later operations have higher numbers
	Name string // name of a watched array, such as a parameter, for drawings and listings of the record; else empty

	in, out []edge
	headers []*Array // all headers that got this node; some may be released, or have another node now
	home    *Arena
	room    [4]edge
}

// edge is an input or output of a node: the facts that are always kept about it, and its memory if the operation claims
// it. An edge is not copied.
type edge struct {
	node    *Node  // the producer of an input; nil for an unrecorded one
	index   int32  // index among the producer's results
	number  uint32 // block number of an unrecorded input
	present bool   // false for a nil operand
	dtype   dtype.DType
	version uint32
	shape   []int
	value   *Array   // the value of a Scalar
	store   *storage // the claimed memory, of which the edge counts as a header; else nil
	offset  int      // of claimed memory, and of an unrecorded input
	strides []int    // of claimed memory; nil if contiguous
	fn      Func     // the function that made it
	room    [inlineRank]int
}

// Inputs returns the number of inputs.
func (n *Node) Inputs() int { return len(n.in) }

// Outputs returns the number of outputs.
func (n *Node) Outputs() int { return len(n.out) }

// Input returns the node that produced input i, and the input's index among the node's results. The node is nil for an
// unrecorded input.
func (n *Node) Input(i int) (*Node, int) { return n.in[i].node, int(n.in[i].index) }

// Drop releases the claimed values, and turns all arrays of the node n into unrecorded ones. The tape must forget n
// too, because n is reused.
func (n *Node) Drop() {
	for _, x := range n.headers {
		if x.node == n {
			x.forgetNode()
		}
	}
	for i := range n.in {
		n.in[i].drop()
	}
	for i := range n.out {
		n.out[i].drop()
	}
	clear(n.headers)
	n.Func, n.Name, n.Op, n.Tape, n.in, n.out, n.headers = "", "", nil, nil, nil, nil, n.headers[:0]
	n.home.nodes = append(n.home.nodes, n)
}

// Unchain cuts the operation n off from its inputs: its results become starting points of the record, as watched arrays
// are, and gradients that arrive there stop. The rest of the record stays. What the operation claimed is released. Call
// it outside of a backward pass.
// Chainer: Function.unchain.
func (n *Node) Unchain() {
	for i := range n.in {
		n.in[i].drop()
	}
	for i := range n.out {
		if e := &n.out[i]; e.store != nil {
			e.store.drop()
			e.store = nil
		}
	}
	n.Func, n.Op, n.in = "Node.Unchain", nil, nil
}

func (e *edge) drop() {
	if e.store != nil {
		e.store.drop()
	}
	*e = edge{}
}

// newNode takes a node from the arena's free list.
func (a *Arena) newNode() *Node {
	if len(a.nodes) == 0 {
		chunk := make([]Node, 16)
		for i := range chunk {
			chunk[i].home = a
			a.nodes = append(a.nodes, &chunk[i])
		}
	}
	last := len(a.nodes) - 1
	n := a.nodes[last]
	a.nodes = a.nodes[:last]
	return n
}

// newNode returns the node of an operation. It claims all inputs and outputs, or those that op claims.
func newNode(fn Func, op Op, tape Recorder, in, out []*Array, all bool) *Node {
	claims := Claims{^uint64(0), ^uint64(0)}
	if !all {
		claims = claimsOf(op)
	}
	n := tape.Arena().newNode()
	n.Func, n.Op, n.Tape = fn, op, tape
	edges := n.room[:]
	if len(in)+len(out) > len(edges) {
		edges = make([]edge, len(in)+len(out))
	}
	n.in, n.out = edges[:len(in):len(in)], edges[len(in):len(in)+len(out)]
	for i, x := range in {
		if x != nil {
			n.in[i].set(x, claims.HasIn(i))
			if n.in[i].store != nil {
				x.releaseArenaReference(n.home)
			}
			n.in[i].recordOrigin(x)
		}
	}
	for i, y := range out {
		if y != nil {
			n.out[i].set(y, claims.HasOut(i))
		}
	}
	return n
}

// set makes e an edge of x. It keeps x alive only if x is claimed.
func (e *edge) set(x *Array, claimed bool) {
	e.present, e.dtype = true, x.dtype
	e.shape = append(e.room[:0], x.shape...)
	switch {
	case x.store == nil:
		e.value = x
	case claimed:
		x.store.extraHeaders.Add(1)
		e.store, e.offset, e.version, e.fn = x.store, x.offset, x.store.version, x.fn
		if d := x.store.pending.Load(); d != nil {
			d.claimed.Store(true)
		}
		if !broadcast.IsContiguous(x.shape, x.strides) {
			e.strides = slices.Clone(x.strides)
		}
	}
}

// recordOrigin records the origin of an input.
func (e *edge) recordOrigin(x *Array) {
	switch {
	case x.node != nil:
		e.node, e.index = x.node, x.out
	case x.store != nil:
		e.number, e.offset = x.store.blockNumber(), x.offset
	}
}

// header returns a new header on the memory that e claims. The tape's arena owns the header.
func (e *edge) header(tape Recorder) *Array {
	y := newHeader(e.fn, len(e.shape))
	copy(y.shape, e.shape)
	if e.strides != nil {
		copy(y.strides, e.strides)
	} else {
		broadcast.AppendStrides(y.strides[:0], e.shape)
	}
	y.onStorage(e.store, e.dtype, e.offset)
	tape.Arena().own(y)
	return y
}

// Node returns the recorded operation that produced x and x's index among its results. The node is nil if no tape knows
// x.
func (x *Array) Node() (*Node, int) {
	if x == nil {
		refuseNil("Array.Node")
	}
	return x.node, int(x.out)
}

// setNode makes x known to a tape.
func (x *Array) setNode(n *Node, i int) {
	if x.node == nil {
		x.store.recorded.Add(1)
	}
	n.headers = append(n.headers, x)
	x.node, x.out = n, int32(i)
}

func (x *Array) forgetNode() {
	if x.node != nil {
		x.store.recorded.Add(-1)
		x.node = nil
	}
}
