package grad

import (
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/nd"
)

// Hook is what a tape calls around operations. Fields that are nil are not called. The arrays are unrecorded, and are the hook's until
// it returns: it must not change them, and to keep one it must copy it. What it computes from them belongs to the tape.
// chainer.function.FunctionHook.
//
// What a hook panics with ends the call, or the way back; the tape can be used on, and reset.
type Hook struct {
	// OnCall is called when a function begins that was given arrays which the tape knows, before it computes anything. A function that
	// is made of others begins too, and they are what OnRecord and OnResult are called with.
	OnCall func(fn nd.Func, in []*nd.Array)
	// OnRecord is called with every operation when it is recorded.
	OnRecord func(n *nd.Node)
	// OnResult is called with every operation when it was recorded, and with what it got and made. An OnCall of the same function
	// goes before it.
	OnResult func(n *nd.Node, in, out []*nd.Array)
	// OnBack is called for every operation that a gradient is to go back through, with the gradients of its results (nil where none
	// flows), before those of its inputs are computed.
	OnBack func(n *nd.Node, gy []*nd.Array)
	// OnGradient is called for every operation that a gradient has gone back through, with the gradients of its results and of its
	// inputs (nil where none flows). They are released when they are needed no more.
	OnGradient func(n *nd.Node, gy, gx []*nd.Array)
}

// Hooks returns the hook that calls several, in their order.
//
//	tape.Hook = grad.Hooks(tape.Hook, mine)
func Hooks(hooks ...Hook) Hook {
	var all Hook
	for _, h := range hooks {
		all.OnCall = both2(all.OnCall, h.OnCall)
		all.OnRecord = both1(all.OnRecord, h.OnRecord)
		all.OnResult = both3(all.OnResult, h.OnResult)
		all.OnBack = both2(all.OnBack, h.OnBack)
		all.OnGradient = both3(all.OnGradient, h.OnGradient)
	}
	return all
}

// both1 calls two functions of one argument, of which either may be nil.
func both1[A any](f, g func(A)) func(A) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(a A) { f(a); g(a) }
}

func both2[A, B any](f, g func(A, B)) func(A, B) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(a A, b B) { f(a, b); g(a, b) }
}

func both3[A, B, C any](f, g func(A, B, C)) func(A, B, C) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(a A, b B, c C) { f(a, b, c); g(a, b, c) }
}

// begun is a call of a function whose result is not there yet, or that is made of others and has none of its own.
type begun struct {
	fn       nd.Func
	at       time.Time
	infinite bool // one of its arguments is a Scalar that is an infinity
}

// Listens reports whether the tape is to be told of calls as they run; functions of package nd ask.
func (t *Tape) Listens() bool {
	return (t.OnCall != nil || t.OnResult != nil || t.Timer != nil || t.Debug) && !t.deaf
}

// Called notes that a function begins; [nd.Func.Check] calls it.
func (t *Tape) Called(fn nd.Func, in []*nd.Array) {
	if t.OnCall != nil {
		in := unrecordedAll(in)
		defer releaseAll(in)
		t.OnCall(fn, in)
	}
	t.calls = append(t.calls, begun{fn: fn, infinite: t.Debug && slices.ContainsFunc(in, infiniteScalar), at: t.Timer.now()})
}

// Made notes what a recorded function has made; [nd.Func.Record] calls it. The calls that began within the function's are done, too.
func (t *Tape) Made(n *nd.Node, in, out []*nd.Array) {
	done := t.Timer.now()
	k := len(t.calls) - 1
	for k >= 0 && t.calls[k].fn != n.Func {
		k--
	}
	if k < 0 { // a view of an array, which takes no time
		t.Called(n.Func, in)
		k = len(t.calls) - 1
	}
	call := t.calls[k]
	t.calls = t.calls[:k]
	t.timeCall(n, call.at, done)
	if t.Debug {
		t.checkResults(n, in, out, call.infinite)
	}
	if t.OnResult != nil {
		in, out := unrecordedAll(in), unrecordedAll(out)
		defer releaseAll(in)
		defer releaseAll(out)
		t.OnResult(n, in, out)
	}
}

// unrecordedAll returns headers on arrays that no tape knows; nil ones stay nil, and Scalars themselves.
func unrecordedAll(xs []*nd.Array) []*nd.Array {
	xs = slices.Clone(xs)
	for i, x := range xs {
		if x != nil {
			xs[i] = x.Detach()
		}
	}
	return xs
}

func releaseAll(xs []*nd.Array) {
	for _, x := range xs {
		x.Release()
	}
}
