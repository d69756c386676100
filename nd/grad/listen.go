package grad

import (
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/nd"
)

// How a tape hears of functions while they run: package nd tells it where one checks its arguments, and what was recorded.

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
