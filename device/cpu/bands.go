package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// bandRows is how many rows of a plane a band has. Where an input lies across the loop, as a transposed matrix does, all
// lines of memory that a block touches are used for the band's other rows too, while they are in the cache, and few pages
// are read at once.
const bandRows = 64

// lowestPlane is how many rows a plane must have.
const lowestPlane = 16

// bandPitch is how far the rows of a band lie apart: no power of two, lest they fall on the same sets of the cache.
const bandPitch = blockLen + 16

// band is what one worker has loaded of a crossed input: for some rows, the columns of a block.
type band struct {
	room        scratch
	row, column int // the first ones
	loaded      bool
}

// findCrossed looks for inputs that are better read in bands, and orders the blocks so that they go down one band's rows
// before they go on along them.
func (e *evaluation) findCrossed() {
	rank := e.launch.Rank
	if rank < 2 || !e.withinRows() || e.launch.Shape[rank-2] < lowestPlane {
		return
	}
	for k, param := range e.plan.program.Inputs {
		x := &e.inputs[k]
		if param.Raw || x.inPlace || x.uniform {
			continue
		}
		if down := magnitude(x.strides[rank-2]); down != 0 && down < magnitude(x.step()) {
			x.crossed = true
			e.plane = e.launch.Shape[rank-2]
		}
	}
}

// boundsInBand is bounds where blocks go down bands.
func (e *evaluation) boundsInBand(block int) (start, n int) {
	perRow := e.perRow()
	plane, rest := block/(e.plane*perRow), block%(e.plane*perRow)
	top := rest / (bandRows * perRow) * bandRows
	rest -= top * perRow
	height := min(bandRows, e.plane-top)
	column := rest / height * blockLen
	return (plane*e.plane+top+rest%height)*e.row + column, min(blockLen, e.row-column)
}

// fromBand returns where the n elements of a crossed input from a point on lie in its band, which is loaded if need be.
func (e *evaluation) fromBand(r *registers, input int, t dtype.DType, start, n int) unsafe.Pointer {
	b := &r.bands[input]
	row, column := start/e.row, start%e.row
	inPlane := row % e.plane
	top := row - inPlane%bandRows
	if !b.loaded || b.row != top || b.column != column {
		b.room.grow(bandRows * bandPitch * t.Size())
		height := min(bandRows, e.plane-(inPlane-inPlane%bandRows))
		e.inputs[input].loadBand(b.room.at(0), t, top*e.row+column, n, height)
		b.row, b.column, b.loaded = top, column, true
	}
	return b.room.at((row - top) * bandPitch * t.Size())
}

// loadBand converts, for rows rows from a point on, n elements.
func (x *input) loadBand(dst unsafe.Pointer, t dtype.DType, start, n, rows int) {
	offset, step, down := x.offset(start), x.step(), x.strides[len(x.strides)-2]
	if x.dtype != t {
		for j := range n {
			dtype.Convert(t, unsafe.Add(dst, j*t.Size()), bandPitch, x.dtype, x.element(offset+j*step), down, rows)
		}
		return
	}
	src := x.element(offset)
	if down == 1 && step > 0 {
		move.Transpose(dst, bandPitch, src, step, n, rows, x.size)
		return
	}
	switch x.size {
	case 1:
		turn[uint8](dst, src, n, rows, step, down)
	case 2:
		turn[uint16](dst, src, n, rows, step, down)
	case 4:
		turn[uint32](dst, src, n, rows, step, down)
	case 8:
		turn[uint64](dst, src, n, rows, step, down)
	case 16:
		turn[[2]uint64](dst, src, n, rows, step, down)
	}
}

// turn copies columns to the rows of a band.
func turn[T any](dst, src unsafe.Pointer, n, rows, step, down int) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	z := elements[T](dst, (rows-1)*bandPitch+n)
	for j := range n {
		at := j * step * size
		for i := j; i < len(z); i += bandPitch {
			z[i] = *(*T)(unsafe.Add(src, at))
			at += down * size
		}
	}
}
