package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testCopy(s *suite) {
	copying := device.Device.Copy
	s.run("Types", func(s *suite) {
		for _, from := range types {
			for _, to := range types {
				for _, n := range []int{0, 1, 150} {
					shape := []int{n}
					s.check(call{kernel: copying, loop: shape,
						outputs: []*array{s.any(to, shape, tame)}, inputs: []*array{s.input(from, shape, wild)}}, "%s to %s", from, to)
				}
			}
		}
	})
	s.run("Layouts", func(s *suite) {
		for trial := range 150 {
			s.copied(s.randomShape(1500), trial%2 == 0)
		}
	})
	s.run("Large", func(s *suite) {
		for _, dt := range []dtype.DType{dtype.Bool, dtype.Float16, dtype.Int32, dtype.Complex128} {
			for _, shape := range [][]int{{70_000}, {260, 270}} {
				s.check(call{kernel: copying, loop: shape,
					outputs: []*array{s.strided(dt, shape, all(len(shape)), tame)}, inputs: []*array{s.input(dt, shape, wild)}}, "%s", dt)
			}
		}
	})
	s.run("InPlace", func(s *suite) {
		for _, dt := range types {
			shape := []int{7, 9}
			a := s.any(dt, shape, wild)
			s.check(call{kernel: copying, loop: shape, outputs: []*array{a}, inputs: []*array{a}}, "%s", dt)
		}
	})
}

// copied checks a copy between random types, or within one type.
func (s *suite) copied(shape []int, alike bool) {
	s.Helper()
	from, to := types[s.IntN(len(types))], types[s.IntN(len(types))]
	if alike {
		from = to
	}
	s.check(call{kernel: device.Device.Copy, loop: shape,
		outputs: []*array{s.any(to, shape, tame)}, inputs: []*array{s.input(from, shape, wild)}}, "%s to %s", from, to)
}
