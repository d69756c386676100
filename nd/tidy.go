package nd

import (
	"slices"
	"sync"
	"unsafe"
)

// Tidy returns f(x), and releases everything else that f computed from x: one line makes code that releases nothing as fast
// as code that releases each array. It is for a computation with one result, such as what answers a request:
//
//	y := nd.Tidy(x, model)
//
// x itself stays as it was, and the result is the caller's. In a loop over a state use [TidyAll], which gives back the
// memory of the states that went before too.
//
// What f computes from x belongs to the scope, as if an [Arena] had adopted x: results of other arrays alone, such as random
// draws, do not, and are left to the collector. An array of the scope that gets out of it in another way than as the result
// was released: using it panics with the name of the function that made it. If f panics, all of the scope is released.
//
// Scopes nest, and are used from one goroutine each. Under a tape the result belongs to the tape, as all that it records,
// and what a gradient needs of the rest stays until its Reset. A tape that f makes owns what is computed under it: f has to
// Keep its result there.
func Tidy(x *Array, f func(x *Array) *Array) *Array {
	const fn Func = "nd.Tidy"
	x.check(fn)
	if f == nil {
		panic(fn.Errorf(nil, "no function"))
	}
	if x.weak != nil {
		return f(x)
	}
	s := newScope()
	defer s.end()
	y := f(s.adopt(s.header(), x))
	if y != nil {
		y.check(fn)
		s.give(y, x.arena)
	}
	return y
}

// TidyAll calls f, and releases everything that f computed from the arrays in the variables, except those that are in the
// variables afterwards. It is for the steps of a loop:
//
//	for range 1000 {
//		nd.TidyAll(func() { x, v = leapfrog(x, v) }, &x, &v)
//	}
//
// An array that TidyAll has left in a variable is released when a later TidyAll of that variable finds it there and leaves
// another one: in a steady loop no memory is taken anew. So who wants to keep a state beyond the next step keeps a Copy of it,
// or gives it a variable among the others: best = x in f, with &best. Arrays that came from elsewhere, such as the first
// state, are never released.
//
// A variable may be nil before: f leaves a result there. A variable that f leaves alone keeps its array; one whose array f
// only reads, such as data, is there so that what is computed from it is the scope's too. If f panics, the variables have
// the arrays that they had before. All else is as with [Tidy].
func TidyAll(f func(), variables ...**Array) {
	const fn Func = "nd.TidyAll"
	if f == nil {
		panic(fn.Errorf(nil, "no function"))
	}
	for i, p := range variables {
		if p == nil {
			panic(fn.Errorf(nil, "variable %d is a nil pointer", i))
		} else if *p != nil {
			(*p).check(fn)
		}
	}
	var room [2][8]*Array
	before, during := room[0][:0], room[1][:0]
	s := newScope()
	defer s.end()
	for _, p := range variables {
		x := *p
		y := x
		if k := slices.Index(before, x); k >= 0 {
			y = during[k]
		} else if x != nil && x.weak == nil {
			y = s.adopt(s.header(), x)
		}
		before, during = append(before, x), append(during, y)
	}
	left := false
	defer func() {
		if !left {
			set(variables, before)
		}
	}()
	set(variables, during)
	f()
	for _, p := range variables {
		if *p != nil {
			(*p).check(fn)
		}
	}
	left = true
	s.leave(variables, before, during)
	for _, x := range before {
		if x != nil && x.state && slices.Contains(variables, x.stateIn()) && !held(x, variables) {
			x.arena = &replaced
			x.Release()
		}
	}
}

// set gives every variable its array.
func set(variables []**Array, xs []*Array) {
	for i, p := range variables {
		*p = xs[i]
	}
}

// held reports whether x is in one of the variables.
func held(x *Array, variables []**Array) bool {
	return slices.ContainsFunc(variables, func(p **Array) bool { return *p == x })
}

// ended and replaced are, for messages, the owners of arrays that scopes have released: of what was left in the scope, and of
// states that got a successor. They hold no lists.
var ended, replaced = Arena{scope: true}, Arena{scope: true}

// stateArray is the header that TidyAll leaves in a variable. Only who holds the variable has a right to release it: a function
// that is given such an array must not, though it has a variable with it too.
type stateArray struct {
	Array
	variable **Array
}

// stateIn returns the variable that TidyAll left x in, which is a state.
func (x *Array) stateIn() **Array { return (*stateArray)(unsafe.Pointer(x)).variable }

// leave replaces the scope's arrays in the variables: its headers on the arrays that were there before by these, others by
// headers that outlive the scope.
func (s *scope) leave(variables []**Array, before, during []*Array) {
	owner := youngest(before)
	for i, p := range variables {
		y := *p
		if y == nil || y.arena != &s.Arena {
			continue
		}
		if k := slices.Index(during, y); k >= 0 {
			*p = before[k]
			continue
		}
		x := &stateArray{variable: p}
		x.state = true
		s.give(s.adopt(&x.Array, y), owner)
		for _, q := range variables[i:] {
			if *q == y {
				*q = &x.Array
			}
		}
	}
}

// scope is the arena of one call of Tidy or TidyAll, and its first header. No other call uses it again, so that nobody who
// still computes in it, against the rules, meets another; only the list of what it owns is used again.
type scope struct {
	Arena
	first Array
	list  *[]*Array
}

var scopeLists = sync.Pool{New: func() any { return new([]*Array) }}

func newScope() *scope {
	s := &scope{list: scopeLists.Get().(*[]*Array)}
	s.age, s.scope, s.owned = arenaAge.Add(1), true, *s.list
	return s
}

// header returns a header to fill in.
func (s *scope) header() *Array {
	if len(s.owned) == 0 {
		return &s.first
	}
	return new(Array)
}

// adopt makes y a header on x that the scope owns.
func (s *scope) adopt(y, x *Array) *Array {
	y.standFor(x)
	x.loosen(&s.Arena)
	s.own(y)
	return y
}

// give passes y, if it is the scope's, on to the owner, or to the tape that knows it.
func (s *scope) give(y *Array, owner *Arena) {
	if y.arena != &s.Arena {
		return
	}
	s.disown(y)
	if y.node != nil {
		owner = younger(owner, y.node.Tape.Arena())
	}
	owner.own(y)
}

// end releases what is left.
func (s *scope) end() {
	for _, x := range s.owned {
		if x.arena == &s.Arena {
			x.arena = &ended // else a state would hold its scope, and that the state before
			x.Release()
		}
	}
	clear(s.owned)
	*s.list = s.owned[:0]
	scopeLists.Put(s.list)
	s.owned, s.list = nil, nil
}

// hasRoom makes room in a scope's full list. It forgets the arrays that are released, or others' now, since a loop in the scope
// may make and release any number.
func (a *Arena) hasRoom() bool {
	if a == &ended || a == &replaced {
		return false
	}
	a.owned = slices.DeleteFunc(a.owned, func(x *Array) bool { return x.released || x.arena != a })
	a.owned = slices.Grow(a.owned, 1+len(a.owned)) // so that the next time is far
	return true
}
