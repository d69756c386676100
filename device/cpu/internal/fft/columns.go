package fft

import (
	"math/bits"
	"unsafe"

	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// columns transforms along an axis that is not contiguous, for neighbouring elements of the last of the other axes,
// which is.
func (t *task[T]) columns() {
	lanes := simd.Lanes[T]()
	vector := 2 * lanes * int(unsafe.Sizeof(*new(T)))
	width := t.x.Shape[len(t.x.Shape)-1]
	group := lanes * min(roundUp(width, lanes)/lanes, max(1, groupBytes/(t.n*vector)))
	perRow := (width + group - 1) / group
	plan := columnPlanOf[T](t.n)
	direct := direct(t.x.At(0), t.y.At(0), t.n*t.rows*numberBytes[T]())
	workers.ForRanges(t.rows/width*perRow, t.cost()*float64(group), func(from, to int) {
		var buffers buffers[T]
		a, b := buffers.take(t.n * (group / lanes))
		for i := from; i < to; i++ {
			column := i % perRow * group
			n := min(group, width-column)
			c := (n + lanes - 1) / lanes
			point := i/perRow*width + column
			done := plan.load(n, t.x.At(point), t.xStep, a, t.swap, direct)
			plan.store(done, n, a, c, a, b, t.y.At(point), t.yStep, t.swap, t.scale, direct)
		}
		buffers.recycle()
	})
}

// bitsOf returns the number of doublings up to n.
func bitsOf(n int) int { return bits.Len(uint(n)) }
