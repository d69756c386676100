package index

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// indexRows is an indexing of single elements with one index operand that varies along the rows of the loop, that is,
// along the last of the outer axes. This operand need not be loaded into a block, and no offsets are computed ahead.
type indexRows struct {
	*indexing
	varying int // the index operand
	row     int // points of a row
	pieces  int // number of pieces per row
}

// indexedPiece is how many elements are indexed at a time: the caller can be preempted between two pieces.
const indexedPiece = 1 << 14

// inRows returns the indexing as an indexRows; ok is false if it is none.
func (ix *indexing) inRows() (r indexRows, ok bool) {
	if ix.tail != 1 || !ix.mayFail() || ix.array.Row() < 8 {
		return r, false
	}
	r = indexRows{indexing: ix, varying: -1, row: ix.array.Row()}
	r.pieces = (r.row + indexedPiece - 1) / indexedPiece
	for j := range ix.axes {
		switch v := &ix.indices[j]; {
		case v.Step() == 0:
		case v.Step() != 1 || r.varying >= 0 || v.DType != dtype.Int64:
			return r, false
		default:
			r.varying = j
		}
	}
	return r, r.varying >= 0
}

// inRange reports whether the indices of a piece are in range.
func (r *indexRows) inRange(indices []int64) bool {
	size := int64(r.axes[r.varying].Size)
	return move.InRange(indices, r.lowest(size), size-1)
}

// count returns the number of pieces of all rows.
func (r *indexRows) count() int { return r.points / r.row * r.pieces }

// piece returns the first point of a piece, and its number of elements.
func (r *indexRows) piece(k int) (point int, p move.Selection) {
	column := k % r.pieces * indexedPiece
	point = k/r.pieces*r.row + column
	n := min(indexedPiece, r.row-column)
	offset := r.array.Offset(point)
	for j, axis := range r.axes {
		at := r.indices[j].At(point)
		if j == r.varying {
			p = move.Selection{Indices: memory.Slice[int64](at, n), Size: axis.Size, Stride: axis.Stride, Step: r.array.Step()}
			continue
		}
		var index int64
		dtype.Convert(dtype.Int64, unsafe.Pointer(&index), 1, r.indices[j].DType, at, 1, 1)
		if index < 0 {
			index += int64(axis.Size)
		}
		offset += int(index) * axis.Stride
	}
	p.Array = r.array.Element(offset)
	return point, p
}
