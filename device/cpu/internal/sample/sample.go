// Package sample reads arrays at locations that may be fractional: the kernels Sample, SampleGrad and SampleLocationsGrad.
//
// For a block of points it computes a table of corners, offsets and weights (corners.go, or planes.go for planes of float32), which
// serves for all channels: there the elements are read (forward.go), added to (backward.go), or compared (samplelocations.go). If each
// location varies along its own axis, rows are mixed as a whole (lines.go, resize.go, resizeback.go).
package sample

import (
	"slices"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

type float interface{ float32 | float64 }

// Sample reads the elements at the locations.
func Sample(l *device.Launch) {
	switch {
	case l.Size() == 0:
	case l.Operands[1].DType == dtype.Float64:
		forward[float64](l)
	default:
		forward[float32](l)
	}
}

// SampleGrad adds to the elements at the locations.
func SampleGrad(l *device.Launch) {
	switch {
	case l.Size() == 0:
	case l.Operands[0].DType == dtype.Float64:
		backward[float64](l)
	default:
		backward[float32](l)
	}
}

// arrange orders the axes of the loop by their classes, and merges axes within each class. It returns where each class
// ends.
func arrange(l *device.Launch, classes int, of func(axis int) int) (ends []int) {
	order := make([]int, l.Rank)
	class := make([]int, l.Rank)
	for axis := range order {
		order[axis], class[axis] = axis, of(axis)
	}
	slices.SortStableFunc(order, func(a, b int) int { return class[a] - class[b] })
	sorted := func(numbers *[device.MaxRank]int) {
		before := *numbers
		for to, from := range order {
			numbers[to] = before[from]
		}
	}
	sorted(&l.Shape)
	for k := range l.N {
		sorted(&l.Operands[k].Strides)
	}
	from := 0
	for k := range classes {
		to := from
		for _, c := range class {
			if c == k {
				to++
			}
		}
		from = strided.SimplifyGroup(l, from, to)
		ends = append(ends, from)
	}
	return ends
}

// vary reports whether one of the operands [from, to) varies along an axis.
func vary(l *device.Launch, from, to, axis int) bool {
	for k := from; k < to; k++ {
		if l.Operands[k].Strides[axis] != 0 {
			return true
		}
	}
	return false
}

// hasEmptyAxis reports whether one of the indexed axes is empty.
func hasEmptyAxis(l *device.Launch, first int) bool {
	for _, axis := range l.Axes[:l.N-first] {
		if axis.Size == 0 {
			return true
		}
	}
	return false
}

// channels are the axes along which the locations do not vary.
type channels struct {
	n, row  int  // number of channels, and number along the last axis
	flat    bool // the elements of both operands are contiguous in rows
	a, b    strided.View
	aa, bb  strided.Cursor
	element int // size of an element in bytes
}

// shortestRow is the number of contiguous channels from which they are read together.
const shortestRow = 4

// newChannels describes two operands along the axes from one on.
func newChannels(l *device.Launch, a, b, from int) channels {
	c := channels{a: strided.Within(l, a, from, l.Rank), b: strided.Within(l, b, from, l.Rank), n: 1, element: l.Operands[a].DType.Size()}
	for _, n := range c.a.Shape {
		c.n *= n
	}
	c.row = c.a.Row()
	c.flat = c.a.Step() == 1 && c.b.Step() == 1 && c.row >= shortestRow
	return c
}

// each calls f for the channels [from, to), with the distances in bytes of the two operands' elements from the first.
// If the operands are flat, it calls f for pieces of rows with n elements.
func (c channels) each(from, to int, f func(a, b, n int)) {
	c.aa.Seek(&c.a, from)
	c.bb.Seek(&c.b, from)
	for from < to {
		n := min(c.row-c.aa.Column(), to-from)
		if c.flat {
			f(c.aa.Offset*c.element, c.bb.Offset*c.element, n)
		} else {
			for k := range n {
				f((c.aa.Offset+k*c.a.Step())*c.element, (c.bb.Offset+k*c.b.Step())*c.element, 1)
			}
		}
		from += n
		c.aa.NextRow()
		c.bb.NextRow()
	}
}

// share calls f for pieces of work, each with some of the channels: with all channels if the pieces are enough for the
// workers.
func (c channels) share(pieces int, nanoseconds float64, f func(piece, from, to int)) {
	parts := 1
	if total := workers.Estimate(pieces, nanoseconds*float64(c.n)); workers.Sharing(total) {
		if wanted := 4 * workers.Count(); pieces < wanted {
			parts = min(c.n, (wanted+pieces-1)/pieces)
		}
		workers.Parallel(pieces*parts, total, func(k int) {
			part := k % parts
			f(k/parts, c.n*part/parts, c.n*(part+1)/parts)
		})
		return
	}
	for piece := range pieces {
		f(piece, 0, c.n)
	}
}

// at returns a pointer to the number at a byte offset from an address.
func at[T float](p unsafe.Pointer, bytes int) *T { return (*T)(unsafe.Add(p, bytes)) }
