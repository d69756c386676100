package compliance

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testSearchSorted(s *suite) {
	for _, t := range types {
		for _, shape := range [][]int{{5, 0}, {0, 5}, {40, 1}, {7, 2}, {100, 33}, {3, 4, 9}, {2, 3, 50, 20}} {
			for _, fill := range []filling{fromFewValues, tame, wild} {
				s.searchSorted(t, shape, fill, s.IntN(2) == 0)
			}
		}
	}
	for _, t := range []dtype.DType{dtype.Float32, dtype.Int64} {
		s.searchSorted(t, []int{70_000, 11}, tame, true)
		s.searchSorted(t, []int{300, 5000}, tame, false)
	}
}

// searchSorted looks for values in sorted rows. The last number of the shape is the length of the rows, the others are
// the shape of the values. Along some axes of the values the row is the same.
func (s *suite) searchSorted(t dtype.DType, shape []int, fill filling, right bool) {
	s.Helper()
	last := len(shape) - 1
	loop := shape[:last]
	vary := all(len(shape))
	for k := range loop {
		vary[k] = s.IntN(2) == 0
	}
	row := s.strided(t, shape, vary, fill)
	s.sorted(row)
	stride := row.Strides[last]
	row.loop = row.Strides[:last]
	s.check(call{kernel: device.Device.SearchSorted, loop: loop, work: shape[last], outputs: []*array{s.any(dtype.Int64, loop, tame)},
		inputs: []*array{row, s.input(t, loop, fill)}, set: func(l *device.Launch) {
			l.Right, l.Axes[0] = right, device.IndexAxis{Stride: stride, Size: shape[last]}
		}}, "%s, right %v", t, right)
}

// sorted sorts an array along its last axis on the reference device. It ignores axes along which the array does not
// vary.
func (s *suite) sorted(a *array) {
	s.Helper()
	rows := *a
	rows.Shape, rows.Strides = slices.Clone(a.Shape), slices.Clone(a.Strides)
	for k, stride := range rows.Strides[:len(rows.Strides)-1] {
		if stride == 0 {
			rows.Shape[k] = min(1, rows.Shape[k])
		}
	}
	rows.loop = rows.Strides
	out := s.launch(s.reference, call{kernel: device.Device.Sort, loop: rows.Shape, outputs: []*array{&rows, nil}, inputs: []*array{&rows}})
	copy(a.block, out.blocks[&a.block[0]])
}
