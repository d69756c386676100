package fft

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// rowCost is the time of a row per number and doubling of the length, in nanoseconds; workers share a row from
// sharedRow numbers on.
const (
	rowCost   = 0.3
	sharedRow = 1 << 15
)

// contiguousRows transforms rows of contiguous numbers.
func (t *task[T]) contiguousRows() {
	if t.n == simd.SquareRow && simd.HasSquares[T]() && max(len(t.x.Strides), len(t.y.Strides)) == 1 {
		t.squares()
		return
	}
	if choiceOf[T](t.n).front {
		t.fronts()
		return
	}
	x, y := t.x.At, t.y.At
	transform := rowTransformOf[T](t.n, t.rows)
	if transform.together() {
		lanes := simd.Lanes[T]()
		workers.ForRanges((t.rows+lanes-1)/lanes, t.cost()*float64(lanes), func(from, to int) {
			g := takeRowGroup(lanes)
			defer g.recycle()
			var buffers buffers[T]
			a, b := transform.take(&buffers)
			defer buffers.recycle()
			for i := from; i < to; i++ {
				rows := min(lanes, t.rows-i*lanes)
				addresses(g.x, &t.x, i*lanes, rows)
				addresses(g.y, &t.y, i*lanes, rows)
				t.each(t.before, i*lanes, rows, false)
				transform.group(g.x, g.y, a, b, t.swap, t.scale)
				t.each(t.after, i*lanes, rows, false)
			}
		})
		return
	}
	if t.n >= sharedRow {
		for i := range t.rows {
			t.each(t.before, i, 1, true)
			transform.one(x(i), y(i), t.swap, t.scale, true)
			t.each(t.after, i, 1, true)
		}
		return
	}
	workers.ForRanges(t.rows, t.cost(), func(from, to int) {
		for i := from; i < to; i++ {
			t.each(t.before, i, 1, false)
			transform.one(x(i), y(i), t.swap, t.scale, false)
			t.each(t.after, i, 1, false)
		}
	})
}

// each calls a function for rows, if there is one.
func (t *task[T]) each(f func(x, y unsafe.Pointer, sharing bool), from, rows int, sharing bool) {
	if f == nil {
		return
	}
	for i := from; i < from+rows; i++ {
		f(t.source.At(i), t.y.At(i), sharing)
	}
}

// addresses sets to to the addresses of rows from first on. The last of them fills what is left: it is computed several
// times.
func addresses(to []unsafe.Pointer, v *strided.View, first, rows int) {
	if len(v.Strides) == 1 {
		at, step := v.At(first), v.Strides[0]*v.Size
		for l := range to {
			to[l] = unsafe.Add(at, min(l, rows-1)*step)
		}
		return
	}
	for l := range to {
		to[l] = v.At(first + min(l, rows-1))
	}
}

// cost estimates the time of a row in nanoseconds.
func (t *task[T]) cost() float64 { return rowCost * float64(t.n) * float64(bitsOf(t.n)) }

// rowGroup holds the addresses of as many rows as there are lanes.
type rowGroup struct{ x, y []unsafe.Pointer }

var rowGroups = sync.Pool{New: func() any { return new(rowGroup) }}

func takeRowGroup(lanes int) *rowGroup {
	g := rowGroups.Get().(*rowGroup)
	if len(g.x) != lanes {
		g.x, g.y = make([]unsafe.Pointer, lanes), make([]unsafe.Pointer, lanes)
	}
	return g
}

func (g *rowGroup) recycle() {
	clear(g.x)
	clear(g.y)
	rowGroups.Put(g)
}

// rowTransform transforms contiguous rows of n numbers: several together, in the lanes of vectors, or each alone.
type rowTransform[T simd.Float] struct {
	n         int
	columns   *columnPlan[T]
	row       *rowPlan[T]
	bluestein *bluestein[T]
}

// longestTogether is the longest row that is transformed together with others: the vectors of longer ones do not fit in
// the cache.
const longestTogether = 2048

// choice has what decides how rows of one length are transformed.
type choice struct {
	smooth, front   bool
	n1, n2          int     // the factors for a row alone; 0 if there are none
	alone, together float64 // the estimated times of a row alone, and of a group of rows
}

func (c *choice) size() int { return 0 }

func choiceOf[T simd.Float](n int) *choice {
	return planOf[*choice, T](ofLength, n, func() *choice {
		c := &choice{smooth: smooth(n), front: hasFront[T](n)}
		if c.smooth {
			c.n1, c.n2, c.alone = splitOf[T](n)
			c.together = columnCost[T](n) + 3*float64(n)
		}
		return c
	})
}

// rowTransformOf chooses the algorithm for rows of n numbers.
func rowTransformOf[T simd.Float](n, rows int) *rowTransform[T] {
	t, c := &rowTransform[T]{n: n}, choiceOf[T](n)
	switch {
	case !c.smooth:
		t.bluestein = planOf[*bluestein[T], T](ofBluestein, n, func() *bluestein[T] { return newBluestein[T](n) })
	case c.n1 == 0 || n <= longestTogether && c.together < c.alone*float64(min(rows, simd.Lanes[T]())):
		t.columns = columnPlanOf[T](n)
	default:
		t.row = planOf[*rowPlan[T], T](ofRow, n, func() *rowPlan[T] { return newRowPlan[T](c.n1, c.n2) })
	}
	return t
}

func (t *rowTransform[T]) together() bool { return t.columns != nil }

// take returns buffers for group.
func (t *rowTransform[T]) take(from *buffers[T]) (a, b []T) {
	return from.take(roundUp(t.n, simd.Lanes[T]()))
}

// group transforms as many rows as there are lanes.
func (t *rowTransform[T]) group(x, y []unsafe.Pointer, a, b []T, swap simd.Swapped, scale T) {
	simd.LoadRows(t.n, x, y, a, swap)
	simd.StoreRows(t.n, y, t.columns.run(1, a, 1, a, b), swap, scale)
}

// one transforms a row alone.
func (t *rowTransform[T]) one(x, y unsafe.Pointer, swap simd.Swapped, scale T, sharing bool) {
	if t.bluestein != nil {
		t.bluestein.apply(x, y, swap, scale, sharing)
	} else {
		t.row.apply(x, y, swap, scale, sharing)
	}
}

// convertedRows transforms rows of any layout and dtype in scratch memory.
func (t *task[T]) convertedRows(c dtype.DType) {
	lanes := 1
	transform := rowTransformOf[T](t.n, t.rows)
	if transform.together() {
		lanes = simd.Lanes[T]()
	}
	length := t.n * numberBytes[T]()
	do := func(from, to int, sharing bool) {
		room := memory.TakeScratch(lanes * length)
		g := takeRowGroup(lanes)
		defer room.Recycle()
		defer g.recycle()
		for ; from < to; from++ {
			first, count := from*lanes, min(lanes, t.rows-from*lanes)
			for l := range lanes {
				g.x[l] = room.At(min(l, count-1) * length)
			}
			for l := range count {
				dtype.Convert(c, g.x[l], 1, t.x.DType, t.x.At(first+l), t.xStep, t.xLen)
				if t.xLen < t.n {
					mirrored(memory.Slice[T](g.x[l], 2*t.n), t.n)
				}
			}
			if transform.together() {
				var buffers buffers[T]
				a, b := transform.take(&buffers)
				transform.group(g.x, g.x, a, b, t.swap, t.scale)
				buffers.recycle()
			} else {
				transform.one(g.x[0], g.x[0], t.swap, t.scale, sharing)
			}
			for l := range count {
				dtype.Convert(t.y.DType, t.y.At(first+l), t.yStep, c, g.x[l], 1, t.yLen)
			}
		}
	}
	groups := (t.rows + lanes - 1) / lanes
	if t.n >= sharedRow {
		do(0, groups, true)
		return
	}
	workers.ForRanges(groups, (t.cost()+4*float64(t.n))*float64(lanes), func(from, to int) { do(from, to, false) })
}
