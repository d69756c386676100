package linalg_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestLDL solves equations of indefinite matrices, whose first pivots are 0, and compares with Solve.
func TestLDL(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, x := range []*nd.Array{normal(1, 1), normal(2, 2), normal(2, 3, 7, 7), normal(12, 12), complexNormal(3, 6, 6), normal(2, 0, 0),
			normal(0, 3, 3), complexNormal(5, 5).AsType(dtype.Complex64), normal(4, 4).AsType(dtype.Float32)} {
			for _, hermitian := range []bool{false, true} {
				o := linalg.LDLOptions{Hermitian: hermitian}
				a := symmetric(x)
				if hermitian {
					a = hermitianOf(x)
				}
				if n := x.Dim(-1); n > 1 {
					hollow := nd.FromSlice(make([]float64, n))
					if n > 5 {
						hollow = nd.ArangeInt(0, n, 1, nd.ArrayOptions{DType: dtype.Float64})
					}
					a = ops.WithDiagonal(a, hollow.AsType(a.DType()), 0, -1, -2)
				}
				for layout, a := range layouts(a.To(dev)) {
					factors, pivots := linalg.LDLFactor(ops.Tril(a, 0), o)
					if factors.DType() != a.DType() || pivots.DType() != dtype.Int64 || factors.Device() != dev || pivots.Device() != dev {
						t.Errorf("%s: factors %s on %v, pivots %s on %v", layout, factors.DType(), factors.Device(), pivots.DType(), pivots.Device())
					}
					if !ops.ArrayEqual(ops.Triu(factors, 1), nd.ZerosLike(factors)) {
						t.Errorf("%s: the upper triangle is not 0", layout)
					}
					b := ops.MatMul(a, ops.Triu(a, -1))
					near(t, layout+" LDLSolve", linalg.LDLSolve(factors, pivots, b, o), ops.Triu(a, -1))
					if a.Rank() == 2 && a.Dim(0) > 0 {
						b := a.Index(nd.At(0))
						near(t, layout+" LDLSolve of a vector", linalg.LDLSolve(factors, pivots, b, o), linalg.Solve(a, b))
						many := ops.Stack([]*nd.Array{a, ops.Multiply(a, 2)})
						near(t, layout+" LDLSolve, broadcast", linalg.LDLSolve(factors, pivots, many, o), linalg.Solve(a, many))
					}
				}
			}
		}
	})
}

// TestLDLPivots checks the layout of the results: a block of two rows, an exchange, and a singular matrix.
func TestLDLPivots(t *testing.T) {
	factors, pivots := linalg.LDLFactor(matrix(3, 0, 9, 9, 2, 0, 9, 4, 8, 6))
	opstest.Repr(t, pivots, "array([2, 1, 2])")
	near(t, "factors", factors, matrix(3, 6, 0, 0, 8/6.0, -64/6.0, 0, 4/6.0, (2-8*4/6.0)/(-64/6.0), -16/6.0-(2-8*4/6.0)*(2-8*4/6.0)/(-64/6.0)))
	factors, pivots = linalg.LDLFactor(nd.FromSlice([]int64{0, 0, 2, 0}, 2, 2))
	opstest.Repr(t, pivots, "array([-2, -2])")
	opstest.Repr(t, factors, "array([[0., 0.], [2., 0.]])")
	factors, pivots = linalg.LDLFactor(nd.Zeros([]int{2, 2}))
	opstest.Repr(t, pivots, "array([0, 1])")
	for _, v := range nd.ToSlice[float64](linalg.LDLSolve(factors, pivots, nd.Ones([]int{2}))) {
		if !math.IsInf(v, 1) {
			t.Errorf("the solution of singular equations is %v", v)
		}
	}
	if factors, _ = linalg.LDLFactor(nd.Full([]int{3, 3}, math.NaN())); !math.IsNaN(nd.Value[float64](factors, 0, 0)) {
		t.Errorf("NaN gives %v", factors)
	}
	huge := matrix(2, 0, 1e200, 1e200, 1e190)
	factors, pivots = linalg.LDLFactor(huge)
	near(t, "of huge numbers", linalg.LDLSolve(factors, pivots, vector(1e200, 1e200)), vector(1, 1))
}

// TestLDLSolveGradients holds the order of the rows, and compares with differences also with respect to the factors.
func TestLDLSolveGradients(t *testing.T) {
	for _, x := range []*nd.Array{normal(2, 4, 4), complexNormal(5, 5)} {
		for _, hermitian := range []bool{false, true} {
			o := linalg.LDLOptions{Hermitian: hermitian}
			a := symmetric(x)
			if hermitian {
				a = hermitianOf(x)
			}
			a = ops.WithDiagonal(a, nd.Zeros([]int{a.Dim(-1)}, a.DType()), 0, -1, -2)
			factors, pivots := linalg.LDLFactor(a, o)
			if hermitian { // the diagonal of Hermitian matrices is real
				gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return linalg.LDLSolve(factors, pivots, xs[0], o) }, ops.MatMul(x, x))
			} else {
				gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return linalg.LDLSolve(xs[0], pivots, xs[1], o) }, factors, ops.MatMul(x, x))
			}
		}
	}
}

func TestLUUnpack(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, x := range []*nd.Array{normal(4, 4), normal(2, 5, 3), complexNormal(2, 2, 4), normal(0, 0), normal(2, 0, 3), normal(3, 0), nd.Zeros([]int{2, 2}, dtype.Float32)} {
			for layout, a := range layouts(x.To(dev)) {
				factors, pivots := linalg.LUFactor(a)
				p, l, u := linalg.LUUnpack(factors, pivots)
				wantP, wantL, wantU := linalg.LU(a)
				near(t, layout+" p", p, wantP)
				near(t, layout+" l", l, wantL)
				near(t, layout+" u", u, wantU)
			}
		}
	})
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		factors, pivots := linalg.LUFactor(xs[0])
		_, l, u := linalg.LUUnpack(factors, pivots)
		return ops.MatMul(ops.Square(l), u)
	}, normal(2, 3, 4))
}

// TestHouseholderMultiply compares with the square product of the reflections.
func TestHouseholderMultiply(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, x := range []*nd.Array{normal(4, 4), normal(2, 5, 3), complexNormal(2, 4, 2), normal(3, 5), normal(0, 0), normal(3, 0), complexNormal(3, 3).AsType(dtype.Complex64)} {
			for layout, a := range layouts(x.To(dev)) {
				h, tau := linalg.QRReflectors(a)
				m := a.Dim(-2)
				square := ops.Concatenate([]*nd.Array{transposed(h), nd.Zeros(append(a.Shape()[:a.Rank()-1], max(0, m-a.Dim(-1))), nd.ArrayOptions{DType: a.DType(), Device: dev})}, ops.Over(-1))
				q := linalg.HouseholderProduct(square.Index(nd.Ellipsis(), nd.Until(m)), tau)
				for _, adjointed := range []bool{false, true} {
					want := q
					if adjointed {
						want = adjoint(q)
					}
					o := linalg.HouseholderMultiplyOptions{Adjoint: adjointed}
					near(t, layout+" from the left", linalg.HouseholderMultiply(transposed(h), tau, a, o), ops.MatMul(want, a))
					o.Right = true
					near(t, layout+" from the right", linalg.HouseholderMultiply(transposed(h), tau, transposed(a), o), ops.MatMul(transposed(a), want))
				}
			}
		}
	})
	for _, o := range []linalg.HouseholderMultiplyOptions{{}, {Right: true}, {Adjoint: true}} {
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			return linalg.HouseholderMultiply(xs[0], xs[1], xs[2], o)
		}, complexNormal(3, 2), complexNormal(2), complexNormal(2, 3, 3))
	}
}

// TestLowRankSVD finds the singular values of matrices of low rank exactly, and of others nearly.
func TestLowRankSVD(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		rng := nd.NewRand(1)
		for _, x := range []*nd.Array{ops.MatMul(normal(20, 3), normal(3, 12)), ops.MatMul(complexNormal(2, 6, 2), complexNormal(2, 2, 9)), normal(4, 0), normal(0, 3, 2),
			ops.MatMul(normal(9, 2), normal(2, 5)).AsType(dtype.Float32)} {
			for layout, a := range layouts(x.To(dev)) {
				q := min(4, a.Dim(-1), a.Dim(-2))
				u, s, vt := linalg.LowRankSVD(rng, a, q)
				near(t, layout+" u·s·vt", ops.MatMul(ops.Multiply(u, s.ExpandDims(-2)), vt), a)
				near(t, layout+" singular values", s, linalg.SVDVals(a).Index(nd.Ellipsis(), nd.Until(q)))
				centred := a
				if a.Dim(-2) > 0 {
					centred = ops.Subtract(a, ops.Mean(a, ops.Over(-2).KeepDims()))
				}
				u, s, vt = linalg.LowRankPCA(rng, a, q)
				near(t, layout+" of centred rows", ops.MatMul(ops.Multiply(u, s.ExpandDims(-2)), vt), centred)
			}
		}
	})
	a := ops.Multiply(normal(30, 20), ops.Exp(nd.ArangeInt(0, -20, -1))) // singular values that decrease
	_, want, _ := linalg.SVD(a)
	for _, times := range []int{0, 4} {
		_, s, _ := linalg.LowRankSVD(nd.NewRand(7), a, 6, linalg.LowRankSVDOptions{Iterations: &times})
		error := nd.Value[float64](ops.Max(ops.Divide(ops.Absolute(ops.Subtract(s, want.Index(nd.Until(6)))), want.Index(nd.Until(6))).Index(nd.Until(4))))
		if limit := []float64{0.05, 1e-8}[min(times, 1)]; error > limit {
			t.Errorf("%d iterations: the first singular values are %v off, want at most %v", times, error, limit)
		}
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		u, s, vt := linalg.LowRankSVD(nd.NewRand(3), xs[0], 2)
		return ops.MatMul(ops.Multiply(u, ops.Square(s)), vt)
	}, normal(5, 4))
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		_, s, _ := linalg.LowRankPCA(nd.NewRand(3), xs[0], 3)
		return s
	}, normal(6, 3))
}

func TestFactorRefusals(t *testing.T) {
	a, b := symmetric(normal(3, 3)), normal(3, 2)
	factors, pivots := linalg.LDLFactor(ops.WithDiagonal(a, nd.Scalar(9), 0, 0, 1))
	lu, exchanges := linalg.LUFactor(b)
	for name, call := range map[string]func(){
		"LDLFactor, not square":           func() { linalg.LDLFactor(b) },
		"LDLFactor, float16":              func() { linalg.LDLFactor(a.AsType(dtype.Float16)) },
		"LDLSolve, not square":            func() { linalg.LDLSolve(b, pivots, b) },
		"LDLSolve, rows":                  func() { linalg.LDLSolve(factors, pivots, normal(2, 3)) },
		"LDLSolve, pivots out of range":   func() { linalg.LDLSolve(factors, ops.Add(pivots, 1), b) },
		"LDLSolve, pivots of floats":      func() { linalg.LDLSolve(factors, normal(3), b) },
		"LDLSolve, few pivots":            func() { linalg.LDLSolve(factors, pivots.Index(nd.Until(2)), b) },
		"LDLSolve, half of a block":       func() { linalg.LDLSolve(factors, nd.FromSlice([]int64{0, 1, -3}), b) },
		"LDLSolve, unequal halves":        func() { linalg.LDLSolve(factors, nd.FromSlice([]int64{-2, -3, 2}), b) },
		"LUUnpack, pivots out of range":   func() { linalg.LUUnpack(lu, ops.Add(exchanges, 2)) },
		"LUUnpack, few pivots":            func() { linalg.LUUnpack(lu, exchanges.Index(nd.Until(1))) },
		"LUUnpack, floats":                func() { linalg.LUUnpack(lu, normal(2)) },
		"HouseholderMultiply, a vector":   func() { linalg.HouseholderMultiply(a, normal(3), normal(3)) },
		"HouseholderMultiply, rows":       func() { linalg.HouseholderMultiply(a, normal(3), normal(2, 3)) },
		"HouseholderMultiply, columns":    func() { linalg.HouseholderMultiply(a, normal(3), b, linalg.HouseholderMultiplyOptions{Right: true}) },
		"HouseholderMultiply, tau":        func() { linalg.HouseholderMultiply(b, normal(3), a) },
		"HouseholderMultiply, batches":    func() { linalg.HouseholderMultiply(normal(2, 3, 3), normal(2, 3), normal(4, 3, 3)) },
		"LowRankSVD, too many dimensions": func() { linalg.LowRankSVD(nd.NewRand(1), b, 3) },
		"LowRankSVD, negative":            func() { linalg.LowRankSVD(nd.NewRand(1), b, -1) },
		"LowRankSVD, no stream":           func() { linalg.LowRankSVD(nil, b, 1) },
		"LowRankSVD, iterations":          func() { linalg.LowRankSVD(nd.NewRand(1), b, 1, linalg.LowRankSVDOptions{Iterations: new(-1)}) },
		"LowRankPCA, a vector":            func() { linalg.LowRankPCA(nd.NewRand(1), normal(3), 1) },
	} {
		opstest.Refused(t, name, call)
	}
}
