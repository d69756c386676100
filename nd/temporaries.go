package nd

import "sync"

// Temporaries is, for authors of functions that are made of others, what releases the arrays that such a function makes on
// the way to its result:
//
//	made := fn.Temporaries(&x, &w)
//	defer made.Release()
//	return made.Keep(ops.Divide(ops.Sum(ops.Multiply(x, w)), ops.Sum(w)))
//
// It is an arena for one call. What a tape has recorded may be released too: the tape holds the values that gradients read.
// It costs a header for each argument; a function with one or two temporaries is faster if it releases them itself.
type Temporaries struct {
	arena    Arena
	outer    *Arena   // of the arguments, to which results belong
	given    []*Array // the arguments
	standIns []*Array // the headers in their place
}

// instead returns y, and releases x, a header made on the way to it, unless that is y itself.
func instead(x, y *Array) *Array {
	if x != y {
		x.Release()
	}
	return y
}

var temporaries = sync.Pool{New: func() any { return new(Temporaries) }}

// Temporaries puts headers that it owns in the place of the arguments, so that it owns all that is computed from them. Nil
// arguments and Scalars stay as they are.
func (fn Func) Temporaries(arguments ...**Array) *Temporaries {
	t := temporaries.Get().(*Temporaries)
	t.arena.age = arenaAge.Add(1)
	for _, argument := range arguments {
		if x := *argument; x != nil && x.weak == nil {
			*argument = t.standIn(fn, x)
		}
	}
	return t
}

// standIn is the header that stands for x, known to a tape as x is.
func (t *Temporaries) standIn(fn Func, x *Array) *Array {
	x.check(fn)
	for i, known := range t.given {
		if known == x {
			return t.standIns[i]
		}
	}
	y := new(Array)
	y.standFor(x)
	t.arena.own(y)
	t.outer = younger(t.outer, x.arena)
	t.given, t.standIns = append(t.given, x), append(t.standIns, y)
	return y
}

// standFor makes y, which is new, a header on x. A tape that knows x knows it as the same.
func (y *Array) standFor(x *Array) {
	y.fn = x.fn
	y.setRank(len(x.shape))
	copy(y.shape, x.shape)
	copy(y.strides, x.strides)
	y.onStorage(x.store, x.dtype, x.offset)
	if x.node != nil {
		y.setNode(x.node, int(x.out))
	}
}

// Own has x, which was not computed from the arguments, released with the rest, and returns it.
func (t *Temporaries) Own(x *Array) *Array { return t.arena.Own(x) }

// Keep returns x as a result of the function, which is not released: an argument is returned as it was given.
func (t *Temporaries) Keep(x *Array) *Array {
	if x == nil || x.arena != &t.arena {
		return x
	}
	for i, y := range t.standIns {
		if x == y {
			return t.given[i]
		}
	}
	x.arena = nil
	t.outer.own(x)
	return x
}

// Release releases what was computed from the arguments and not kept. It is called once; to be deferred.
func (t *Temporaries) Release() {
	t.arena.Release()
	clear(t.given)
	clear(t.standIns)
	t.outer, t.given, t.standIns = nil, t.given[:0], t.standIns[:0]
	temporaries.Put(t)
}
