package sort

import (
	"math"
	"slices"
	"unsafe"
)

// Partition copies from to x, rearranged: x[k] is the number that a sort puts there, none before it is greater, and none
// after it is less. spare has room for as many numbers; from may be x. ok is false, and the content of x arbitrary, if
// from holds a NaN or a -0.
//
// The order of the numbers is the same at every instruction level: pivots come from the same elements, and parts keep the
// order of their numbers.
func Partition[N Number](x, spare, from []N, k int) (ok bool) {
	n := len(from)
	p := Part[N]{home: x[:n], work: spare[:n]}
	if n <= networkLen[N]() {
		return sortFew(p.home, from)
	}
	pivot := pivotOf(from)
	at, ok := split(from, p.home, p.work, pivot)
	if ok {
		low, high := p.cut(at)
		nearest(low, high, pivot, k, 4*log2(n))
	}
	return ok
}

// nearest partitions the part that number k of both parts lies in, and brings the other one home. The numbers of high are
// not less than the pivot, those of low are.
func nearest[N Number](low, high Part[N], pivot N, k, depth int) {
	for ; ; depth-- {
		p := low
		switch at := low.Len(); {
		case k < at:
			high.copyHome()
		case at == 0 && pivot == largest[N]():
			high.copyHome()
			return
		case at == 0: // those equal to the pivot are in order
			at, _ = split(high.work, high.home, high.work, next(pivot))
			if _, p = high.cut(at); k < at {
				p.copyHome()
				return
			}
			k -= at
		default:
			p, k = high, k-at
		}
		if p.Len() <= networkLen[N]() {
			sortFew(p.home, p.numbers())
			return
		}
		if depth == 0 {
			p.copyHome()
			slices.Sort(p.home)
			return
		}
		pivot = pivotOf(p.numbers())
		at, _ := split(p.numbers(), p.home, p.work, pivot)
		low, high = p.cut(at)
	}
}

// sortFew sorts the numbers of from, which fit the registers, into x. It reports whether they can be sorted by value
// alone.
func sortFew[N Number](x, from []N) (ok bool) {
	if vectors() {
		if ok = take(x, from); ok && len(x) > 0 {
			network(x, x)
		}
		return ok
	}
	copy(x, from)
	slices.Sort(x)
	return !slices.ContainsFunc(x, special)
}

// split copies the numbers of x less than the pivot to less, the others to rest, in their order. less or rest may be x.
// It also reports whether the numbers can be sorted by value alone.
func split[N Number](x, less, rest []N, pivot N) (count int, ok bool) {
	if vectors() {
		return takeParts(x, less, rest, pivot)
	}
	ok = true
	for i, v := range x {
		ok = ok && !special(v)
		less[count], rest[i-count] = v, v // the next number overwrites one of them
		if v < pivot {
			count++
		}
	}
	return count, ok
}

// special reports whether a number is NaN or -0.
func special[N Number](v N) bool { return v != v || v == 0 && math.Signbit(float64(v)) }

// pivotOf is middle at any instruction level.
func pivotOf[N Number](x []N) N {
	if vectors() {
		return middle(x)
	}
	var some [32]N
	step := min(len(x), middleOf) / len(some)
	for i := range some {
		some[i] = x[i*step+step/2]
	}
	slices.Sort(some[:])
	return some[len(some)/2]
}

// middleOf bounds the number of numbers that middle looks at.
const middleOf = 1 << 30

// networkLen returns how many numbers fit the registers.
func networkLen[N Number]() int { return 16 * 64 / int(unsafe.Sizeof(N(0))) }
