package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// If the values of an output are contiguous, the best value of each piece is computed first. The index of the best
// value is then looked for only in the first piece that has it.

// piecesAtOnce is how many pieces are combined by one call.
const piecesAtOnce = 64

// reducePieces computes all outputs.
func (a *argReduction) reducePieces(outputs int) {
	groups := (a.length + strided.GroupLen - 1) / strided.GroupLen
	perGroup := pieceCost * float64(min(a.length, strided.GroupLen)*a.dtype.Size()) / 4
	switch {
	case a.length <= reduce.Longest && len(a.x.Shape) == 1:
		workers.ForRanges(outputs, perGroup, a.reduceShortRows)
		return
	case groups == 1:
		workers.ForRanges(outputs, perGroup, func(from, to int) {
			room := memory.TakeScratch(16 * (piecesAtOnce + 1))
			for output := from; output < to; output++ {
				a.store(output, a.reduceGroup(output, 0, room.At(16*piecesAtOnce), room.At(0)))
			}
			room.Recycle()
		})
		return
	}
	size := a.dtype.Size()
	bests, indices := memory.TakeScratch(outputs*groups*size), memory.TakeScratch(outputs*groups*8)
	workers.ForRanges(outputs*groups, perGroup, func(from, to int) {
		room := memory.TakeScratch(16 * piecesAtOnce)
		for k := from; k < to; k++ {
			*(*int)(indices.At(k * 8)) = a.reduceGroup(k/groups, k%groups, bests.At(k*size), room.At(0))
		}
		room.Recycle()
	})
	for output := range outputs {
		best := output * groups
		for k := best + 1; k < (output+1)*groups; k++ {
			if a.better(bests.At(k*size), bests.At(best*size)) {
				best = k
			}
		}
		a.store(output, *(*int)(indices.At(best * 8)))
	}
	bests.Recycle()
	indices.Recycle()
}

// pieceCost is the cost of 4 bytes, in nanoseconds.
const pieceCost = 0.1

// reduceShortRows computes outputs whose rows are one piece each.
func (a *argReduction) reduceShortRows(from, to int) {
	room := memory.TakeScratch(16 * piecesAtOnce)
	for ; from < to; from += piecesAtOnce {
		rows := min(piecesAtOnce, to-from)
		a.extremes(room.At(0), a.x.At(from), rows, a.length, a.x.Step())
		for k := range rows {
			a.store(from+k, a.find(a.x.At(from+k), a.length, room.At(k*a.dtype.Size())))
		}
	}
	room.Recycle()
}

// reduceGroup returns the index of the best value of a group, and writes the value to best. bests has room for the best
// values of the pieces.
func (a *argReduction) reduceGroup(output, group int, best, bests unsafe.Pointer) int {
	start, size := group*strided.GroupLen, a.dtype.Size()
	end := min(start+strided.GroupLen, a.length)
	row := a.x.At(output)
	found, foundLen := -1, 0
	for start < end {
		n := min(reduce.Longest, end-start)
		pieces := min((end-start)/n, piecesAtOnce)
		a.extremes(bests, unsafe.Add(row, start*size), pieces, n, n)
		for k := range pieces {
			if v := unsafe.Add(bests, k*size); found < 0 || a.better(v, best) {
				copy(memory.Slice[byte](best, size), memory.Slice[byte](v, size))
				found, foundLen = start+k*n, n
			}
		}
		start += pieces * n
	}
	return found + a.find(unsafe.Add(row, found*size), foundLen, best)
}

// store stores the index of an output.
func (a *argReduction) store(output, index int) {
	if a.y.DType == dtype.Int64 {
		*(*int64)(a.y.At(output)) = int64(index)
		return
	}
	v := int64(index)
	dtype.Convert(a.y.DType, a.y.At(output), 1, dtype.Int64, unsafe.Pointer(&v), 1, 1)
}
