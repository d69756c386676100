package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Find returns the place of the first of n elements, n <= Longest, that equals v, or that is no number if v is none. There is
// one.
func Find[T scalar.Float](a *T, n int, v T) int {
	if v != v {
		return plainFind(a, n, v)
	}
	return find(a, n, v)
}

func plainFind[T scalar.Float](a *T, n int, v T) int {
	for i, w := range unsafe.Slice(a, n) {
		if w == v || w != w && v != v {
			return i
		}
	}
	return n
}

// fewRows is how many rows are gone down at once: their lines are all in the cache, however far apart they lie.
const fewRows = 4

// Place is the type of the numbers of rows that searches down columns of floats note: as wide as those.
type Place interface{ int32 | int64 }

// Places replaces each of the n values at best, n <= Longest, and its place, by the first that is larger, or smaller if op is
// Min, in its column of the rows, rows > 0, which are pitch elements apart and numbered from first on. A not-a-number is
// beyond all numbers.
func Places[T scalar.Float, P Place](op Op, best *T, places *P, a *T, rows, n, pitch, first int) {
	for ; rows > fewRows; rows -= fewRows {
		placesPiece(op, best, places, a, fewRows, n, pitch, first)
		a, first = ahead(a, fewRows*pitch), first+fewRows
	}
	placesPiece(op, best, places, a, rows, n, pitch, first)
}

func plainPlaces[T scalar.Float, P Place](op Op, best *T, places *P, a *T, rows, n, pitch, first int) {
	values, numbers := unsafe.Slice(best, n), unsafe.Slice(places, n)
	for i := range rows {
		x := row(a, i, n, pitch)[:len(values)]
		if op == Max {
			for k, w := range x {
				if v := values[k]; !(w <= v) && v == v {
					values[k], numbers[k] = w, P(first+i)
				}
			}
			continue
		}
		for k, w := range x {
			if v := values[k]; !(w >= v) && v == v {
				values[k], numbers[k] = w, P(first+i)
			}
		}
	}
}
