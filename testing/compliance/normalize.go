package compliance

import (
	"math"
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

func testNormalize(s *suite) {
	s.eachNormalization(s.normalize)
	s.eachExtreme(func(t dtype.DType, loop []int, reduced int, x *array, _ float64) {
		s.normalizeWithin(t, loop, reduced, x, s.parameter(t, loop, reduced), nil, func(dt dtype.DType, got, want complex128, k int) bool {
			return absolute(normalizeError(t, loop)*max(1, math.Abs(real(want))))(dt, got, want, k)
		})
	})
}

func (s *suite) normalize(t dtype.DType, loop []int, reduced int, x, gamma, beta *array) {
	s.Helper()
	s.normalizeWithin(t, loop, reduced, x, gamma, beta, absolute(normalizeError(t, loop)))
}

func normalizeError(t dtype.DType, loop []int) float64 {
	return epsilon(t) * (400 + float64(loop[len(loop)-1]))
}

func (s *suite) normalizeWithin(t dtype.DType, loop []int, reduced int, x, gamma, beta *array, close closeness) {
	s.Helper()
	outputs := []*array{s.like(x), s.reduced(t, loop, reduced), s.reduced(t, loop, reduced)}
	s.check(call{kernel: device.Device.Normalize, loop: loop, outputs: outputs, inputs: []*array{x, gamma, beta},
		set: normalizing(reduced), close: close}, "%s, the last %d of %v", t, reduced, loop)
}

// eachExtreme calls test with rows whose variance leaves the range, the first of every three. The others are of equal
// elements, and usual. It also passes the size of the large elements.
func (s *suite) eachExtreme(test func(t dtype.DType, loop []int, reduced int, x *array, size float64)) {
	for _, t := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.BFloat16} {
		size := 1e30
		if t == dtype.Float64 {
			size = 1e200
		}
		for _, c := range []struct {
			loop    []int
			reduced int
		}{{[]int{9, 5}, 1}, {[]int{9, 300}, 1}, {[]int{9, 5000}, 1}, {[]int{9, 3, 40}, 2}, {[]int{3, 20000}, 1}, {[]int{3, 130, 150}, 2}} {
			if t.Size() == 2 && broadcast.Size(c.loop) > 5000 {
				continue
			}
			test(t, c.loop, c.reduced, s.rowsInThrees(t, c.loop, func(r *rand.Rand, kind int) float64 {
				return [...]float64{size * r.NormFloat64(), 0.1, 3 + r.NormFloat64()}[kind]
			}), size)
		}
	}
}

// rowsInThrees returns an array of numbers that depend on the kind of a row along the first axis: 0, 1 or 2.
func (s *suite) rowsInThrees(t dtype.DType, shape []int, draw func(r *rand.Rand, kind int) float64) *array {
	a, row := s.dense(t, shape, spread), broadcast.Size(shape[1:])
	for i, at := range a.offsets() {
		floatNumber(draw(s.contents, i/row%3)).store(t, a.pointer(at))
	}
	return a
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

func testNormalizeGrad(s *suite) {
	s.eachNormalization(s.normalizeGrad)
	s.eachExtreme(func(t dtype.DType, loop []int, reduced int, x *array, size float64) {
		gamma := s.parameter(t, loop, reduced)
		variance := s.rowsInThrees(t, loop[:len(loop)-reduced], func(r *rand.Rand, kind int) float64 { return [...]float64{math.Inf(1), 1, 2}[kind] })
		variance.loop = append(append([]int(nil), variance.Strides...), make([]int, reduced)...)
		// Gradients of usual size show the gradient of gamma, and large ones that of x.
		s.gradientOfNormalize(t, loop, reduced, x, gamma, variance, s.like(x), true)
		gy := s.rowsInThrees(t, loop, func(r *rand.Rand, kind int) float64 { return [...]float64{size, 1, 1}[kind] * r.NormFloat64() })
		s.gradientOfNormalize(t, loop, reduced, x, nil, variance, gy, false)
	})
}

func (s *suite) normalizeGrad(t dtype.DType, loop []int, reduced int, x, gamma, _ *array) {
	s.Helper()
	variance := s.reduced(t, loop, reduced)
	s.fill(variance, func(r *rand.Rand, _ dtype.DType) number { return floatNumber(1 + r.Float64()) })
	s.gradientOfNormalize(t, loop, reduced, x, gamma, variance, s.like(x), true)
}

func (s *suite) gradientOfNormalize(t dtype.DType, loop []int, reduced int, x, gamma, variance, gy *array, parameters bool) {
	s.Helper()
	var ggamma, gbeta *array
	if gamma != nil && parameters {
		ggamma, gbeta = s.like(gamma), s.like(gamma)
	} else if parameters && s.IntN(2) == 0 {
		gbeta = s.parameter(t, loop, reduced)
	}
	mean := s.reduced(t, loop, reduced)
	s.fill(mean, spread)
	n := float64(max(1, broadcast.Size(loop)))
	s.check(call{kernel: device.Device.NormalizeGrad, loop: loop, outputs: []*array{s.like(x), ggamma, gbeta},
		inputs: []*array{x, gamma, mean, variance, gy}, set: normalizing(reduced),
		close: absolute(epsilon(t) * 400 * (n + 10))}, "%s, the last %d of %v", t, reduced, loop)
}
