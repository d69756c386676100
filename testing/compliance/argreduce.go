package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testArgReduce(s *suite) {
	for trial := range 400 {
		loop := s.randomShape(1000)
		if trial%20 == 0 {
			loop = []int{trial%3 + 1, 3000}
		}
		s.argReduce(types[trial%len(types)], loop)
	}
	for _, loop := range [][]int{{70_000}, {9000, 4}, {200, 300}} {
		for _, t := range []dtype.DType{dtype.Uint8, dtype.Float32, dtype.Float64} {
			s.check(call{kernel: device.Device.ArgReduce, loop: loop, set: reduceOver(1, device.CombineMax),
				outputs: []*array{s.reduced(dtype.Int64, loop, 1)}, inputs: []*array{s.any(t, loop, tame)}}, "max of %s", t)
		}
	}
}

// argReduce checks a search over some axes of a loop, if they are not empty.
func (s *suite) argReduce(t dtype.DType, loop []int) {
	s.Helper()
	axes := s.IntN(len(loop) + 1)
	if broadcast.Size(loop[len(loop)-axes:]) == 0 {
		return
	}
	c := [...]device.Combine{device.CombineMax, device.CombineMin}[s.IntN(2)]
	s.check(call{kernel: device.Device.ArgReduce, loop: loop, set: reduceOver(axes, c),
		outputs: []*array{s.reduced(dtype.Int64, loop, axes)},
		inputs:  []*array{s.input(t, loop, [...]filling{fromFewValues, tame, wild}[s.IntN(3)])}}, "%s of %s over the last %d", c, t, axes)
}
