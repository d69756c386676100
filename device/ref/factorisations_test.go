package ref_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

// result has the expected elements of an operand of a factorisation, within rounding errors.
type result struct {
	operand device.Operand
	want    []float64
}

func checkResults(t *testing.T, what string, d *ref.Device, results ...result) {
	t.Helper()
	for k, r := range results {
		got := make([]float64, len(r.want))
		d.CopyOut(bytesOf(got), r.operand.Memory, 0)
		for i, v := range r.want {
			if !(math.Abs(got[i]-v) <= 1e-12) && got[i] != v {
				t.Errorf("%s: result %d is %v, want %v", what, k, got, r.want)
				break
			}
		}
	}
}

// TestFactorisations checks results that are computed by hand.
func TestFactorisations(t *testing.T) {
	d := ref.New()
	square := []int{2, 2}
	matrix := func(elements ...float64) device.Operand { return over(in(d, elements...), 2, 1) }
	vector := func(n int) device.Operand { return over(out[float64](d, n), 1, 0) }

	l := matrix(9, 9, 9, 9)
	d.Cholesky(launch(square, l, matrix(4, math.NaN(), 2, 5)))
	checkResults(t, "Cholesky", d, result{l, []float64{2, 0, 1, 2}})

	factors, exchanges := matrix(9, 9, 9, 9), over(out[int64](d, 2), 1, 0)
	rows := over(out[int64](d, 2), 1, 0)
	d.LU(launch(square, factors, exchanges, rows, matrix(1, 2, 4, 4)))
	checkResults(t, "LU", d, result{factors, []float64{4, 4, 0.25, 1}})
	expect(t, "exchanges", elements[int64](d, exchanges), "1 1")
	expect(t, "rows", elements[int64](d, rows), "1 0")

	d.LU(launch(square, factors, exchanges, device.Operand{}, over(in(d, 1.0, 2, 4, 4), 1, 2)))
	checkResults(t, "LU of a transposed matrix", d, result{factors, []float64{2, 4, 0.5, 2}})

	x := matrix(9, 9, 9, 9)
	solve := launch(square, x, matrix(2, 3, 1, 4), matrix(2, 4, 9, 10))
	d.TriangularSolve(solve)
	checkResults(t, "TriangularSolve", d, result{x, []float64{1, 2, 2, 2}})
	solve.Transposed = true
	d.TriangularSolve(solve)
	checkResults(t, "TriangularSolve transposed", d, result{x, []float64{-0.125, 0.75, 2.25, 2.5}})
	solve.UnitDiagonal = true
	d.TriangularSolve(solve)
	checkResults(t, "TriangularSolve transposed, unit", d, result{x, []float64{-7, -6, 9, 10}})
	solve.Upper, solve.Transposed = true, false
	d.TriangularSolve(solve)
	checkResults(t, "TriangularSolve upper, unit", d, result{x, []float64{-25, -26, 9, 10}})

	det := over(out[float64](d, 1), 0, 0)
	d.Solve(launch(square, x, det, matrix(0, 2, 4, 4), matrix(2, 4, 12, 16)))
	checkResults(t, "Solve", d, result{x, []float64{2, 2, 1, 2}}, result{det, []float64{-8}})
	d.Solve(launch(square, x, device.Operand{}, matrix(0, 2, 4, 4)))
	checkResults(t, "the inverse", d, result{x, []float64{-0.5, 0.25, 0.5, 0}})

	column := over(in(d, 3.0, 4), 1, 1)
	q, r := over(out[float64](d, 2), 1, 1), over(out[float64](d, 1), 1, 1)
	d.QR(launch([]int{2, 1}, q, r, column))
	checkResults(t, "QR", d, result{q, []float64{-0.6, -0.8}}, result{r, []float64{-5}})
	q, r = matrix(9, 9, 9, 9), over(out[float64](d, 2), 1, 1)
	complete := launch([]int{2, 1}, q, r, column)
	complete.Full = true
	d.QR(complete)
	checkResults(t, "QR with all of Q", d, result{q, []float64{-0.6, -0.8, -0.8, 0.6}}, result{r, []float64{-5, 0}})

	s := vector(2)
	d.SVD(launch(square, device.Operand{}, s, device.Operand{}, matrix(0, 3, -4, 0)))
	checkResults(t, "SVD", d, result{s, []float64{4, 3}})
	u, vt := matrix(9, 9, 9, 9), matrix(9, 9, 9, 9)
	d.SVD(launch(square, u, s, vt, matrix(0, 3, 5, 0)))
	checkResults(t, "SVD with vectors", d, result{u, []float64{0, 1, 1, 0}}, result{s, []float64{5, 3}}, result{vt, []float64{1, 0, 0, 1}})

	w, v := vector(2), matrix(9, 9, 9, 9)
	d.Eigh(launch(square, w, device.Operand{}, matrix(2, math.NaN(), 1, 2)))
	checkResults(t, "Eigh", d, result{w, []float64{1, 3}})
	upper := launch(square, w, v, matrix(7, 0, math.NaN(), -2))
	upper.Upper = true
	d.Eigh(upper)
	checkResults(t, "Eigh with vectors", d, result{w, []float64{-2, 7}}, result{v, []float64{0, 1, 1, 0}})
}

// TestFactorisationsOfBatches steps backwards through a batch of float32 matrices.
func TestFactorisationsOfBatches(t *testing.T) {
	d := ref.New()
	a := in(d, float32(9), 16, 25)
	a.Offset = 2
	y := out[float32](d, 3)
	d.Cholesky(launch([]int{3, 1, 1}, over(y, 1, 1, 1), over(a, -1, 1, 1)))
	expect(t, "roots", elements[float32](d, y), "5 4 3")
	d.Cholesky(launch([]int{0, 1, 1}, over(y, 1, 1, 1), over(a, 1, 1, 1)))
	expect(t, "roots of an empty batch", elements[float32](d, y), "5 4 3")
}

func TestFactorisationsThatDoNotExist(t *testing.T) {
	d := ref.New()
	square := []int{2, 2}
	matrix := func(elements ...float64) device.Operand { return over(in(d, elements...), 2, 1) }
	y := matrix(0, 0, 0, 0)
	for name, f := range map[string]func(){
		"Cholesky": func() { d.Cholesky(launch(square, y, matrix(1, 2, 2, 1))) },
		"SVD":      func() { d.SVD(launch(square, device.Operand{}, y, device.Operand{}, matrix(math.NaN(), 0, 0, 1))) },
		"Eigh":     func() { d.Eigh(launch(square, y, device.Operand{}, matrix(math.Inf(1), 0, 0, 1))) },
	} {
		if e, ok := panicOf(f).(*device.MatrixError); !ok || e.Kernel != name {
			t.Errorf("%s: panic with %v, want a *device.MatrixError", name, panicOf(f))
		}
	}
}
