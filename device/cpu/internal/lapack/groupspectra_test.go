package lapack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// eighOfBatch returns eigenvalues and vectors of matrices one after another.
func eighOfBatch[T lanes.Float](batch, n int, a []T) (w, v []T) {
	w, v = make([]T, batch*n), make([]T, batch*n*n)
	l := launchtest.Launch([]int{batch, n, n}, launchtest.NewStrided(w, 0, []int{n, 1, 0}), launchtest.New(v, batch, n, n), launchtest.New(a, batch, n, n))
	l.Outputs = 2
	Eigh(l)
	l.Recycle()
	return w, v
}

func svdOfBatch[T lanes.Float](batch, m, n int, a []T) (u, s, vt []T) {
	k := min(m, n)
	u, s, vt = make([]T, batch*m*k), make([]T, batch*k), make([]T, batch*k*n)
	l := launchtest.Launch([]int{batch, m, n}, launchtest.New(u, batch, m, k), launchtest.NewStrided(s, 0, []int{k, 1, 0}),
		launchtest.New(vt, batch, k, n), launchtest.New(a, batch, m, n))
	l.Outputs = 3
	SVD(l)
	l.Recycle()
	return u, s, vt
}

// TestSpectraOfGroups decomposes batches of all kinds of matrices, of which some are decomposed alone, and zeros. The results keep LAPACK's
// test ratios, and a matrix has the same ones beside other matrices.
func TestSpectraOfGroups(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		spectraOfGroups[float32](t)
		spectraOfGroups[float64](t)
	})
}

func spectraOfGroups[T lanes.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for _, shape := range [][2]int{{1, 1}, {2, 2}, {8, 8}, {16, 16}, {5, 8}, {8, 5}, {16, 3}} {
		m, n := shape[0], shape[1]
		batch := 5*len(kinds) + 1
		var general, symmetric []T
		for range 5 {
			for kind := range kinds {
				a, _ := drawOf[T](rng, m, n, kind, false)
				general = append(general, a.Data...)
				if m == n {
					s, _ := drawOf[T](rng, n, n, kind, true)
					for i := range n {
						for j := range i {
							*s.At(j, i) = *s.At(i, j)
						}
					}
					symmetric = append(symmetric, s.Data...)
				}
			}
		}
		general = append(general, make([]T, m*n)...)
		k := min(m, n)
		u, s, vt := svdOfBatch(batch, m, n, general)
		for b := range batch {
			left, right := wide(blas.New(u[b*m*k:][:m*k], m, k)), wide(blas.New(vt[b*k*n:][:k*n], k, n))
			checkGroup[T](t, fmt.Sprintf("SVD %d of %d by %d", b, m, n), wide(blas.New(general[b*m*n:][:m*n], m, n)), left, s[b*k:][:k], right)
		}
		u2, s2, vt2 := svdOfBatch(batch-3, m, n, general[3*m*n:])
		if !slices.Equal(u[3*m*k:], u2) || !slices.Equal(s[3*k:], s2) || !slices.Equal(vt[3*k*n:], vt2) {
			t.Errorf("%T: the SVD of %d by %d depends on the other matrices", u, m, n)
		}
		if m != n {
			continue
		}
		symmetric = append(symmetric, make([]T, n*n)...)
		w, v := eighOfBatch(batch, n, symmetric)
		for b := range batch {
			vectors := wide(blas.New(v[b*n*n:][:n*n], n, n))
			checkGroup[T](t, fmt.Sprintf("Eigh %d of %d", b, n), wide(blas.New(symmetric[b*n*n:][:n*n], n, n)), vectors, w[b*n:][:n], vectors.adjoint())
			if !slices.IsSorted(w[b*n:][:n]) {
				t.Errorf("%T: eigenvalues %v", w, w[b*n:][:n])
			}
		}
		w2, v2 := eighOfBatch(batch-3, n, symmetric[3*n*n:])
		if !slices.Equal(w[3*n:], w2) || !slices.Equal(v[3*n*n:], v2) {
			t.Errorf("%T: the eigenvalues of size %d depend on the other matrices", w, n)
		}
	}
}

// checkGroup requires that left·diag(values)·right is a, and that the columns of left and the rows of right are orthonormal.
func checkGroup[T lanes.Float](t *testing.T, name string, a, left dense, values []T, right dense) {
	t.Helper()
	m, n, k := len(a), len(a[0]), len(values)
	scaled := right.part(k, n, false, func(i, j int) bool { return true })
	for i := range scaled {
		for j := range scaled[i] {
			scaled[i][j] *= complex(float64(values[i]), 0)
		}
	}
	ratio[T](t, name, minus(times(left, scaled), a).norm(), a.norm(), max(m, n))
	one := right.part(k, k, true, func(i, j int) bool { return false })
	ratio[T](t, name+", left", minus(times(left.adjoint(), left), one).norm(), 1, max(m, n))
	ratio[T](t, name+", right", minus(times(right, right.adjoint()), one).norm(), 1, max(m, n))
}

// TestVectorsOfGroupsAreContinuous changes matrices by little: no vector may change its sign.
func TestVectorsOfGroupsAreContinuous(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	const batch, n = 50, 6
	a := make([]float64, batch*n*n)
	for i := range a {
		a[i] = rng.Float64() - 0.5
	}
	near := slices.Clone(a)
	for i := range near {
		near[i] += 1e-9 * rng.NormFloat64()
	}
	_, v := eighOfBatch(batch, n, a)
	_, v2 := eighOfBatch(batch, n, near)
	u, _, _ := svdOfBatch(batch, n, n, a)
	u2, _, _ := svdOfBatch(batch, n, n, near)
	for b := range batch {
		for j := range n {
			along, left := 0.0, 0.0
			for i := range n {
				at := (b*n+i)*n + j
				along += v[at] * v2[at]
				left += u[at] * u2[at]
			}
			if along < 0.9 || left < 0.9 {
				t.Errorf("vector %d of matrix %d: the products with those of a near matrix are %v and %v", j, b, along, left)
			}
		}
	}
}
