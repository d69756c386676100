package lapack

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// The residuals of factorisations, divided by the norms, the size and epsilon, must stay below LAPACK's threshold for its
// own tests.
const threshold = 30

// dense is a matrix in complex128.
type dense [][]complex128

func (a dense) adjoint() dense {
	y := make(dense, len(a[0]))
	for j := range y {
		y[j] = make([]complex128, len(a))
		for i := range a {
			y[j][i] = cmplx.Conj(a[i][j])
		}
	}
	return y
}

func times(a, b dense) dense {
	y := make(dense, len(a))
	for i := range y {
		y[i] = make([]complex128, len(b[0]))
		for k, v := range a[i] {
			for j, w := range b[k] {
				y[i][j] += v * w
			}
		}
	}
	return y
}

// norm returns the largest sum of absolute values of a column.
func (a dense) norm() float64 {
	most := 0.0
	for j := range a[0] {
		sum := 0.0
		for i := range a {
			sum += cmplx.Abs(a[i][j])
		}
		most = max(most, sum)
		if math.IsNaN(sum) {
			return sum
		}
	}
	return most
}

func minus(a, b dense) dense {
	y := make(dense, len(a))
	for i := range y {
		y[i] = make([]complex128, len(a[i]))
		for j := range y[i] {
			y[i][j] = a[i][j] - b[i][j]
		}
	}
	return y
}

// part returns the elements for which keep is true; the others are 0, and on the diagonal 1 if one is set.
func (a dense) part(rows, columns int, one bool, keep func(i, j int) bool) dense {
	y := make(dense, rows)
	for i := range y {
		y[i] = make([]complex128, columns)
		for j := range y[i] {
			switch {
			case one && i == j:
				y[i][j] = 1
			case keep(i, j):
				y[i][j] = a[i][j]
			}
		}
	}
	return y
}

// kinds are matrices with singular values of some kind, times a number, with rows of some size.
var kinds = []struct {
	name  string
	value func(k, n int) float64 // singular value k of n
	size  float64                // as a power of 10, in float64; float32 has an eighth of it
	rows  func(i, n int) float64 // by which row i is multiplied
}{
	{name: "ordinary", value: func(k, n int) float64 { return 1 + float64(k)/float64(n) }},
	{name: "graded", value: func(k, n int) float64 { return 1 }, rows: func(i, n int) float64 { return math.Pow(10, -12*float64(i)/float64(n)) }},
	{name: "geometric", value: func(k, n int) float64 { return math.Pow(1e-10, float64(k)/float64(n)) }},
	{name: "clustered", value: func(k, n int) float64 {
		if k == 0 {
			return 1
		}
		return 1e-6
	}},
	{name: "nearly singular", value: func(k, n int) float64 {
		if k == n-1 {
			return 1e-17
		}
		return 1
	}},
	{name: "tiny", value: func(k, n int) float64 { return 1 + float64(k) }, size: -280},
	{name: "huge", value: func(k, n int) float64 { return 1 + float64(k) }, size: 280},
}

// drawOf returns a matrix of a kind: orthonormal vectors from the left and the right around the singular values, or with
// definite the same ones.
func drawOf[T blas.Number](rng *rand.Rand, m, n, kind int, definite bool) (blas.Matrix[T], dense) {
	random := func(rows, columns int) blas.Matrix[complex128] {
		a := blas.New(make([]complex128, rows*columns), rows, columns)
		for i := range a.Data {
			a.Data[i] = complex(rng.NormFloat64(), 0)
			if blas.IsComplex[T]() {
				a.Data[i] = complex(rng.NormFloat64(), rng.NormFloat64())
			}
		}
		return a
	}
	k := min(m, n)
	orthonormal := func(rows int) dense {
		a := random(rows, k)
		h := reduceColumns(a)
		q := blas.New(make([]complex128, rows*k), rows, k)
		h.product(q)
		h.recycle()
		return wide(q)
	}
	left := orthonormal(m)
	right := left
	if !definite {
		right = orthonormal(n)
	}
	c := kinds[kind]
	size := c.size
	if blas.Epsilon[T]() > 1e-10 {
		size /= 8
	}
	right = right.adjoint()
	for i := range right {
		for j := range right[i] {
			right[i][j] *= complex(c.value(i, k)*math.Pow(10, size), 0)
		}
	}
	product := times(left, right)
	a := blas.New(make([]T, m*n), m, n)
	for i := range m {
		for j := range n {
			v := product[i][j]
			if c.rows != nil {
				v *= complex(c.rows(i, m), 0)
				if definite {
					v *= complex(c.rows(j, m), 0)
				}
			}
			*a.At(i, j) = blas.Complex[T](real(v), imag(v))
		}
	}
	return a, wide(a)
}

func wide[T blas.Number](a blas.Matrix[T]) dense {
	y := make(dense, a.Rows)
	for i := range y {
		y[i] = make([]complex128, a.Columns)
		for j := range y[i] {
			y[i][j] = complex(blas.Parts(*a.At(i, j)))
		}
	}
	return y
}

// ratio reports a residual that is too large.
func ratio[T blas.Number](t *testing.T, what string, residual, norm float64, n int) {
	t.Helper()
	if r := residual / (norm * float64(n) * blas.Epsilon[T]()); !(r <= threshold) && residual != 0 {
		t.Errorf("%s: the residual is %.3g of what rounding permits", what, r)
	}
}

func TestResiduals(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		t.Run("float32", residuals[float32])
		t.Run("float64", residuals[float64])
		t.Run("complex64", residuals[complex64])
		t.Run("complex128", residuals[complex128])
	})
}

func residuals[T blas.Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := [][2]int{{1, 1}, {5, 5}, {9, 4}, {4, 9}, {30, 30}}
	if !testing.Short() { // exact products take long
		shapes = append(shapes, [][2]int{{90, 40}, {40, 90}, {100, 100}}...)
	}
	for kind := range kinds {
		for _, shape := range shapes {
			m, n := shape[0], shape[1]
			name := fmt.Sprintf("%d×%d %s", m, n, kinds[kind].name)
			a, want := drawOf[T](rng, m, n, kind, false)
			luResidual(t, name, a, want)
			qrResidual(t, name, a, want)
			if m == n {
				solveResidual(t, name, a, want)
				a, want = drawOf[T](rng, n, n, kind, true)
				choleskyResidual(t, name, a, want, kind)
			}
		}
	}
}

// run launches a kernel on a batch of one matrix, of m rows and n columns; the first operands are the results.
func run[T blas.Number](kernel func(*device.Launch), m, n, outputs int, set func(l *device.Launch), matrices ...blas.Matrix[T]) {
	var operands []launchtest.Array
	for _, a := range matrices {
		operands = append(operands, launchtest.New(a.Data, 1, a.Rows, a.Columns))
	}
	l := launchtest.Launch([]int{1, m, n}, operands...)
	l.Outputs = outputs
	if set != nil {
		set(l)
	}
	kernel(l)
	l.Recycle()
}

func empty[T blas.Number](m, n int) blas.Matrix[T] { return blas.New(make([]T, m*n), m, n) }

// factorsOf returns the result of LU, and the row of the matrix that each row became.
func factorsOf[T blas.Number](a blas.Matrix[T]) (blas.Matrix[T], []int64) {
	m, n := a.Rows, a.Columns
	y, pivots, order := empty[T](m, n), make([]int64, min(m, n)), make([]int64, m)
	vector := func(x []int64) launchtest.Array { return launchtest.NewStrided(x, 0, []int{len(x), 1, 0}) }
	l := launchtest.Launch([]int{1, m, n}, launchtest.New(y.Data, 1, m, n), vector(pivots), vector(order), launchtest.New(a.Data, 1, m, n))
	l.Outputs = 3
	LU(l)
	l.Recycle()
	return y, order
}

func luResidual[T blas.Number](t *testing.T, name string, a blas.Matrix[T], want dense) {
	m, n, k := a.Rows, a.Columns, min(a.Rows, a.Columns)
	factors, order := factorsOf(a)
	f := wide(factors)
	lower := f.part(m, k, true, func(i, j int) bool { return j < i })
	upper := f.part(k, n, false, func(i, j int) bool { return j >= i })
	exchanged := make(dense, m)
	for i, row := range order {
		exchanged[i] = want[row]
	}
	ratio[T](t, name+" LU", minus(times(lower, upper), exchanged).norm(), want.norm(), n)
	for i := range lower {
		for j, v := range lower[i] {
			if i != j && cmplx.Abs(v) > 1.5 {
				t.Errorf("%s LU: element (%d, %d) of L is %v", name, i, j, v)
			}
		}
	}
}

func qrResidual[T blas.Number](t *testing.T, name string, a blas.Matrix[T], want dense) {
	m, n := a.Rows, a.Columns
	for _, k := range []int{min(m, n), m} {
		q, r := empty[T](m, k), empty[T](k, n)
		run(QR, m, n, 2, func(l *device.Launch) { l.Full = k > n }, q, r, a)
		wideQ := wide(q)
		ratio[T](t, name+" QR", minus(times(wideQ, wide(r)), want).norm(), want.norm(), m)
		one := wideQ.part(k, k, true, func(i, j int) bool { return false })
		ratio[T](t, name+" orthogonality of Q", minus(times(wideQ.adjoint(), wideQ), one).norm(), 1, m)
	}
}

func choleskyResidual[T blas.Number](t *testing.T, name string, a blas.Matrix[T], want dense, kind int) {
	n := a.Rows
	if kinds[kind].value(n-1, n) < 1e-5 || blas.Epsilon[T]() > 1e-10 && kinds[kind].value(n-1, n) < 1 {
		return // rounding may make it indefinite
	}
	lower := empty[T](n, n)
	run(Cholesky, n, n, 1, nil, lower, a)
	l := wide(lower)
	for i := range want { // only the lower triangle counts
		want[i][i] = complex(real(want[i][i]), 0)
		for j := i + 1; j < n; j++ {
			want[i][j] = cmplx.Conj(want[j][i])
		}
	}
	ratio[T](t, name+" Cholesky", minus(times(l, l.adjoint()), want).norm(), want.norm(), n)
}

// solveResidual solves equations with the triangles of LU, for one and for several right sides.
func solveResidual[T blas.Number](t *testing.T, name string, a blas.Matrix[T], want dense) {
	n := a.Rows
	factors, order := factorsOf(a)
	for _, columns := range []int{1, 3, 20} {
		b := empty[T](n, columns)
		rng := rand.New(rand.NewPCG(3, 4))
		for i := range b.Data {
			b.Data[i] = blas.Complex[T](rng.NormFloat64(), rng.NormFloat64())
		}
		exchanged := empty[T](n, columns)
		for i, row := range order {
			copy(exchanged.Row(i), b.Row(int(row)))
		}
		y, x := empty[T](n, columns), empty[T](n, columns)
		run(TriangularSolve, n, columns, 1, func(l *device.Launch) { l.UnitDiagonal = true }, y, factors, exchanged)
		run(TriangularSolve, n, columns, 1, func(l *device.Launch) { l.Upper = true }, x, factors, y)
		solution := wide(x)
		if size := solution.norm(); math.IsNaN(size) || math.IsInf(size, 0) || size > 1e30 && blas.Epsilon[T]() > 1e-10 {
			continue // out of range
		}
		ratio[T](t, name+" solution", minus(times(want, solution), wide(b)).norm(), want.norm()*solution.norm(), n)
		together, _ := solutionsOf(1, n, columns, a.Data, b.Data)
		solution = wide(blas.New(together, n, columns))
		ratio[T](t, name+" Solve", minus(times(want, solution), wide(b)).norm(), want.norm()*solution.norm(), n)
	}
}

// TestLargeFactorsDoNotDependOnWorkers factors matrices whose products are shared.
func TestLargeFactorsDoNotDependOnWorkers(t *testing.T) {
	defer workers.BeEager(workers.BeEager(true))
	largeFactors[float32](t)
	largeFactors[complex128](t)
}

func largeFactors[T blas.Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 170
	a, definite := empty[T](n, n), empty[T](n, n)
	for i := range a.Data {
		a.Data[i], definite.Data[i] = blas.Complex[T](rng.NormFloat64(), rng.NormFloat64()), blas.Real[T](rng.Float64())
	}
	for i := range n {
		*definite.At(i, i) += n
	}
	var want []T
	for _, count := range []int{1, 2, 5} {
		workers.With(count, func() {
			factors, _ := factorsOf(a)
			q, r, lower, x := empty[T](n, n), empty[T](n, n), empty[T](n, n), empty[T](n, n)
			run(QR, n, n, 2, nil, q, r, a)
			run(Cholesky, n, n, 1, nil, lower, definite)
			run(TriangularSolve, n, n, 1, nil, x, lower, a)
			solution, _ := solutionsOf(1, n, n, a.Data, lower.Data)
			got := slices.Concat(factors.Data, q.Data, r.Data, lower.Data, x.Data, solution)
			if want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%T: %d workers give other factors than one", want, count)
			}
		})
	}
}
