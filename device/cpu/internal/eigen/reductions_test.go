package eigen

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// TestReductionsAgree reduces matrices in all ways: whole ones in Go and by routines, and in blocks.
func TestReductionsAgree(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {2, 2}, {5, 9}, {16, 16}, {16, 15}, {40, 40}, {25, 70}, {70, 70}} {
		reductionsAgree[float32](t, min(shape[0], shape[1]), shape[1], 2e-4)
		reductionsAgree[float64](t, min(shape[0], shape[1]), shape[1], 1e-12)
	}
}

func reductionsAgree[T blas.Number](t *testing.T, m, n int, tolerance float64) {
	rng := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	data := make([]T, m*n)
	for i := range data {
		data[i] = blas.Real[T](rng.NormFloat64())
	}
	near := func(what string, got, want []float64) {
		t.Helper()
		for i, v := range want {
			if !(math.Abs(got[i]-v) <= tolerance*float64(n)) {
				t.Fatalf("%s of %T, %d by %d: element %d is %v, want %v", what, data, m, n, i, got[i], v)
			}
		}
	}
	bidiagonal := func(reduce func(a, left blas.Matrix[T], d, e []float64, tausRight, tausLeft []T)) (d, e []float64) {
		d, e = make([]float64, m), make([]float64, m)
		left := blas.New(make([]T, m*m), m, m)
		reduce(blas.New(slices.Clone(data), m, n), left, d, e, make([]T, m), make([]T, m))
		return d, e
	}
	d, e := bidiagonal(bidiagonaliseBlocks[T])
	d2, e2 := bidiagonal(bidiagonaliseCached[T])
	near("the diagonal", d2, d)
	near("the subdiagonal", e2, e)

	square := blas.New(data[:m*m], m, m)
	tridiagonal := func(reduce func(a blas.Matrix[T], d, e []float64, taus []T)) (d, e []float64) {
		d, e = make([]float64, m), make([]float64, m)
		reduce(blas.New(slices.Clone(square.Data), m, m), d, e, make([]T, m))
		return d, e
	}
	d, e = tridiagonal(tridiagonaliseBlocks[T])
	d2, e2 = tridiagonal(tridiagonaliseCached[T])
	near("the diagonal of a tridiagonal matrix", d2, d)
	near("the off-diagonal of a tridiagonal matrix", e2, e)

	if m < 2 {
		return
	}
	hessenbergOf := func(reduce func(a, c blas.Matrix[T], taus []T)) (elements []float64) {
		a, c := blas.New(slices.Clone(square.Data), m, m), blas.New(make([]T, m*m), m, m)
		reduce(a, c, make([]T, m))
		for i, v := range append(a.Data, c.Data...) {
			if i >= m*m && i%m <= i/m-m { // before the vector of a reflection
				v = 0
			}
			re, _ := blas.Parts(v)
			elements = append(elements, re)
		}
		return elements
	}
	near("a Hessenberg matrix and its reflections", hessenbergOf(hessenbergCached[T]), hessenbergOf(hessenbergBlocks[T]))
}
