package fft

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// launchReal transforms contiguous rows of n real numbers to rows of n/2+1 frequencies in float64, or back.
func launchReal(x []float64, z []complex128, n int, toReal, inverse bool, scale float64) {
	l := device.NewLaunch()
	defer l.Recycle()
	l.Rank, l.N, l.Outputs, l.Inverse, l.Scale = 2, 2, 1, inverse, scale
	l.Shape[0], l.Shape[1] = len(x)/n, n
	real, half := &l.Operands[1], &l.Operands[0]
	if toReal {
		real, half = half, real
	}
	real.Memory, real.DType = device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(x)), Size: 8 * len(x)}, dtype.Float64
	half.Memory, half.DType = device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(z)), Size: 16 * len(z)}, dtype.Complex128
	for k := range 2 {
		l.Operands[k].Offset, l.Operands[k].Len = 0, 0
	}
	real.Strides[0], real.Strides[1] = n, 1
	half.Strides[0], half.Strides[1] = n/2+1, 1
	FFT(l)
}

// TestRealEqualsComplex compares transforms of real numbers with those of complex ones, for every kind of length.
func TestRealEqualsComplex(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 3, 4, 6, 9, 10, 34, 64, 66, 100, 101, 254, 1000, 1024, 2018, 4096, 10000, 1 << 16, 1 << 17, 2 * 49999} {
			for _, rows := range []int{1, 11} {
				if (rows > 1 || testing.Short()) && n > 5000 {
					continue
				}
				testReal(t, n, rows)
			}
		}
	})
}

func testReal(t *testing.T, n, rows int) {
	m := n/2 + 1
	whole := randomRow[complex128](n * rows)
	x := make([]float64, len(whole))
	for i, z := range whole {
		x[i] = real(z)
		whole[i] = complex(x[i], 0)
	}
	for _, inverse := range []bool{false, true} {
		want := transformed(whole, n, inverse)
		half := make([]complex128, m*rows)
		launchReal(x, half, n, false, inverse, 0.5)
		var errors []complex128
		for row := range rows {
			for k := range m {
				errors = append(errors, half[row*m+k]*2-want[row*n+k])
			}
		}
		bound := 4 * (math.Log2(float64(n)) + 1) * 0x1p-52
		if e := norm(errors) / norm(want); !(e <= bound) {
			t.Errorf("length %d, %d rows, inverse %v: the frequencies are off by %g", n, rows, inverse, e)
		}
		for row := range rows { // imaginary parts that do not count
			half[row*m] += 7i
			if n%2 == 0 {
				half[row*m+m-1] -= 3i
			}
		}
		back := make([]float64, len(x))
		launchReal(back, half, n, true, !inverse, 2/float64(n))
		var sum, size float64
		for i, v := range back {
			sum += (v - x[i]) * (v - x[i])
			size += x[i] * x[i]
		}
		if e := math.Sqrt(sum / size); !(e <= 6*0x1p-52) {
			t.Errorf("length %d, %d rows, inverse %v: there and back is off by %g", n, rows, inverse, e)
		}
	}
}

func TestRealIsTheSameAtAnyNumberOfWorkers(t *testing.T) {
	defer workers.BeEager(workers.BeEager(true))
	for _, n := range []int{10, 1 << 17, 100000, 2 * 49999} {
		rows := max(1, 1000/n)
		x := make([]float64, rows*n)
		for i, z := range randomRow[complex128](len(x)) {
			x[i] = real(z)
		}
		var want []complex128
		var wantBack []float64
		for _, count := range []int{1, 2, 3, 8} {
			old := workers.Set(count)
			half, back := make([]complex128, rows*(n/2+1)), make([]float64, len(x))
			launchReal(x, half, n, false, false, 1)
			launchReal(back, half, n, true, false, 1)
			workers.Set(old)
			if want == nil {
				want, wantBack = half, back
			}
			if !slices.Equal(half, want) || !slices.Equal(back, wantBack) {
				t.Errorf("length %d: the bits with %d workers differ", n, count)
			}
		}
	}
}
