package nd

import (
	"sync/atomic"
	"unsafe"
	"weak"
)

// arenaAge numbers arenas, so that the youngest of several can be found.
var arenaAge atomic.Uint64

// Arena owns arrays: everything that is computed from an array of the arena belongs to the arena, and Release releases
// all of it. Inference releases its memory in one line:
//
//	a := nd.NewArena()
//	defer a.Release()
//	y := model(a.Adopt(x))
//
// An arena is used from one goroutine. A tape is an arena that also records.
type Arena struct {
	owned []*Array
	nodes []*Node // nodes for reuse; only a tape has them
	age   uint64
	scope bool       // the arena belongs to Tidy or TidyAll: nobody calls Mark on it
	set   *deferrals // the pending results of the scope that the arena belongs to; nil outside of scopes

	made   bool                // made by NewArena: it can be dropped before its arrays
	stub   *Arena              // replaces the arena in headers that must not keep it alive; nil until needed
	stubOf weak.Pointer[Arena] // set in a name only: the arena that it names
}

// NewArena returns an empty arena.
func NewArena() *Arena { return &Arena{age: arenaAge.Add(1), made: true} }

// Adopt returns a new header on x's memory that belongs to the arena; x itself does not change.
func (a *Arena) Adopt(x *Array) *Array {
	const fn Func = "Arena.Adopt"
	a.check(fn)
	x.check(fn)
	if x.scalar != nil {
		panic(fn.Errorf(nil, "a Scalar has no memory to release: adopt nd.Full"))
	}
	y := x.header(fn, x.Layout())
	if y.arena != a {
		x.releaseArenaReference(a)
		y.arena.disown(y)
		a.own(y)
	}
	return y
}

// Own makes the arena the owner of x itself, unless another arena owns it, and returns x.
func (a *Arena) Own(x *Array) *Array {
	const fn Func = "Arena.Own"
	a.check(fn)
	x.check(fn)
	if x.arena == nil && x.scalar == nil {
		a.own(x)
	}
	return x
}

// Keep removes x from the arena, so that x outlives the arena, and returns x.
func (a *Arena) Keep(x *Array) *Array {
	const fn Func = "Arena.Keep"
	a.check(fn)
	x.check(fn)
	if a.owns(x) {
		a.disown(x)
	}
	return x
}

// Release releases everything that the arena owns. The arena can be used again.
func (a *Arena) Release() {
	if a == nil {
		return
	}
	for _, x := range a.owned {
		if a.owns(x) {
			x.Release()
		}
	}
	clear(a.owned)
	a.owned, a.set = a.owned[:0], nil
}

// Mark returns the number of arrays that were added to the arena so far, for ReleaseSince.
func (a *Arena) Mark() int {
	a.check("Arena.Mark")
	return len(a.owned)
}

// ReleaseSince releases the arrays that were added to the arena after the mark and the arrays in spent, which the arena
// owned before the mark, except those in keep. An array in keep that others may hold is replaced in keep by a new
// header on its memory; these are arrays older than the mark, arrays that the arena does not own, and arrays that are
// in keep twice. So the arena owns every array in keep, and only the caller holds it. Elements may be nil. ReleaseSince
// is for implementations of Recorder.
func (a *Arena) ReleaseSince(mark int, spent, keep []*Array) {
	a.check("Arena.ReleaseSince")
	for _, x := range spent {
		if x != nil {
			a.owned = append(a.owned, x) // as if added after the mark
		}
	}
	for _, x := range a.owned[mark:] {
		if a.owns(x) {
			x.arena = &givenUp
		}
	}
	for i, x := range keep {
		switch {
		case x == nil:
		case x.arena == &givenUp:
			x.arena = a
		default:
			keep[i] = a.Adopt(x)
		}
	}
	kept := a.owned[:mark]
	for _, x := range a.owned[mark:] {
		switch x.arena {
		case a:
			kept = append(kept, x)
		case &givenUp:
			x.arena = a // messages about a released array name the arena
			x.Release()
		}
	}
	clear(a.owned[len(kept):])
	a.owned = kept
}

// givenUp is the temporary owner of the arrays that ReleaseSince releases unless they are in keep.
var givenUp Arena

// check panics if the arena is nil.
func (a *Arena) check(fn Func) {
	if a == nil {
		panic(fn.Errorf(nil, "the arena is nil"))
	}
}

// own makes the arena the owner of x. A nil arena owns nothing.
func (a *Arena) own(x *Array) {
	if a != nil { // nil, the usual case, needs no call
		a.add(x)
	}
}

func (a *Arena) add(x *Array) {
	if a.isStub() {
		if a = a.stubOf.Value(); a == nil {
			return // the arena was dropped: nobody will release its arrays
		}
	}
	x.arena = a
	if a.scope && len(a.owned) == cap(a.owned) && !a.hasRoom() {
		return
	}
	a.owned = append(a.owned, x)
}

// owns reports whether the arena owns x.
func (a *Arena) owns(x *Array) bool {
	return x.arena == a || x.arena != nil && x.arena == a.stub
}

func (a *Arena) isStub() bool { return a.stubOf != weak.Pointer[Arena]{} }

// releaseArenaReference is called when an array of arena a starts to share x's memory. If that memory lies in one allocation with x, x
// must keep only the name of its own arena, not the arena itself. Otherwise dropped tapes or arenas would form a chain:
// each would stay alive as long as the next one has an array on its memory.
func (x *Array) releaseArenaReference(a *Arena) {
	if b := x.arena; b != nil && b != a {
		x.keepArenaNameOnly(b)
	}
}

func (x *Array) keepArenaNameOnly(b *Arena) {
	if !b.made || uintptr(unsafe.Pointer(x.store))-uintptr(unsafe.Pointer(x)) != unsafe.Offsetof(ownHeader{}.s) {
		return
	}
	if b.stub == nil {
		b.stub = &Arena{age: b.age, stubOf: weak.Make(b)}
		if b.nodes != nil {
			b.stub.nodes = []*Node{} // for messages
		}
	}
	x.arena = b.stub
}

// disown removes x from the arena; the entry in the list is skipped later.
func (a *Arena) disown(x *Array) {
	if a != nil {
		x.arena = nil
	}
}

// hint is the part about the owner in the message about a released array.
func (a *Arena) hint() string {
	switch {
	case a == nil:
		return ""
	case a == &replaced:
		return ", and nd.TidyAll has replaced it since: keep a Copy of a state that must stay"
	case a == &ended:
		return " in a scope of nd.Tidy: return it, or leave it in a variable of nd.TidyAll"
	case a.nodes != nil:
		return " under a released tape: Keep it, or use it before Reset"
	}
	return " under a released arena: Keep it"
}

// youngest returns the arena that owns the results computed from these inputs.
func youngest(xs []*Array) *Arena {
	var a *Arena
	for _, x := range xs {
		if x != nil {
			a = younger(a, x.arena)
		}
	}
	return a
}
