package pooling

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/pool"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Pooling by rows computes each element of a result directly from the operands: windows from the input, and gradients
// from the windows that cover an element. So rows can be shared among workers in any order. Operands whose rows are
// contiguous are read and written in place, others through buffers of a plane or a row.

// fewTerms is the number of terms up to which sums are accumulated in their own type. fewPositions is the number of
// window points whose indices fit in a byte, with one value to spare for an index that is not in the window.
const (
	fewSummands  = 64
	fewPositions = 255
)

// byRows reports whether windows with elements of type t are pooled by rows.
func (p *plan) byRows(t dtype.DType) bool {
	points := p.kernel[0] * p.kernel[1] * p.kernel[2]
	switch {
	case t == dtype.Float32 && p.launch.Combine == device.CombineMax, t == dtype.Float64:
		return points <= fewPositions
	case t == dtype.Float32:
		return points <= fewSummands
	}
	return false
}

// cellElements limits the part of a plane that is shared among workers as one piece.
const cellElements = 4096

// cell is a part of a plane of results: the elements [from, to) of row (i, k), and of the rows after it that are
// computed from the same points, relative to their own base.
type cell struct {
	i, k     int
	from, to int
	rows     int
	base     int // of the first row
	down     int // from one row's base to the next row's base
	lists    []tapList
}

// cells splits a plane. Rows that are step apart may be computed from the same points; they share a cell if several
// rows are allowed.
func (t *tapLists) cells(g *grid, step int, several bool) []cell {
	var all []cell
	n := g.size[2]
	if n == 0 {
		return nil
	}
	class, bases := t.axes[1].class, t.axes[1].bases
	for i := range g.size[0] {
		for first := range min(step, g.size[1]) {
			for k := first; k < g.size[1]; {
				c := cell{i: i, k: k, rows: 1}
				c.lists, c.base = t.row(i, k)
				next := k + step
				if next < g.size[1] {
					c.down = (bases[next] - bases[k]) * t.strides[1]
				}
				for several && next < g.size[1] && class[next] == class[k] && (c.rows+1)*n <= cellElements {
					c.rows++
					next += step
				}
				for c.from = 0; c.from < n; c.from = c.to {
					c.to = min(c.from+cellElements, n)
					all = append(all, c)
				}
				k = next
			}
		}
	}
	return all
}

// eachCell calls body for the cells of all planes. If planes go through buffers, it calls body for all cells of a plane
// together. cost is the cost per element.
func (p *plan) eachCell(g *grid, cells []cell, byPlane bool, cost float64, body func(from, to int)) {
	planes, each := p.launch.Shape[0]*p.launch.Shape[1], len(cells)
	if each == 0 {
		return
	}
	cost *= float64(g.points())
	if byPlane {
		workers.ForRanges(planes, cost, func(from, to int) { body(from*each, to*each) })
		return
	}
	workers.ForRanges(planes*each, cost/float64(each), body)
}

// inPlace reports whether the rows of an operand can be read and written as vectors of type t.
func (p *plan) inPlace(g *grid, t dtype.DType) bool {
	return p.launch.Operands[g.operand].DType == t && g.strides[0] >= 0 && g.strides[1] >= 0 && g.strides[2] == 1
}

// extent returns the number of elements from the first to the last of a plane that is not empty and is in place.
func (g *grid) extent() int {
	n := 1
	for axis, size := range g.size {
		n += (size - 1) * g.strides[axis]
	}
	return n
}

// packed returns a contiguous grid for the elements of g.
func (g *grid) packed() [3]int { return [3]int{g.size[1] * g.size[2], g.size[2], 1} }

// plane returns the address of a plane's first element.
func (p *plan) plane(g *grid, plane int) unsafe.Pointer {
	op, channels := &p.launch.Operands[g.operand], p.launch.Shape[1]
	return unsafe.Add(strided.First(op), (plane/channels*op.Strides[0]+plane%channels*op.Strides[1])*op.DType.Size())
}

// element returns the address of an element of a plane.
func (p *plan) element(g *grid, plane, i, k, j int) unsafe.Pointer {
	offset := i*g.strides[0] + k*g.strides[1] + j*g.strides[2]
	return unsafe.Add(p.plane(g, plane), offset*p.launch.Operands[g.operand].DType.Size())
}

// planeReader provides an operand's planes as vectors, in place or in a buffer.
type planeReader[T any] struct {
	plan    *plan
	grid    *grid
	dtype   dtype.DType
	inPlace bool
	buffer  unsafe.Pointer
	number  int // of the current plane
	values  []T
}

func (r *planeReader[T]) at(plane int) []T {
	if plane == r.number {
		return r.values
	}
	r.number = plane
	switch {
	case r.grid.points() == 0: // whose address may be past the end of a block of memory
	case r.inPlace:
		r.values = unsafe.Slice((*T)(r.plan.plane(r.grid, plane)), r.grid.extent())
	default:
		r.plan.load(r.grid, plane, r.buffer, r.dtype)
		r.values = unsafe.Slice((*T)(r.buffer), r.grid.points())
	}
	return r.values
}

// bufferBytes returns the size of the buffer that a reader needs.
func (r *planeReader[T]) bufferBytes() int {
	if r.inPlace {
		return 0
	}
	return memory.WordsFor(r.grid.points()*r.dtype.Size()+1) * 8 // one more: nothing may begin after the end of the buffer
}

func (r *planeReader[T]) strides() [3]int {
	if r.inPlace {
		return r.grid.strides
	}
	return r.grid.packed()
}

// rowWriter provides parts of an operand's rows as vectors, in place or in a buffer for one row.
type rowWriter[T any] struct {
	plan    *plan
	grid    *grid
	dtype   dtype.DType
	inPlace bool
	buffer  []T
	address unsafe.Pointer
}

// rows returns memory for a cell's elements, and the distance of its rows in that memory.
func (w *rowWriter[T]) rows(plane int, c *cell, step int) (room []T, apart int) {
	w.address = w.plan.element(w.grid, plane, c.i, c.k, c.from)
	if w.inPlace {
		apart = step * w.grid.strides[1]
		return unsafe.Slice((*T)(w.address), (c.rows-1)*apart+c.to-c.from), apart
	}
	return w.buffer[:c.to-c.from], 0
}

// written stores the elements.
func (w *rowWriter[T]) written(row []T) {
	if !w.inPlace {
		to := w.plan.launch.Operands[w.grid.operand].DType
		dtype.Convert(to, w.address, w.grid.strides[2], w.dtype, unsafe.Pointer(unsafe.SliceData(row)), 1, len(row))
	}
}

// combineRows is Pool by rows.
func combineRows[T float32 | float64](p *plan, t dtype.DType) {
	y, positions := p.windowGrid(0), p.windowGrid(1)
	c := pool.Sums
	located := p.launch.Combine == device.CombineMax && !p.launch.Operands[1].Memory.IsNil()
	empty := T(0)
	if p.launch.Combine == device.CombineMax {
		c, empty = pool.Largest, T(math.Inf(-1))
	}
	if located {
		c = pool.LargestAt
	}
	x := planeReader[T]{plan: p, grid: &p.input, dtype: t, inPlace: p.inPlace(&p.input, t)}
	out := rowWriter[T]{plan: p, grid: &y, dtype: t, inPlace: p.inPlace(&y, t)}
	at := rowWriter[uint8]{plan: p, grid: &positions, dtype: dtype.Uint8, inPlace: located && p.inPlace(&positions, dtype.Uint8)}
	runs, stride := p.runsOfWindows(), p.window.Stride[2]
	lists := newTapLists(p, p.windowClasses(0), p.windowClasses(1), runs, x.strides())
	cells := lists.cells(&y, 1, out.inPlace && (at.inPlace || !located))
	points := p.kernel[0] * p.kernel[1] * p.kernel[2]

	p.eachCell(&y, cells, !x.inPlace, 0.5+0.15*float64(points), func(from, to int) {
		x, out, at := x, out, at
		const room = cellElements * (8 + 1)
		buffer := memory.TakeScratch(room + x.bufferBytes())
		out.buffer, at.buffer = unsafe.Slice((*T)(buffer.At(0)), cellElements), unsafe.Slice((*uint8)(buffer.At(8*cellElements)), cellElements)
		if !x.inPlace {
			x.buffer = buffer.At(room)
		}
		x.number = -1
		var where []uint8
		var apartAt int
		for unit := from; unit < to; unit++ {
			plane, cell := unit/len(cells), &cells[unit%len(cells)]
			values := x.at(plane)
			rows, apart := out.rows(plane, cell, 1)
			if located {
				where, apartAt = at.rows(plane, cell, 1)
			}
			for r := range runs {
				run, taps := &runs[r], cell.lists[r].taps
				a, b := max(run.from, cell.from), min(run.to, cell.to)
				if a >= b {
					continue
				}
				part, partAt := rows[a-cell.from:], where
				if located {
					partAt = where[a-cell.from:]
				}
				if len(taps) > 0 {
					source := pool.Rows{N: cell.rows, Length: b - a, Start: cell.base + run.base + (a-run.from)*stride, Down: cell.down, Apart: apart, ApartAt: apartAt}
					pool.Combine(c, source, part, partAt, values, stride, taps)
					continue
				}
				for row := range cell.rows {
					fill := part[row*apart:][:b-a]
					for j := range fill {
						fill[j] = empty
					}
					if located {
						clear(partAt[row*apartAt:][:b-a])
					}
				}
			}
			out.written(rows)
			if located {
				at.written(where)
			}
		}
		buffer.Recycle()
	})
}

// gradRows is PoolGrad by rows.
func gradRows[T float32 | float64](p *plan, t dtype.DType) {
	g, positions := p.windowGrid(1), grid{}
	withPositions := p.launch.N == 3
	gy := planeReader[T]{plan: p, grid: &g, dtype: t, inPlace: p.inPlace(&g, t)}
	if withPositions {
		positions = p.windowGrid(2)
		gy.inPlace = gy.inPlace && p.inPlace(&positions, dtype.Uint8) && positions.strides == g.strides
	}
	at := positionReader{planeReader[uint8]{plan: p, grid: &positions, dtype: dtype.Uint8, inPlace: gy.inPlace || !withPositions}}
	out := rowWriter[T]{plan: p, grid: &p.input, dtype: t, inPlace: p.inPlace(&p.input, t)}
	runs, stride, step := p.runsOfElements(), p.window.Stride[2], p.window.Stride[1]
	lists := newTapLists(p, p.elementClasses(0), p.elementClasses(1), runs, gy.strides())
	cells := lists.cells(&p.input, step, out.inPlace)
	points := p.kernel[0] * p.kernel[1] * p.kernel[2]
	strides := p.window.Stride[0] * step * stride

	p.eachCell(&p.input, cells, !gy.inPlace, 0.5+0.2*float64(points)/float64(strides), func(from, to int) {
		gy, at, out := gy, at, out
		const room = cellElements * 8
		buffer := memory.TakeScratch(room + gy.bufferBytes() + at.bufferBytes())
		out.buffer = unsafe.Slice((*T)(buffer.At(0)), cellElements)
		if !gy.inPlace {
			gy.buffer = buffer.At(room)
		}
		if !at.inPlace {
			at.buffer = buffer.At(room + gy.bufferBytes())
		}
		gy.number, at.number = -1, -1
		var where []uint8
		for unit := from; unit < to; unit++ {
			plane, cell := unit/len(cells), &cells[unit%len(cells)]
			values := gy.at(plane)
			if withPositions {
				where = at.at(plane)
			}
			rows, apart := out.rows(plane, cell, step)
			for r := range runs {
				run, list := &runs[r], &cell.lists[r]
				a, b := max(run.from*stride, cell.from), min(run.to*stride, cell.to)
				if a >= b {
					continue
				}
				part, length := rows[a-cell.from:], b-a
				if len(list.taps) == 0 {
					for row := range cell.rows {
						clear(part[row*apart:][:length])
					}
					continue
				}
				if phase := a % stride; phase > 0 { // a cell of one row begins within a group
					n := min(stride-phase, length)
					gradGroup(part[:n], values, where, cell.base+a/stride, list, phase)
					if part, a, length = part[n:], a+n, length-n; length == 0 {
						continue
					}
				}
				source := pool.Rows{N: cell.rows, Length: length, Start: cell.base + a/stride, Down: cell.down, Apart: apart}
				pool.Spread(source, part, values, where, list.taps, list.ends)
			}
			out.written(rows)
		}
		buffer.Recycle()
	})
}

// gradGroup computes elements of one group from a phase on.
func gradGroup[T float32 | float64](x []T, g []T, at []uint8, start int, list *tapList, phase int) {
	for i := range x {
		from := 0
		if phase+i > 0 {
			from = list.ends[phase+i-1]
		}
		own := list.taps[from:list.ends[phase+i]]
		pool.Spread(pool.Rows{N: 1, Length: 1, Start: start}, x[i:], g, at, own, []int{len(own)})
	}
}

// positionReader provides window indices as bytes. An index that is not in the window becomes fewPositions.
type positionReader struct{ planeReader[uint8] }

func (r *positionReader) at(plane int) []uint8 {
	op := &r.plan.launch.Operands[r.grid.operand]
	if r.inPlace || plane == r.number || op.DType == dtype.Uint8 {
		return r.planeReader.at(plane)
	}
	r.number = plane
	r.values = unsafe.Slice((*uint8)(r.buffer), r.grid.points())
	r.plan.eachRow(r.grid, plane, func(row unsafe.Pointer, at int) {
		for j := range r.grid.size[2] {
			v := *(*int64)(unsafe.Add(row, 8*j*r.grid.strides[2]))
			r.values[at+j] = uint8(min(uint64(v), fewPositions))
		}
	})
	return r.values
}
