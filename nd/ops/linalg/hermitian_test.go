package linalg_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestHermitian puts NaN into the triangle that is not read.
func TestHermitian(t *testing.T) {
	whole := symmetric(normal(2, 4, 4))
	half := ops.Where(ops.Triu(nd.Ones([]int{4, 4}, dtype.Bool), 1), math.NaN(), whole)
	o := linalg.SVDOptions{Hermitian: true}
	u, s, vt := linalg.SVD(half, o)
	near(t, "product", ops.MatMul(ops.Multiply(u, s.ExpandDims(-2)), vt), whole)
	near(t, "singular values", s, linalg.SVDVals(whole))
	near(t, "singular values alone", linalg.SVDVals(half, o), s)
	near(t, "PInv", linalg.PInv(half, linalg.PInvOptions{Hermitian: true}), linalg.PInv(whole))
	z := complexNormal(3, 3)
	z = ops.Add(z, ops.Conj(transposed(z)))
	near(t, "PInv complex", linalg.PInv(z, linalg.PInvOptions{Hermitian: true}), linalg.PInv(z))
	near(t, "complex singular values", linalg.SVDVals(z, o), linalg.SVDVals(z))

	limits := nd.FromSlice([]float64{1e-15, 2})
	both := linalg.PInv(whole, linalg.PInvOptions{RCond: limits})
	near(t, "RCond of each", both.Index(nd.At(0)), linalg.PInv(whole.Index(nd.At(0))))
	near(t, "RCond above all", both.Index(nd.At(1)), nd.Zeros([]int{4, 4}))
	near(t, "RTol of each", linalg.MatrixRank(whole, linalg.MatrixRankOptions{RTol: limits}), nd.FromSlice([]int64{4, 0}))

	for name, call := range map[string]func(){
		"SVD":         func() { linalg.SVD(normal(2, 3), o) },
		"SVDVals":     func() { linalg.SVDVals(normal(2, 3), o) },
		"PInv":        func() { linalg.PInv(normal(2, 3), linalg.PInvOptions{Hermitian: true}) },
		"PInv, RCond": func() { linalg.PInv(normal(2, 2), linalg.PInvOptions{RCond: limits}) },
		"MatrixRank":  func() { linalg.MatrixRank(normal(3, 2, 2), linalg.MatrixRankOptions{Tol: limits}) },
	} {
		if err := nd.Catch(call); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"PInv": func(x *nd.Array) *nd.Array { return linalg.PInv(x, linalg.PInvOptions{Hermitian: true}) },
		"SVD": func(x *nd.Array) *nd.Array {
			u, s, vt := linalg.SVD(x, o)
			return ops.MatMul(ops.Multiply(u, ops.Square(s).ExpandDims(-2)), vt)
		},
		"vals": func(x *nd.Array) *nd.Array { return linalg.SVDVals(x, o) },
	} {
		t.Run(name, func(t *testing.T) {
			checker := gradcheck.Checker{Directions: 2, Relative: 1e-5, Absolute: 1e-7}
			checker.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return f(symmetric(xs[0])) }, normal(3, 3))
		})
	}
}
