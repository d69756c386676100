package grad

import (
	"slices"

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

// Of returns the hook that is called for these functions alone. chainer.Function.add_hook.
func (h Hook) Of(fns ...nd.Func) Hook {
	of := func(fn nd.Func) bool { return slices.Contains(fns, fn) }
	var some Hook
	if h.OnCall != nil {
		some.OnCall = func(fn nd.Func, in []*nd.Array) {
			if of(fn) {
				h.OnCall(fn, in)
			}
		}
	}
	if h.OnRecord != nil {
		some.OnRecord = func(n *nd.Node) {
			if of(n.Func) {
				h.OnRecord(n)
			}
		}
	}
	if h.OnResult != nil {
		some.OnResult = func(n *nd.Node, in, out []*nd.Array) {
			if of(n.Func) {
				h.OnResult(n, in, out)
			}
		}
	}
	if h.OnBack != nil {
		some.OnBack = func(n *nd.Node, gy []*nd.Array) {
			if of(n.Func) {
				h.OnBack(n, gy)
			}
		}
	}
	if h.OnGradient != nil {
		some.OnGradient = func(n *nd.Node, gy, gx []*nd.Array) {
			if of(n.Func) {
				h.OnGradient(n, gy, gx)
			}
		}
	}
	return some
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
