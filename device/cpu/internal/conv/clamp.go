package conv

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/conv"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// clamping is a Post that limits the sums of a convolution, such as ReLU. Where a tile holds complete sums, it is applied to them in registers:
// by channel lanes, pixel lanes and low planes. Any other Post, and one that no algorithm has applied, is a pass over the result, which
// takes hardly longer in a cache than a pass by the workers over the rows that they have just computed.
type clamping struct {
	wanted, applied bool
	single          conv.Clamp[float32]
	double          conv.Clamp[float64]
}

// findClamp finds out whether tiles can apply a program to the sums that they store.
func (q *convolution) findClamp(p *device.Program) {
	if p == nil || q.part != device.PartOutput || q.y.dtype != q.dtype {
		return
	}
	c := &q.clamping
	c.double, c.wanted = clampOf(p, q.dtype)
	c.single = conv.Clamp[float32]{Low: float32(c.double.Low), High: float32(c.double.High), Zero: float32(c.double.Zero)}
}

// clamp returns the Clamp for a tile, or nil if there is none or the tile's sums are not complete.
func (q *convolution) clamp(complete bool) unsafe.Pointer {
	switch {
	case !q.clamping.wanted || !complete:
		return nil
	case q.dtype == dtype.Float64:
		return unsafe.Pointer(&q.clamping.double)
	}
	return unsafe.Pointer(&q.clamping.single)
}

// clampOf returns the bounds of a program that is the minimum of a number and the maximum of its input and another number, or one of
// these. The Clamp gives the same bits, also for zeros of both signs.
func clampOf(p *device.Program, t dtype.DType) (c conv.Clamp[float64], ok bool) {
	c = conv.Clamp[float64]{Low: math.Inf(-1), High: math.Inf(1), Zero: math.Copysign(0, -1)}
	at := &p.Code[p.Results[0]]
	bound := func(op device.Op) (v float64, first, ok bool) {
		if at.Op != op || at.Type != t {
			return 0, false, false
		}
		a, b := &p.Code[at.A], &p.Code[at.B]
		switch {
		case a.Op == device.OpConst:
			at = b
			return a.Value.Re, true, true
		case b.Op == device.OpConst:
			at = a
			return b.Value.Re, false, true
		}
		return 0, false, false
	}
	high, _, hasHigh := bound(device.OpMin)
	low, first, hasLow := bound(device.OpMax)
	if hasHigh {
		c.High = high
	}
	if hasLow {
		c.Low = low
	}
	if hasLow && low == 0 && first { // the number is the maximum at a tie
		c.Zero = 0
	}
	isPlain := !math.IsNaN(low) && !math.IsNaN(high) && !(hasHigh && high == 0) && !(low == 0 && math.Signbit(low))
	return c, (hasHigh || hasLow) && isPlain && at.Op == device.OpInput
}
