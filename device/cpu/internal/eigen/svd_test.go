package eigen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// TestSingular checks residuals, orthogonality, and the singular values without vectors.
func TestSingular(t *testing.T) {
	t.Run("float32", testSingular[float32, float32])
	t.Run("float64", testSingular[float64, float64])
	t.Run("complex64", testSingular[complex64, float32])
	t.Run("complex128", testSingular[complex128, float64])
}

func testSingular[T blas.Number, R matvec.Float](t *testing.T) {
	for _, kind := range spectra {
		shapes := [][2]int{{1, 1}, {1, 4}, {2, 2}, {3, 3}, {3, 7}, {10, 10}, {31, 32}, {33, 33}, {34, 60}}
		if kind.large && !testing.Short() {
			shapes = append(shapes, [2]int{70, 71}, [2]int{100, 100})
		}
		for _, shape := range shapes {
			m, n := shape[0], shape[1]
			rng := rand.New(rand.NewPCG(uint64(n), 9))
			given := hermitianWith[T](rng, kind.values(n))
			a := blas.New(append([]T(nil), given.Data[:m*n]...), m, n)
			for i := range a.Data { // not symmetric
				a.Data[i] = given.Data[(i*7+i/n)%len(given.Data)] + given.Data[i]
			}
			name := fmt.Sprintf("%s, %d by %d", kind.name, m, n)
			checkSingular[T, R](t, name, a, m)
			checkSingular[T, R](t, name+", full", a, n)
		}
	}
}

// checkSingular decomposes a matrix with the given number of right vectors.
func checkSingular[T blas.Number, R matvec.Float](t *testing.T, name string, a blas.Matrix[T], right int) {
	m, n := a.Rows, a.Columns
	copyOf := func() blas.Matrix[T] { return blas.New(append([]T(nil), a.Data...), m, n) }
	values, only := make([]float64, m), make([]float64, m)
	u, v := blas.New(make([]T, m*m), m, m), blas.New(make([]T, right*n), right, n)
	if !Singular[T, R](copyOf(), values, u, v) || !Singular[T, R](copyOf(), only, blas.Matrix[T]{}, blas.Matrix[T]{}) {
		t.Fatalf("%s: did not converge", name)
	}
	w, left, rightVectors := wide(a), wide(u), wide(v)
	scale := norm(w) * float64(n) * blas.Epsilon[T]()
	if scale == 0 {
		scale = 1
	}
	for i := range m {
		if i > 0 && (values[i] > values[i-1] || only[i] > only[i-1]) || values[i] < 0 || only[i] < 0 {
			t.Errorf("%s: values are not sorted or negative", name)
		}
		if d := math.Abs(values[i]-only[i]) / scale; !(d <= mostRatio) {
			t.Errorf("%s: value %d is %v with vectors and %v without: ratio %.3g", name, i, values[i], only[i], d)
		}
	}
	// A = Σ σ·u·vᴴ
	for i := range m {
		for j := range n {
			for k := range m {
				w[i][j] -= complex(values[k], 0) * left[k][i] * complex(real(rightVectors[k][j]), -imag(rightVectors[k][j]))
			}
		}
	}
	if r := norm(w) / scale; !(r <= mostRatio) {
		t.Errorf("%s: residual %.3g", name, r)
	}
	for side, x := range map[string][][]complex128{"left": left, "right": rightVectors} {
		if r := orthogonality(x) / (float64(n) * blas.Epsilon[T]()); !(r <= mostRatio) {
			t.Errorf("%s: orthogonality of %s vectors %.3g", name, side, r)
		}
	}
}

func BenchmarkSingular(b *testing.B) {
	for _, n := range []int{8, 64, 256, 1024} {
		rng := rand.New(rand.NewPCG(1, 1))
		values := make([]float64, n)
		data := make([]float64, n*n)
		for i := range data {
			data[i] = rng.NormFloat64()
		}
		a, u, v := blas.New(make([]float64, n*n), n, n), blas.New(make([]float64, n*n), n, n), blas.New(make([]float64, n*n), n, n)
		b.Run(fmt.Sprint("values/", n), func(b *testing.B) {
			for b.Loop() {
				copy(a.Data, data)
				Singular[float64, float64](a, values, blas.Matrix[float64]{}, blas.Matrix[float64]{})
			}
		})
		b.Run(fmt.Sprint("vectors/", n), func(b *testing.B) {
			for b.Loop() {
				copy(a.Data, data)
				Singular[float64, float64](a, values, u, v)
			}
		})
	}
}
