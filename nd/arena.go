package nd

import (
	"sync/atomic"
	"unsafe"
	"weak"
)

// arenaAge numbers arenas, so that the youngest of several can be told.
var arenaAge atomic.Uint64

// Arena owns arrays: everything computed from an array of the arena belongs to it, and Release releases it all. It is
// how inference gives memory back in one line:
//
//	a := nd.NewArena()
//	defer a.Release()
//	y := model(a.Adopt(x))
//
// An arena is used from one goroutine. A tape is an arena that records too.
type Arena struct {
	owned []*Array
	nodes []*Node // to be used again; only of a tape
	age   uint64
	scope bool // of Tidy or TidyAll: nobody marks a place in its list

	made bool                // by NewArena: it can be dropped before its arrays
	name *Arena              // what stands for it in headers that must not keep it; nil until there is one
	of   weak.Pointer[Arena] // of a name: whose it is
}

// NewArena returns an empty arena.
func NewArena() *Arena { return &Arena{age: arenaAge.Add(1), made: true} }

// Adopt returns a new header on x that belongs to the arena; x itself stays as it is.
func (a *Arena) Adopt(x *Array) *Array {
	const fn Func = "Arena.Adopt"
	a.check(fn)
	x.check(fn)
	if x.weak != nil {
		panic(fn.Errorf(nil, "a Scalar has no memory to give back: adopt nd.Full"))
	}
	y := x.header(fn, x.Layout())
	if y.arena != a {
		x.loosen(a)
		y.arena.disown(y)
		a.own(y)
	}
	return y
}

// Own puts x itself under the arena's care, unless it is under that of another, and returns it.
func (a *Arena) Own(x *Array) *Array {
	const fn Func = "Arena.Own"
	a.check(fn)
	x.check(fn)
	if x.arena == nil && x.weak == nil {
		a.own(x)
	}
	return x
}

// Keep takes x out of the arena, so that it outlives it, and returns it.
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
	a.owned = a.owned[:0]
}

// Mark returns the number of arrays that the arena has come to own, for ReleaseSince.
func (a *Arena) Mark() int {
	a.check("Arena.Mark")
	return len(a.owned)
}

// ReleaseSince releases the arrays that the arena has come to own since the mark, and those in spent, which it owned
// before, but not those in keep. An array in keep that others may hold (it is older than the mark, or not the arena's, or
// in keep twice) is replaced there by a new header on its memory: so all in keep are the arena's, and the caller's alone.
// Elements may be nil. It is for implementations of Recorder.
func (a *Arena) ReleaseSince(mark int, spent, keep []*Array) {
	a.check("Arena.ReleaseSince")
	for _, x := range spent {
		if x != nil {
			a.owned = append(a.owned, x) // as if it had come after the mark
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
			x.arena = a // which messages about a released array name
			x.Release()
		}
	}
	clear(a.owned[len(kept):])
	a.owned = kept
}

// givenUp marks, as their owner, the arrays that ReleaseSince releases unless they are in keep.
var givenUp Arena

// check panics where there is no arena.
func (a *Arena) check(fn Func) {
	if a == nil {
		panic(fn.Errorf(nil, "the arena is nil"))
	}
}

// own puts x under the arena's care. A nil arena owns nothing.
func (a *Arena) own(x *Array) {
	if a != nil { // the usual nil takes no call
		a.take(x)
	}
}

func (a *Arena) take(x *Array) {
	if a.isName() {
		if a = a.of.Value(); a == nil {
			return // it was dropped: nobody will release what is its own
		}
	}
	x.arena = a
	if a.scope && len(a.owned) == cap(a.owned) && !a.hasRoom() {
		return
	}
	a.owned = append(a.owned, x)
}

// owns reports whether x is the arena's.
func (a *Arena) owns(x *Array) bool {
	return x.arena == a || x.arena != nil && x.arena == a.name
}

func (a *Arena) isName() bool { return a.of != weak.Pointer[Arena]{} }

// loosen is called where something of arena a comes to hold x's memory. If that lies in one allocation with x, x must not keep
// another arena then, but only its name: else, where tapes or arenas are dropped, one that the next has an array of would stay
// for as long as that, and so the one before it.
func (x *Array) loosen(a *Arena) {
	if b := x.arena; b != nil && b != a {
		x.keepName(b)
	}
}

func (x *Array) keepName(b *Arena) {
	if !b.made || uintptr(unsafe.Pointer(x.store))-uintptr(unsafe.Pointer(x)) != unsafe.Offsetof(ownHeader{}.s) {
		return
	}
	if b.name == nil {
		b.name = &Arena{age: b.age, of: weak.Make(b)}
		if b.nodes != nil {
			b.name.nodes = []*Node{} // for messages
		}
	}
	x.arena = b.name
}

// disown lets x go; the entry in the list is skipped later.
func (a *Arena) disown(x *Array) {
	if a != nil {
		x.arena = nil
	}
}

// hint is what the message about a released array says of its owner.
func (a *Arena) hint() string {
	switch {
	case a == nil:
		return ""
	case a == &replaced:
		return ", and nd.TidyAll has replaced it since: Copy a state that is to stay"
	case a == &ended:
		return " in a scope of nd.Tidy: return it, or leave it in a variable of nd.TidyAll"
	case a.nodes != nil:
		return " under a released tape: Keep it"
	}
	return " under a released arena: Keep it"
}

// youngest returns the arena that results of these inputs belong to.
func youngest(xs []*Array) *Arena {
	var a *Arena
	for _, x := range xs {
		if x != nil {
			a = younger(a, x.arena)
		}
	}
	return a
}
