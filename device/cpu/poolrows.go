package cpu

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/window"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Pooling by rows computes each element of a result from the operands alone: windows from the input, and gradients from
// the windows that cover an element. So rows can be shared among workers as they come. Operands whose rows are contiguous
// are read and written in place, others through buffers of a plane or a row.

// Sums of up to so many numbers are carried in their own type; and so many positions fit into a byte, with one to spare
// for what is no position.
const (
	fewSummands  = 64
	fewPositions = 255
)

// byRows reports whether pooling by rows is for windows of elements of type t.
func (p *pooling) byRows(t dtype.DType) bool {
	points := p.kernel[0] * p.kernel[1] * p.kernel[2]
	switch {
	case t == dtype.Float32 && p.launch.Combine == device.CombineMax, t == dtype.Float64:
		return points <= fewPositions
	case t == dtype.Float32:
		return points <= fewSummands
	}
	return false
}

// poolCell bounds how much of a row is shared among workers as one piece.
const poolCell = 4096

// eachRow calls body for parts of the rows of a result, a whole plane of them at a time where planes go through buffers.
// cost is that of an element.
func (p *pooling) eachRow(g *grid, byPlane bool, cost float64, body func(cells poolCells)) {
	planes := p.launch.Shape[0] * p.launch.Shape[1]
	rows, n := g.size[0]*g.size[1], g.size[2]
	if n == 0 || rows == 0 {
		return
	}
	cells := (n + poolCell - 1) / poolCell
	if byPlane {
		forRanges(planes, float64(rows*n)*cost, func(from, to int) { body(poolCells{g, cells, from * rows * cells, to * rows * cells}) })
		return
	}
	forRanges(planes*rows*cells, float64(n/cells)*cost, func(from, to int) { body(poolCells{g, cells, from, to}) })
}

// poolCells are the cells of rows from one to another.
type poolCells struct {
	grid     *grid
	perRow   int
	from, to int
}

// each calls body for cells in order: the elements from one to another of row (i, k) of a plane.
func (c *poolCells) each(body func(plane, i, k, from, to int)) {
	g := c.grid
	row, cell := c.from/c.perRow, c.from%c.perRow
	k, i, plane := row%g.size[1], row/g.size[1]%g.size[0], row/(g.size[1]*g.size[0])
	for range c.to - c.from {
		body(plane, i, k, cell*poolCell, min((cell+1)*poolCell, g.size[2]))
		if cell++; cell < c.perRow {
			continue
		}
		cell = 0
		if k++; k < g.size[1] {
			continue
		}
		k = 0
		if i++; i == g.size[0] {
			i, plane = 0, plane+1
		}
	}
}

// inPlace reports whether the rows of an operand can be read and written as vectors of type t.
func (p *pooling) inPlace(g *grid, t dtype.DType) bool {
	return p.launch.Operands[g.operand].DType == t && g.strides[0] >= 0 && g.strides[1] >= 0 && g.strides[2] == 1
}

// extent returns how many elements a plane reaches over that has some and is in place.
func (g *grid) extent() int {
	n := 1
	for axis, size := range g.size {
		n += (size - 1) * g.strides[axis]
	}
	return n
}

// packed returns a grid for the elements of g without gaps.
func (g *grid) packed() [3]int { return [3]int{g.size[1] * g.size[2], g.size[2], 1} }

// plane returns the address of a plane's first element.
func (p *pooling) plane(g *grid, plane int) unsafe.Pointer {
	op, channels := &p.launch.Operands[g.operand], p.launch.Shape[1]
	return unsafe.Add(first(op), (plane/channels*op.Strides[0]+plane%channels*op.Strides[1])*op.DType.Size())
}

// element returns the address of an element of a plane.
func (p *pooling) element(g *grid, plane, i, k, j int) unsafe.Pointer {
	offset := i*g.strides[0] + k*g.strides[1] + j*g.strides[2]
	return unsafe.Add(p.plane(g, plane), offset*p.launch.Operands[g.operand].DType.Size())
}

// planeReader gives an operand's planes as vectors, in place or in a buffer.
type planeReader[T any] struct {
	pooling *pooling
	grid    *grid
	dtype   dtype.DType
	direct  bool
	buffer  unsafe.Pointer
	number  int // of the plane at hand
	values  []T
}

func (r *planeReader[T]) at(plane int) []T {
	if plane == r.number {
		return r.values
	}
	r.number = plane
	switch {
	case r.grid.points() == 0: // whose address may be behind a block of memory
	case r.direct:
		r.values = unsafe.Slice((*T)(r.pooling.plane(r.grid, plane)), r.grid.extent())
	default:
		r.pooling.load(r.grid, plane, r.buffer, r.dtype)
		r.values = unsafe.Slice((*T)(r.buffer), r.grid.points())
	}
	return r.values
}

// bufferBytes returns how much buffer a reader needs.
func (r *planeReader[T]) bufferBytes() int {
	if r.direct {
		return 0
	}
	return wordsFor(r.grid.points()*r.dtype.Size()+1) * 8 // one more: nothing may begin behind the buffer
}

func (r *planeReader[T]) strides() [3]int {
	if r.direct {
		return r.grid.strides
	}
	return r.grid.packed()
}

// rowWriter takes parts of an operand's rows as vectors, in place or from a buffer.
type rowWriter[T any] struct {
	pooling *pooling
	grid    *grid
	dtype   dtype.DType
	direct  bool
	buffer  []T
	place   unsafe.Pointer
}

// row returns room for elements of a row.
func (w *rowWriter[T]) row(plane, i, k, from, n int) []T {
	w.place = w.pooling.element(w.grid, plane, i, k, from)
	if w.direct {
		return unsafe.Slice((*T)(w.place), n)
	}
	return w.buffer[:n]
}

// written brings the elements to their places.
func (w *rowWriter[T]) written(row []T) {
	if !w.direct {
		to := w.pooling.launch.Operands[w.grid.operand].DType
		dtype.Convert(to, w.place, w.grid.strides[2], w.dtype, unsafe.Pointer(unsafe.SliceData(row)), 1, len(row))
	}
}

// combineRows is Pool by rows.
func combineRows[T float32 | float64](p *pooling, t dtype.DType) {
	y, positions := p.along(0), p.along(1)
	c := window.Sums
	located := p.launch.Combine == device.CombineMax && !p.launch.Operands[1].Memory.IsNil()
	empty := T(0)
	if p.launch.Combine == device.CombineMax {
		c, empty = window.Largest, T(math.Inf(-1))
	}
	if located {
		c = window.LargestAt
	}
	x := planeReader[T]{pooling: p, grid: &p.input, dtype: t, direct: p.inPlace(&p.input, t)}
	out := rowWriter[T]{pooling: p, grid: &y, dtype: t, direct: p.inPlace(&y, t)}
	at := rowWriter[uint8]{pooling: p, grid: &positions, dtype: dtype.Uint8, direct: located && p.inPlace(&positions, dtype.Uint8)}
	first, second, runs := p.windowsAlong(0), p.windowsAlong(1), p.runsOfWindows()
	stride := p.window.Stride[2]
	points := p.kernel[0] * p.kernel[1] * p.kernel[2]

	p.eachRow(&y, !x.direct, 0.5+0.15*float64(points), func(cells poolCells) {
		x, out, at := x, out, at
		const room = poolCell * (8 + 1)
		buffer := takeScratch(room + x.bufferBytes())
		out.buffer, at.buffer = unsafe.Slice((*T)(buffer.at(0)), poolCell), unsafe.Slice((*uint8)(buffer.at(8*poolCell)), poolCell)
		if !x.direct {
			x.buffer = buffer.at(room)
		}
		x.number = -1
		lists := newTapLists(p, first, second, runs, x.strides())
		var where []uint8
		cells.each(func(plane, i, k, from, to int) {
			values := x.at(plane)
			lists, base := lists.row(i, k)
			row := out.row(plane, i, k, from, to-from)
			if located {
				where = at.row(plane, i, k, from, to-from)
			}
			for r := range runs {
				run, taps := &runs[r], lists[r].taps
				a, b := max(run.from, from), min(run.to, to)
				if a >= b {
					continue
				}
				part, partAt := row[a-from:b-from], where
				if located {
					partAt = where[a-from : b-from]
				}
				if len(taps) > 0 {
					window.Combine(c, part, partAt, values, base+run.base+(a-run.from)*stride, stride, taps)
					continue
				}
				for j := range part {
					part[j] = empty
				}
				clear(partAt)
			}
			out.written(row)
			if located {
				at.written(where)
			}
		})
		buffer.recycle()
	})
}

// spreadRows is PoolGrad by rows.
func spreadRows[T float32 | float64](p *pooling, t dtype.DType) {
	g, positions := p.along(1), grid{}
	placed := p.launch.N == 3
	gy := planeReader[T]{pooling: p, grid: &g, dtype: t, direct: p.inPlace(&g, t)}
	if placed {
		positions = p.along(2)
		gy.direct = gy.direct && p.inPlace(&positions, dtype.Uint8) && positions.strides == g.strides
	}
	at := positionReader{planeReader[uint8]{pooling: p, grid: &positions, dtype: dtype.Uint8, direct: gy.direct || !placed}}
	out := rowWriter[T]{pooling: p, grid: &p.input, dtype: t, direct: p.inPlace(&p.input, t)}
	first, second, runs := p.coversAlong(0), p.coversAlong(1), p.runsOfElements()
	stride := p.window.Stride[2]
	points := p.kernel[0] * p.kernel[1] * p.kernel[2]
	strides := p.window.Stride[0] * p.window.Stride[1] * stride

	p.eachRow(&p.input, !gy.direct, 0.5+0.2*float64(points)/float64(strides), func(cells poolCells) {
		gy, at, out := gy, at, out
		const room = poolCell * 8
		buffer := takeScratch(room + gy.bufferBytes() + at.bufferBytes())
		out.buffer = unsafe.Slice((*T)(buffer.at(0)), poolCell)
		if !gy.direct {
			gy.buffer = buffer.at(room)
		}
		if !at.direct {
			at.buffer = buffer.at(room + gy.bufferBytes())
		}
		gy.number, at.number = -1, -1
		lists := newTapLists(p, first, second, runs, gy.strides())
		var where []uint8
		cells.each(func(plane, i, k, from, to int) {
			values := gy.at(plane)
			if placed {
				where = at.at(plane)
			}
			lists, base := lists.row(i, k)
			row := out.row(plane, i, k, from, to-from)
			for r := range runs {
				run, list := &runs[r], &lists[r]
				a, b := max(run.from*stride, from), min(run.to*stride, to)
				if a >= b {
					continue
				}
				part := row[a-from : b-from]
				if len(list.taps) == 0 {
					clear(part)
					continue
				}
				if phase := a % stride; phase > 0 { // a cell begins within a group
					n := min(stride-phase, len(part))
					spreadGroup(part[:n], values, where, base+a/stride, list, phase)
					if part, a = part[n:], a+n; len(part) == 0 {
						continue
					}
				}
				window.Spread(part, values, where, base+a/stride, list.taps, list.ends)
			}
			out.written(row)
		})
		buffer.recycle()
	})
}

// spreadGroup computes elements of one group from a phase on.
func spreadGroup[T float32 | float64](x []T, g []T, at []uint8, start int, list *tapList, phase int) {
	for i := range x {
		from := 0
		if phase+i > 0 {
			from = list.ends[phase+i-1]
		}
		own := list.taps[from:list.ends[phase+i]]
		window.Spread(x[i:i+1], g, at, start, own, []int{len(own)})
	}
}

// positionReader gives positions as bytes. What is no position of a window becomes fewPositions.
type positionReader struct{ planeReader[uint8] }

func (r *positionReader) at(plane int) []uint8 {
	op := &r.pooling.launch.Operands[r.grid.operand]
	if r.direct || plane == r.number || op.DType == dtype.Uint8 {
		return r.planeReader.at(plane)
	}
	r.number = plane
	r.values = unsafe.Slice((*uint8)(r.buffer), r.grid.points())
	r.pooling.each(r.grid, plane, func(row unsafe.Pointer, at int) {
		for j := range r.grid.size[2] {
			v := *(*int64)(unsafe.Add(row, 8*j*r.grid.strides[2]))
			r.values[at+j] = uint8(min(uint64(v), fewPositions))
		}
	})
	return r.values
}
