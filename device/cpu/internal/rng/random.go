// Package rng fills arrays with random numbers: the kernel Random. Element i depends only on the key and on the counter
// plus i.
package rng

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/philox"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Random gives every element its own Philox block, so that ranges of elements can be drawn in any order.
func Random(l *device.Launch) {
	strided.EnsureAxis(l)
	if l.Size() == 0 {
		return
	}
	if scalar.NewSampler(l.Distribution, l.Key) != nil {
		sample(l)
		return
	}
	f := newDrawing(l)
	workers.ForRanges(l.Size(), f.cost, f.run)
}

// drawing is a Random in progress.
type drawing struct {
	y       strided.View
	keys    *philox.Keys
	counter uint64
	cost    float64     // per element, in nanoseconds
	dtype   dtype.DType // the type that draw writes
	draw    func(dst unsafe.Pointer, n int, counter uint64, keys *philox.Keys)
}

func newDrawing(l *device.Launch) *drawing {
	f := &drawing{y: strided.Of(l, 0), keys: philox.NewKeys(l.Key), counter: l.Counter, cost: 2}
	t := f.y.DType
	double := t.Real() == dtype.Float64
	switch l.Distribution {
	case device.DistributionBernoulli:
		least := device.BernoulliLeast(l.Scalars[0].Re)
		f.dtype = dtype.Bool
		f.draw = func(dst unsafe.Pointer, n int, counter uint64, keys *philox.Keys) {
			philox.Coins(memory.Slice[uint8](dst, n), counter, keys, least)
		}
	case device.DistributionNormal:
		f.dtype, f.cost = dtype.Float32, 4
		f.draw = onMemory(philox.Normals32)
		if double {
			f.dtype, f.cost = dtype.Float64, 8
			f.draw = onMemory(philox.Normals64)
		}
	case device.DistributionUniform:
		f.dtype = dtype.Float32
		bits := device.UniformBits(t)
		f.draw = func(dst unsafe.Pointer, n int, counter uint64, keys *philox.Keys) {
			philox.Uniforms32(memory.Slice[float32](dst, n), counter, keys, bits)
		}
		if double {
			f.dtype = dtype.Float64
			f.draw = onMemory(philox.Uniforms64)
		}
	default:
		f.dtype = dtype.Uint64
		f.draw = onMemory(philox.Words)
	}
	return f
}

// onMemory wraps one of package philox's functions so that it writes to memory.
func onMemory[T any](fill func(y []T, counter uint64, keys *philox.Keys)) func(unsafe.Pointer, int, uint64, *philox.Keys) {
	return func(dst unsafe.Pointer, n int, counter uint64, keys *philox.Keys) {
		fill(memory.Slice[T](dst, n), counter, keys)
	}
}

// run draws the elements of a range: directly, or through a buffer if they are not contiguous or have another type.
func (f *drawing) run(from, to int) {
	if f.y.Flat && (f.y.DType == f.dtype || f.dtype == dtype.Uint64 && f.y.DType == dtype.Int64) {
		f.draw(f.y.At(from), to-from, f.counter+uint64(from), f.keys)
		return
	}
	room := memory.TakeScratch(strided.BlockLen * 8)
	for start := from; start < to; start += strided.BlockLen {
		n := min(strided.BlockLen, to-start)
		f.draw(room.At(0), n, f.counter+uint64(start), f.keys)
		f.y.Store(room.At(0), f.dtype, start, n)
	}
	room.Recycle()
}
