package compliance

import (
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testCompress(s *suite) {
	for trial := range 200 {
		loop := s.randomShape(2000)
		switch trial {
		case 0, 1, 2:
			loop = []int{70_000}
		case 3:
			loop = []int{40, 50, 30}
		}
		s.compress(types[trial%len(types)], loop, [...]filling{fromFewValues, tame, zeros}[trial%3], trial%10 == 9)
	}
}

// compress checks a selection by a mask, or only the number of its elements.
func (s *suite) compress(t dtype.DType, loop []int, mask filling, counting bool) {
	s.Helper()
	y := s.dense(t, []int{broadcast.Size(loop)}, tame)
	y.loop = make([]int, len(loop))
	outputs := []*array{y}
	if counting {
		outputs[0] = nil
	}
	count := 0
	s.check(call{loop: loop, outputs: outputs, inputs: []*array{s.input(t, loop, wild), s.input(dtype.Bool, loop, mask)},
		count: &count, kernel: func(dev device.Device, l *device.Launch) { count = dev.Compress(l) }}, "%s", t)
}

func zeros(*rand.Rand, dtype.DType) number { return integerNumber(0) }
