package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The elements of a column-major input are closer together along the columns of the loop than along its rows, as in a
// transposed matrix. It is loaded in tiles, which are blocks of columns for several rows. So all elements of a cache
// line are used while the line is in the cache, and few memory pages are read at once.

// tileRows is how many rows a tile has.
const tileRows = 64

// fewestRows is the minimum number of rows of a plane.
const fewestRows = 16

// tilePitch is the distance between the rows of a tile. It is not a power of two, so that the rows do not map to the
// same cache sets.
const tilePitch = strided.BlockLen + 16

// tile is the part of a column-major input that one worker has loaded: the columns of a block, for some rows.
type tile struct {
	room        memory.Scratch
	row, column int // the first row and column
	loaded      bool
}

// findColumnMajor finds the inputs that should be read in tiles, and orders the blocks so that they go down the rows of
// one tile before they go on to the next tile.
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

// boundsInTiles is like bounds, for blocks that go down the rows of tiles.
func (e *Evaluation) boundsInTiles(block int) (start, n int) {
	perRow := e.perRow()
	plane, rest := block/(e.plane*perRow), block%(e.plane*perRow)
	top := rest / (tileRows * perRow) * tileRows
	rest -= top * perRow
	height := min(tileRows, e.plane-top)
	column := rest / height * strided.BlockLen
	return (plane*e.plane+top+rest%height)*e.Row + column, min(strided.BlockLen, e.Row-column)
}

// fromTile returns the address, in its tile, of the n elements of a column-major input that start at a point. It loads
// the tile if necessary.
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

// loadTile converts n elements in each of rows rows, starting at a point.
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

// transpose copies columns to the rows of a tile, with any strides: move.Transpose needs columns without gaps.
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
