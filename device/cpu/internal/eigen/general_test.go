package eigen

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// TestGeneral checks residuals and lengths of vectors, and the eigenvalues without vectors.
func TestGeneral(t *testing.T) {
	t.Run("float32", testGeneral[float32])
	t.Run("float64", testGeneral[float64])
	t.Run("complex64", testGeneral[complex64])
	t.Run("complex128", testGeneral[complex128])
}

// entries are the elements of test matrices.
var entries = []struct {
	name  string
	large bool // whether it is also tested with large matrices
	entry func(rng *rand.Rand, i, j, n int) complex128
}{
	{"random", true, func(rng *rand.Rand, i, j, n int) complex128 { return complex(rng.NormFloat64(), rng.NormFloat64()) }},
	{"zero", false, func(rng *rand.Rand, i, j, n int) complex128 { return 0 }},
	{"identity", false, func(rng *rand.Rand, i, j, n int) complex128 { return map[bool]complex128{true: 1}[i == j] }},
	{"ones", false, func(rng *rand.Rand, i, j, n int) complex128 { return 1 }},
	{"shift", true, func(rng *rand.Rand, i, j, n int) complex128 { return map[bool]complex128{true: 1}[(i+1)%n == j] }},
	{"nilpotent", false, func(rng *rand.Rand, i, j, n int) complex128 { return map[bool]complex128{true: 1}[i+1 == j] }},
	{"triangular", false, func(rng *rand.Rand, i, j, n int) complex128 {
		return map[bool]complex128{true: complex(rng.NormFloat64(), rng.NormFloat64())}[i <= j]
	}},
	{"graded", true, func(rng *rand.Rand, i, j, n int) complex128 {
		return complex(math.Pow(10, -float64(i+j)/float64(n)*4)*rng.NormFloat64(), 0)
	}},
	{"real", true, func(rng *rand.Rand, i, j, n int) complex128 { return complex(rng.NormFloat64(), 0) }},
	{"positive", true, func(rng *rand.Rand, i, j, n int) complex128 { return complex(rng.Float64(), 0) }},
	{"tiny", false, func(rng *rand.Rand, i, j, n int) complex128 { return complex(1e-33*rng.NormFloat64(), 0) }},
	{"huge", false, func(rng *rand.Rand, i, j, n int) complex128 { return complex(1e33*rng.NormFloat64(), 0) }},
	{"clustered", false, func(rng *rand.Rand, i, j, n int) complex128 {
		return map[bool]complex128{true: 1}[i == j] + complex(1e-6*rng.NormFloat64(), 0)
	}},
}

func testGeneral[T blas.Number](t *testing.T) {
	for _, kind := range entries {
		sizes := []int{1, 2, 3, 4, 5, 10, 31}
		if kind.large && !testing.Short() {
			sizes = append(sizes, 64, 97, 130)
		}
		for _, n := range sizes {
			rng := rand.New(rand.NewPCG(uint64(n), 5))
			a := blas.New(make([]T, n*n), n, n)
			for i := range n {
				for j := range n {
					z := kind.entry(rng, i, j, n)
					a.Row(i)[j] = blas.Complex[T](real(z), imag(z))
				}
			}
			checkGeneral(t, fmt.Sprintf("%s, n = %d", kind.name, n), a)
		}
	}
}

func checkGeneral[T blas.Number](t *testing.T, name string, a blas.Matrix[T]) {
	n := a.Rows
	given := wide(a)
	values, only := make([]complex128, n), make([]complex128, n)
	v := blas.New(make([]T, n*n), n, n)
	if !General(blas.New(append([]T(nil), a.Data...), n, n), only, blas.Matrix[T]{}) || !General(a, values, v) {
		t.Errorf("%s: did not converge", name)
		return
	}
	z := wide(v)
	for k, x := range values {
		if only[k] != x {
			t.Fatalf("%s: eigenvalue %d is %v with vectors and %v without", name, k, x, only[k])
		}
	}
	for k := 0; k < n; k++ {
		if !blas.IsComplex[T]() && imag(values[k]) != 0 {
			if k+1 == n || values[k+1] != cmplx.Conj(values[k]) || imag(values[k]) < 0 {
				t.Fatalf("%s: %v is not the first of a pair", name, values[k])
			}
			for i := range n {
				re, im := real(z[k][i]), real(z[k+1][i])
				z[k][i], z[k+1][i] = complex(re, im), complex(re, -im)
			}
			k++
		}
	}
	size := norm(given)
	scale := size * float64(n) * blas.Epsilon[T]()
	if scale == 0 {
		scale = 1
	}
	r := make([][]complex128, n)
	var trace, sum complex128
	for i := range n {
		r[i] = make([]complex128, n)
		for k := range n {
			for j := range n {
				r[i][k] += given[i][j] * z[k][j]
			}
			r[i][k] -= values[k] * z[k][i]
		}
		length := 0.0
		for _, x := range z[i] {
			length += real(x)*real(x) + imag(x)*imag(x)
		}
		if math.Abs(length-1) > 30*float64(n)*blas.Epsilon[T]() || math.IsNaN(length) {
			t.Errorf("%s: vector %d has length %v", name, i, math.Sqrt(length))
			return
		}
		trace += given[i][i]
		sum += only[i]
	}
	if got := norm(r) / scale; !(got <= mostRatio) {
		t.Errorf("%s: residual %.3g", name, got)
	}
	if got := cmplx.Abs(trace-sum) / scale; !(got <= mostRatio) {
		t.Errorf("%s: the eigenvalues sum to %v, want %v", name, sum, trace)
	}
}

func BenchmarkGeneral(b *testing.B) {
	for _, n := range []int{64, 256, 1024} {
		rng := rand.New(rand.NewPCG(1, 1))
		values := make([]complex128, n)
		data := make([]float64, n*n)
		for i := range data {
			data[i] = rng.NormFloat64()
		}
		a, v := blas.New(make([]float64, n*n), n, n), blas.New(make([]float64, n*n), n, n)
		b.Run(fmt.Sprint("values/", n), func(b *testing.B) {
			for b.Loop() {
				copy(a.Data, data)
				General(a, values, blas.Matrix[float64]{})
			}
		})
		b.Run(fmt.Sprint("vectors/", n), func(b *testing.B) {
			for b.Loop() {
				copy(a.Data, data)
				General(a, values, v)
			}
		})
	}
}
