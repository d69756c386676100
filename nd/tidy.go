package nd

import (
	"slices"
	"sync"
	"unsafe"
)

// Tidy returns f(x) and releases all other arrays that f computed from x. With this one line, code that releases
// nothing is as fast as code that releases each array. Tidy is for a computation with one result, such as the answer to
// a request:
//
//	y := nd.Tidy(x, model)
//
// x itself does not change, and the caller owns the result. For a loop over a state use [TidyAll], which also releases
// the previous states.
//
// The scope owns what f computes from x, as if an [Arena] had adopted x. It does not own results of other arrays alone,
// such as random draws; the GC frees those. An array of the scope that leaves f in another way than as the result is
// released: using it panics with the name of the function that made it. If f panics, the whole scope is released.
//
// Elementwise results in a scope may be computed later than they are asked for, several in one pass over memory. Nothing but the
// time shows it: the bits are the same, and whatever needs the memory of an array gets it.
//
// Scopes nest. One scope is used from one goroutine. Under a tape, the result belongs to the tape, as everything that
// the tape records, and the values that gradients need stay until Reset. A tape that f makes owns what is computed
// under it: f must call its Keep for the result.
func Tidy(x *Array, f func(x *Array) *Array) *Array {
	const fn Func = "nd.Tidy"
	x.check(fn)
	if f == nil {
		panic(fn.Errorf(nil, "no function"))
	}
	if x.scalar != nil {
		return f(x)
	}
	s := newScope(x.arena)
	defer s.end()
	y := f(s.adopt(s.header(), x))
	if y != nil {
		y.check(fn)
		s.compute(func(block *storage) bool { return y.store == block })
		s.passOn(y, x.arena)
	}
	return y
}

// TidyAll calls f and releases everything that f computed from the arrays in the variables, except the arrays that f
// leaves in the variables. It is for the steps of a loop:
//
//	for range 1000 {
//		nd.TidyAll(func() { x, v = leapfrog(x, v) }, &x, &v)
//	}
//
// An array that TidyAll left in a variable is released by the next TidyAll that finds it in that variable and leaves
// another array there. So a steady loop allocates nothing. To keep a state beyond the next step, keep a Copy of it, or
// add a variable for it: set best = x in f and pass &best. Arrays from elsewhere, such as the first state, are never
// released.
//
// A variable may be nil before the call: f leaves a result in it. A variable that f does not set keeps its array. Pass
// the variable of an array that f only reads, such as data: then the scope owns results computed from it. If f panics,
// the variables get back the arrays that they had before. All other rules are those of [Tidy].
func TidyAll(f func(), variables ...**Array) {
	const fn Func = "nd.TidyAll"
	if f == nil {
		panic(fn.Errorf(nil, "no function"))
	}
	var outer *Arena
	for i, p := range variables {
		if p == nil {
			panic(fn.Errorf(nil, "variable %d is a nil pointer", i))
		} else if *p != nil {
			(*p).check(fn)
			outer = younger(outer, (*p).arena)
		}
	}
	var room [2][8]*Array
	before, during := room[0][:0], room[1][:0]
	s := newScope(outer)
	defer s.end()
	for _, p := range variables {
		x := *p
		y := x
		if k := slices.Index(before, x); k >= 0 {
			y = during[k]
		} else if x != nil && x.scalar == nil {
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
	s.compute(func(block *storage) bool {
		return slices.ContainsFunc(variables, func(p **Array) bool { return *p != nil && (*p).store == block })
	})
	left = true
	s.storeResults(variables, before, during)
	for _, x := range before {
		if x != nil && x.state && slices.Contains(variables, x.stateIn()) && !held(x, variables) {
			x.arena = &replaced
			x.Release()
		}
	}
}

// set assigns the arrays to the variables.
func set(variables []**Array, xs []*Array) {
	for i, p := range variables {
		*p = xs[i]
	}
}

// held reports whether x is in one of the variables.
func held(x *Array, variables []**Array) bool {
	return slices.ContainsFunc(variables, func(p **Array) bool { return *p == x })
}

// ended and replaced own, for messages, the arrays that scopes have released: ended those left in a scope, replaced the
// states that got a successor. They hold no lists.
var ended, replaced = Arena{scope: true}, Arena{scope: true}

// tidyState is the header that TidyAll leaves in a variable. Only the holder of the variable may release it. A
// function that receives such an array as an argument must not release it, even if the function passes a variable with
// it to TidyAll.
type tidyState struct {
	Array
	variable **Array
}

// stateIn returns the variable in which TidyAll left the state x.
func (x *Array) stateIn() **Array { return (*tidyState)(unsafe.Pointer(x)).variable }

// storeResults replaces the scope's arrays in the variables: headers that stand for the previous arrays by those arrays,
// others by headers that outlive the scope.
func (s *scope) storeResults(variables []**Array, before, during []*Array) {
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
		x := &tidyState{variable: p}
		x.state = true
		s.passOn(s.adopt(&x.Array, y), owner)
		for _, q := range variables[i:] {
			if *q == y {
				*q = &x.Array
			}
		}
	}
}

// scope is the arena of one call of Tidy or TidyAll, together with its first header. A scope is never reused: a program
// that wrongly keeps computing in a finished scope must not reach another one. Only the list of owned arrays is reused.
type scope struct {
	Arena
	late  deferrals // unless it uses those of an outer scope
	first Array
	list  *[]*Array
}

var scopeLists = sync.Pool{New: func() any { return new([]*Array) }}

// newScope returns a scope whose arguments belong to the arena outer.
func newScope(outer *Arena) *scope {
	s := &scope{list: scopeLists.Get().(*[]*Array)}
	if s.set = outer.deferrals(); s.set == nil {
		s.set = &s.late
	}
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

// adopt makes y a header on x; the scope owns y.
func (s *scope) adopt(y, x *Array) *Array {
	y.becomeHeaderOn(x)
	x.releaseArenaReference(&s.Arena)
	s.own(y)
	return y
}

// passOn passes y, if the scope owns it, to the owner or to the tape that knows it.
func (s *scope) passOn(y *Array, owner *Arena) {
	if y.arena != &s.Arena {
		return
	}
	s.disown(y)
	if y.node != nil {
		owner = younger(owner, y.node.Tape.Arena())
	}
	owner.own(y)
}

// compute computes the scope's results, as far as they are pending, while an error can still leave everything as it was.
func (s *scope) compute(isResult func(block *storage) bool) {
	if s.set == &s.late {
		s.late.computeNow(isResult)
	}
}

// end releases what the scope still owns.
func (s *scope) end() {
	for _, x := range s.owned {
		if x.arena == &s.Arena {
			x.arena = &ended // otherwise a state would keep its scope alive, and the scope the state before
			x.Release()
		}
	}
	clear(s.owned)
	*s.list = s.owned[:0]
	scopeLists.Put(s.list)
	s.owned, s.list = nil, nil
	if s.set == &s.late {
		s.late.end()
	}
}

// hasRoom makes room in a scope's full list. It removes arrays that are released or have another owner now, because a
// loop in the scope may make and release any number of arrays.
func (a *Arena) hasRoom() bool {
	if a == &ended || a == &replaced {
		return false
	}
	a.owned = slices.DeleteFunc(a.owned, func(x *Array) bool { return x.released || x.arena != a })
	a.owned = slices.Grow(a.owned, 1+len(a.owned)) // so that the list fills up rarely
	return true
}
