package compliance

import (
	"math"
	"math/rand/v2"

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
	for d := device.DistributionGamma; d <= device.DistributionHypergeometric; d++ {
		for _, t := range []dtype.DType{dtype.Float64, dtype.Float32, dtype.Int64} {
			for _, loop := range [][]int{nil, {0}, {5}, {4, 1, 30}, {300}} {
				s.drawnOf(t, loop, d)
			}
		}
	}
}

// drawnOf draws from a distribution, with common and with separate parameters.
func (s *suite) drawnOf(t dtype.DType, loop []int, d device.Distribution) {
	s.Helper()
	key, counter := [2]uint32{s.Uint32(), s.Uint32()}, s.Uint64()
	for _, fillings := range parametersOf(d) {
		var parameters []*array
		for _, filling := range fillings {
			parameters = append(parameters, s.input(dtype.Float64, loop, filling))
		}
		s.check(call{kernel: device.Device.Random, loop: loop, outputs: []*array{s.any(t, loop, tame)}, inputs: parameters,
			set: func(l *device.Launch) { l.Key, l.Counter, l.Distribution = key, counter, d }}, "%s, distribution %d", t, d)
	}
}

// parametersOf returns parameters for every algorithm of a distribution: small, large, on both sides of 1, and invalid
// ones.
func parametersOf(d device.Distribution) (all [][]filling) {
	among := func(values ...float64) filling {
		return func(r *rand.Rand, _ dtype.DType) number { return floatNumber(values[r.IntN(len(values))]) }
	}
	switch d {
	case device.DistributionGamma:
		return [][]filling{{among(0, 1e-4, 0.3, 1, 1.5, 40, 1e9), among(0, 1, 2.5)}, {among(-1, math.NaN(), 2), among(1)}}
	case device.DistributionBeta:
		return [][]filling{{among(1e-4, 0.3, 1, 1.5, 1e300), among(1e-4, 0.7, 3, 1e300)}, {among(0, 1, -2), among(1)}}
	case device.DistributionPoisson:
		return [][]filling{{among(0, 1e-9, 0.5, 9.9, 10, 700, 1e15), among(0)}, {among(-1, math.NaN(), math.Inf(1)), among(0)}}
	case device.DistributionVonMises:
		return [][]filling{{among(0, 1, -3, 100), among(0, 1e-9, 1e-6, 0.5, 4, 1e5, 1e9)}, {among(0, math.Inf(1)), among(-1, math.NaN(), 2)}}
	case device.DistributionZipf:
		return [][]filling{{among(1.01, 1.5, 2, 10, 2000), among(0)}, {among(1, -1, math.NaN()), among(0)}}
	case device.DistributionLogSeries:
		return [][]filling{{among(0, 1e-9, 0.3, 0.99, 1-1e-9), among(0)}, {among(1, -1, math.NaN()), among(0)}}
	case device.DistributionHypergeometric:
		return [][]filling{{among(30, 4, 1000, 4e8), among(30, 7, 2000, 5e8), among(0, 5, 11)}, {among(500, 1e6), among(300, 2e6), among(100, 400, 790)},
			{among(-1, 5, 1e9), among(5, 1e9), among(2, 20, math.NaN())}}
	}
	return [][]filling{{among(0, 1, 24, 1000, 1<<40, 1<<53), among(0, 1e-9, 0.3, 0.5, 0.97, 1)}, {among(-1, 5), among(-0.1, 1.1, math.NaN())}}
}

// normally allows for the rounding of the logarithm, the cosine and the angle.
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
