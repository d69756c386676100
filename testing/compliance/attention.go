package compliance

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// testAttention tries all layouts, with and without a mask, storage for the weights, and keys after a query.
func testAttention(s *suite) {
	s.run("Types", func(s *suite) {
		for _, t := range floatTypes {
			for range 8 {
				s.attendRandomly(t)
				s.attention(t, [4]int{1 + s.IntN(20), 1 + s.IntN(20), 1 + s.IntN(9), 1 + s.IntN(9)}, s.IntN(4) == 0)
			}
		}
	})
	s.run("Large", func(s *suite) {
		for _, shape := range [][4]int{{130, 100, 24, 40}, {5, 1030, 8, 3}, {3, 9000, 2, 2}, {40, 17, 600, 33}, {33, 3, 2, 5000}} {
			s.attention(dtype.Float32, shape, false)
			s.attention(dtype.Float64, shape, false)
		}
	})
	s.run("Hidden", func(s *suite) {
		for _, t := range floatTypes {
			for range 6 {
				s.attendHidden(t, 1+s.IntN(40), 1+s.IntN(30))
			}
		}
	})
}

// attendHidden hides keys by -Inf, all keys from some queries, and puts NaN into keys and values, which also a causal
// attention hides.
func (s *suite) attendHidden(t dtype.DType, queries, keys int) {
	s.Helper()
	const depth, columns = 5, 3
	loop := []int{queries, keys, depth, columns}
	operand := func(vary ...bool) *array { return s.strided(t, loop, vary, tame) }
	y, weights := s.any(t, []int{queries, columns}, tame), s.any(t, []int{queries, keys}, tame)
	y.loop = []int{y.Strides[0], 0, 0, y.Strides[1]}
	weights.loop = []int{weights.Strides[0], weights.Strides[1], 0, 0}
	q, k, v := operand(true, false, true, false), operand(false, true, true, false), operand(false, true, false, true)
	mask := operand(true, true, false, false)
	set := func(a *array, v float64, at ...int) {
		offset := a.Offset
		for k, i := range at {
			offset += i * a.Strides[k]
		}
		floatNumber(v).store(t, a.pointer(offset))
	}
	odd, row := s.IntN(keys), s.IntN(queries)
	for i := range queries {
		for j := range keys {
			if j == odd && i%2 == 0 || i == row || s.IntN(4) == 0 {
				set(mask, math.Inf(-1), i, j, 0, 0)
			}
		}
	}
	set(k, math.NaN(), 0, odd, 1, 0)
	if s.IntN(2) == 0 {
		set(v, math.NaN(), 0, odd, 0, 2)
	}
	causal := s.IntN(2) == 0
	run := call{kernel: device.Device.Attention, loop: loop, outputs: []*array{y, weights}, inputs: []*array{q, k, v, mask},
		set: func(l *device.Launch) { l.Scale, l.Causal = 0.25, causal }}
	if causal && s.IntN(2) == 0 {
		run.inputs = run.inputs[:3]
	}
	run.close = absolute(epsilon(t) * 100)
	s.check(run, "%s, %d queries, %d keys, causal %v", t, queries, keys, causal)
}

// attendRandomly checks few queries and keys, or none.
func (s *suite) attendRandomly(t dtype.DType) {
	s.Helper()
	s.attention(t, [4]int{s.IntN(6), s.length(s.IntN(6)), s.IntN(6), s.length(s.IntN(6))}, s.IntN(4) == 0)
}

// attention checks m queries, n keys with d numbers each, and values with e numbers each, in one or two batches. If
// plain is set, the layouts are those of networks.
func (s *suite) attention(t dtype.DType, shape [4]int, plain bool) {
	s.Helper()
	var batch []int
	for range s.IntN(3) {
		batch = append(batch, s.length(s.IntN(4)))
	}
	loop := append(append([]int(nil), batch...), shape[:]...)
	rank := len(loop)
	operand := func(dt dtype.DType, without ...int) *array {
		vary := all(rank)
		for k := range batch {
			vary[k] = plain || s.IntN(4) != 0
		}
		for _, axis := range without {
			vary[axis] = false
		}
		return s.strided(dt, loop, vary, tame)
	}
	output := func(axes ...int) *array {
		of := append([]int(nil), batch...)
		for _, axis := range axes {
			of = append(of, shape[axis])
		}
		a := s.any(t, of, tame)
		a.loop = make([]int, rank)
		copy(a.loop, a.Strides[:len(batch)])
		for k, axis := range axes {
			a.loop[len(batch)+axis] = a.Strides[len(batch)+k]
		}
		return a
	}
	m, n, d, e, causal := rank-4, rank-3, rank-2, rank-1, s.IntN(3) == 0
	run := call{kernel: device.Device.Attention, loop: loop, outputs: []*array{output(0, 3), nil},
		inputs: []*array{operand(t, n, e), operand(t, m, e), operand(t, m, d)}, set: func(l *device.Launch) { l.Scale, l.Causal = 0.25, causal }}
	if s.IntN(2) == 0 {
		run.outputs[1] = output(0, 1)
	}
	if s.IntN(2) == 0 {
		mask := operand([...]dtype.DType{t, t, dtype.Float16}[s.IntN(3)], d, e)
		run.inputs = append(run.inputs, mask)
	}
	run.close = absolute(epsilon(t) * float64(40+2*shape[2])) // an error of a score is an error of an exponent
	s.check(run, "%s, batch %v, %v", t, batch, shape)
}
