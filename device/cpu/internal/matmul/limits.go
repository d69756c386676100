package matmul

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/clamp"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// limits are a Post that tiles apply to complete sums in registers, such as ReLU. Any other Post is a pass over c, and so is this one if
// some sums do not come from tiles: to limit a number twice changes nothing.
type limits struct {
	clamp  *clamp.Clamp
	missed atomic.Bool // some sums are not limited
}

// findLimits finds out whether tiles can apply a program, which may be nil, to the sums that they store.
func (p *Product) findLimits(post *device.Program) {
	if post == nil || p.K == 0 || isa.Current() == isa.Generic || p.c.DType != dtype.Float32 && p.c.DType != dtype.Float64 {
		return
	}
	if c := clamp.Find(post, p.DType); c != nil {
		p.limits = &limits{clamp: c}
	}
}

// miss notes that some sums are not limited.
func (l *limits) miss() {
	if l != nil {
		l.missed.Store(true)
	}
}

// applied reports whether all sums of the launch are limited.
func (l *limits) applied() bool { return l != nil && !l.missed.Load() }

// bounds returns what the tiles of a type apply, or nil.
func (l *limits) bounds(t dtype.DType) unsafe.Pointer {
	if l == nil {
		return nil
	}
	return l.clamp.Bounds(t)
}
