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

// sample draws from a distribution with parameters, at most three. How long an element takes is random, so ForRanges chooses
// the ranges; each range has its own sampler.
func sample(l *device.Launch) {
	y, count := strided.Of(l, 0), l.N-1
	var parameters [3]strided.View
	for k := range count {
		parameters[k] = strided.Of(l, 1+k)
	}
	distribution, key, counter := l.Distribution, l.Key, l.Counter
	workers.ForRanges(l.Size(), sampleCost, func(from, to int) {
		s := scalar.NewSampler(distribution, key)
		const bytes = strided.BlockLen * 8
		room := memory.TakeScratch(4 * bytes)
		part := func(k int) []float64 { return memory.Slice[float64](room.At(k*bytes), strided.BlockLen) }
		draws, as, bs, cs := part(0), part(1), part(2), part(3)
		for k := count; k < len(parameters); k++ {
			clear(part(1 + k))
		}
		for start := from; start < to; start += strided.BlockLen {
			n := min(strided.BlockLen, to-start)
			for k := range count {
				parameters[k].Load(room.At((1+k)*bytes), dtype.Float64, start, n)
			}
			for i := range n {
				draws[i] = s.Draw(counter+uint64(start+i), as[i], bs[i], cs[i])
			}
			y.Store(room.At(0), dtype.Float64, start, n)
		}
		room.Recycle()
	})
}
