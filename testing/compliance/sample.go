package compliance

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// sampling is a loop over some axes of an array and over the axes of the sample locations, which index the array's
// other axes.
type sampling struct {
	array   []int // the array's shape
	sampled []int // the axes that the locations index, those with float locations first
	floats  int
	loop    []int
	kept    []int    // for each axis of the loop, the array axis, or -1
	vary    [][]bool // for each location operand, the loop axes along which it varies
	bounds  device.Bounds
}

// randomSampling draws a geometry: separate grids of locations for some of the array's other axes, and grids made of
// rows and columns.
func (s *suite) randomSampling(longest int) sampling {
	g := sampling{floats: s.IntN(4), bounds: []device.Bounds{device.BoundsDrop, device.BoundsClip}[s.IntN(2)]}
	indexed := g.floats + s.IntN(2)
	if indexed == 0 {
		g.floats, indexed = 1, 1
	}
	rank := indexed + s.IntN(3)
	for range rank {
		g.array = append(g.array, s.length(1+s.IntN(7)))
	}
	if s.IntN(25) == 0 {
		g.array[s.IntN(rank)] = 0
	}
	order := s.Perm(rank)
	g.sampled = order[:indexed]
	for _, axis := range order[indexed:] {
		g.loop, g.kept = append(g.loop, g.array[axis]), append(g.kept, axis)
	}
	for range 1 + s.IntN(3) {
		at := s.IntN(len(g.loop) + 1)
		g.loop, g.kept = slices.Insert(g.loop, at, s.length(1+s.IntN(6))), slices.Insert(g.kept, at, -1)
	}
	if longest > 0 {
		g.loop[slices.Index(g.kept, -1)] = 1 + s.IntN(longest)
	}
	separate := s.decide()
	for j := range g.sampled {
		vary := make([]bool, len(g.loop))
		for axis := range vary {
			switch {
			case separate:
				vary[axis] = g.kept[axis] < 0 && axis%indexed == j
			case g.kept[axis] < 0:
				vary[axis] = s.IntN(5) != 0
			default:
				vary[axis] = s.IntN(3) == 0
			}
		}
		g.vary = append(g.vary, vary)
	}
	return g
}

// over sets the strides over the loop of an array with the sampled shape.
func (g sampling) over(a *array) *array {
	a.loop = make([]int, len(g.loop))
	for axis, k := range g.kept {
		if k >= 0 {
			a.loop[axis] = a.Strides[k]
		}
	}
	return a
}

// corners is how many elements of the array a point reads or writes.
func (g sampling) corners() int { return 1 << g.floats }

// set describes the sampled axes of an array.
func (g sampling) set(a *array) func(*device.Launch) {
	return func(l *device.Launch) {
		l.Bounds = g.bounds
		for j, axis := range g.sampled {
			l.Axes[j] = device.IndexAxis{Stride: a.Strides[axis], Size: g.array[axis]}
		}
	}
}

// locations draws one location operand per sampled axis: integers, other numbers, and some outside.
func (s *suite) locations(g sampling) []*array {
	rare := s.IntN(4) == 0
	var operands []*array
	for j, axis := range g.sampled {
		n := float64(g.array[axis])
		t := dtype.Int64
		if j < g.floats {
			t = s.sampledType()
		}
		operands = append(operands, s.strided(t, g.loop, g.vary[j], func(r *rand.Rand, t dtype.DType) number {
			if t == dtype.Int64 {
				if rare && r.IntN(6) == 0 {
					return integerNumber(wild(r, t).int)
				}
				return integerNumber(r.Int64N(int64(n)+2) - 1)
			}
			switch location := r.Float64()*(n+4) - 2; {
			case rare && r.IntN(20) == 0:
				return floatNumber([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e30, -1e30, math.Copysign(0, -1)}[r.IntN(6)])
			case r.IntN(4) == 0:
				return floatNumber(math.Floor(location))
			default:
				return floatNumber(math.Round(location*1024) / 1024)
			}
		}))
	}
	return operands
}

// sampledType draws one of the types that the sampling kernels support.
func (s *suite) sampledType() dtype.DType {
	return [...]dtype.DType{dtype.Float32, dtype.Float64}[s.IntN(2)]
}

// near allows for the rounding of sums with as many terms as there are points, since all points may contribute to one
// element.
func (g sampling) near(t dtype.DType) closeness {
	return absolute(dtype.Info(t).Eps * (1000 + 20*float64(broadcast.Size(g.loop))))
}

func testSample(s *suite)     { s.eachSampling(s.sample) }
func testSampleGrad(s *suite) { s.eachSampling(s.sampleGrad) }

func (s *suite) eachSampling(test func(t dtype.DType, g sampling, fill filling)) {
	for trial := range 200 {
		fill := tame
		if trial%4 == 0 {
			fill = fromFewValues
		}
		test(s.sampledType(), s.randomSampling(trial%10/9*1000), fill)
	}
	for _, t := range []dtype.DType{dtype.Float32, dtype.Float64} {
		for _, g := range pictures {
			test(t, g, tame)
		}
	}
}

// pictures are typical calls, large enough to be split among workers.
var pictures = []sampling{
	{array: []int{2, 3, 17, 23}, sampled: []int{2, 3}, floats: 2, loop: []int{2, 3, 20, 31}, kept: []int{0, 1, -1, -1},
		vary: [][]bool{{false, false, true, false}, {false, false, false, true}}, bounds: device.BoundsClip},
	{array: []int{2, 3, 40, 35}, sampled: []int{2, 3}, floats: 2, loop: []int{2, 3, 13, 17}, kept: []int{0, 1, -1, -1},
		vary: [][]bool{{false, false, true, false}, {false, false, false, true}}, bounds: device.BoundsDrop},
	{array: []int{2, 7, 8, 37}, sampled: []int{1, 2}, floats: 2, loop: []int{2, 9, 14, 37}, kept: []int{0, -1, -1, 3},
		vary: [][]bool{{false, true, false, false}, {false, false, true, false}}, bounds: device.BoundsClip},
	{array: []int{2, 3, 17, 23}, sampled: []int{2, 3}, floats: 2, loop: []int{2, 3, 20, 31}, kept: []int{0, 1, -1, -1},
		vary: [][]bool{{true, false, true, true}, {true, false, true, true}}, bounds: device.BoundsDrop},
	{array: []int{2, 7, 8, 37}, sampled: []int{1, 2}, floats: 2, loop: []int{2, 9, 14, 37}, kept: []int{0, -1, -1, 3},
		vary: [][]bool{{true, true, true, false}, {true, true, true, false}}, bounds: device.BoundsDrop},
	{array: []int{2, 2, 7, 9, 6}, sampled: []int{2, 3, 4}, floats: 3, loop: []int{2, 2, 10, 8, 9}, kept: []int{0, 1, -1, -1, -1},
		vary: [][]bool{{false, false, true, false, false}, {false, false, false, true, false}, {false, false, false, false, true}}, bounds: device.BoundsClip},
	{array: []int{3, 4, 9, 10}, sampled: []int{2, 3, 0}, floats: 2, loop: []int{4, 30, 20}, kept: []int{1, -1, -1},
		vary: [][]bool{{false, true, true}, {false, true, true}, {false, true, false}}, bounds: device.BoundsDrop},
	{array: []int{2, 70}, sampled: []int{1}, floats: 1, loop: []int{2, 900}, kept: []int{0, -1}, vary: [][]bool{{false, true}}, bounds: device.BoundsClip},
}

func (s *suite) sample(t dtype.DType, g sampling, fill filling) {
	s.Helper()
	x := s.any(t, g.array, fill)
	s.check(call{kernel: device.Device.Sample, loop: g.loop, set: g.set(x), outputs: []*array{s.any(t, g.loop, tame)},
		inputs: append([]*array{g.over(x)}, s.locations(g)...), close: g.near(t), work: g.corners()}, "%s, %+v", t, g)
}

func (s *suite) sampleGrad(t dtype.DType, g sampling, fill filling) {
	s.Helper()
	gx := s.any(t, g.array, tame)
	s.check(call{kernel: device.Device.SampleGrad, loop: g.loop, set: g.set(gx), outputs: []*array{g.over(gx)},
		inputs: append([]*array{s.input(t, g.loop, fill)}, s.locations(g)...), close: g.near(t), work: g.corners()}, "%s, %+v", t, g)
}
