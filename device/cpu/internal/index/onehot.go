package index

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// Clear sets an operand to 0, over its axes in the loop and other axes.
func Clear(l *device.Launch, operand int, others []device.IndexAxis) {
	c := device.NewLaunch()
	y, to := &l.Operands[operand], &c.Operands[0]
	*to = *y
	add := func(n, stride int) {
		c.Shape[c.Rank], to.Strides[c.Rank] = n, stride
		c.Rank++
	}
	for axis, n := range l.Shape[:l.Rank] {
		if y.Strides[axis] != 0 {
			add(n, y.Strides[axis])
		}
	}
	for _, axis := range others {
		add(axis.Size, axis.Stride)
	}
	c.N, c.Outputs = 1, 1
	strided.Simplify(c)
	switch v, n := strided.Of(c, 0), c.Size(); {
	case n == 0:
	case v.Flat:
		copying.FillRun(v.Base, new([16]byte), v.Size, n)
	default:
		copying.FillView(&v, unsafe.Pointer(new([16]byte)))
	}
	c.Recycle()
}

// oneHot is a Scatter that sets one element of each row of a contiguous array; the other elements are 0.
type oneHot struct {
	*indexing
	row        int // elements
	size       int // of an element, in bytes
	one        unsafe.Pointer
	checksLate bool        // the indices are not checked yet
	failed     atomic.Bool // and an index is out of range
	stream     bool        // the array is written past the caches
}

// oneHotBytes is how many bytes of the array are written at a time.
const oneHotBytes = 24 << 10

// putOneHot performs such a Scatter, and reports whether the launch is one.
func (ix *indexing) putOneHot() bool {
	l := ix.launch
	y, x := &l.Operands[0], &l.Operands[1]
	row := 1
	for _, axis := range ix.axes {
		row *= axis.Size
	}
	h := oneHot{indexing: ix, row: row, size: y.DType.Size(), one: strided.First(x), checksLate: l.Fresh}
	if l.Combine != device.CombineAssign || ix.tail != 1 || row == 0 || row*h.size > oneHotBytes || !strided.SameBits(y.DType, x.DType) ||
		!strided.OfOneElement(l, 1) || !ix.inPieces(row) || !ix.mayFail() {
		return false
	}
	if !h.checksLate {
		ix.check()
	}
	bytes := ix.points * row * h.size
	h.stream = bytes >= isa.StreamedResult
	workers.ForRanges(ix.points, 2+copying.FillCost*float64(row), h.run)
	if h.failed.Load() {
		ix.raise()
	}
	return true
}

// inPieces reports whether the points of the loop have successive pieces of the indexed array, with the given number of
// elements, and the indices select only elements within the piece of their point.
func (ix *indexing) inPieces(length int) bool {
	l := ix.launch
	next := length
	for k := l.Rank - 1; k >= 0; k-- {
		if n := l.Shape[k]; n != 1 {
			if l.Operands[0].Strides[k] != next {
				return false
			}
			next *= n
		}
	}
	last := 0
	for _, axis := range ix.axes {
		if axis.Stride < 0 {
			return false
		}
		last += (axis.Size - 1) * axis.Stride
	}
	return last < length
}

// run writes the rows of some points. If it writes past the caches, it prepares them in memory that is already 0.
func (h *oneHot) run(from, to int) {
	var offsets [strided.BlockLen / 4]int
	bytes := h.row * h.size
	step := min(len(offsets), max(1, oneHotBytes/bytes))
	if step > 16 {
		step &^= 15 // so that the next piece begins at a cache line
	}
	var space *memory.Scratch
	if h.stream {
		space = memory.TakeScratch(step * bytes)
		clear(memory.Slice[byte](space.At(0), step*bytes))
	}
	for start := from; start < to && !h.failed.Load(); start += step {
		n := min(step, to-start)
		if h.checksLate && !h.inRange(start, start+n) {
			h.failed.Store(true)
			break
		}
		h.offsets(offsets[:n], start)
		y := unsafe.Add(h.array.Base, start*bytes)
		if !h.stream {
			clear(memory.Slice[byte](y, n*bytes))
			h.put(y, offsets[:n], start, h.one)
			continue
		}
		h.put(space.At(0), offsets[:n], start, h.one)
		move.Copy(y, space.At(0), n*bytes, true)
		h.put(space.At(0), offsets[:n], start, unsafe.Pointer(new([2]uint64)))
	}
	if space != nil {
		space.Recycle()
	}
}

// inRange reports whether the indices of some points are in range.
func (h *oneHot) inRange(from, to int) bool {
	for j := range h.axes {
		size := int64(h.axes[j].Size)
		if !inRange(&h.indices[j], from, to, h.lowest(size), size-1) {
			return false
		}
	}
	return true
}

// put stores an element at offsets in the rows that start at a point, whose memory starts at y.
func (h *oneHot) put(y unsafe.Pointer, offsets []int, start int, element unsafe.Pointer) {
	before := start * h.row
	switch h.size {
	case 1:
		putAt[uint8](y, offsets, before, element)
	case 2:
		putAt[uint16](y, offsets, before, element)
	case 4:
		putAt[uint32](y, offsets, before, element)
	case 8:
		putAt[uint64](y, offsets, before, element)
	case 16:
		putAt[[2]uint64](y, offsets, before, element)
	}
}

func putAt[T any](y unsafe.Pointer, offsets []int, before int, element unsafe.Pointer) {
	one := *(*T)(element)
	for _, p := range offsets {
		*(*T)(unsafe.Add(y, (p-before)*int(unsafe.Sizeof(one)))) = one
	}
}
