package eigen

import (
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

func TestHessenberg(t *testing.T) {
	t.Run("float32", testHessenberg[float32])
	t.Run("float64", testHessenberg[float64])
	t.Run("complex64", testHessenberg[complex64])
	t.Run("complex128", testHessenberg[complex128])
}

func testHessenberg[T blas.Number](t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 33, 34, 70, 100} {
		rng := rand.New(rand.NewPCG(uint64(n), 3))
		a := blas.New(make([]T, n*n), n, n)
		for i := range a.Data {
			a.Data[i] = blas.Complex[T](rng.NormFloat64(), rng.NormFloat64())
		}
		given := wide(a)
		c, taus := blas.New(make([]T, n*n), n, n), make([]T, n)
		hessenberg(a, c, taus)
		q := blas.New(make([]T, n*n), n, n)
		for i := range n {
			q.Row(i)[i] = 1
		}
		applyFromLast(q, c.Part(0, 0, n-1, n), 1, taus)
		h, qt := wide(a), wide(q)
		scale := norm(given) * float64(n) * blas.Epsilon[T]()
		// A·Q = Q·H, with Qᵀ in q
		r := make([][]complex128, n)
		for i := range n {
			r[i] = make([]complex128, n)
			for j := range n {
				if i > j+1 && h[i][j] != 0 {
					t.Fatalf("n = %d: element (%d, %d) is %v", n, i, j, h[i][j])
				}
				for k := range n {
					r[i][j] += given[i][k]*qt[j][k] - qt[k][i]*h[k][j]
				}
			}
		}
		if got := norm(r) / scale; !(got <= mostRatio) || cmplx.IsNaN(r[0][0]) {
			t.Errorf("n = %d: residual %.3g", n, got)
		}
		if got := orthogonality(qt) / (float64(n) * blas.Epsilon[T]()); !(got <= mostRatio) {
			t.Errorf("n = %d: orthogonality %.3g", n, got)
		}
	}
}
