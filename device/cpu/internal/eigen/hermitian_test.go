package eigen

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// TestHermitian checks residuals, orthogonality and the agreement of the eigenvalues without vectors, by LAPACK's measures.
func TestHermitian(t *testing.T) {
	t.Run("float32", testHermitian[float32, float32])
	t.Run("float64", testHermitian[float64, float64])
	t.Run("complex64", testHermitian[complex64, float32])
	t.Run("complex128", testHermitian[complex128, float64])
}

// mostRatio is the bound of LAPACK's tests for an error divided by n·ε.
const mostRatio = 30

func testHermitian[T blas.Number, R matvec.Float](t *testing.T) {
	for _, kind := range spectra {
		sizes := []int{1, 2, 3, 5, 32, 33, 65}
		if kind.large && !testing.Short() {
			sizes = append(sizes, 150)
		}
		for _, n := range sizes {
			rng := rand.New(rand.NewPCG(uint64(n), 7))
			a := hermitianWith[T](rng, kind.values(n))
			given := wide(a)
			values, only := make([]float64, n), make([]float64, n)
			z := blas.New(make([]T, n*n), n, n)
			second := blas.New(append([]T(nil), a.Data...), n, n)
			if !Hermitian[T, R](a, values, z) || !Hermitian[T, R](second, only, blas.Matrix[T]{}) {
				t.Fatalf("%s, n = %d: did not converge", kind.name, n)
			}
			vectors := wide(z)
			scale := norm(given) * float64(n) * blas.Epsilon[T]()
			if scale == 0 {
				scale = 1
			}
			for i := range n {
				if i > 0 && (values[i] < values[i-1] || only[i] < only[i-1]) {
					t.Fatalf("%s, n = %d: values are not sorted", kind.name, n)
				}
				if d := math.Abs(values[i]-only[i]) / scale; !(d <= mostRatio) {
					t.Errorf("%s, n = %d: value %d is %v with vectors and %v without: ratio %.3g", kind.name, n, i, values[i], only[i], d)
				}
			}
			if r := residual(given, vectors, values) / scale; !(r <= mostRatio) {
				t.Errorf("%s, n = %d: residual %.3g", kind.name, n, r)
			}
			if r := orthogonality(vectors) / (float64(n) * blas.Epsilon[T]()); !(r <= mostRatio) {
				t.Errorf("%s, n = %d: orthogonality %.3g", kind.name, n, r)
			}
		}
	}
}

// spectra are eigenvalues of test matrices: those of LAPACK's tests.
var spectra = []struct {
	name   string
	large  bool // whether it is also tested with large matrices
	values func(n int) []float64
}{
	{"zero", false, each(func(i, n int) float64 { return 0 })},
	{"identity", false, each(func(i, n int) float64 { return 1 })},
	{"even", false, each(func(i, n int) float64 { return 1 + float64(i) })},
	{"graded", true, each(func(i, n int) float64 { return math.Pow(1e-16, float64(i)/float64(max(n-1, 1))) })},
	{"one large", false, each(func(i, n int) float64 { return map[bool]float64{true: 1, false: 1e-14}[i == 0] })},
	{"clustered", true, each(func(i, n int) float64 { return 1 + 1e-14*float64(i) })},
	{"two clusters", false, each(func(i, n int) float64 { return float64(i%2*2-1) + 1e-9*float64(i) })},
	{"repeated", false, each(func(i, n int) float64 { return float64(i / 4) })},
	{"signs", true, each(func(i, n int) float64 { return math.Cos(float64(i)) })},
	{"nearly singular", false, each(func(i, n int) float64 { return map[bool]float64{true: 1e-300, false: 2}[i < n/2] })},
	{"small", false, each(func(i, n int) float64 { return 1e-30 * math.Cos(float64(i)) })},
	{"tiny", false, each(func(i, n int) float64 { return 1e-36 * math.Cos(float64(i)) })},
	{"huge", false, each(func(i, n int) float64 { return 1e36 * math.Cos(float64(i)) })},
	{"large", false, each(func(i, n int) float64 { return 1e15 * math.Cos(float64(i)) })},
}

func each(value func(i, n int) float64) func(n int) []float64 {
	return func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = value(i, n)
		}
		return v
	}
}

// hermitianWith returns Q·diag(values)·Qᴴ for random reflections Q.
func hermitianWith[T blas.Number](rng *rand.Rand, values []float64) blas.Matrix[T] {
	n := len(values)
	a := make([][]complex128, n)
	for i := range a {
		a[i] = make([]complex128, n)
		a[i][i] = complex(values[i], 0)
	}
	for range 3 {
		v, length := make([]complex128, n), 0.0
		for i := range v {
			v[i] = complex(blas.Parts(blas.Complex[T](rng.NormFloat64(), rng.NormFloat64())))
			length += real(v[i])*real(v[i]) + imag(v[i])*imag(v[i])
		}
		mirror(a, v, length)
		adjoin(a)
		mirror(a, v, length)
		adjoin(a)
	}
	y := blas.New(make([]T, n*n), n, n)
	for i := range a {
		for j := range i + 1 {
			re, im := real(a[i][j]), imag(a[i][j])
			if i == j {
				im = 0
			}
			y.Row(i)[j], y.Row(j)[i] = blas.Complex[T](re, im), blas.Complex[T](re, -im)
		}
	}
	return y
}

// mirror replaces a by (I - 2·v·vᴴ/|v|²)·a.
func mirror(a [][]complex128, v []complex128, length float64) {
	for j := range a[0] {
		var sum complex128
		for i := range a {
			sum += cmplx.Conj(v[i]) * a[i][j]
		}
		for i := range a {
			a[i][j] -= complex(2/length, 0) * v[i] * sum
		}
	}
}

// adjoin transposes and conjugates a square matrix.
func adjoin(a [][]complex128) {
	for i := range a {
		for j := range i + 1 {
			a[i][j], a[j][i] = cmplx.Conj(a[j][i]), cmplx.Conj(a[i][j])
		}
	}
}

func wide[T blas.Number](a blas.Matrix[T]) [][]complex128 {
	y := make([][]complex128, a.Rows)
	for i := range y {
		y[i] = make([]complex128, a.Columns)
		for j := range y[i] {
			y[i][j] = complex(blas.Parts(*a.At(i, j)))
		}
	}
	return y
}

// norm returns the largest sum of the absolute values of a row.
func norm(a [][]complex128) float64 {
	largest := 0.0
	for _, row := range a {
		sum := 0.0
		for _, v := range row {
			sum += cmplx.Abs(v)
		}
		largest = max(largest, sum)
	}
	return largest
}

// residual returns the norm of A·zᵀ - zᵀ·diag(values).
func residual(a, z [][]complex128, values []float64) float64 {
	r := make([][]complex128, len(a))
	for i := range a {
		r[i] = make([]complex128, len(z))
		for k := range z {
			for j, v := range a[i] {
				r[i][k] += v * z[k][j]
			}
			r[i][k] -= complex(values[k], 0) * z[k][i]
		}
	}
	return norm(r)
}

// orthogonality returns the norm of Z·Zᴴ - I.
func orthogonality(z [][]complex128) float64 {
	r := make([][]complex128, len(z))
	for i := range z {
		r[i] = make([]complex128, len(z))
		for k := range z {
			for j, v := range z[i] {
				r[i][k] += v * cmplx.Conj(z[k][j])
			}
		}
		r[i][i]--
	}
	return norm(r)
}

func BenchmarkHermitian(b *testing.B) {
	for _, n := range []int{8, 64, 256, 1024} {
		rng := rand.New(rand.NewPCG(1, 1))
		values := make([]float64, n)
		data := make([]float64, n*n)
		for i := range n {
			for j := range i + 1 {
				v := rng.NormFloat64()
				data[i*n+j], data[j*n+i] = v, v
			}
		}
		a, z := blas.New(make([]float64, n*n), n, n), blas.New(make([]float64, n*n), n, n)
		for name, z := range map[string]blas.Matrix[float64]{"values": {}, "vectors": z} {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					copy(a.Data, data)
					Hermitian[float64, float64](a, values, z)
				}
			})
		}
	}
}
