package conv

import (
	"slices"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/conv"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// lowPlanes computes a correlation of groups with one channel, as sliding does, whose planes are so low that each row of the result
// needs all rows of the source. The rows of the result are the filters of a tile: a vector of the plane is loaded once for all of
// them, and nothing is multiplied by the padding above and below. A unit of work is a plane.
type lowPlanes struct {
	*correlation
	*layout
	rows    int   // of the result
	width   int   // pixels per tile
	offset  []int // of the terms: for each row of the source, those of the window's columns
	from    []int // the elements of the window that the terms multiply, for each term and row
	weights unsafe.Pointer
}

// planLowPlanes returns nil unless the planes are low, and the weight is finite.
func (c *correlation) planLowPlanes() *lowPlanes {
	q, down, rows, alone := c.q, &c.axes[1], c.result.shape[4], [3]int{c.result.shape[3], c.source.shape[3], c.q.window[0]}
	if c.inChannels != 1 || c.outChannels > mostSlides || !c.hasOnePhase() || alone != [3]int{1, 1, 1} || c.axes[0].lo != 0 || q.window[1] == 1 ||
		rows > c.kernels.Filters || c.source.shape[4]*q.window[2] > conv.MostTerms || c.result.strides[5] != 1 && c.result.shape[5] > 1 {
		return nil
	}
	p, along := &down.phases[0], &c.axes[2].phases[0]
	for i := range c.source.shape[4] {
		for row := range rows {
			if !slices.Contains(p.shifts, i-row*down.advance) {
				return nil
			}
		}
	}
	u := &lowPlanes{correlation: c, layout: c.layOut(1, broadcast.Size(c.result.shape[3:]), false), rows: rows, width: c.kernels.Width(rows)}
	if u.bands > 1 || !c.weightIsFinite() {
		return nil
	}
	for i := range c.source.shape[4] {
		for k, shift := range along.shifts {
			u.offset = append(u.offset, u.layout.offset(c, 1, i-down.lo)+u.shiftOf(c, 2, shift))
			for row := range rows {
				tap := p.taps[slices.Index(p.shifts, i-row*down.advance)]
				u.from = append(u.from, tap*q.w.strides[4]+along.taps[k]*q.w.strides[5])
			}
		}
	}
	return u
}

func correlateLowPlanes[T scalar.Number](u *lowPlanes) {
	q, w := u.q, &u.q.w
	q.clamping.applied = q.clamping.bounds != nil
	filters := q.g * u.outChannels
	space := memory.TakeScratch(filters * (len(u.from) + u.rows) * u.kernels.Size)
	all := memory.Room[T](space, 0, filters*(len(u.from)+u.rows)) // the weights of a filter, and its start value for each row
	for filter := range filters {
		own := all[filter*(len(u.from)+u.rows):]
		base := (*T)(w.plus(filter/u.outChannels*w.strides[0] + filter%u.outChannels*u.weight.out))
		for i, at := range u.from {
			own[i] = *memory.Advance(base, at)
		}
		if start := u.start(filter/u.outChannels, filter%u.outChannels); start != nil {
			for row := range u.rows {
				own[len(u.from)+row] = *(*T)(start)
			}
		}
	}
	u.weights = space.At(0)
	units := q.n * q.g
	workers.ForRanges(units, u.cost()/float64(units), func(from, to int) { runLowPlanes[T](u, from, to) })
	space.Recycle()
}

func runLowPlanes[T scalar.Number](u *lowPlanes, from, to int) {
	r, size, columns := u.result, u.kernels.Size, u.result.shape[5]
	space := memory.TakeScratch((u.rows*u.width + u.size + u.width) * size)
	sums, plane := space.At(0), memory.Room[T](space, 0, u.rows*u.width+u.size+u.width)[u.rows*u.width:]
	clear(plane)
	x := unsafe.Pointer(unsafe.SliceData(plane))
	f := u.fillingOf(u.correlation, 0)
	for unit := from; unit < to; unit++ {
		n, g := unit/u.q.g, unit%u.q.g
		fillPlanes(f, plane, n, g, 0, 1)
		for channel := range u.outChannels {
			weights := unsafe.Add(u.weights, (g*u.outChannels+channel)*(len(u.from)+u.rows)*size)
			start := unsafe.Pointer(nil)
			if u.q.bias.base != nil {
				start = unsafe.Add(weights, len(u.from)*size)
			}
			dst := r.at(n, g, channel)
			if columns < u.width {
				u.kernels.WithPositions(u.rows, x, u.offset, weights, sums, u.width, false, start, u.q.clamp(true))
				u.kernels.CopyRows(u.rows, columns, dst, r.strides[4], sums, u.width)
				continue
			}
			for at := 0; at < columns; at += u.width {
				at := min(at, columns-u.width) * size
				u.kernels.WithPositions(u.rows, unsafe.Add(x, at), u.offset, weights, unsafe.Add(dst, at), r.strides[4], false, start, u.q.clamp(true))
			}
		}
	}
	space.Recycle()
}
