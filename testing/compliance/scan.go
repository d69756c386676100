package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testScan(s *suite) {
	for _, to := range types {
		for _, c := range combinable(dtype.ComputeType(to)) {
			for _, loop := range [][]int{{0}, {1}, {40}, {5, 30}, {3, 0}, {6, 1}, {2, 300}} {
				s.scan(to, to, loop, c)
			}
		}
		for _, from := range types {
			s.scan(from, to, []int{3, 20}, combinable(dtype.ComputeType(to))[0])
		}
	}
	for range 60 {
		loop := s.randomShape(1000)
		if len(loop) > 0 {
			t := types[s.IntN(len(types))]
			cs := combinable(dtype.ComputeType(t))
			s.scan(t, t, loop, cs[s.IntN(len(cs))])
		}
	}
	for _, t := range []dtype.DType{dtype.Int32, dtype.Float32, dtype.Float64} {
		s.scan(t, t, []int{30_000}, device.CombineSum)
		s.scan(t, t, []int{140_000}, device.CombineSum)
		s.scanDense(t, []int{9, 77})
		s.scanDense(t, []int{2, 40, 33})
		s.scan(t, t, []int{20, 1025}, device.CombineSum)
		s.scan(t, t, []int{3000, 5}, device.CombineMax)
	}
}

// scan checks an inclusive scan, an exclusive scan, and one in place.
func (s *suite) scan(from, to dtype.DType, loop []int, c device.Combine) {
	s.Helper()
	fill := fillingFor(c)
	if from != to && from.IsInexact() && !to.IsInexact() {
		fill = tame
	}
	for _, exclusive := range []bool{false, true} {
		x, y := s.input(from, loop, fill), s.any(to, loop, tame)
		if from == to && s.IntN(3) == 0 {
			x = s.any(from, loop, fill)
			y = x
		}
		run := call{kernel: device.Device.Scan, loop: loop, outputs: []*array{y}, inputs: []*array{x},
			set: func(l *device.Launch) { l.Combine, l.Exclusive = c, exclusive }}
		run.close = s.combined(c, loop[len(loop)-1], run)
		s.check(run, "%s of %s to %s, exclusive %v", c, from, to, exclusive)
	}
}

// scanDense checks sums and products of contiguous arrays along each of their axes.
func (s *suite) scanDense(t dtype.DType, shape []int) {
	s.Helper()
	for axis := range shape {
		for _, c := range []device.Combine{device.CombineSum, device.CombineProd} {
			for _, exclusive := range []bool{false, true} {
				x, y := s.dense(t, shape, fillingFor(c)), s.dense(t, shape, tame)
				loop := append([]int(nil), shape...)
				last := len(shape) - 1
				loop[axis], loop[last] = loop[last], loop[axis]
				for _, a := range []*array{x, y} {
					a.loop = append([]int(nil), a.Strides...)
					a.loop[axis], a.loop[last] = a.loop[last], a.loop[axis]
				}
				run := call{kernel: device.Device.Scan, loop: loop, outputs: []*array{y}, inputs: []*array{x},
					set: func(l *device.Launch) { l.Combine, l.Exclusive = c, exclusive }}
				run.close = s.combined(c, loop[last], run)
				s.check(run, "%s of %s along axis %d of %v, exclusive %v", c, t, axis, shape, exclusive)
			}
		}
	}
}
