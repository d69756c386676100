package fft

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// transformed runs the kernel on contiguous rows.
func transformed(x []complex64, n int, inverse bool) []complex64 {
	y := make([]complex64, len(x))
	l := device.NewLaunch()
	defer l.Recycle()
	l.Rank, l.N, l.Outputs, l.Inverse = 2, 2, 1, inverse
	l.Shape[0], l.Shape[1] = len(x)/n, n
	for k, v := range [][]complex64{y, x} {
		op := &l.Operands[k]
		op.Memory = device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(v)), Size: 8 * len(v)}
		op.Offset, op.DType, op.Len = 0, dtype.Complex64, 0
		op.Strides[0], op.Strides[1] = n, 1
	}
	FFT(l)
	return y
}

func randomRow(n int) []complex64 {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	row := make([]complex64, n)
	for i := range row {
		row[i] = complex(float32(random.NormFloat64()), float32(random.NormFloat64()))
	}
	return row
}

func TestFFTIsTheSameAtAnyNumberOfWorkers(t *testing.T) {
	for _, n := range []int{1, 12, 211, 1000} {
		x := randomRow(300 * n)
		var want []complex64
		for _, count := range []int{1, 2, 3, 8} {
			old := workers.Set(count)
			got := transformed(x, n, true)
			workers.Set(old)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("length %d: the bits with %d workers differ", n, count)
			}
		}
	}
}

func TestFFTServesManyGoroutinesAtOnce(t *testing.T) {
	x := randomRow(50 * 509)
	want := transformed(x, 509, false)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				if !slices.Equal(transformed(x, 509, false), want) {
					t.Error("another result")
				}
			}
		})
	}
	all.Wait()
}

// TestBluesteinEqualsMixedRadix compares the two algorithms for lengths of every kind.
func TestBluesteinEqualsMixedRadix(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 4, 5, 8, 9, 17, 64, 65, 100, 331, 1009, 5003} {
		x, norm := make([]complex128, n), 0.0
		for i := range x {
			x[i] = complex(random.NormFloat64(), random.NormFloat64())
			norm = math.Hypot(norm, cmplx.Abs(x[i]))
		}
		want := fourier.NewCmplxFFT(n).Coefficients(nil, x)
		newBluestein(n).apply(x)
		for k := range x {
			if d := cmplx.Abs(x[k] - want[k]); d > 1e-14*norm {
				t.Fatalf("length %d: frequency %d is off by %g of %g", n, k, d, norm)
			}
		}
	}
}

func TestLargestPrimeFactor(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 2, 6: 3, 97: 97, 1 << 20: 2, 2 * 3 * 211: 211, 211 * 211: 211, 1000003: 1000003} {
		if got := largestPrimeFactor(n); got != want {
			t.Errorf("largestPrimeFactor(%d) = %d, want %d", n, got, want)
		}
	}
}
