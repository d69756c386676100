package lapack

import (
	"bytes"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// spectrum runs a kernel on random matrices, and returns its results. The last operand are the matrices.
func spectrum(kernel func(*device.Launch), shape []int, operands ...launchtest.Array) (results [][]byte) {
	l := launchtest.Launch(shape, operands...)
	l.Outputs = len(operands) - 1
	kernel(l)
	l.Recycle()
	for _, y := range operands[:len(operands)-1] {
		results = append(results, bytes.Clone(y.Bytes))
	}
	return results
}

// column makes a vector per matrix the operand of a loop over matrices.
func column[T dtype.Element](batch, n int) launchtest.Array {
	y := launchtest.New(make([]T, batch*n), batch, n, 1)
	y.Strides[2] = 0
	return y
}

// TestSpectraDoNotDependOnWorkers decomposes real and complex matrices of sizes that use all parts of the algorithms.
func TestSpectraDoNotDependOnWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	real := func(n int) []float32 {
		a := make([]float32, n)
		for i := range a {
			a[i] = float32(rng.NormFloat64())
		}
		return a
	}
	complexes := func(n int) []complex128 {
		a := make([]complex128, n)
		for i := range a {
			a[i] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		return a
	}
	a, b, n := real(3*200*200), complexes(110*110), 200
	runs := map[string]func() [][]byte{
		"Eig": func() [][]byte {
			return spectrum(Eig, []int{1, n, n}, column[complex64](1, n), launchtest.New(make([]complex64, n*n), 1, n, n), launchtest.New(a[:n*n], 1, n, n))
		},
		"Eig of complex numbers": func() [][]byte {
			return spectrum(Eig, []int{1, 110, 110}, column[complex128](1, 110), launchtest.New(make([]complex128, 110*110), 1, 110, 110), launchtest.New(b, 1, 110, 110))
		},
		"Eigh": func() [][]byte {
			return spectrum(Eigh, []int{3, n, n}, column[float32](3, n), launchtest.New(make([]float32, 3*n*n), 3, n, n), launchtest.New(a, 3, n, n))
		},
		"SVD": func() [][]byte {
			return spectrum(SVD, []int{1, 300, n}, launchtest.New(make([]float32, 300*n), 1, 300, n), column[float32](1, n),
				launchtest.New(make([]float32, n*n), 1, n, n), launchtest.New(a[:300*n], 1, 300, n))
		},
	}
	for name, run := range runs {
		var want [][]byte
		for _, count := range []int{1, 2, 4, 7} {
			workers.With(count, func() {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(count))
				got := run()
				if want == nil {
					want = got
				}
				for k := range want {
					if !bytes.Equal(got[k], want[k]) {
						t.Errorf("%s: result %d differs with %d workers", name, k, count)
					}
				}
			})
		}
	}
}

// TestOtherTriangle puts NaN into the triangle that Eigh does not read.
func TestOtherTriangle(t *testing.T) {
	a := []float64{2, math.NaN(), 1, 2}
	got := floats(spectrum(Eigh, []int{1, 2, 2}, column[float64](1, 2), launchtest.New(make([]float64, 4), 1, 2, 2), launchtest.New(a, 1, 2, 2))[0])
	for i, want := range []float64{1, 3} {
		if math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("eigenvalue %d is %v, want %v", i, got[i], want)
		}
	}
}

// TestStridedVectors stores vectors in arrays whose elements are apart from each other in both directions.
func TestStridedVectors(t *testing.T) {
	n := 5
	a := make([]float64, n*n)
	for i := range a {
		a[i] = math.Sin(float64(i * i))
	}
	apart := func() launchtest.Array {
		return launchtest.NewStrided(make([]float64, 4*n*n), 0, []int{0, 4 * n, 2})
	}
	matrices := launchtest.New(a, 1, n, n)
	for name, run := range map[string]func(u, v launchtest.Array) [][]byte{
		"Eigh": func(u, _ launchtest.Array) [][]byte {
			return spectrum(Eigh, []int{1, n, n}, column[float64](1, n), u, matrices)[1:]
		},
		"SVD": func(u, v launchtest.Array) [][]byte {
			results := spectrum(SVD, []int{1, n, n}, u, column[float64](1, n), v, matrices)
			return [][]byte{results[0], results[2]}
		},
	} {
		want := run(launchtest.New(make([]float64, n*n), 1, n, n), launchtest.New(make([]float64, n*n), 1, n, n))
		for k, result := range run(apart(), apart()) {
			got, contiguous := floats(result), floats(want[k])
			for i := range n * n {
				if v := got[i/n*4*n+i%n*2]; v != contiguous[i] {
					t.Errorf("%s: element (%d, %d) of result %d is %v, want %v", name, i/n, i%n, k, v, contiguous[i])
				}
			}
		}
	}
}
