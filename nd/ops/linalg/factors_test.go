package linalg_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

func TestFactorsAndWhatTheySolve(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, x := range []*nd.Array{normal(4, 4), normal(2, 5, 3), complexNormal(2, 2, 4), normal(0, 0), normal(0, 3), nd.Zeros([]int{2, 2}), complexNormal(3, 3).AsType(dtype.Complex64)} {
			for layout, a := range layouts(x.To(dev)) {
				p, l, u := linalg.LU(a)
				near(t, layout+" p·l·u", ops.MatMul(p, ops.MatMul(l, u)), a)
				if q, r := linalg.QRReflectors(a); a.Dim(-2) >= a.Dim(-1) {
					near(t, layout+" reflections", linalg.HouseholderProduct(transposed(q), r), qOf(a))
				}
				c := positive(a)
				factors, pivots := linalg.LUFactor(c)
				near(t, layout+" LUSolve", ops.MatMul(c, linalg.LUSolve(factors, pivots, a)), a)
				near(t, layout+" LUSolve, adjoint", linalg.LUSolve(factors, pivots, a, linalg.LUSolveOptions{Adjoint: true}), linalg.Solve(c, a))
				near(t, layout+" CholeskySolve", linalg.CholeskySolve(linalg.Cholesky(c), a), linalg.Solve(c, a))
				near(t, layout+" CholeskyInverse", linalg.CholeskyInverse(linalg.Cholesky(c, linalg.CholeskyOptions{Upper: true}),
					linalg.CholeskySolveOptions{Upper: true}), linalg.Inv(c))
				w, v := linalg.Eigh(c)
				near(t, layout+" MatrixExp", linalg.MatrixExp(c), ops.MatMul(ops.Multiply(v, ops.Exp(w).ExpandDims(-2)), adjoint(v)))
			}
		}
		turn := linalg.MatrixExp(matrix(2, 0, -1e4, 1e4, 0).To(dev))
		near(t, "MatrixExp of a large matrix", ops.MatMul(turn, transposed(turn)).AsType(dtype.Float32), nd.Identity(2, dtype.Float32))
	})
	a, b := normal(2, 2), normal(2, 3)
	factors, pivots := linalg.LUFactor(a)
	for name, call := range map[string]func(){
		"LU of a vector":            func() { linalg.LU(normal(2)) },
		"LUSolve, not square":       func() { linalg.LUSolve(b, pivots, b) },
		"LUSolve, pivots":           func() { linalg.LUSolve(factors, ops.Add(pivots, 1), b) },
		"LUSolve, few pivots":       func() { linalg.LUSolve(factors, pivots.Index(nd.Until(1)), b) },
		"LUSolve, floats":           func() { linalg.LUSolve(factors, normal(2), b) },
		"CholeskySolve, not square": func() { linalg.CholeskySolve(b, b) },
		"CholeskyInverse":           func() { linalg.CholeskyInverse(b) },
		"HouseholderProduct":        func() { linalg.HouseholderProduct(b, normal(2)) },
		"HouseholderProduct, tau":   func() { linalg.HouseholderProduct(a, normal(3)) },
		"MatrixExp, not square":     func() { linalg.MatrixExp(b) },
		"Eig, not square":           func() { linalg.Eig(b) },
		"Eigvals, not square":       func() { linalg.Eigvals(b) },
		"Eig, not finite":           func() { linalg.Eig(ops.Divide(a, 0.0)) },
	} {
		if err := nd.Catch(call); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
