package nd

import "sync"

// Temporaries releases the intermediate arrays of a function that is built from other functions. It is for authors of
// such functions:
//
//	made := fn.Temporaries(&x, &w)
//	defer made.Release()
//	return made.Keep(ops.Divide(ops.Sum(ops.Multiply(x, w)), ops.Sum(w)))
//
// It is an arena for one call. Arrays that a tape has recorded may be released too: the tape holds the values that
// gradients read. A Temporaries costs one header per argument; a function with one or two temporaries is faster if it
// releases them itself.
type Temporaries struct {
	arena   Arena
	fn      Func
	outer   *Arena   // the arguments' arena, to which results belong
	given   []*Array // the arguments
	headers []*Array // the headers that replace them
}

// replaceHeader returns y, and releases x, a header made on the way to y, unless x is y itself.
func replaceHeader(x, y *Array) *Array {
	if x != y {
		x.Release()
	}
	return y
}

var temporaries = sync.Pool{New: func() any { return new(Temporaries) }}

// Temporaries replaces the arguments by headers that it owns, so that it owns everything computed from them. Nil
// arguments and Scalars stay.
func (fn Func) Temporaries(arguments ...**Array) *Temporaries {
	t := temporaries.Get().(*Temporaries)
	t.arena.age, t.fn = arenaAge.Add(1), fn
	for _, argument := range arguments {
		if x := *argument; x != nil && x.scalar == nil {
			*argument = t.headerFor(fn, x)
		}
	}
	return t
}

// headerFor returns the header that replaces x; a tape knows it as it knows x.
func (t *Temporaries) headerFor(fn Func, x *Array) *Array {
	x.check(fn)
	for i, known := range t.given {
		if known == x {
			return t.headers[i]
		}
	}
	y := new(Array)
	y.becomeHeaderOn(x)
	t.arena.own(y)
	t.outer = younger(t.outer, x.arena)
	t.arena.set = t.outer.deferrals()
	t.given, t.headers = append(t.given, x), append(t.headers, y)
	return y
}

// becomeHeaderOn makes y, which is new, a header on x. A tape that knows x treats y as the same array.
func (y *Array) becomeHeaderOn(x *Array) {
	y.fn = x.fn
	y.setRank(len(x.shape))
	copy(y.shape, x.shape)
	copy(y.strides, x.strides)
	y.onStorage(x.store, x.dtype, x.offset)
	if x.node != nil {
		y.setNode(x.node, int(x.out))
	}
}

// Own makes t the owner of x, which was not computed from the arguments, so that x is released with the rest. It
// returns x.
func (t *Temporaries) Own(x *Array) *Array { return t.arena.Own(x) }

// Keep returns x as a result of the function, which is not released. Messages name the function as the one that made x.
// For an argument Keep returns the array that the caller passed.
func (t *Temporaries) Keep(x *Array) *Array {
	if x == nil || x.arena != &t.arena {
		return x
	}
	for i, y := range t.headers {
		if x == y {
			return t.given[i]
		}
	}
	x.arena, x.fn = nil, t.fn
	t.outer.own(x)
	return x
}

// Release releases everything that was computed from the arguments and not kept. It is called once, usually deferred.
func (t *Temporaries) Release() {
	t.arena.Release()
	clear(t.given)
	clear(t.headers)
	t.outer, t.given, t.headers = nil, t.given[:0], t.headers[:0]
	temporaries.Put(t)
}
