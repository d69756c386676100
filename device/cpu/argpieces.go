package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Where the values of an output lie one after the other, the best of each piece is found first, and looked for only in the
// first piece that has the best of all.

// piecesAtOnce is how many pieces are combined by one call.
const piecesAtOnce = 16

// findPieces searches for all outputs.
func (a *argReduction) findPieces(outputs int) {
	groups := (a.length + groupLen - 1) / groupLen
	perGroup := findCost * float64(min(a.length, groupLen)*a.dtype.Size()) / 4
	switch {
	case a.length <= reduce.Longest && len(a.x.shape) == 1:
		forRanges(outputs, perGroup, a.findInRows)
		return
	case groups == 1:
		forRanges(outputs, perGroup, func(from, to int) {
			room := takeScratch(16 * (piecesAtOnce + 1))
			for output := from; output < to; output++ {
				a.note(output, a.findGroup(output, 0, room.at(16*piecesAtOnce), room.at(0)))
			}
			room.recycle()
		})
		return
	}
	size := a.dtype.Size()
	bests, places := takeScratch(outputs*groups*size), takeScratch(outputs*groups*8)
	forRanges(outputs*groups, perGroup, func(from, to int) {
		room := takeScratch(16 * piecesAtOnce)
		for k := from; k < to; k++ {
			*(*int)(places.at(k * 8)) = a.findGroup(k/groups, k%groups, bests.at(k*size), room.at(0))
		}
		room.recycle()
	})
	for output := range outputs {
		best := output * groups
		for k := best + 1; k < (output+1)*groups; k++ {
			if a.better(bests.at(k*size), bests.at(best*size)) {
				best = k
			}
		}
		a.note(output, *(*int)(places.at(best * 8)))
	}
	bests.recycle()
	places.recycle()
}

// findCost is what searching 4 bytes takes, in nanoseconds.
const findCost = 0.1

// findInRows searches rows that are a piece each.
func (a *argReduction) findInRows(from, to int) {
	room := takeScratch(16 * piecesAtOnce)
	for ; from < to; from += piecesAtOnce {
		rows := min(piecesAtOnce, to-from)
		a.extremes(room.at(0), a.x.at(from), rows, a.length, a.x.step())
		for k := range rows {
			a.note(from+k, a.find(a.x.at(from+k), a.length, room.at(k*a.dtype.Size())))
		}
	}
	room.recycle()
}

// findGroup returns the place of the best value of a group, and writes the value to best. There is room for those of pieces at
// bests.
func (a *argReduction) findGroup(output, group int, best, bests unsafe.Pointer) int {
	start, size := group*groupLen, a.dtype.Size()
	end := min(start+groupLen, a.length)
	row := a.x.at(output)
	found, foundLen := -1, 0
	for start < end {
		n := min(reduce.Longest, end-start)
		pieces := min((end-start)/n, piecesAtOnce)
		a.extremes(bests, unsafe.Add(row, start*size), pieces, n, n)
		for k := range pieces {
			if v := unsafe.Add(bests, k*size); found < 0 || a.better(v, best) {
				copy(elements[byte](best, size), elements[byte](v, size))
				found, foundLen = start+k*n, n
			}
		}
		start += pieces * n
	}
	return found + a.find(unsafe.Add(row, found*size), foundLen, best)
}

// note stores a place.
func (a *argReduction) note(output, place int) {
	if a.y.dtype == dtype.Int64 {
		*(*int64)(a.y.at(output)) = int64(place)
		return
	}
	v := int64(place)
	dtype.Convert(a.y.dtype, a.y.at(output), 1, dtype.Int64, unsafe.Pointer(&v), 1, 1)
}
