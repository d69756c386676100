package compliance

import (
	"math"
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// rowLoops are loops over rows, including empty and long ones.
var rowLoops = [][]int{{0}, {1}, {10}, {3, 0}, {0, 3}, {7, 1}, {4, 5}, {2, 3, 33}, {300, 10}, {3, 1000}, {20_000}}

// logits draws typical inputs of softmax: mostly moderate, sometimes large, sometimes masked by -Inf.
func logits(r *rand.Rand, _ dtype.DType) number {
	switch r.IntN(12) {
	case 0:
		return floatNumber(30 * r.NormFloat64())
	case 1:
		return floatNumber(math.Inf(-1))
	}
	return floatNumber(3 * r.NormFloat64())
}

// special draws rows for which softmax is undefined, or one-sided.
func special(r *rand.Rand, _ dtype.DType) number {
	return floatNumber([...]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1), 0, 60000, -60000, math.Inf(1), math.NaN()}[r.IntN(8)])
}

func withLog(log bool) func(*device.Launch) { return func(l *device.Launch) { l.Log = log } }

func testSoftmax(s *suite) {
	for _, t := range floatTypes {
		for _, loop := range rowLoops {
			for _, log := range []bool{false, true} {
				for _, fill := range []filling{logits, special} {
					s.softmax(t, loop, log, fill)
				}
			}
		}
	}
	s.check(call{kernel: device.Device.Softmax, loop: []int{3, 40}, outputs: []*array{s.any(dtype.Float32, []int{3, 40}, tame)},
		inputs: []*array{s.any(dtype.Float16, []int{3, 40}, logits)}, close: exponentials(false)}, "float16 to float32")
}

// softmax checks rows, sometimes in place.
func (s *suite) softmax(t dtype.DType, loop []int, log bool, fill filling) {
	s.Helper()
	x := s.input(t, loop, fill)
	y := s.any(t, loop, tame)
	if s.IntN(4) == 0 {
		x = s.any(t, loop, fill)
		y = x
	}
	s.check(call{kernel: device.Device.Softmax, loop: loop, outputs: []*array{y}, inputs: []*array{x},
		set: withLog(log), close: exponentials(log)}, "%s, log %v", t, log)
}

// exponentials returns how closely an exponential, or a logarithm, must agree. Exponentials of rounded differences have
// a relative error proportional to the difference.
func exponentials(log bool) closeness {
	return func(dt dtype.DType, got, want complex128, k int) bool {
		size := 200 * real(want)
		if log {
			size = 32 + 8*math.Abs(real(want))
		}
		return within(func(int) float64 { return epsilon(dt)*size + dtype.Info(dt).Tiny })(dt, got, want, k)
	}
}

func testSoftmaxGrad(s *suite) {
	for _, t := range floatTypes {
		for _, loop := range rowLoops {
			for _, log := range []bool{false, true} {
				s.softmaxGrad(t, loop, log)
			}
		}
	}
}

func (s *suite) softmaxGrad(t dtype.DType, loop []int, log bool) {
	s.Helper()
	y, g := s.input(t, loop, probabilities(log)), s.input(t, loop, tame)
	gx := s.any(t, loop, tame)
	if s.IntN(4) == 0 {
		g = s.any(t, loop, tame)
		gx = g
	}
	s.check(call{kernel: device.Device.SoftmaxGrad, loop: loop, outputs: []*array{gx}, inputs: []*array{y, g},
		set: withLog(log), close: within(softmaxGradErrors(t, y, g, loop[len(loop)-1], log))}, "%s, log %v", t, log)
}

// softmaxGradErrors returns the largest differences of the gradient's elements, y·(g - Σg·y) or g - exp(y)·Σg: the
// rounding errors of each product, exponential and difference in type t, and those of the sums relative to the sum of
// the magnitudes.
func softmaxGradErrors(t dtype.DType, y, g *array, n int, log bool) func(k int) float64 {
	relative := 8*epsilon(t) + summed(t, n)
	errors := make([]float64, 0, y.Size())
	ys, gs := y.offsets(), g.offsets()
	for start := 0; start < len(ys); start += n {
		sum := 0.0
		for k := start; k < start+n; k++ {
			v := math.Abs(real(load(g.dtype, g.pointer(gs[k])).z))
			if !log {
				v *= math.Abs(real(load(y.dtype, y.pointer(ys[k])).z))
			}
			sum += v
		}
		for k := start; k < start+n; k++ {
			own, factor := math.Abs(real(load(g.dtype, g.pointer(gs[k])).z)), real(load(y.dtype, y.pointer(ys[k])).z)
			if log {
				factor = math.Exp(factor)
			} else {
				own *= math.Abs(factor)
			}
			errors = append(errors, epsilon(t)*4*own+relative*math.Abs(factor)*sum)
		}
	}
	return func(k int) float64 { return errors[k] }
}

// probabilities draws results of softmax, which need not sum to 1.
func probabilities(log bool) filling {
	return func(r *rand.Rand, _ dtype.DType) number {
		if log {
			return floatNumber(-5 * r.Float64())
		}
		return floatNumber(r.Float64())
	}
}
