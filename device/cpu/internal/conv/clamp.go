package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/clamp"
)

// clamping is a Post that limits the sums of a convolution, such as ReLU. Where a tile holds complete sums, it is applied to them in registers:
// by channel lanes, pixel lanes and low planes. Any other Post, and one that no algorithm has applied, is a pass over the result, which
// takes hardly longer in a cache than a pass by the workers over the rows that they have just computed.
type clamping struct {
	bounds  *clamp.Clamp // nil if the Post is no such function
	applied bool
}

// findClamp finds out whether tiles can apply a program to the sums that they store.
func (q *convolution) findClamp(p *device.Program) {
	if p == nil || q.part != device.PartOutput || q.y.dtype != q.dtype {
		return
	}
	q.clamping.bounds = clamp.Find(p, q.dtype)
}

// clamp returns the bounds for a tile, or nil if there are none or the tile's sums are not complete.
func (q *convolution) clamp(complete bool) unsafe.Pointer {
	if !complete {
		return nil
	}
	return q.clamping.bounds.Bounds(q.dtype)
}
