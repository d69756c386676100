package linalg_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// normal returns random matrices, the same ones for every call.
func normal(shape ...int) *nd.Array {
	random := rand.New(rand.NewPCG(uint64(len(shape)), uint64(shape[len(shape)-1])))
	n := 1
	for _, d := range shape {
		n *= d
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = random.NormFloat64()
	}
	return nd.FromSlice(values, shape...)
}

// complexNormal returns random complex matrices.
func complexNormal(shape ...int) *nd.Array {
	x := normal(append([]int{2}, shape...)...)
	re, im := x.Index(nd.At(0)), x.Index(nd.At(1))
	return ops.Add(re, ops.Multiply(im, 1i))
}

// regular returns square matrices that are far from singular.
func regular(shape ...int) *nd.Array {
	x := normal(shape...)
	return ops.Add(x, ops.Multiply(nd.Identity(x.Dim(-1)), 3.0))
}

// singularComplex returns a complex matrix whose last row is exactly twice the first.
func singularComplex(n int) *nd.Array {
	x := complexNormal(n-1, n)
	return ops.Concatenate([]*nd.Array{x, ops.Multiply(x.Index(nd.Span(0, 1)), 2.0)}, ops.Over(0))
}

func transposed(x *nd.Array) *nd.Array { return x.SwapAxes(-1, -2) }

func symmetric(x *nd.Array) *nd.Array { return ops.Add(x, transposed(x)) }

// adjoint returns the conjugate transpose.
func adjoint(x *nd.Array) *nd.Array { return ops.Conj(transposed(x)) }

// positive returns x·xᴴ + 1.
func positive(x *nd.Array) *nd.Array {
	return ops.Add(ops.MatMul(x, adjoint(x)), nd.Identity(x.Dim(-2), nd.ArrayOptions{DType: x.DType().Real(), Device: x.Device()}))
}

// signed fixes the signs or phases of vectors: it makes the first element of each column positive.
func signed(x, by *nd.Array) *nd.Array {
	return ops.Multiply(x, ops.Conj(ops.Sign(by.Index(nd.Ellipsis(), nd.Span(0, 1), nd.All()))))
}

// both combines two results into one.
func both(x, y *nd.Array) *nd.Array {
	return ops.Concatenate([]*nd.Array{x.Ravel(), y.Ravel()})
}

func one(f func(x *nd.Array) *nd.Array) gradcheck.Function {
	return func(xs ...*nd.Array) *nd.Array { return f(xs[0]) }
}

func svd(full bool) gradcheck.Function {
	return one(func(x *nd.Array) *nd.Array {
		u, s, vt := linalg.SVD(x, linalg.SVDOptions{FullMatrices: &full})
		return both(both(signed(u, u), transposed(signed(transposed(vt), ops.Conj(u)))), s)
	})
}

func eig() gradcheck.Function {
	return one(func(x *nd.Array) *nd.Array {
		w, v := linalg.Eig(x)
		return both(w, signed(v, v))
	})
}

// weights returns 1 for the first two rows and 2 for the others.
func weights(x *nd.Array) *nd.Array {
	row := nd.ArangeInt(0, x.Dim(-2), 1)
	return ops.Where(ops.Less(row, 2), 1.0, 2.0).ExpandDims(-1)
}

func qr(o linalg.QROptions) gradcheck.Function {
	return one(func(x *nd.Array) *nd.Array {
		q, r := linalg.QR(x, o)
		return both(q, r)
	})
}

func solveTriangle(o linalg.TriangularSolveOptions) gradcheck.Function {
	return func(xs ...*nd.Array) *nd.Array { return linalg.TriangularSolve(xs[0], xs[1], o) }
}

func norm(o linalg.NormOptions) gradcheck.Function {
	return one(func(x *nd.Array) *nd.Array { return linalg.Norm(x, o) })
}

func cond(o linalg.CondOptions) gradcheck.Function {
	return one(func(x *nd.Array) *nd.Array { return linalg.Cond(x, o) })
}

var gradients = []struct {
	name string
	f    gradcheck.Function
	xs   []*nd.Array
}{
	{"Cholesky", one(func(x *nd.Array) *nd.Array { return linalg.Cholesky(positive(x)) }), []*nd.Array{normal(2, 3, 4)}},
	{"Cholesky upper", one(func(x *nd.Array) *nd.Array {
		return linalg.Cholesky(positive(x), linalg.CholeskyOptions{Upper: true})
	}), []*nd.Array{normal(3, 3)}},
	{"Cholesky complex", one(func(x *nd.Array) *nd.Array { return linalg.Cholesky(positive(x)) }), []*nd.Array{complexNormal(2, 3, 4)}},
	{"Cholesky complex upper", one(func(x *nd.Array) *nd.Array {
		return linalg.Cholesky(positive(x), linalg.CholeskyOptions{Upper: true})
	}), []*nd.Array{complexNormal(3, 3)}},
	{"Inv", one(linalg.Inv), []*nd.Array{regular(2, 4, 4)}},
	{"Inv complex", one(linalg.Inv), []*nd.Array{complexNormal(3, 3)}},
	{"Solve", func(xs ...*nd.Array) *nd.Array { return linalg.Solve(xs[0], xs[1]) }, []*nd.Array{regular(3, 3), normal(2, 3, 2)}},
	{"Solve batch", func(xs ...*nd.Array) *nd.Array { return linalg.Solve(xs[0], xs[1]) }, []*nd.Array{regular(2, 3, 3), normal(3, 1)}},
	{"Solve vector", func(xs ...*nd.Array) *nd.Array { return linalg.Solve(xs[0], xs[1]) }, []*nd.Array{regular(2, 3, 3), normal(3)}},
	{"Solve complex", func(xs ...*nd.Array) *nd.Array { return linalg.Solve(xs[0], xs[1]) }, []*nd.Array{complexNormal(3, 3), complexNormal(3, 2)}},
	{"TriangularSolve", solveTriangle(linalg.TriangularSolveOptions{}), []*nd.Array{regular(3, 3), normal(2, 3, 2)}},
	{"TriangularSolve upper", solveTriangle(linalg.TriangularSolveOptions{Upper: true}), []*nd.Array{regular(2, 3, 3), normal(3, 2)}},
	{"TriangularSolve transposed", solveTriangle(linalg.TriangularSolveOptions{Transposed: true}), []*nd.Array{regular(3, 3), normal(3)}},
	{"TriangularSolve unit", solveTriangle(linalg.TriangularSolveOptions{UnitDiagonal: true, Upper: true, Transposed: true}), []*nd.Array{normal(3, 3), normal(3, 2)}},
	{"TriangularSolve complex", solveTriangle(linalg.TriangularSolveOptions{}), []*nd.Array{complexNormal(3, 3), complexNormal(2, 3, 2)}},
	{"TriangularSolve complex transposed", solveTriangle(linalg.TriangularSolveOptions{Transposed: true, Upper: true}), []*nd.Array{complexNormal(2, 3, 3), complexNormal(3)}},
	{"Det complex", one(linalg.Det), []*nd.Array{complexNormal(2, 3, 3)}},
	{"SlogDet complex", one(func(x *nd.Array) *nd.Array {
		sign, logAbs := linalg.SlogDet(x)
		return both(sign, logAbs)
	}), []*nd.Array{complexNormal(2, 3, 3)}},
	{"QR complex tall", qr(linalg.QROptions{}), []*nd.Array{complexNormal(2, 4, 3)}},
	{"QR complex wide", qr(linalg.QROptions{}), []*nd.Array{complexNormal(3, 5)}},
	{"QR complex, r of complete", one(func(x *nd.Array) *nd.Array {
		_, r := linalg.QR(x, linalg.QROptions{Mode: "complete"})
		return r
	}), []*nd.Array{complexNormal(4, 3)}},
	{"SVD complex tall", svd(false), []*nd.Array{complexNormal(2, 4, 3)}},
	{"SVD complex square", svd(true), []*nd.Array{complexNormal(3, 3)}},
	{"SVD complex wide", svd(false), []*nd.Array{complexNormal(2, 4)}},
	{"Eig", eig(), []*nd.Array{normal(2, 4, 4)}},
	{"Eig of rotations", eig(), []*nd.Array{nd.FromSlice([]float64{1, -2, 0.5, 2, 1, 0.3, 0.1, -0.7, 3}, 3, 3)}},
	{"Eig complex", eig(), []*nd.Array{complexNormal(2, 3, 3)}},
	{"Eigvals", one(linalg.Eigvals), []*nd.Array{normal(5, 5)}},
	{"Eigvals complex", one(linalg.Eigvals), []*nd.Array{complexNormal(2, 4, 4)}},
	{"Eigh complex", one(func(x *nd.Array) *nd.Array {
		w, v := linalg.Eigh(ops.Add(x, adjoint(x)))
		return both(w, signed(v, v))
	}), []*nd.Array{complexNormal(2, 3, 3)}},
	{"LstSq complex", func(xs ...*nd.Array) *nd.Array {
		x, residuals, _, s := linalg.LstSq(xs[0], xs[1])
		return both(both(x, residuals), s)
	}, []*nd.Array{complexNormal(4, 3), complexNormal(4, 2)}},
	{"Cond complex fro", cond(linalg.CondOptions{Kind: "fro"}), []*nd.Array{complexNormal(3, 3)}},
	{"Norm 2 of complex matrices", norm(linalg.NormOptions{Ord: new(2.0)}), []*nd.Array{complexNormal(3, 4)}},
	{"Det", one(linalg.Det), []*nd.Array{normal(2, 3, 3)}},
	{"Det of a singular matrix", one(linalg.Det), []*nd.Array{nd.FromSlice([]float64{1, 2, 3, 2, 4, 7, 3, 6, 1}, 3, 3)}},
	{"Det of matrices of lower rank", one(linalg.Det), []*nd.Array{nd.FromSlice([]float64{1, 2, 3, 4, 2, 4, 6, 8, 1, 1, 1, 1, 2, 2, 2, 2}, 4, 4)}},
	{"Det of a singular matrix beside a regular one", one(linalg.Det), []*nd.Array{nd.FromSlice([]float64{1, 2, 2, 4, 1, 2, 3, 4}, 2, 2, 2)}},
	{"Det of zeros", one(linalg.Det), []*nd.Array{nd.Zeros([]int{3, 3})}},
	{"Det of a singular complex matrix", one(linalg.Det), []*nd.Array{singularComplex(3)}},
	{"Det of complex zeros", one(linalg.Det), []*nd.Array{ops.Multiply(nd.Zeros([]int{2, 2}), 1i)}},
	{"Det of nothing", one(linalg.Det), []*nd.Array{normal(2, 0, 0)}},
	{"SlogDet", one(func(x *nd.Array) *nd.Array {
		sign, logAbs := linalg.SlogDet(x)
		return both(sign, logAbs)
	}), []*nd.Array{normal(2, 3, 3)}},
	{"QR tall", qr(linalg.QROptions{}), []*nd.Array{normal(2, 5, 3)}},
	{"QR square", qr(linalg.QROptions{Mode: "complete"}), []*nd.Array{normal(3, 3)}},
	{"QR wide", qr(linalg.QROptions{}), []*nd.Array{normal(2, 3, 5)}},
	{"QR q alone", one(func(x *nd.Array) *nd.Array { q, _ := linalg.QR(x); return q }), []*nd.Array{normal(3, 5)}},
	{"QR complete r", one(func(x *nd.Array) *nd.Array {
		_, r := linalg.QR(x, linalg.QROptions{Mode: "complete"})
		return r
	}), []*nd.Array{normal(5, 3)}},
	{"QRTriangle", one(linalg.QRTriangle), []*nd.Array{normal(3, 4)}},
	{"SVD tall", svd(false), []*nd.Array{normal(2, 4, 3)}},
	{"SVD square", svd(true), []*nd.Array{normal(3, 3)}},
	{"SVD wide", svd(false), []*nd.Array{normal(3, 5)}},
	{"SVD full, the inner vectors", one(func(x *nd.Array) *nd.Array {
		_, s, vt := linalg.SVD(x)
		return both(signed(transposed(vt), transposed(vt)), s)
	}), []*nd.Array{normal(4, 3)}},
	{"SVD full, first columns", one(func(x *nd.Array) *nd.Array {
		u, s, vt := linalg.SVD(x)
		k := s.Dim(-1)
		u, vt = u.Index(nd.Ellipsis(), nd.Until(k)), vt.Index(nd.Ellipsis(), nd.Until(k), nd.All())
		return both(both(signed(u, u), transposed(signed(transposed(vt), ops.Conj(u)))), s)
	}), []*nd.Array{normal(2, 5, 3)}},
	{"SVD full, one more vector", one(func(x *nd.Array) *nd.Array {
		u, s, _ := linalg.SVD(x)
		return both(signed(u, u), s)
	}), []*nd.Array{normal(2, 3, 2)}},
	{"SVD full, complex wide", one(func(x *nd.Array) *nd.Array {
		_, s, vt := linalg.SVD(x)
		return both(ops.MatMul(adjoint(vt), ops.Multiply(vt, weights(vt))), s)
	}), []*nd.Array{complexNormal(2, 4)}},
	{"SVD full, a projection", one(func(x *nd.Array) *nd.Array {
		u, _, _ := linalg.SVD(x)
		return ops.MatMul(ops.Multiply(u, weights(transposed(u)).SwapAxes(-1, -2)), adjoint(u))
	}), []*nd.Array{normal(2, 5, 2)}},
	{"QR complete, a projection", one(func(x *nd.Array) *nd.Array {
		q, r := linalg.QR(x, linalg.QROptions{Mode: "complete"})
		return both(ops.MatMul(ops.Multiply(q, weights(transposed(q)).SwapAxes(-1, -2)), adjoint(q)), r)
	}), []*nd.Array{complexNormal(4, 2)}},
	{"QR complete, one more column", one(func(x *nd.Array) *nd.Array {
		q, _ := linalg.QR(x, linalg.QROptions{Mode: "complete"})
		return q
	}), []*nd.Array{normal(2, 3, 2)}},
	{"SVDVals", one(func(x *nd.Array) *nd.Array { return linalg.SVDVals(x) }), []*nd.Array{normal(2, 4, 3)}},
	{"SVDVals complex", one(func(x *nd.Array) *nd.Array { return linalg.SVDVals(x) }), []*nd.Array{complexNormal(2, 3)}},
	{"Eigh", one(func(x *nd.Array) *nd.Array {
		w, v := linalg.Eigh(symmetric(x))
		return both(w, signed(v, v))
	}), []*nd.Array{normal(2, 4, 4)}},
	{"EigvalsH", one(func(x *nd.Array) *nd.Array {
		return linalg.EigvalsH(symmetric(x), linalg.EighOptions{UPLO: "U"})
	}), []*nd.Array{normal(2, 4, 4)}},
	{"EigvalsH complex", one(func(x *nd.Array) *nd.Array {
		return linalg.EigvalsH(ops.Add(x, ops.Conj(transposed(x))))
	}), []*nd.Array{complexNormal(3, 3)}},
	{"PInv tall", one(func(x *nd.Array) *nd.Array { return linalg.PInv(x) }), []*nd.Array{normal(2, 4, 2)}},
	{"PInv wide", one(func(x *nd.Array) *nd.Array { return linalg.PInv(x) }), []*nd.Array{normal(2, 4)}},
	{"PInv complex", one(func(x *nd.Array) *nd.Array { return linalg.PInv(x) }), []*nd.Array{complexNormal(3, 2)}},
	{"PInv of rank 2", func(xs ...*nd.Array) *nd.Array {
		return linalg.PInv(ops.MatMul(xs[0], xs[1]), linalg.PInvOptions{RCond: nd.Scalar(1e-9)})
	}, []*nd.Array{normal(4, 2), normal(2, 3)}},
	{"LstSq", func(xs ...*nd.Array) *nd.Array {
		x, residuals, _, s := linalg.LstSq(xs[0], xs[1])
		return both(both(x, residuals), s)
	}, []*nd.Array{normal(5, 3), normal(5, 2)}},
	{"LstSq of batches", func(xs ...*nd.Array) *nd.Array {
		x, residuals, _, _ := linalg.LstSq(xs[0], xs[1])
		return both(x, residuals)
	}, []*nd.Array{normal(2, 4, 2), normal(4, 3)}},
	{"LU", one(func(x *nd.Array) *nd.Array { _, l, u := linalg.LU(x); return both(l, u) }), []*nd.Array{normal(2, 4, 4)}},
	{"LU tall", one(func(x *nd.Array) *nd.Array { _, l, u := linalg.LU(x); return both(l, u) }), []*nd.Array{normal(2, 4, 2)}},
	{"LUFactor wide", one(func(x *nd.Array) *nd.Array { f, _ := linalg.LUFactor(x); return f }), []*nd.Array{complexNormal(2, 2, 4)}},
	{"LUSolve", func(xs ...*nd.Array) *nd.Array {
		f, pivots := linalg.LUFactor(xs[0])
		return linalg.LUSolve(f, pivots, xs[1])
	}, []*nd.Array{normal(2, 3, 3), normal(3, 2)}},
	{"LUSolve adjoint", func(xs ...*nd.Array) *nd.Array {
		f, pivots := linalg.LUFactor(xs[0])
		return linalg.LUSolve(f, pivots, xs[1], linalg.LUSolveOptions{Adjoint: true})
	}, []*nd.Array{complexNormal(3, 3), complexNormal(3)}},
	{"CholeskySolve", func(xs ...*nd.Array) *nd.Array { return linalg.CholeskySolve(xs[0], xs[1]) }, []*nd.Array{complexNormal(3, 3), complexNormal(3)}},
	{"CholeskyInverse upper", one(func(x *nd.Array) *nd.Array {
		return linalg.CholeskyInverse(x, linalg.CholeskySolveOptions{Upper: true})
	}), []*nd.Array{regular(2, 3, 3)}},
	{"HouseholderProduct", func(xs ...*nd.Array) *nd.Array { return linalg.HouseholderProduct(xs[0], xs[1]) }, []*nd.Array{complexNormal(2, 4, 3), complexNormal(2, 2)}},
	{"MatrixExp", one(linalg.MatrixExp), []*nd.Array{normal(2, 3, 3)}},
	{"MatrixExp complex, large", one(func(x *nd.Array) *nd.Array { return linalg.MatrixExp(ops.Multiply(x, 3i)) }), []*nd.Array{complexNormal(2, 2)}},
	{"MatrixPower 3", one(func(x *nd.Array) *nd.Array { return linalg.MatrixPower(x, 3) }), []*nd.Array{normal(2, 3, 3)}},
	{"MatrixPower -2", one(func(x *nd.Array) *nd.Array { return linalg.MatrixPower(x, -2) }), []*nd.Array{regular(3, 3)}},
	{"Norm", norm(linalg.NormOptions{}), []*nd.Array{normal(2, 3, 4)}},
	{"Norm 3", norm(linalg.NormOptions{Ord: new(3.0), Axes: ops.Over(1)}), []*nd.Array{normal(2, 3)}},
	{"Norm -2", norm(linalg.NormOptions{Ord: new(-2.0), Axes: ops.Over(1), KeepDims: true}), []*nd.Array{normal(2, 3)}},
	{"Norm inf", norm(linalg.NormOptions{Ord: new(math.Inf(1)), Axes: ops.Over(0)}), []*nd.Array{normal(5, 3)}},
	{"Norm 2 of matrices", norm(linalg.NormOptions{Ord: new(2.0), Axes: ops.Over(2, 0), KeepDims: true}), []*nd.Array{normal(2, 3, 4)}},
	{"Norm -2 of matrices", norm(linalg.NormOptions{Ord: new(-2.0)}), []*nd.Array{normal(4, 3)}},
	{"Norm 1 of matrices", norm(linalg.NormOptions{Ord: new(1.0)}), []*nd.Array{normal(4, 3)}},
	{"Norm nuc", norm(linalg.NormOptions{Kind: "nuc"}), []*nd.Array{normal(4, 3)}},
	{"MatrixNorm", one(func(x *nd.Array) *nd.Array {
		return linalg.MatrixNorm(x, linalg.MatrixNormOptions{Ord: new(2.0), KeepDims: true})
	}), []*nd.Array{normal(2, 3, 4)}},
	{"VectorNorm", one(func(x *nd.Array) *nd.Array { return linalg.VectorNorm(x, ops.Over(0, 2)) }), []*nd.Array{normal(2, 3, 4)}},
	{"TensorInv", one(func(x *nd.Array) *nd.Array { return linalg.TensorInv(x.Reshape(2, 3, 6), 2) }), []*nd.Array{regular(6, 6)}},
	{"TensorSolve", func(xs ...*nd.Array) *nd.Array {
		return linalg.TensorSolve(xs[0].Reshape(6, 2, 3), xs[1], ops.Over(0))
	}, []*nd.Array{regular(6, 6), normal(2, 3)}},
	{"Trace", one(func(x *nd.Array) *nd.Array { return linalg.Trace(x, linalg.TraceOptions{Offset: -1}) }), []*nd.Array{normal(2, 3, 3)}},
	{"Cond", cond(linalg.CondOptions{}), []*nd.Array{normal(4, 3)}},
	{"Cond 1", cond(linalg.CondOptions{P: new(1.0)}), []*nd.Array{regular(2, 3, 3)}},
	{"Cond fro", cond(linalg.CondOptions{Kind: "fro"}), []*nd.Array{regular(3, 3)}},
	{"Kron", func(xs ...*nd.Array) *nd.Array { return linalg.Kron(xs[0], xs[1]) }, []*nd.Array{normal(2, 3), normal(4)}},
	{"MultiDot", func(xs ...*nd.Array) *nd.Array { return linalg.MultiDot(xs...) }, []*nd.Array{normal(3), normal(3, 2), normal(2, 4)}},
}

func TestGradients(t *testing.T) {
	for _, test := range gradients {
		t.Run(test.name, func(t *testing.T) {
			checker := gradcheck.Checker{Directions: 2}
			checker.Check(t, test.f, test.xs...)
			checker.Relative, checker.Absolute = 1e-5, 1e-7
			checker.CheckSecondOrder(t, test.f, test.xs...)
		})
	}
}

func TestGradientOfSingularComplexDeterminants(t *testing.T) {
	gradcheck.Check(t, one(linalg.Det), nd.FromSlice([]complex128{1, 2i, 3 - 1i, 0, 0, 0, 1, 1i, -4}, 3, 3))
}

func TestGradientOfEqualSingularValuesIsFinite(t *testing.T) {
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"SVD":  func(x *nd.Array) *nd.Array { u, _, _ := linalg.SVD(x); return u },
		"Eigh": func(x *nd.Array) *nd.Array { _, v := linalg.Eigh(x); return v },
		"Norm": func(x *nd.Array) *nd.Array { return linalg.Norm(x, linalg.NormOptions{Kind: "nuc"}) },
	} {
		for _, x := range []*nd.Array{nd.Identity(3), nd.Zeros([]int{3, 3})} {
			_, g := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return f(xs[0]) })(x)
			if !nd.Value[bool](ops.All(ops.IsFinite(g[0]))) {
				t.Errorf("%s of %v: gradient %v", name, x, g[0])
			}
		}
	}
}

func TestVectorsWithoutGradientAreRefused(t *testing.T) {
	tall := normal(4, 2)
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"SVD": func(x *nd.Array) *nd.Array { u, _, _ := linalg.SVD(x); return u },
		"QR":  func(x *nd.Array) *nd.Array { q, _ := linalg.QR(x, linalg.QROptions{Mode: "complete"}); return q },
	} {
		tape := grad.NewTape()
		x := tape.Watch(tall)
		y := f(x)
		if err := nd.Catch(func() { tape.Gradient(y, x) }); err == nil {
			t.Errorf("%s: the gradient of vectors that are not determined is not refused", name)
		}
	}
}

// TestDerivativesOfNormsAtZeroAreZero tries every order at vectors and at elements that are 0. If only elements are 0,
// the Hessian is that of the other elements, except for order 2, which has one for all.
func TestDerivativesOfNormsAtZeroAreZero(t *testing.T) {
	inf := math.Inf(1)
	for _, order := range []float64{-inf, -3, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, inf} {
		f := norm(linalg.NormOptions{Ord: &order, Axes: ops.Over(0)})
		for _, x := range []*nd.Array{nd.Zeros([]int{3}), nd.FromSlice([]complex128{0, 0}), nd.FromSlice([]float64{0, 3, -2}),
			nd.FromSlice([]complex128{0, 1, 2i})} {
			_, g := grad.ValueAndGrad(f)(x)
			h := grad.HVP(func(x *nd.Array) *nd.Array { return f(x) }, x, nd.OnesLike(x))
			isZero := ops.Equal(x, 0)
			if order < 0 {
				isZero = nd.OnesLike(isZero) // the norm is 0
			}
			wanted := ops.Where(isZero, 0, g[0])
			if !ops.AllClose(g[0], wanted) {
				t.Errorf("order %v at %v: gradient %v, want 0 where x is", order, x, g[0])
			}
			wanted = ops.Where(isZero, 0, h)
			if y := f(x); order == 2 && nd.Value[float64](y) != 0 {
				wanted = ops.Where(isZero, ops.Reciprocal(y), h)
			}
			if !ops.AllClose(h, wanted) {
				t.Errorf("order %v at %v: Hessian times ones %v, want %v", order, x, h, wanted)
			}
		}
	}
}
