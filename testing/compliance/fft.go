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
	s.run("Real", func(s *suite) {
		for _, types := range [][2]dtype.DType{
			{dtype.Float32, dtype.Complex64}, {dtype.Float64, dtype.Complex128}, {dtype.Float32, dtype.Complex128}, {dtype.Float64, dtype.Complex64},
		} {
			for n := 1; n < 70; n++ {
				s.realFFT(types[0], types[1], []int{n})
			}
			for _, loop := range [][]int{{96}, {101}, {202}, {211}, {1000}, {1024}, {0, 6}, {3, 10}, {20, 12}, {50, 64}, {5, 3, 9}, {40, 22}, {2, 254}} {
				s.realFFT(types[0], types[1], loop)
			}
		}
	})
}

// scales are factors of a transform; 0 stands for 1.
var scales = []float64{0, 0, 1, 0.25, -3}

// realFFT checks transforms of real numbers, and to real numbers.
func (s *suite) realFFT(number, parts dtype.DType, loop []int) {
	s.Helper()
	last := len(loop) - 1
	n := loop[last]
	half := append(append([]int(nil), loop[:last]...), n/2+1)
	for flags := range 4 {
		inverse, fromReal, scale := flags&1 != 0, flags&2 != 0, scales[s.IntN(len(scales))]
		from, to, fromShape, toShape := parts, number, half, loop
		if fromReal {
			from, to, fromShape, toShape = number, parts, loop, half
		}
		x, y := s.any(from, fromShape, tame), s.any(to, toShape, tame)
		run := call{kernel: device.Device.FFT, loop: loop, outputs: []*array{y}, inputs: []*array{x},
			set: func(l *device.Launch) { l.Inverse, l.Scale = inverse, scale }}
		norms := rowNorms(x, fromShape)
		eps := 4 * (float64(bits.Len(uint(n))) + math.Sqrt(largestPrimeFactor(n))) * max(epsilon(to), epsilon(from)) * max(1, math.Abs(scale))
		run.close = func(dt dtype.DType, got, want complex128, k int) bool {
			return within(func(k int) float64 { return eps * (norms[k/toShape[last]] + cmplx.Abs(want)) })(dt, got, want, k)
		}
		s.check(run, "%s to %s, inverse %v, scale %g", from, to, inverse, scale)
	}
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
		scale := scales[s.IntN(len(scales))]
		run := call{kernel: device.Device.FFT, loop: loop, outputs: []*array{y}, inputs: []*array{x},
			set: func(l *device.Launch) { l.Inverse, l.Scale = inverse, scale }}
		norms := rowNorms(x, loop)
		// errors grow with each stage of a fast transform and with the terms of its widest stage; if equal elements add
		// up, as in a row of equal numbers, so do the errors
		eps := 2 * (float64(bits.Len(uint(n))) + math.Sqrt(largestPrimeFactor(n))) * epsilon(to) * max(1, math.Abs(scale))
		run.close = func(dt dtype.DType, got, want complex128, k int) bool {
			return within(func(k int) float64 { return eps * (norms[k/n] + cmplx.Abs(want)) })(dt, got, want, k)
		}
		s.check(run, "%s to %s, inverse %v, scale %g", from, to, inverse, scale)
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
