package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/traced"
)

// Op is a recorded operation, for authors of functions: a struct of the resolved options. VJP computes the gradients of
// the inputs that need one from the gradients of the outputs.
//
// An Op may have two more methods. Claims() [Claims] says which values VJP reads (without it: all). Composed(in
// []*Array) []*Array computes the operation with differentiable functions. If an Op has Composed, gradients that are to
// be differentiated again use it, so that VJP may use kernels without a gradient.
type Op interface {
	VJP(c *Call)
}

// Claims says, for authors of functions, which inputs and outputs a VJP reads, one bit each; inputs and outputs from 63
// on share the last bit. Values that are not claimed may be freed or overwritten.
type Claims struct{ In, Out uint64 }

// HasIn reports whether input i is claimed.
func (c Claims) HasIn(i int) bool { return c.In>>min(i, 63)&1 != 0 }

// HasOut reports whether output i is claimed.
func (c Claims) HasOut(i int) bool { return c.Out>>min(i, 63)&1 != 0 }

type claimer interface{ Claims() Claims }

// claimsOf returns the claims of an operation; without a method Claims, it claims all values.
func claimsOf(op Op) Claims {
	if c, ok := op.(claimer); ok {
		return c.Claims()
	}
	return Claims{^uint64(0), ^uint64(0)}
}

// adder is an Op in which only input 0 has a gradient, and this gradient is 0 except at some elements. AddTo adds it to
// the gradient that has already arrived.
type adder interface{ AddTo(c *Call, gx *Array) }

type composer interface {
	Composed(in []*Array) []*Array
}

// Recorder keeps nodes, for authors of tapes: grad.Tape is a Recorder.
type Recorder interface {
	Record(n *Node)
	Arena() *Arena
}

// listener is a Recorder that may observe calls as they run: the begin of a function, and its results. Listens says
// whether it observes now.
type listener interface {
	Listens() bool
	Called(fn Func, in []*Array)
	Made(n *Node, in, out []*Array)
}

// joiner is a Recorder that may permit the deferral of results that it records. Joins says whether it does now.
type joiner interface{ Joins() bool }

func joins(tape Recorder) bool {
	j, ok := tape.(joiner)
	return ok && j.Joins()
}

// followScope lets the tape's arena defer results in the scope to which one of the arrays belongs, if the tape permits it.
func followScope(tape Recorder, xs []*Array) {
	a := tape.Arena()
	if a.set != nil && !joins(tape) {
		a.set = nil
	}
	if a.deferrals() != nil {
		return
	}
	for _, x := range xs {
		if x == nil || x.arena == nil || x.arena == a {
			continue
		}
		if set := x.arena.deferrals(); set != nil && joins(tape) {
			a.set = set
			return
		}
	}
}

// called tells a tape that the function begins, with arrays of which the tape knows some.
func (fn Func) called(tape Recorder, in []*Array) {
	if l, ok := tape.(listener); ok && l.Listens() {
		l.Called(fn, slices.Clone(in)) // cloned, so that in stays on the caller's stack if nobody listens
	}
}

// begin tells x's tape that the function begins. Functions that call Check need not call begin.
func (fn Func) begin(x *Array) {
	if x.node != nil {
		fn.called(x.node.Tape, []*Array{x})
	}
}

// Record records that the function computed out from in, and that op has the gradients; the results become known to the
// tape. It does nothing unless a tape knows one of the inputs. Inputs and results may be nil.
func (fn Func) Record(op Op, in []*Array, out ...*Array) {
	tape := fn.recorderOf(in)
	if tape == nil {
		return
	}
	followScope(tape, in)
	all := linksAll(tape)
	n := newNode(fn, op, tape, in, out, all)
	tape.Record(n)
	for i, y := range out {
		if y != nil && (all || y.dtype.IsInexact()) {
			y.setNode(n, i)
		}
	}
	if l, ok := tape.(listener); ok && l.Listens() {
		l.Made(n, slices.Clone(in), slices.Clone(out))
	}
}

// recorderOf returns the tape that knows some of the inputs, and refuses operands of two tapes.
func (fn Func) recorderOf(in []*Array) Recorder {
	var tape Recorder
	for _, x := range in {
		if x == nil || x.node == nil {
			continue
		}
		if tape != nil && tape != x.node.Tape {
			panic(fn.Errorf(in, "the operands are recorded on two tapes: Detach those of one"))
		}
		tape = x.node.Tape
	}
	return tape
}

// Watch returns a new header on x that the tape knows as a leaf. It is for implementations of [Recorder].
func (fn Func) Watch(t Recorder, x *Array) *Array {
	x.check(fn)
	if x.scalar != nil {
		panic(fn.Errorf(nil, "a Scalar cannot be watched: use nd.Full"))
	}
	if !x.dtype.IsInexact() && !linksAll(t) {
		panic(fn.Errorf([]*Array{x}, "gradients flow to float and complex arrays only"))
	}
	followScope(t, []*Array{x})
	n := t.Arena().newNode()
	n.Func, n.Tape = fn, t
	y := x.header(fn, x.Layout())
	x.releaseArenaReference(t.Arena())
	x.arena.disown(y)
	t.Arena().own(y)
	n.out = n.room[:1]
	n.out[0].set(y, false)
	t.Record(n)
	y.setNode(n, 0)
	return y
}

// Detach returns a new header on x that no tape knows: gradients stop here. The header, and results computed from it,
// still belong to x's arena: Keep removes an array from the arena.
// PyTorch: detach.
func (x *Array) Detach() *Array {
	x.check("Array.Detach")
	if x.scalar != nil {
		return x
	}
	y := x.header(x.fn, x.Layout())
	if x.Links() {
		Func("Array.Detach").Link(identityOp{}, []*Array{x}, y)
	}
	return y
}

// identityOp links the result of a function that changes nothing to its input.
type identityOp struct{}

func (identityOp) VJP(*Call)   {}
func (identityOp) Traced() any { return traced.Identity{} }
