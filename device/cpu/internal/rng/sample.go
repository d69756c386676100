package rng

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// sampleCost is about how long an element of a distribution with parameters takes, in nanoseconds.
const sampleCost = 60

// sample draws from a distribution with two parameters. How long an element takes is random, so ForRanges chooses the
// ranges; each range has its own sampler.
func sample(l *device.Launch) {
	y, a, b := strided.Of(l, 0), strided.Of(l, 1), strided.Of(l, 2)
	distribution, key, counter := l.Distribution, l.Key, l.Counter
	workers.ForRanges(l.Size(), sampleCost, func(from, to int) {
		s := scalar.NewSampler(distribution, key)
		const bytes = strided.BlockLen * 8
		room := memory.TakeScratch(3 * bytes)
		draws, as, bs := memory.Slice[float64](room.At(0), strided.BlockLen), memory.Slice[float64](room.At(bytes), strided.BlockLen),
			memory.Slice[float64](room.At(2*bytes), strided.BlockLen)
		for start := from; start < to; start += strided.BlockLen {
			n := min(strided.BlockLen, to-start)
			a.Load(room.At(bytes), dtype.Float64, start, n)
			b.Load(room.At(2*bytes), dtype.Float64, start, n)
			for i := range n {
				draws[i] = s.Draw(counter+uint64(start+i), as[i], bs[i])
			}
			y.Store(room.At(0), dtype.Float64, start, n)
		}
		room.Recycle()
	})
}
