package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// A column-major input is one whose elements lie closer together down the columns of the loop than along its rows, as those of a
// transposed matrix do. It is loaded in tiles: a block of columns for several rows, so that all that a line of the cache holds is
// used while it is there, and few pages of memory are read at once.

// tileRows is how many rows a tile has.
const tileRows = 64

// fewestRows is how many rows a plane must have.
const fewestRows = 16

// tilePitch is how far the rows of a tile lie apart: no power of two, lest they fall on the same sets of the cache.
const tilePitch = strided.BlockLen + 16

// tile is what one worker has loaded of a column-major input: for some rows, the columns of a block.
type tile struct {
	room        memory.Scratch
	row, column int // the first ones
	loaded      bool
}

// findColumnMajor looks for inputs that are better read in tiles, and orders the blocks so that they go down the rows of one tile
// before they go on to the next.
func (e *Evaluation) findColumnMajor() {
	rank := e.launch.Rank
	if rank < 2 || !e.WithinRows() || e.launch.Shape[rank-2] < fewestRows {
		return
	}
	for k, param := range e.plan.program.Inputs {
		x := &e.Inputs[k]
		if param.Raw || x.inPlace || x.Uniform {
			continue
		}
		if down := strided.Magnitude(x.Strides[rank-2]); down != 0 && down < strided.Magnitude(x.Step()) {
			x.columnMajor = true
			e.plane = e.launch.Shape[rank-2]
		}
	}
}

// boundsInTiles is bounds where blocks go down the rows of tiles.
func (e *Evaluation) boundsInTiles(block int) (start, n int) {
	perRow := e.perRow()
	plane, rest := block/(e.plane*perRow), block%(e.plane*perRow)
	top := rest / (tileRows * perRow) * tileRows
	rest -= top * perRow
	height := min(tileRows, e.plane-top)
	column := rest / height * strided.BlockLen
	return (plane*e.plane+top+rest%height)*e.Row + column, min(strided.BlockLen, e.Row-column)
}

// fromTile returns where the n elements of a column-major input from a point on lie in its tile, which is loaded if need be.
func (e *Evaluation) fromTile(r *Registers, input int, t dtype.DType, start, n int) unsafe.Pointer {
	b := &r.tiles[input]
	row, column := start/e.Row, start%e.Row
	inPlane := row % e.plane
	top := row - inPlane%tileRows
	if !b.loaded || b.row != top || b.column != column {
		b.room.Grow(tileRows * tilePitch * t.Size())
		height := min(tileRows, e.plane-(inPlane-inPlane%tileRows))
		e.Inputs[input].loadTile(b.room.At(0), t, top*e.Row+column, n, height)
		b.row, b.column, b.loaded = top, column, true
	}
	return b.room.At((row - top) * tilePitch * t.Size())
}

// loadTile converts, for rows rows from a point on, n elements.
func (x *Input) loadTile(dst unsafe.Pointer, t dtype.DType, start, n, rows int) {
	offset, step, down := x.Offset(start), x.Step(), x.Strides[len(x.Strides)-2]
	if x.DType != t {
		for j := range n {
			dtype.Convert(t, unsafe.Add(dst, j*t.Size()), tilePitch, x.DType, x.Element(offset+j*step), down, rows)
		}
		return
	}
	src := x.Element(offset)
	if down == 1 && step > 0 {
		move.Transpose(dst, tilePitch, src, step, n, rows, x.Size)
		return
	}
	switch x.Size {
	case 1:
		transpose[uint8](dst, src, n, rows, step, down)
	case 2:
		transpose[uint16](dst, src, n, rows, step, down)
	case 4:
		transpose[uint32](dst, src, n, rows, step, down)
	case 8:
		transpose[uint64](dst, src, n, rows, step, down)
	case 16:
		transpose[[2]uint64](dst, src, n, rows, step, down)
	}
}

// transpose copies columns to the rows of a tile, whatever the strides: move.Transpose wants columns without gaps.
func transpose[T any](dst, src unsafe.Pointer, n, rows, step, down int) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	z := memory.Slice[T](dst, (rows-1)*tilePitch+n)
	for j := range n {
		at := j * step * size
		for i := j; i < len(z); i += tilePitch {
			z[i] = *(*T)(unsafe.Add(src, at))
			at += down * size
		}
	}
}
