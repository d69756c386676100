package grad

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
)

// Hook holds functions that a tape calls around operations. Nil fields are not called. The arrays passed to a hook are
// unrecorded and valid until the hook returns: the hook must not change them, and must copy an array to keep it. What
// the hook computes from them belongs to the tape.
//
// A panic of a hook ends the call or the backward pass; the tape can still be used and reset.
// Chainer: function.FunctionHook.
type Hook struct {
	// Name identifies the hook for [Hook.Without]; it may be empty.
	Name string
	// OnCall is called when a function begins with recorded arrays, before it computes anything. It is also called for
	// composite functions; OnRecord and OnResult are called for the functions that these call.
	OnCall func(fn nd.Func, in []*nd.Array)
	// OnRecord is called when an operation is recorded.
	OnRecord func(n *nd.Node)
	// OnResult is called after an operation was recorded, with its inputs and results. An OnCall of the same function
	// precedes it.
	OnResult func(n *nd.Node, in, out []*nd.Array)
	// OnBack is called before the backward pass differentiates an operation, with the gradients of its results (nil if
	// none flows).
	OnBack func(n *nd.Node, gy []*nd.Array)
	// OnGradient is called after the backward pass has differentiated an operation, with the gradients of its results
	// and of its inputs (nil if none flows). They are released when they are no longer needed.
	OnGradient func(n *nd.Node, gy, gx []*nd.Array)
	// OnFinal is called in the backward pass for each array x with respect to which gradients were asked for, as soon as
	// its gradient g is final: no operation that is still to be differentiated adds to it. g is nil if no gradient flows.
	// x itself is recorded. So a program can use a gradient while the others are computed, for example send it to other
	// processes.
	OnFinal func(x, g *nd.Array)

	parts []Hook // the hooks that Hooks combined, none of which has parts
}

// Hooks returns a hook that calls several hooks in their order. The result has no name; [Hook.Without] removes a hook by
// its name.
//
//	tape.Hook = grad.Hooks(tape.Hook, mine)
func Hooks(hooks ...Hook) Hook {
	var all Hook
	for _, h := range hooks {
		all.parts = append(all.parts, h.single()...)
		all.OnCall = both2(all.OnCall, h.OnCall)
		all.OnRecord = both1(all.OnRecord, h.OnRecord)
		all.OnResult = both3(all.OnResult, h.OnResult)
		all.OnBack = both2(all.OnBack, h.OnBack)
		all.OnGradient = both3(all.OnGradient, h.OnGradient)
		all.OnFinal = both2(all.OnFinal, h.OnFinal)
	}
	return all
}

// single returns the hooks that a hook consists of.
func (h Hook) single() []Hook {
	if h.parts != nil {
		return h.parts
	}
	return []Hook{h}
}

// Without returns the hook without the hooks of a name that [Hooks] combined into it. It panics if none has the name.
//
//	tape.Hook = tape.Hook.Without("print")
//
// Chainer: Function.delete_hook.
func (h Hook) Without(name string) Hook {
	const fn nd.Func = "Hook.Without"
	all := h.single()
	left := slices.DeleteFunc(slices.Clone(all), func(part Hook) bool { return part.Name == name })
	if len(left) == len(all) {
		panic(fn.Errorf(nil, "no hook has the name %q", name))
	}
	return Hooks(left...)
}

// Of returns the hook restricted to the given functions.
// Chainer: Function.add_hook.
func (h Hook) Of(fns ...nd.Func) Hook {
	of := func(fn nd.Func) bool { return slices.Contains(fns, fn) }
	some := Hook{Name: h.Name}
	for _, part := range h.parts {
		some.parts = append(some.parts, part.Of(fns...))
	}
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
	if h.OnFinal != nil {
		some.OnFinal = func(x, g *nd.Array) {
			if n, _ := x.Node(); of(n.Func) {
				h.OnFinal(x, g)
			}
		}
	}
	return some
}

// both1 calls two functions of one argument; either may be nil.
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
