// Package index reads and writes elements that index arrays or a mask select: the kernels Gather, Scatter, Nonzero and
// Compress. Indices are checked before anything is written.
package index

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// dropped is the offset of a point whose index is out of range and is dropped.
const dropped = -1 << (8*unsafe.Sizeof(0) - 1)

// indexing is the form in which Gather and Scatter use their index operands: for each point of the outer axes, the
// offset of an element of the indexed array. No index varies along the axes after the outer axes, which are the tail.
type indexing struct {
	launch      *device.Launch
	outer       int // number of outer axes
	points      int // shape of the outer axes
	tail        int // number of points of the tail
	array       strided.View
	indices     [device.MaxIndices]strided.View
	axes        []device.IndexAxis
	bounds      device.Bounds
	checksAlone bool // workers do not share the index check
}

// newIndexing prepares a launch whose indexed array is the given operand.
func newIndexing(l *device.Launch, array int) *indexing {
	strided.EnsureAxis(l)
	ix := &indexing{launch: l, axes: l.Axes[:l.N-2], bounds: l.Bounds}
	for axis := range l.Rank {
		if l.Shape[axis] != 1 && ix.varies(axis, array) {
			ix.outer = axis + 1
		}
	}
	for k := 2; k < l.N; k++ {
		ix.indices[k-2] = strided.Within(l, k, 0, ix.outer)
	}
	ix.array = strided.Within(l, array, 0, ix.outer)
	ix.points, ix.tail = broadcast.Size(l.Shape[:ix.outer]), broadcast.Size(l.Shape[ix.outer:l.Rank])
	return ix
}

// varies reports whether an axis is an outer one: an index varies along it, or all its points write to one element.
func (ix *indexing) varies(axis, array int) bool {
	l := ix.launch
	if array == 0 && l.Operands[0].Strides[axis] == 0 {
		return true
	}
	for k := 2; k < l.N; k++ {
		if l.Operands[k].Strides[axis] != 0 {
			return true
		}
	}
	return false
}

// check panics with *device.IndexError if an index is out of range. It looks once at every index of each operand.
func (ix *indexing) check() { ix.checkBut(-1) }

// checkBut is check without one of the index operands, unless its number is negative. The indices of that operand are
// checked when they are used.
func (ix *indexing) checkBut(later int) {
	if ix.bounds == device.BoundsDrop {
		return
	}
	for j := range ix.axes {
		size := int64(ix.axes[j].Size)
		if size > 0 && (j == later || !ix.mayFail()) {
			continue
		}
		v := distinct(&ix.indices[j])
		n := broadcast.Size(v.Shape)
		if size == 0 && n > 0 {
			ix.raise()
		}
		lowest, within := ix.lowest(size), true
		if !ix.checksAlone && workers.Sharing(workers.Estimate(n, checkCost)) {
			within = allInRange(&v, n, lowest, size-1)
		} else {
			within = inRange(&v, 0, n, lowest, size-1)
		}
		if !within {
			ix.raise()
		}
	}
}

// mayFail reports whether an index along an axis that is not empty can be out of range.
func (ix *indexing) mayFail() bool {
	return ix.bounds == device.BoundsRaise || ix.bounds == device.BoundsExact
}

// lowest is the smallest index that is in range along an axis of the given size.
func (ix *indexing) lowest(size int64) int64 {
	if ix.bounds == device.BoundsExact {
		return 0
	}
	return -size
}

// checkCost is about how many nanoseconds it takes to check an index.
const checkCost = 0.5

// allInRange is inRange for a whole view, shared among the workers.
func allInRange(v *strided.View, n int, lowest, highest int64) bool {
	var failed atomic.Bool
	w := *v
	workers.ForRanges(n, checkCost, func(from, to int) {
		if !failed.Load() && !inRange(&w, from, to, lowest, highest) {
			failed.Store(true)
		}
	})
	return !failed.Load()
}

// inRange reports whether some of a view's indices lie between lowest and highest.
func inRange(v *strided.View, from, to int, lowest, highest int64) bool {
	if v.Flat && v.DType == dtype.Int64 {
		return move.InRange(memory.Slice[int64](v.Element(from), to-from), lowest, highest)
	}
	var buffer [strided.BlockLen / 4]int64
	for start := from; start < to; start += len(buffer) {
		part := buffer[:min(len(buffer), to-start)]
		v.Load(unsafe.Pointer(&buffer), dtype.Int64, start, len(part))
		if !move.InRange(part, lowest, highest) {
			return false
		}
	}
	return true
}

// raise panics with the first index that is out of range, in the order of the loop and, at one point, of the operands.
func (ix *indexing) raise() {
	for point := range ix.points {
		for j, axis := range ix.axes {
			var index int64
			ix.indices[j].Load(unsafe.Pointer(&index), dtype.Int64, point, 1)
			size := int64(axis.Size)
			if size == 0 || ix.mayFail() && (index < ix.lowest(size) || index >= size) {
				panic(&device.IndexError{Index: int(index), Size: axis.Size})
			}
		}
	}
}

// distinct returns a view without the axes along which all elements are the same.
func distinct(v *strided.View) strided.View {
	w := *v
	w.Shape, w.Strides = nil, nil
	for axis, n := range v.Shape {
		if v.Strides[axis] != 0 && n != 1 {
			w.Shape, w.Strides = append(w.Shape, n), append(w.Strides, v.Strides[axis])
		}
	}
	if w.Shape == nil {
		w.Shape, w.Strides = strided.Single, strided.Single
	}
	w.Classify()
	return w
}

// offsets computes, for the points from start on, the distances of the elements from the first element of the indexed
// array.
func (ix *indexing) offsets(dst []int, start int) {
	ix.loopOffsets(dst, start)
	var buffer [strided.BlockLen / 4]int64
	part := buffer[:len(dst)]
	for j := range ix.axes {
		ix.indices[j].Load(unsafe.Pointer(&buffer), dtype.Int64, start, len(part))
		ix.addAxis(dst, part, ix.axes[j])
	}
}

// loopOffsets sets the offsets to those of the loop itself.
func (ix *indexing) loopOffsets(dst []int, start int) {
	if ix.array.Uniform {
		clear(dst)
		return
	}
	row, step := ix.array.Row(), ix.array.Step()
	var c strided.Cursor
	c.Seek(&ix.array, start)
	for done := 0; ; {
		n := min(row-c.Column(), len(dst)-done)
		for i := range n {
			dst[done+i] = c.Offset + i*step
		}
		if done += n; done == len(dst) {
			return
		}
		c.NextRow()
	}
}

// addAxis adds the offsets of the indices along one axis.
func (ix *indexing) addAxis(dst []int, indices []int64, axis device.IndexAxis) {
	size := int64(axis.Size)
	dst = dst[:len(indices)]
	switch ix.bounds {
	case device.BoundsRaise, device.BoundsExact:
		for i, index := range indices {
			if index < 0 {
				index += size
			}
			dst[i] += int(index) * axis.Stride
		}
	case device.BoundsWrap:
		for i, index := range indices {
			if index < 0 || index >= size {
				index = (index%size + size) % size
			}
			dst[i] += int(index) * axis.Stride
		}
	case device.BoundsClip:
		for i, index := range indices {
			dst[i] += int(max(0, min(index, size-1))) * axis.Stride
		}
	case device.BoundsDrop:
		for i, index := range indices {
			if index < 0 || index >= size {
				dst[i] = dropped
			} else if dst[i] != dropped {
				dst[i] += int(index) * axis.Stride
			}
		}
	}
}
