package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testSampleLocationsGrad(s *suite) { s.eachSampling(s.sampleLocationsGrad) }

func (s *suite) sampleLocationsGrad(t dtype.DType, g sampling, fill filling) {
	s.Helper()
	x, locations := s.any(t, g.array, fill), s.locations(g)
	var outputs []*array
	for _, p := range locations[:g.floats] {
		outputs = append(outputs, s.strided(p.dtype, g.loop, g.vary[len(outputs)], tame))
	}
	if g.floats == 0 {
		return
	}
	least := t
	for _, p := range outputs {
		if p.dtype == dtype.Float32 {
			least = p.dtype // sums in it are no more precise
		}
	}
	s.check(call{kernel: device.Device.SampleLocationsGrad, loop: g.loop, set: g.set(x), outputs: outputs,
		inputs: append([]*array{s.input(t, g.loop, fill), g.over(x)}, locations...), close: g.near(least), work: g.corners()}, "%s, %+v", t, g)
}
