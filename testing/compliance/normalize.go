package compliance

import (
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// normalizeLoops are loops with the number of their last axes that are normalised.
var normalizeLoops = []struct {
	loop    []int
	reduced int
}{
	{[]int{7}, 1}, {[]int{5, 1}, 1}, {[]int{5, 8}, 0}, {[]int{40, 20}, 1}, {[]int{3, 1030}, 1}, {[]int{4, 3, 50}, 2}, {[]int{2, 3, 5, 33}, 2},
	{[]int{3, 9000}, 1}, {[]int{2, 30, 70}, 2}, {[]int{2, 4, 3, 5}, 3}, {[]int{0, 4}, 1}, {[]int{4, 0}, 1}, {[]int{200, 300}, 1},
	{[]int{2, 0, 5}, 3},
}

// spread draws numbers around 3.
func spread(r *rand.Rand, _ dtype.DType) number { return floatNumber(3 + 2*r.NormFloat64()) }

// parameter returns an array such as gamma: constant along some axes, in any layout.
func (s *suite) parameter(t dtype.DType, loop []int, reduced int) *array {
	shape := append([]int(nil), loop...)
	kept := len(loop) - reduced
	switch s.IntN(4) {
	case 0: // one for every normalised element
		for k := range shape[:kept] {
			shape[k] = 1
		}
	case 1: // one for every mean
		for k := range shape[kept:] {
			shape[kept+k] = 1
		}
	case 2: // one for every channel
		for k := range shape {
			if k != min(1, len(shape)-1) {
				shape[k] = 1
			}
		}
	default:
		for k := range shape {
			if s.IntN(2) == 0 {
				shape[k] = 1
			}
		}
	}
	a := s.dense(t, shape, spread)
	a.loop = append([]int(nil), a.Strides...)
	for k, n := range shape {
		if n == 1 {
			a.loop[k] = 0
		}
	}
	return a
}

func testNormalize(s *suite) { s.eachNormalization(s.normalize) }

func (s *suite) normalize(t dtype.DType, loop []int, reduced int, x, gamma, beta *array) {
	s.Helper()
	outputs := []*array{s.like(x), s.reduced(t, loop, reduced), s.reduced(t, loop, reduced)}
	s.check(call{kernel: device.Device.Normalize, loop: loop, outputs: outputs, inputs: []*array{x, gamma, beta},
		set: normalizing(reduced), close: absolute(epsilon(t) * (400 + float64(loop[len(loop)-1])))}, "%s, the last %d of %v", t, reduced, loop)
}

func normalizing(reduced int) func(*device.Launch) {
	return func(l *device.Launch) { l.Reduced, l.Eps = reduced, 0.01 }
}

// eachNormalization calls test for all types and loops, with and without parameters.
func (s *suite) eachNormalization(test func(t dtype.DType, loop []int, reduced int, x, gamma, beta *array)) {
	for _, t := range floatTypes {
		for _, c := range normalizeLoops {
			if t.Size() == 2 && broadcast.Size(c.loop) > 5000 {
				continue
			}
			for range 4 {
				x, gamma, beta := s.normalized(t, c.loop, c.reduced)
				test(t, c.loop, c.reduced, x, gamma, beta)
			}
		}
	}
}

// normalized returns the input and the parameters, which may be nil.
func (s *suite) normalized(t dtype.DType, loop []int, reduced int) (x, gamma, beta *array) {
	x = s.dense(t, loop, spread)
	if s.IntN(3) == 0 {
		x = s.any(t, loop, spread)
	}
	if s.IntN(3) > 0 {
		gamma = s.parameter(t, loop, reduced)
	}
	if beta = s.parameter(t, loop, reduced); gamma != nil && s.IntN(2) == 0 {
		beta = s.like(gamma)
	} else if s.IntN(3) == 0 {
		beta = nil
	}
	return x, gamma, beta
}

// like returns another array with the type, shape and layout of a.
func (s *suite) like(a *array) *array {
	b := *a
	b.block = newBlock(len(a.block))
	s.fill(&b, spread)
	return &b
}

func testNormalizeGrad(s *suite) { s.eachNormalization(s.normalizeGrad) }

func (s *suite) normalizeGrad(t dtype.DType, loop []int, reduced int, x, gamma, _ *array) {
	s.Helper()
	var ggamma, gbeta *array
	if gamma != nil {
		ggamma, gbeta = s.like(gamma), s.like(gamma)
	} else if s.IntN(2) == 0 {
		gbeta = s.parameter(t, loop, reduced)
	}
	mean, variance := s.reduced(t, loop, reduced), s.reduced(t, loop, reduced)
	s.fill(mean, spread)
	s.fill(variance, func(r *rand.Rand, _ dtype.DType) number { return floatNumber(1 + r.Float64()) })
	n := float64(max(1, broadcast.Size(loop)))
	s.check(call{kernel: device.Device.NormalizeGrad, loop: loop, outputs: []*array{s.like(x), ggamma, gbeta},
		inputs: []*array{x, gamma, mean, variance, s.like(x)}, set: normalizing(reduced),
		close: absolute(epsilon(t) * 400 * (n + 10))}, "%s, the last %d of %v", t, reduced, loop)
}
