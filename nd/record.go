package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Op is an operation as a tape remembers it: a struct of the resolved options. VJP computes the gradients of the inputs
// that are needed from the gradients of the outputs.
//
// An Op may also have the method Claims, which says which values VJP reads (without it: all), and the method
// Composed(in []*Array) []*Array, the operation made of differentiable ones: where there is one, gradients that are to be
// differentiated again go through it, so that VJP may use kernels that cannot be.
type Op interface {
	Name() Func
	VJP(c *Call)
}

// Claims says which inputs and outputs a VJP reads, one bit each; those from 63 on share the last. What is not claimed may be
// freed or overwritten.
type Claims struct{ In, Out uint64 }

// claimed reports whether input or output i is among those of some bits.
func claimed(bits uint64, i int) bool { return bits>>min(i, 63)&1 != 0 }

type claimer interface{ Claims() Claims }

// adder is an Op of which only input 0 has a gradient, which is 0 but at some places: AddTo adds it to what has arrived
// there already.
type adder interface{ AddTo(c *Call, gx *Array) }

type composer interface {
	Composed(in []*Array) []*Array
}

// Recorder keeps nodes; package grad's tape is one.
type Recorder interface {
	Record(n *Node)
	Arena() *Arena
}

// Node is one recorded operation, or a watched array where Op is nil. It is valid until its tape is reset: then no array has
// it any more.
type Node struct {
	Op   Op
	Tape Recorder
	Seq  uint64 // the tape's: later operations have higher numbers

	in, out []edge
	headers []*Array // all that it became the node of; some may have been released, or have another one now
	home    *Arena
	room    [4]edge
}

// edge is an input or output of a node: what is always known about it, and its memory if the operation claims it. It is
// not copied.
type edge struct {
	node    *Node // the producer of an input; nil for an unrecorded one
	index   int   // which of the producer's results
	present bool  // false for an operand that was nil
	dtype   dtype.DType
	version uint32
	shape   []int
	value   *Array   // an immediate
	store   *storage // what is claimed, of which the edge counts as a header; else nil
	offset  int      // of what is claimed
	strides []int    // of what is claimed; nil where it is contiguous
	fn      Func     // the function that made it
	room    [inlineRank]int
}

// Inputs returns the number of inputs.
func (n *Node) Inputs() int { return len(n.in) }

// Outputs returns the number of outputs.
func (n *Node) Outputs() int { return len(n.out) }

// Input returns the node that produced input i, and which of its results it is; nil for an unrecorded input.
func (n *Node) Input(i int) (*Node, int) { return n.in[i].node, n.in[i].index }

// Drop forgets all values, and makes the arrays that it is the node of unrecorded ones, who ever holds them. The tape that
// drops it forgets it too: it is used again.
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
	n.Op, n.Tape, n.in, n.out, n.headers = nil, nil, nil, nil, n.headers[:0]
	n.home.nodes = append(n.home.nodes, n)
}

func (e *edge) drop() {
	if e.store != nil {
		e.store.drop()
	}
	*e = edge{}
}

// newNode takes a node from those that the arena keeps.
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

// Node returns the recorded operation that produced x and which of its results x is; nil where no tape knows x.
func (x *Array) Node() (*Node, int) {
	if x == nil {
		refuseNil("Array.Node")
	}
	return x.node, int(x.out)
}

// Watch returns a new header on x that the tape knows, as a leaf. It is for implementations of Recorder.
func Watch(t Recorder, x *Array) *Array {
	x.check("Tape.Watch")
	if x.weak != nil {
		panic(Func("Tape.Watch").Errorf(nil, "a Scalar is no array: watch nd.Full"))
	}
	if !x.dtype.IsInexact() {
		panic(Func("Tape.Watch").Errorf([]*Array{x}, "gradients flow to float and complex arrays only"))
	}
	n := t.Arena().newNode()
	n.Tape = t
	y := x.header("Tape.Watch", x.Layout())
	x.arena.disown(y)
	t.Arena().own(y)
	n.out = n.room[:1]
	n.out[0].set(y, false)
	t.Record(n)
	y.setNode(n, 0)
	return y
}

// Detach returns a new header on x that no tape knows: gradients stop here. It still belongs to x's arena, as do results
// computed from it: Keep takes an array out.
func (x *Array) Detach() *Array {
	x.check("Array.Detach")
	if x.weak != nil {
		return x
	}
	return x.header("Array.Detach", x.Layout())
}

// Record1 records an operation of one input and one output. It does nothing unless a tape knows the input.
func Record1(op Op, x, y *Array) {
	if x.node != nil {
		Record(op, []*Array{x}, []*Array{y})
	}
}

// Record2 is Record1 for two inputs.
func Record2(op Op, a, b, y *Array) {
	if a.node != nil || b.node != nil {
		Record(op, []*Array{a, b}, []*Array{y})
	}
}

// Record records that op made out from in, and makes the results known to the tape. It does nothing unless a tape
// knows one of the inputs. Inputs may be nil.
func Record(op Op, in, out []*Array) {
	tape := recorderOf(op, in)
	if tape == nil {
		return
	}
	n := newNode(op, tape, in, out)
	tape.Record(n)
	for i, y := range out {
		if y != nil && y.dtype.IsInexact() {
			y.setNode(n, i)
		}
	}
}

// recorderOf returns the tape that knows some of the inputs; two tapes cannot share an operation.
func recorderOf(op Op, in []*Array) Recorder {
	var tape Recorder
	for _, x := range in {
		if x == nil || x.node == nil {
			continue
		}
		if tape != nil && tape != x.node.Tape {
			panic(op.Name().Errorf(in, "the operands are recorded on two tapes: Detach those of one"))
		}
		tape = x.node.Tape
	}
	return tape
}

func newNode(op Op, tape Recorder, in, out []*Array) *Node {
	claims := Claims{^uint64(0), ^uint64(0)}
	if c, ok := op.(claimer); ok {
		claims = c.Claims()
	}
	n := tape.Arena().newNode()
	n.Op, n.Tape = op, tape
	edges := n.room[:]
	if len(in)+len(out) > len(edges) {
		edges = make([]edge, len(in)+len(out))
	}
	n.in, n.out = edges[:len(in):len(in)], edges[len(in):len(in)+len(out)]
	for i, x := range in {
		if x != nil {
			n.in[i].set(x, claimed(claims.In, i))
			n.in[i].node, n.in[i].index = x.Node()
		}
	}
	for i, y := range out {
		if y != nil {
			n.out[i].set(y, claimed(claims.Out, i))
		}
	}
	return n
}

// set makes e an edge of x. What is not claimed it does not keep alive.
func (e *edge) set(x *Array, claimed bool) {
	e.present, e.dtype = true, x.dtype
	e.shape = append(e.room[:0], x.shape...)
	switch {
	case x.store == nil:
		e.value = x
	case claimed:
		x.store.others.Add(1)
		e.store, e.offset, e.version, e.fn = x.store, x.offset, x.store.version, x.fn
		if !broadcast.IsContiguous(x.shape, x.strides) {
			e.strides = slices.Clone(x.strides)
		}
	}
}

// header is a header of its own on what e claims. The tape's arena owns it.
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

// Call is what a VJP works with.
type Call struct {
	node     *Node
	gy       []*Array
	gx       []*Array
	needs    []bool
	recorded bool
}

// Begin prepares a VJP of n for gradients of its outputs, nil where none arrived; needs says of which inputs gradients are
// wanted. With recorded the inputs and outputs are known to the tape, so that what the VJP computes can be differentiated.
// One Call serves for many operations, one after the other.
func (c *Call) Begin(n *Node, gy []*Array, needs []bool, recorded bool) {
	c.node, c.gy, c.needs, c.recorded = n, gy, needs, recorded
	c.gx = slices.Grow(c.gx[:0], len(n.in))[:len(n.in)]
	clear(c.gx)
}

// Run calls the operation's VJP.
func (c *Call) Run() { c.node.Op.VJP(c) }

// AddTo adds the gradient of input 0 to gx, a contiguous array of its shape that nobody else reads. It returns
// false, and does nothing, where the operation is not of the kind that changes a part of gx only.
func (c *Call) AddTo(gx *Array) bool {
	op, ok := c.node.Op.(adder)
	if !ok || c.gy[0] == nil || gx.dtype != c.gy[0].dtype {
		return false
	}
	op.AddTo(c, gx)
	return true
}

// Composed computes the operation again by its definition, made of differentiable ones, from the inputs it returns;
// ok is false where it has none.
func (c *Call) Composed() (in, out []*Array, ok bool) {
	op, ok := c.node.Op.(composer)
	if !ok {
		return nil, nil, false
	}
	for i := range c.node.in {
		in = append(in, c.In(i))
	}
	return in, op.Composed(in), true
}

// In returns input i; nil where it was nil. It panics where the value was overwritten since.
func (c *Call) In(i int) *Array {
	return c.value(&c.node.in[i], c.node.in[i].node, c.node.in[i].index, "input", i)
}

// Out returns output i.
func (c *Call) Out(i int) *Array { return c.value(&c.node.out[i], c.node, i, "output", i) }

func (c *Call) value(e *edge, n *Node, index int, what string, i int) *Array {
	if !e.present {
		return nil
	}
	if e.value != nil {
		return e.value
	}
	if e.store == nil {
		panic(c.node.Op.Name().Errorf(nil, "its gradient reads %s %d, which it does not claim", what, i))
	}
	x := e.header(c.node.Tape)
	if e.store.version != e.version {
		panic(c.node.Op.Name().Errorf(nil, "its gradient reads %s %d, %s, which was overwritten by %s after it was recorded",
			what, i, x.describe(), e.store.writer))
	}
	if c.recorded && n != nil {
		x.setNode(n, index)
	}
	return x
}

// Shape returns the shape of input i, which need not be claimed. It must not be changed.
func (c *Call) Shape(i int) []int { return c.node.in[i].shape }

// DType returns the dtype of input i.
func (c *Call) DType(i int) dtype.DType { return c.node.in[i].dtype }

// OutShape returns the shape of output i. It must not be changed.
func (c *Call) OutShape(i int) []int { return c.node.out[i].shape }

// Inputs returns the number of inputs.
func (c *Call) Inputs() int { return len(c.node.in) }

// Outputs returns the number of outputs.
func (c *Call) Outputs() int { return len(c.node.out) }

// Gy returns the gradient of output i, or nil where none arrived.
func (c *Call) Gy(i int) *Array { return c.gy[i] }

// Needs reports whether a gradient of input i is wanted.
func (c *Call) Needs(i int) bool { return c.needs[i] }

// SetGx gives the gradient of input i: of its shape and on its device, and converted to its dtype where it differs; nil
// stands for none.
func (c *Call) SetGx(i int, g *Array) {
	e := &c.node.in[i]
	if g != nil {
		g.check(c.node.Op.Name())
		if g.weak != nil || !broadcast.Equal(g.shape, e.shape) || e.store != nil && !e.store.beside(g.store) {
			c.refuseGx(i, g)
		}
		if g.dtype != e.dtype {
			g = g.AsType(e.dtype)
		}
	}
	c.gx[i] = g
}

// refuseGx panics with what is wrong about the gradient of input i.
func (c *Call) refuseGx(i int, g *Array) {
	e := &c.node.in[i]
	why := "is a Scalar: want nd.Full"
	if g.weak == nil {
		why = "has shape " + broadcast.FormatShape(g.shape) + ": want " + broadcast.FormatShape(e.shape)
		if broadcast.Equal(g.shape, e.shape) {
			why = "is on device " + g.store.dev.Name() + ", the input on " + e.store.dev.Name()
		}
	}
	panic(c.node.Op.Name().Errorf([]*Array{g}, "its gradient of input %d %s", i, why))
}

// Gx returns what SetGx was given.
func (c *Call) Gx(i int) *Array { return c.gx[i] }
