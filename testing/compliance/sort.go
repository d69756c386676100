package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testSort(s *suite) {
	for _, t := range types {
		for _, loop := range [][]int{{0}, {1}, {2}, {3, 0}, {0, 3}, {4, 5}, {90}, {3, 2, 40}, {5, 300}} {
			for _, fill := range []filling{fromFewValues, tame, wild} {
				for _, descending := range []bool{false, true} {
					s.sort(t, loop, fill, descending)
				}
			}
		}
	}
	for range 60 {
		if loop := s.randomShape(1000); len(loop) > 0 {
			s.sort(types[s.IntN(len(types))], loop, fromFewValues, s.IntN(2) == 0)
		}
	}
	for _, t := range []dtype.DType{dtype.Bool, dtype.Int16, dtype.Float32, dtype.Float64} {
		s.sort(t, []int{30_000}, fromFewValues, false)
		s.sort(t, []int{5000}, wild, true)
	}
}

// testSortKept stores only some elements of the sorted rows.
func testSortKept(s *suite) {
	for _, t := range types {
		for _, loop := range [][]int{{1}, {4, 5}, {90}, {3, 2, 40}, {5, 300}, {2, 3000}} {
			for _, fill := range []filling{fromFewValues, tame, wild} {
				s.sortKept(t, loop, fill)
			}
		}
	}
}

// sortKept checks numbers of kept elements from one to all, the first ones or others.
func (s *suite) sortKept(t dtype.DType, loop []int, fill filling) {
	s.Helper()
	n := loop[len(loop)-1]
	for _, keep := range []int{1, 1 + n/20, 1 + n/2, n} {
		if keep > n {
			continue
		}
		kept := append(append([]int{}, loop[:len(loop)-1]...), keep)
		outputs := []*array{s.any(t, kept, tame), s.any(dtype.Int64, kept, tame)}
		switch s.IntN(4) {
		case 0:
			outputs[0] = nil
		case 1:
			outputs[1] = nil
		}
		descending, from := s.IntN(2) == 0, 0
		if s.decide() {
			from = s.IntN(n - keep + 1)
		}
		s.check(call{kernel: device.Device.Sort, loop: loop, outputs: outputs, inputs: []*array{s.input(t, loop, fill)},
			set: func(l *device.Launch) { l.Descending, l.Keep, l.From = descending, keep, from }}, "%s, %d of %v from %d on, descending %v", t, keep, loop, from, descending)
	}
}

// testSortPartition partitions rows that allow one result only: rows of up to three elements around the second one.
func testSortPartition(s *suite) {
	for _, t := range types {
		for _, loop := range [][]int{{2}, {3}, {5, 2}, {40, 3}} {
			for _, fill := range []filling{fromFewValues, tame, wild} {
				outputs := []*array{s.any(t, loop, tame), nil}
				if s.decide() {
					outputs[1] = s.any(dtype.Int64, loop, tame)
				}
				s.check(call{kernel: device.Device.Sort, loop: loop, outputs: outputs, inputs: []*array{s.input(t, loop, fill)},
					set: func(l *device.Launch) { l.Partition, l.From = true, 1 }}, "%s, partitions of %v", t, loop)
			}
		}
	}
}

// sort computes the sorted values, their indices, or both, or sorts in place.
func (s *suite) sort(t dtype.DType, loop []int, fill filling, descending bool) {
	s.Helper()
	x := s.input(t, loop, fill)
	values, indices := s.any(t, loop, tame), s.any(dtype.Int64, loop, tame)
	switch s.IntN(5) {
	case 0:
		values = nil
	case 1:
		indices = nil
	case 2:
		x = s.any(t, loop, fill)
		values = x
	}
	s.check(call{kernel: device.Device.Sort, loop: loop, outputs: []*array{values, indices}, inputs: []*array{x},
		set: func(l *device.Launch) { l.Descending = descending }}, "%s, descending %v", t, descending)
}
