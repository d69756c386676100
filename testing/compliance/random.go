package compliance

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testRandom(s *suite) {
	for _, loop := range [][]int{nil, {0}, {1}, {5}, {1000}, {4, 1, 30}, {3, 2, 2, 3, 2, 2}, {70_000}} {
		for _, t := range types {
			switch {
			case t.IsBool():
				for _, p := range []float64{0, 0.3, 1 - 0x1p-24, 1} {
					s.random(t, loop, device.DistributionBernoulli, p, nil)
				}
			case len(loop) == 1 && loop[0] > 1000 && t != dtype.Float32:
			case t.IsInteger():
				s.random(t, loop, device.DistributionBits, 0, nil)
			case t.IsFloat():
				s.random(t, loop, device.DistributionUniform, 0, nil)
				s.random(t, loop, device.DistributionNormal, 0, normally)
			}
		}
	}
}

// normally allows for the rounding of logarithm, cosine and the angle.
func normally(dt dtype.DType, got, want complex128, _ int) bool {
	return math.Abs(real(got)-real(want)) <= 8*dtype.Info(dt).Eps*max(1, math.Abs(real(want)))
}

func (s *suite) random(t dtype.DType, loop []int, d device.Distribution, p float64, near closeness) {
	s.Helper()
	for _, counter := range []uint64{0, 7, 1<<32 - 3, s.Uint64(), math.MaxUint64 - 2} {
		key := [2]uint32{s.Uint32(), s.Uint32()}
		s.check(call{kernel: device.Device.Random, loop: loop, outputs: []*array{s.any(t, loop, tame)}, close: near,
			set: func(l *device.Launch) { l.Key, l.Counter, l.Distribution, l.Scalars[0].Re = key, counter, d, p }}, "%s, distribution %d, counter %d", t, d, counter)
	}
}
