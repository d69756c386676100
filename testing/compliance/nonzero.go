package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testNonzero(s *suite) {
	for trial := range 150 {
		loop := s.randomShape(2000)
		switch trial {
		case 0:
			loop = []int{70_000}
		case 1:
			loop = []int{40, 50, 30}
		}
		s.nonzero(types[trial%len(types)], loop, [...]filling{fromFewValues, tame, zeros}[trial%3])
	}
}

func (s *suite) nonzero(t dtype.DType, loop []int, fill filling) {
	s.Helper()
	y := s.dense(dtype.Int64, []int{broadcast.Size(loop)}, tame)
	y.loop = make([]int, len(loop))
	count := 0
	s.check(call{loop: loop, outputs: []*array{y}, inputs: []*array{s.input(t, loop, fill)},
		count: &count, kernel: func(dev device.Device, l *device.Launch) { count = dev.Nonzero(l) }}, "%s", t)
}
