package grad

import (
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/nd"
)

// How a tape observes functions while they run: package nd tells it when a function checks its arguments, and what was
// recorded.

// openCall is a call of a function that has no result yet, or of a composite function, which has no recorded result of its
// own.
type openCall struct {
	fn       nd.Func
	at       time.Time
	infinite bool // one of its arguments is an infinite Scalar
}

// Listens reports whether the tape observes calls as they run; functions of package nd ask.
func (t *Tape) Listens() bool {
	return (t.OnCall != nil || t.OnResult != nil || t.Timer != nil || t.Debug) && !t.muted
}

// Called notes the begin of a function; [nd.Func.Check] calls it.
func (t *Tape) Called(fn nd.Func, in []*nd.Array) {
	if t.OnCall != nil {
		in := unrecordedAll(in)
		defer releaseAll(in)
		t.OnCall(fn, in)
	}
	t.calls = append(t.calls, openCall{fn: fn, infinite: t.Debug && slices.ContainsFunc(in, infiniteScalar), at: t.Timer.now()})
}

// Made notes the results of a recorded function; [nd.Func.Record] calls it. The calls that began within the function's
// call end, too.
func (t *Tape) Made(n *nd.Node, in, out []*nd.Array) {
	done := t.Timer.now()
	k := len(t.calls) - 1
	for k >= 0 && t.calls[k].fn != n.Func {
		k--
	}
	if k < 0 { // a view of an array, which takes no measurable time
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

// unrecordedAll returns unrecorded headers on arrays; nil arrays stay nil, and Scalars stay themselves.
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
