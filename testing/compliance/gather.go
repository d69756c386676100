package compliance

import (
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// indexing is a loop over some axes of an array and over the axes of the indices that replace the other axes.
type indexing struct {
	array   []int // the indexed array's shape
	indexed []int // its axes that are indexed
	loop    []int // the indices' axes, then the array's other axes
	rank    int   // rank of the indices
	bounds  device.Bounds
}

var boundsNames = [...]string{"raise", "wrap", "clip", "drop", "exact"}

// randomIndexing draws an array's shape, and one to three of its axes to index.
func (s *suite) randomIndexing() indexing {
	ix := indexing{bounds: device.Bounds(s.IntN(4))}
	rank := 1 + s.IntN(4)
	for range rank {
		ix.array = append(ix.array, s.length([...]int{1, 2, 3, 5, 9}[s.IntN(5)]))
	}
	if s.IntN(25) == 0 {
		ix.array[s.IntN(rank)] = 0
	}
	ix.indexed = s.Perm(rank)[:1+s.IntN(min(rank, 3))]
	ix.rank = s.IntN(3)
	for range ix.rank {
		ix.loop = append(ix.loop, s.length(s.IntN(8)))
	}
	for axis, n := range ix.array {
		if !ix.has(axis) {
			ix.loop = append(ix.loop, n)
		}
	}
	return ix
}

func (ix indexing) has(axis int) bool {
	for _, k := range ix.indexed {
		if k == axis {
			return true
		}
	}
	return false
}

// over sets the strides over the loop of an array with the indexed shape.
func (ix indexing) over(a *array) *array {
	a.loop = make([]int, ix.rank)
	for axis, stride := range a.Strides {
		if !ix.has(axis) {
			a.loop = append(a.loop, stride)
		}
	}
	return a
}

// axes describes the indexed axes of an array.
func (ix indexing) axes(a *array) func(*device.Launch) {
	return func(l *device.Launch) {
		l.Bounds = ix.bounds
		for j, axis := range ix.indexed {
			l.Axes[j] = device.IndexAxis{Stride: a.Strides[axis], Size: ix.array[axis]}
		}
	}
}

// indices draws an index operand for each indexed axis; some of them have indices out of range.
func (s *suite) indices(ix indexing) []*array {
	outside := s.IntN(3) == 0
	var operands []*array
	for _, axis := range ix.indexed {
		vary := make([]bool, len(ix.loop))
		for k := range ix.rank {
			vary[k] = s.IntN(4) != 0
		}
		n := int64(ix.array[axis])
		operands = append(operands, s.strided(dtype.Int64, ix.loop, vary, func(r *rand.Rand, _ dtype.DType) number {
			switch {
			case outside && r.IntN(6) == 0 || n == 0:
				return integerNumber(wild(r, dtype.Int64).int)
			case ix.bounds == device.BoundsRaise && r.IntN(2) == 0:
				return integerNumber(-1 - r.Int64N(n))
			}
			return integerNumber(r.Int64N(n))
		}))
	}
	return operands
}

func testGather(s *suite) {
	for trial := range 600 {
		s.gatherRandomly(types[trial%len(types)])
	}
	for _, t := range []dtype.DType{dtype.Uint8, dtype.Float32, dtype.Complex128} {
		for _, ix := range []indexing{
			{array: []int{500, 30}, indexed: []int{0}, loop: []int{700, 30}, rank: 1},
			{array: []int{30, 500}, indexed: []int{1}, loop: []int{700, 30}, rank: 1},
			{array: []int{900}, indexed: []int{0}, loop: []int{70_000}, rank: 1},
		} {
			x := ix.over(s.any(t, ix.array, wild))
			s.check(call{kernel: device.Device.Gather, loop: ix.loop, set: ix.axes(x), outputs: []*array{s.any(t, ix.loop, tame)},
				inputs: append([]*array{x}, s.indices(ix)...)}, "%s, axes %v of %v", t, ix.indexed, ix.array)
		}
	}
	for trial := range 100 {
		s.gatherFresh(types[trial%len(types)])
	}
}

// gatherFresh checks selections along the last axis into new arrays, with separate indices for every element of the
// first axis.
func (s *suite) gatherFresh(t dtype.DType) {
	s.Helper()
	n := s.length(1 + s.IntN(20))
	ix := indexing{array: []int{n, s.length(1 + s.IntN(50))}, indexed: []int{0, 1}, loop: []int{n, s.length(s.IntN(40))}, rank: 2, bounds: device.BoundsRaise}
	if s.IntN(10) == 0 {
		ix.loop[1] = 5000
	}
	if s.IntN(2) == 0 {
		ix.bounds = device.BoundsExact
	}
	x := s.any(t, ix.array, wild)
	s.check(call{kernel: device.Device.Gather, loop: ix.loop, set: ix.set(x, 0, true, false), fresh: true,
		outputs: []*array{s.any(t, ix.loop, tame)}, inputs: append([]*array{ix.over(x)}, s.indices(ix)...)},
		"%s, %s, from %v", t, boundsNames[ix.bounds], ix.array)
}

// gatherRandomly checks a selection from a random array, with indices in range and out of range.
func (s *suite) gatherRandomly(from dtype.DType) {
	s.Helper()
	ix := s.randomIndexing()
	to := from
	if s.IntN(4) == 0 {
		to = types[s.IntN(len(types))]
	}
	x := ix.over(s.any(from, ix.array, wild))
	s.check(call{kernel: device.Device.Gather, loop: ix.loop, set: ix.axes(x), outputs: []*array{s.any(to, ix.loop, tame)},
		inputs: append([]*array{x}, s.indices(ix)...)}, "%s to %s, %s, axes %v of %v", from, to, boundsNames[ix.bounds], ix.indexed, ix.array)
}

// set describes the indexed axes of an array, and says whether the array or the result is new.
func (ix indexing) set(a *array, c device.Combine, fresh, cleared bool) func(*device.Launch) {
	axes := ix.axes(a)
	return func(l *device.Launch) {
		axes(l)
		l.Combine, l.Fresh, l.Cleared = c, fresh, cleared
	}
}
