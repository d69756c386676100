package sort

import (
	"math"
	"slices"
)

// Key is a number that values are sorted by.
type Key interface{ int32 | int64 }

// Float is a number that is sorted as it is.
type Float interface{ float32 | float64 }

// Number is a Key, or a Float that is neither -0 nor a not-a-number.
type Number interface{ Key | Float }

// Sort sorts keys. There is room for as many.
func Sort[K Key](x, spare []K) {
	switch {
	case len(x) < 2:
	case !vectors():
		plainSort(x, spare)
	default:
		Part[K]{home: x, work: spare[:len(x)]}.Sort()
	}
}

// Part is numbers that are to be sorted for themselves.
type Part[N Number] struct {
	home  []N  // where they belong
	work  []N  // room for as many
	moved bool // they are in work, and home is room
}

// Whole returns keys as a part, with room for as many; not ok where there are no routines for parts.
func Whole[K Key](x, spare []K) (p Part[K], ok bool) {
	return Part[K]{home: x, work: spare[:len(x)]}, vectors()
}

// Take copies floats that are to be sorted, as two parts: nothing that belongs in the second one is less than what does in
// the first. There is room for as many. It is not ok where floats cannot be sorted so: where there is a not-a-number or a -0
// among them, or no routine.
func Take[F Float](x, spare, from []F) (low, high Part[F], ok bool) {
	if !vectors() {
		return low, high, false
	}
	n := len(from)
	x, spare = x[:n], spare[:n]
	if n <= networkLen[F]() {
		return Part[F]{}, Part[F]{home: x, work: spare}, take(x, from)
	}
	at, ok := takeParts(from, x, spare, middle(from))
	low, high = Part[F]{home: x, work: spare}.cut(at)
	return low, high, ok
}

// Halves cuts a part in two, as Take does.
func (p Part[N]) Halves() (low, high Part[N]) {
	if len(p.home) <= networkLen[N]() {
		return Part[N]{}, p
	}
	pivot := middle(p.numbers())
	return p.cut(parts(p.numbers(), p.home, p.work, pivot))
}

// cut returns the parts of which the first so many numbers are at home, and the others in work.
func (p Part[N]) cut(at int) (low, high Part[N]) {
	rest := len(p.home) - at
	return Part[N]{p.home[:at], p.work[rest:], false}, Part[N]{p.home[at:], p.work[:rest], true}
}

func (p Part[N]) numbers() []N {
	if p.moved {
		return p.work
	}
	return p.home
}

// Sort sorts the numbers where they belong.
func (p Part[N]) Sort() { p.sort(4 * log2(len(p.home))) }

func log2(n int) (k int) {
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}

// sort cuts the part until what is left fits the registers. After many cuts that have not helped much, another algorithm goes
// on.
func (p Part[N]) sort(depth int) {
	for len(p.home) > networkLen[N]() {
		if depth--; depth < 0 {
			p.give()
			slices.Sort(p.home)
			return
		}
		pivot := middle(p.numbers())
		low, high := p.cut(parts(p.numbers(), p.home, p.work, pivot))
		if len(low.home) == 0 { // nothing is less: what is equal is in order
			if pivot == largest[N]() {
				high.give()
				return
			}
			_, p = high.cut(parts(high.work, high.home, high.work, next(pivot)))
			continue
		}
		if len(low.home) > len(high.home) {
			low, high = high, low
		}
		low.sort(depth)
		p = high
	}
	if len(p.home) > 0 {
		network(p.home, p.numbers())
	}
}

// give brings the numbers where they belong.
func (p Part[N]) give() {
	if p.moved {
		copy(p.home, p.work)
	}
}

// largest returns the number that comes last, next the one that comes after another.
func largest[N Number]() N {
	var n N
	switch n := any(&n).(type) {
	case *int32:
		*n = math.MaxInt32
	case *int64:
		*n = math.MaxInt64
	case *float32:
		*n = float32(math.Inf(1))
	case *float64:
		*n = math.Inf(1)
	}
	return n
}

func next[N Number](n N) N {
	switch n := any(&n).(type) {
	case *int32:
		*n++
	case *int64:
		*n++
	case *float32:
		*n = math.Nextafter32(*n, float32(math.Inf(1)))
	case *float64:
		*n = math.Nextafter(*n, math.Inf(1))
	}
	return n
}
