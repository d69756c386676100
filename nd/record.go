package nd

import "slices"

// Op is an operation as a tape remembers it, for authors of functions: a struct of the resolved options. VJP computes the
// gradients of the inputs that are needed from the gradients of the outputs.
//
// An Op may also have the method Claims() [Claims], which says which values VJP reads (without it: all), and the method
// Composed(in []*Array) []*Array, the operation made of differentiable ones: where there is one, gradients that are to be
// differentiated again go through it, so that VJP may use kernels that cannot be.
type Op interface {
	VJP(c *Call)
}

// Claims says, for authors of functions, which inputs and outputs a VJP reads, one bit each; those from 63 on share the last.
// What is not claimed may be freed or overwritten.
type Claims struct{ In, Out uint64 }

// HasIn reports whether input i is claimed.
func (c Claims) HasIn(i int) bool { return c.In>>min(i, 63)&1 != 0 }

// HasOut reports whether output i is claimed.
func (c Claims) HasOut(i int) bool { return c.Out>>min(i, 63)&1 != 0 }

type claimer interface{ Claims() Claims }

// claimsOf returns what an operation claims: all, unless it says otherwise.
func claimsOf(op Op) Claims {
	if c, ok := op.(claimer); ok {
		return c.Claims()
	}
	return Claims{^uint64(0), ^uint64(0)}
}

// adder is an Op of which only input 0 has a gradient, which is 0 but at some places: AddTo adds it to what has arrived
// there already.
type adder interface{ AddTo(c *Call, gx *Array) }

type composer interface {
	Composed(in []*Array) []*Array
}

// Recorder keeps nodes, for authors of tapes: package grad's is one.
type Recorder interface {
	Record(n *Node)
	Arena() *Arena
}

// listener is a Recorder that may want to know of calls as they run: when a function begins, and what it made. Listens says whether it
// wants to now.
type listener interface {
	Listens() bool
	Called(fn Func, in []*Array)
	Made(n *Node, in, out []*Array)
}

// called tells a tape that the function begins with arrays of which it knows some.
func (fn Func) called(tape Recorder, in []*Array) {
	if l, ok := tape.(listener); ok && l.Listens() {
		l.Called(fn, slices.Clone(in)) // so that a call that nobody listens to leaves in on its stack
	}
}

// begin tells x's tape that the function begins. Check does it for functions that call that.
func (fn Func) begin(x *Array) {
	if x.node != nil {
		fn.called(x.node.Tape, []*Array{x})
	}
}

// Record records that the function made out from in, which op has the gradients of, and makes the results known to the tape.
// It does nothing unless a tape knows one of the inputs. Inputs and results may be nil.
func (fn Func) Record(op Op, in []*Array, out ...*Array) {
	tape := fn.recorderOf(in)
	if tape == nil {
		return
	}
	n := newNode(fn, op, tape, in, out)
	tape.Record(n)
	for i, y := range out {
		if y != nil && y.dtype.IsInexact() {
			y.setNode(n, i)
		}
	}
	if l, ok := tape.(listener); ok && l.Listens() {
		l.Made(n, slices.Clone(in), slices.Clone(out))
	}
}

// recorderOf returns the tape that knows some of the inputs; two tapes cannot share an operation.
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

// Watch returns a new header on x that the tape knows, as a leaf. It is for implementations of [Recorder].
func (fn Func) Watch(t Recorder, x *Array) *Array {
	x.check(fn)
	if x.weak != nil {
		panic(fn.Errorf(nil, "a Scalar is no array: watch nd.Full"))
	}
	if !x.dtype.IsInexact() {
		panic(fn.Errorf([]*Array{x}, "gradients flow to float and complex arrays only"))
	}
	n := t.Arena().newNode()
	n.Func, n.Tape = fn, t
	y := x.header(fn, x.Layout())
	x.loosen(t.Arena())
	x.arena.disown(y)
	t.Arena().own(y)
	n.out = n.room[:1]
	n.out[0].set(y, false)
	t.Record(n)
	y.setNode(n, 0)
	return y
}

// Detach returns a new header on x that no tape knows: gradients stop here. It still belongs to x's arena, as do results
// computed from it: Keep takes an array out. torch.detach.
func (x *Array) Detach() *Array {
	x.check("Array.Detach")
	if x.weak != nil {
		return x
	}
	return x.header("Array.Detach", x.Layout())
}
