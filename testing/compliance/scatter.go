package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testScatter(s *suite) {
	for trial := range 700 {
		s.scatterRandomly(types[trial%len(types)])
	}
	for _, t := range []dtype.DType{dtype.Int32, dtype.Float32, dtype.Float64} {
		for _, ix := range []indexing{
			{array: []int{500, 30}, indexed: []int{0}, loop: []int{500, 30}, rank: 1},
			{array: []int{900}, indexed: []int{0}, loop: []int{70_000}, rank: 1},
			{array: []int{70_000}, indexed: []int{0}, loop: []int{70_000}, rank: 1},
			{array: []int{3}, indexed: []int{0}, loop: []int{9000}, rank: 1},
		} {
			for _, c := range []device.Combine{device.CombineAssign, device.CombineSum, device.CombineMax} {
				if broadcast.Size(ix.loop) < 50_000 || t == dtype.Float32 && c != device.CombineMax {
					s.scatter(ix, t, t, c)
				}
			}
		}
	}
	for trial := range 300 {
		s.scatterCleared(types[trial%len(types)])
	}
}

// scatterCleared checks assignments to elements of an array that starts as zeros: to one element per row, or to any
// elements.
func (s *suite) scatterCleared(t dtype.DType) {
	s.Helper()
	ix := s.randomIndexing()
	rows := s.IntN(2) == 0
	if rows {
		n := s.length(s.IntN(300))
		ix = indexing{array: []int{n, s.length(1 + s.IntN(9)), s.length(1 + s.IntN(30))}, indexed: []int{1, 2}, loop: []int{n}, rank: 1}
	}
	ix.bounds = []device.Bounds{device.BoundsRaise, device.BoundsExact}[s.IntN(2)]
	a := s.any(t, ix.array, tame)
	y, x := ix.over(a), s.input(t, ix.loop, tame)
	if rows {
		y.loop = []int{a.Strides[0]}
		x = s.strided(t, ix.loop, []bool{s.IntN(2) == 0}, tame)
	}
	fresh := s.IntN(2) == 0
	s.check(call{kernel: device.Device.Scatter, loop: ix.loop, set: ix.set(y, device.CombineAssign, fresh, true), fresh: fresh,
		outputs: []*array{y}, inputs: append([]*array{x}, s.indices(ix)...)}, "%s, %s, axes %v of %v, cleared", t, boundsNames[ix.bounds], ix.indexed, ix.array)
}

// scatterRandomly is the inverse of gatherRandomly, with every combination.
func (s *suite) scatterRandomly(to dtype.DType) {
	s.Helper()
	ix := s.randomIndexing()
	from := to
	if s.IntN(4) == 0 {
		from = types[s.IntN(len(types))]
	}
	cs := append(combinable(dtype.ComputeType(to)), device.CombineAssign, device.CombineAssign)
	s.scatter(ix, from, to, cs[s.IntN(len(cs))])
}

func (s *suite) scatter(ix indexing, from, to dtype.DType, c device.Combine) {
	s.Helper()
	fill := fillingFor(c)
	y := ix.over(s.any(to, ix.array, fill))
	run := call{kernel: device.Device.Scatter, loop: ix.loop, outputs: []*array{y},
		inputs: append([]*array{s.input(from, ix.loop, fill)}, s.indices(ix)...)}
	axes := ix.axes(y)
	run.set = func(l *device.Launch) {
		axes(l)
		l.Combine = c
	}
	if to.IsInexact() && c != device.CombineAssign {
		run.close = equal
		if c == device.CombineSum || c == device.CombineProd {
			sizes, eps := s.scale(run), dtype.Info(to).Eps
			n := float64(broadcast.Size(ix.loop) + 1)
			run.close = within(func(k int) float64 { return eps * (8 + min(n, 100)) * sizes[k] })
		}
	}
	s.check(run, "%s of %s into %s, %s, axes %v of %v", c, from, to, boundsNames[ix.bounds], ix.indexed, ix.array)
}
