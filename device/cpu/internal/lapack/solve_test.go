package lapack

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// solutionsOf returns the results of Solve for a batch of m×m matrices with n right sides each; without b the inverses.
func solutionsOf[T blas.Number](batch, m, n int, a, b []T) (x, determinants []T) {
	x, determinants = make([]T, batch*m*n), make([]T, batch)
	operands := []launchtest.Array{launchtest.New(x, batch, m, n), launchtest.NewStrided(determinants, 0, []int{1, 0, 0}), launchtest.New(a, batch, m, m)}
	if b != nil {
		operands = append(operands, launchtest.New(b, batch, m, n))
	}
	l := launchtest.Launch([]int{batch, m, n}, operands...)
	l.Outputs = 2
	Solve(l)
	l.Recycle()
	return x, determinants
}

// TestSolveIsSubstitution compares Solve with LU and two substitutions, bit by bit: of matrices in groups, with a rest, and of single
// matrices with many right sides.
func TestSolveIsSubstitution(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		solveIsSubstitution[float32](t)
		solveIsSubstitution[float64](t)
		solveIsSubstitution[complex128](t)
	})
}

func solveIsSubstitution[T blas.Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	draw := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = blas.Complex[T](rng.NormFloat64(), rng.NormFloat64())
		}
		return x
	}
	for _, shape := range [][2]int{{1, 4}, {37, 4}, {37, 8}, {9, 20}, {1, 20}, {1, 100}} {
		batch, m := shape[0], shape[1]
		a, b := draw(batch*m*m), draw(batch*m*m)
		x, determinants := solutionsOf(batch, m, m, a, b)
		inverses, _ := solutionsOf(batch, m, m, a, nil)

		factors, y, want := make([]T, batch*m*m), make([]T, batch*m*m), make([]T, batch*m*m)
		pivots, order := make([]int64, batch*m), make([]int64, batch*m)
		vectors := func(x []int64) launchtest.Array { return launchtest.NewStrided(x, 0, []int{m, 1, 0}) }
		matrices := func(x []T) launchtest.Array { return launchtest.New(x, batch, m, m) }
		loop := []int{batch, m, m}
		l := launchtest.Launch(loop, matrices(factors), vectors(pivots), vectors(order), matrices(a))
		l.Outputs = 3
		LU(l)
		l.Recycle()
		for name, right := range map[string][]T{"solutions": b, "inverses": nil} {
			exchanged := make([]T, batch*m*m)
			for i, row := range order {
				if right != nil {
					copy(exchanged[i*m:][:m], right[(i/m*m+int(row))*m:])
				} else {
					exchanged[i*m+int(row)] = 1
				}
			}
			l = launchtest.Launch(loop, matrices(y), matrices(factors), matrices(exchanged))
			l.UnitDiagonal = true
			TriangularSolve(l)
			l.Recycle()
			l = launchtest.Launch(loop, matrices(want), matrices(factors), matrices(y))
			l.Upper = true
			TriangularSolve(l)
			l.Recycle()
			got := x
			if right == nil {
				got = inverses
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d %T of size %d: the %s differ from substitutions", batch, want, m, name)
			}
		}
		for k, got := range determinants {
			det := T(1)
			for i := range m {
				if det *= factors[(k*m+i)*m+i]; pivots[k*m+i] != int64(i) {
					det = -det
				}
			}
			if got != det {
				t.Errorf("%T: determinant %d is %v, want %v", want, k, got, det)
			}
		}
	}
}

// TestSolveInfinities solves with an infinity on the right: zeros of the matrix times it add nothing, and other matrices of the group have
// the same solutions as alone.
func TestSolveInfinities(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, n := range []int{3, 40} {
			const batch = 9
			a, b := make([]float64, batch*n*n), make([]float64, batch*n)
			for k := range batch {
				for i := range n {
					a[k*n*n+i*n+i], b[k*n+i] = 2, float64(i+k)
				}
			}
			b[4*n+1] = math.Inf(1)
			x, _ := solutionsOf(batch, n, 1, a, b)
			for i, v := range x {
				if n == 3 && v != b[i]/2 {
					t.Errorf("element %d is %v, want %v", i, v, b[i]/2)
				}
				if i/n != 4 && v != b[i]/2 {
					t.Errorf("n = %d: element %d is %v, want %v", n, i, v, b[i]/2)
				}
			}
		}
	})
}
