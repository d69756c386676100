package sort

import (
	"bytes"
	"math"
	"slices"
	"unsafe"
)

// Key is an integer sort key.
type Key interface{ int32 | int64 }

// Float is a type that is sorted without keys.
type Float interface{ float32 | float64 }

// Number is a Key, or a Float that is neither -0 nor NaN.
type Number interface{ Key | Float }

// Sort sorts keys. spare has room for as many keys as x.
func Sort[K Key](x, spare []K) { SortWithin(x, spare, 0, len(x)) }

// SortWithin puts those keys into [from, to) of x that Sort puts there. The content of the rest of x is then arbitrary.
func SortWithin[K Key](x, spare []K, from, to int) {
	switch {
	case len(x) < 2:
	case !vectors():
		plainSort(x, spare)
	default:
		Part[K]{home: x, work: spare[:len(x)]}.SortWithin(from, to)
	}
}

// Part is a run of numbers that are adjacent in the sorted row and can be sorted independently.
type Part[N Number] struct {
	home  []N  // where the sorted numbers go
	work  []N  // room for as many numbers
	moved bool // the numbers are in work, and home is the spare room
}

// Whole returns all keys as one part; spare has room for as many. ok is false if there are no routines for parts.
func Whole[K Key](x, spare []K) (p Part[K], ok bool) {
	return Part[K]{home: x, work: spare[:len(x)]}, vectors()
}

// CopyParts copies numbers to x and spare, as two parts to be sorted: no number of high is less than a number of low. x and
// spare have room for all numbers. ok is false if the numbers cannot be sorted by value alone, because there is a NaN or
// a -0 among them, or if there is no routine.
func CopyParts[N Number](x, spare, from []N) (low, high Part[N], ok bool) {
	if !vectors() {
		return low, high, false
	}
	n := len(from)
	x, spare = x[:n], spare[:n]
	if n <= networkLen[N]() {
		return Part[N]{}, Part[N]{home: x, work: spare}, take(x, from)
	}
	at, ok := takeParts(from, x, spare, middle(from))
	low, high = Part[N]{home: x, work: spare}.cut(at)
	return low, high, ok
}

// Halves splits a part in two, like Take.
func (p Part[N]) Halves() (low, high Part[N]) {
	if len(p.home) <= networkLen[N]() {
		return Part[N]{}, p
	}
	pivot := middle(p.numbers())
	return p.cut(parts(p.numbers(), p.home, p.work, pivot))
}

// cut returns the two parts of a partition: the lower one, of at numbers, lies in home, the upper one in work.
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

// Len returns how many numbers the part has.
func (p Part[N]) Len() int { return len(p.home) }

// Sort sorts the numbers into home.
func (p Part[N]) Sort() { p.SortWithin(0, len(p.home)) }

// SortWithin puts those numbers into [from, to) of home that Sort puts there. The content of the rest of home is then arbitrary. from and to
// may lie outside of home.
func (p Part[N]) SortWithin(from, to int) { p.sort(4*log2(len(p.home)), from, to) }

func log2(n int) (k int) {
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}

// sort is a quicksort that ends in sorting networks: it splits the part until the rest fits the registers, and leaves out what lies outside
// of [from, to). If pivots stay bad for depth splits, slices.Sort takes over.
func (p Part[N]) sort(depth, from, to int) {
	for max(from, 0) < len(p.home) && to > 0 {
		if len(p.home) <= networkLen[N]() {
			network(p.home, p.numbers())
			return
		}
		if allEqual(p.numbers()) {
			p.copyHome()
			return
		}
		if depth--; depth < 0 {
			p.copyHome()
			slices.Sort(p.home)
			return
		}
		pivot := middle(p.numbers())
		low, high := p.cut(parts(p.numbers(), p.home, p.work, pivot))
		if len(low.home) == 0 { // no number is less than the pivot: those equal to it are in order
			if pivot == largest[N]() {
				high.copyHome()
				return
			}
			at := parts(high.work, high.home, high.work, next(pivot))
			_, p = high.cut(at)
			from, to = from-at, to-at
			continue
		}
		at := len(low.home)
		if at > len(high.home) { // the shorter part by a call
			high.sort(depth, from-at, to-at)
			p = low
		} else {
			low.sort(depth, from, to)
			p, from, to = high, from-at, to-at
		}
	}
}

// allEqual compares the numbers with their neighbours, as bytes. It ends at the first difference.
func allEqual[N Number](x []N) bool {
	size := int(unsafe.Sizeof(x[0]))
	all := unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*size)
	return bytes.Equal(all[size:], all[:len(all)-size])
}

// copyHome copies the numbers to home.
func (p Part[N]) copyHome() {
	if p.moved {
		copy(p.home, p.work)
	}
}

// largest returns the number that sorts last; next returns the number that follows another.
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
