package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Find returns the index of the first of n elements, n <= Longest, that equals v, or that is NaN if v is NaN. There
// must be one.
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

// fewRows is the number of rows that one call processes: so few that their lines stay in the cache, however far apart
// they lie.
const fewRows = 4

// RowIndex is the type in which ArgColumns stores row indices: as wide as the floats, so that the lanes match.
type RowIndex interface{ int32 | int64 }

// ArgColumns goes down n columns, n <= Longest, of rows rows, rows > 0. The rows begin pitch elements apart and have the
// indices from first on. If an element is larger than the value at best, or smaller if op is Min, it replaces that
// value, and its row index replaces the one at indices. NaN counts as beyond all numbers.
func ArgColumns[T scalar.Float, P RowIndex](op Op, best *T, indices *P, a *T, rows, n, pitch, first int) {
	for ; rows > fewRows; rows -= fewRows {
		indicesPiece(op, best, indices, a, fewRows, n, pitch, first)
		a, first = ahead(a, fewRows*pitch), first+fewRows
	}
	indicesPiece(op, best, indices, a, rows, n, pitch, first)
}

func plainIndices[T scalar.Float, P RowIndex](op Op, best *T, indices *P, a *T, rows, n, pitch, first int) {
	values, numbers := unsafe.Slice(best, n), unsafe.Slice(indices, n)
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
