package compliance

import (
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testFFT(s *suite) {
	s.run("Lengths", func(s *suite) { // every small length, prime powers, and small and large primes
		for n := range 70 {
			s.fft(dtype.Complex64, dtype.Complex64, []int{n})
			s.fft(dtype.Complex128, dtype.Complex128, []int{n})
		}
		for _, n := range []int{81, 97, 101, 121, 128, 169, 202, 210, 243, 256, 257, 343, 199, 211, 499, 505, 512, 625, 997, 1000, 1009, 1024} {
			s.fft(dtype.Complex64, dtype.Complex64, []int{n})
			s.fft(dtype.Complex128, dtype.Complex128, []int{n})
		}
	})
	s.run("Shapes", func(s *suite) {
		types := []dtype.DType{dtype.Complex64, dtype.Complex128}
		for range 100 {
			loop := s.randomShape(1000)
			if len(loop) > 0 {
				s.fft(types[s.IntN(2)], types[s.IntN(2)], loop)
			}
		}
		for _, loop := range [][]int{{0, 5}, {5, 0}, {300, 1}, {2000, 4}, {40, 6, 10}, {30, 101}} {
			s.fft(dtype.Complex64, dtype.Complex64, loop)
			s.fft(dtype.Complex128, dtype.Complex128, loop)
		}
	})
}

// fft checks both directions, at times in place.
func (s *suite) fft(from, to dtype.DType, loop []int) {
	s.Helper()
	n := loop[len(loop)-1]
	for _, inverse := range []bool{false, true} {
		x, y := s.input(from, loop, tame), s.any(to, loop, tame)
		if from == to && s.IntN(3) == 0 {
			x = s.any(from, loop, tame)
			y = x
		}
		run := call{kernel: device.Device.FFT, loop: loop, outputs: []*array{y}, inputs: []*array{x},
			set: func(l *device.Launch) { l.Inverse = inverse }}
		norms := rowNorms(x, loop)
		// errors grow with each stage of a fast transform and with the terms of its widest stage; if equal elements add
		// up, as in a row of equal numbers, so do the errors
		eps := 2 * (float64(bits.Len(uint(n))) + math.Sqrt(largestPrimeFactor(n))) * epsilon(to)
		run.close = func(dt dtype.DType, got, want complex128, k int) bool {
			return within(func(k int) float64 { return eps * (norms[k/n] + cmplx.Abs(want)) })(dt, got, want, k)
		}
		s.check(run, "%s to %s, inverse %v", from, to, inverse)
	}
}

func largestPrimeFactor(n int) float64 {
	largest := 1
	for p := 2; p <= n; p++ {
		for ; n > 0 && n%p == 0; n /= p {
			largest = p
		}
	}
	return float64(largest)
}

// rowNorms returns the Euclidean norm of every row, relative to which a transform's rounding errors are measured.
func rowNorms(x *array, loop []int) []float64 {
	last := len(loop) - 1
	norms := make([]float64, broadcast.Size(loop[:last]))
	for k, offset := range x.offsets() {
		z := load(x.dtype, x.pointer(offset)).z
		row := &norms[k/loop[last]]
		*row = math.Hypot(*row, math.Hypot(real(z), imag(z)))
	}
	return norms
}
