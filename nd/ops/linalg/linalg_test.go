package linalg_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// onDevices runs a test on every registered device that opens.
func onDevices(t *testing.T, test func(t *testing.T, dev device.Device)) {
	for _, name := range device.Names() {
		t.Run(name, func(t *testing.T) {
			dev, err := device.Get(name)
			if err != nil {
				t.Skip(err)
			}
			test(t, dev)
		})
	}
}

// near checks for equal shapes and dtypes, and for elements that differ by no more than rounding errors.
func near(t *testing.T, what string, got, want *nd.Array) {
	t.Helper()
	if !slices.Equal(got.Shape(), want.Shape()) || got.DType() != want.DType() {
		t.Fatalf("%s: %s%v, want %s%v", what, got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	limit := 1e-10
	if got.DType().Real() == dtype.Float32 {
		limit = 2e-4
	}
	if !got.DType().IsInexact() {
		limit = 0
	}
	difference := ops.Absolute(ops.Subtract(got.AsType(dtype.Complex128), want.To(got.Device()).AsType(dtype.Complex128)))
	size := ops.Add(ops.Absolute(want.To(got.Device()).AsType(dtype.Complex128)), 1.0)
	if !nd.Value[bool](ops.All(ops.LessEqual(difference, ops.Multiply(size, limit)))) {
		t.Fatalf("%s is\n%v\nwant\n%v", what, got, want)
	}
}

func vector(values ...float64) *nd.Array { return nd.FromSlice(values) }

func matrix(columns int, values ...float64) *nd.Array {
	return nd.FromSlice(values, len(values)/columns, columns)
}

// layouts returns the same matrices in several memory layouts.
func layouts(x *nd.Array) map[string]*nd.Array {
	return map[string]*nd.Array{
		"contiguous": x,
		"transposed": transposed(transposed(x).Copy()),
		"reversed":   x.Flip(-1, -2).Copy().Flip(-1, -2),
		"broadcast":  x.BroadcastTo(append([]int{2}, x.Shape()...)...),
	}
}

func TestSolutions(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, a := range []*nd.Array{regular(4, 4), regular(2, 3, 3), complexNormal(3, 3), complexNormal(2, 2, 2), normal(0, 0), normal(2, 0, 0),
			regular(110, 110)} {
			for _, dt := range []dtype.DType{a.DType(), dtype.Float32} {
				if a.DType().IsComplex() && dt == dtype.Float32 {
					dt = dtype.Complex64
				}
				for layout, a := range layouts(a.AsType(dt).To(dev)) {
					n := a.Dim(-1)
					one := nd.Identity(n, nd.ArrayOptions{DType: dt, Device: dev}).BroadcastTo(a.Shape()...)
					near(t, layout+" a·Inv(a)", ops.MatMul(a, linalg.Inv(a)), one)
					b := normal(n, 2).To(dev).AsType(dt)
					x := linalg.Solve(a, b)
					near(t, layout+" a·Solve(a, b)", ops.MatMul(a, x), b.BroadcastTo(x.Shape()...))
					if n > 0 {
						v := b.Index(nd.All(), nd.At(0))
						near(t, layout+" Solve(a, vector)", linalg.Solve(a, v), x.Index(nd.Ellipsis(), nd.At(0)))
					}
				}
			}
		}
	})
}

// TestSolveBroadcasts solves equations whose both sides broadcast.
func TestSolveBroadcasts(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, shapes := range [][2][]int{{{2, 1, 3, 3}, {4, 3, 1}}, {{3, 3}, {5, 3, 1}}, {{2, 3, 3}, {3, 1}}, {{2, 1, 3, 3}, {1, 1, 3, 2}}} {
			a, b := regular(shapes[0]...).To(dev), normal(shapes[1]...).To(dev)
			product := ops.MatMul(a, linalg.Solve(a, b))
			near(t, "a·Solve(a, b)", product, b.BroadcastTo(product.Shape()...))
		}
	})
}

// TestViewsOfBatches factors whole groups of matrices that are parts of wider ones: a view has the results of its copy.
func TestViewsOfBatches(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32} {
			for _, batches := range []int{2, 4, 8, 32, 33} {
				wide := regular(batches, 5, 5).To(dev).AsType(dt)
				a := wide.Index(nd.Ellipsis(), nd.Until(3), nd.Until(3))
				sides := normal(batches, 3, 4).To(dev).AsType(dt)
				for k := 1; k <= 4; k++ {
					b := sides.Index(nd.Ellipsis(), nd.Until(k))
					near(t, "Solve", linalg.Solve(a, b), linalg.Solve(a.Copy(), b.Copy()))
				}
				near(t, "Inv", linalg.Inv(a), linalg.Inv(a.Copy()))
				near(t, "Det", linalg.Det(a), linalg.Det(a.Copy()))
				for _, cut := range []*nd.Array{a, wide.Index(nd.Ellipsis(), nd.Until(3)), wide.Index(nd.Ellipsis(), nd.Until(3), nd.All())} {
					near(t, "LU", first(linalg.LUFactor(cut)), first(linalg.LUFactor(cut.Copy())))
					near(t, "R", linalg.QRTriangle(cut), linalg.QRTriangle(cut.Copy()))
					near(t, "Q", first(linalg.QR(cut)), first(linalg.QR(cut.Copy())))
				}
				symmetric := ops.MatMul(transposed(wide), wide).Index(nd.Ellipsis(), nd.Until(3), nd.Until(3))
				near(t, "Cholesky", linalg.Cholesky(symmetric), linalg.Cholesky(symmetric.Copy()))
			}
		}
	})
}

func first(x, _ *nd.Array) *nd.Array { return x }

func TestFactorisations(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, x := range []*nd.Array{normal(4, 4), normal(2, 5, 3), normal(3, 2, 4), normal(0, 3), normal(3, 0), normal(2, 0, 2),
			complexNormal(4, 4), complexNormal(2, 5, 3), complexNormal(2, 4), complexNormal(3, 0), complexNormal(4, 4).AsType(dtype.Complex64)} {
			for layout, a := range layouts(x.To(dev)) {
				for _, mode := range []linalg.QRMode{"reduced", "complete"} {
					q, r := linalg.QR(a, linalg.QROptions{Mode: mode})
					near(t, layout+" q·r", ops.MatMul(q, r), a)
				}
				for _, full := range []bool{true, false} {
					u, s, vt := linalg.SVD(a, linalg.SVDOptions{FullMatrices: &full})
					k := s.Dim(-1)
					scaled := ops.Multiply(u.Index(nd.Ellipsis(), nd.Until(k)), s.ExpandDims(-2))
					near(t, layout+" u·s·vt", ops.MatMul(scaled, vt.Index(nd.Ellipsis(), nd.Until(k), nd.All())), a)
					near(t, layout+" singular values", linalg.SVDVals(a), s)
				}
				p := positive(a)
				l := linalg.Cholesky(p)
				near(t, layout+" L·Lᴴ", ops.MatMul(l, adjoint(l)), p)
				near(t, layout+" upper L", linalg.Cholesky(p, linalg.CholeskyOptions{Upper: true}), adjoint(l))
				w, v := linalg.Eigh(p)
				near(t, layout+" p·v", ops.MatMul(p, v), ops.Multiply(v, w.ExpandDims(-2)))
				near(t, layout+" eigenvalues", linalg.EigvalsH(p, linalg.EighOptions{UPLO: "U"}), w)
				_, logAbs := linalg.SlogDet(p)
				near(t, layout+" log det", ops.Log(ops.Real(linalg.Det(p))), logAbs)
				h, tau := linalg.QRReflectors(a)
				near(t, layout+" q of reflectors", productOf(transposed(h), tau), qOf(a))
			}
		}
	})
}

// qOf returns only q.
func qOf(a *nd.Array) *nd.Array {
	q, _ := linalg.QR(a)
	return q
}

// productOf returns the first columns of the product of the reflections I - τ·v·vᴴ; h has the vectors below its
// diagonal.
func productOf(h, tau *nd.Array) *nd.Array {
	m, k := h.Dim(-2), tau.Dim(-1)
	q := nd.Eye(m, k, 0, nd.ArrayOptions{DType: h.DType(), Device: h.Device()})
	for j := k - 1; j >= 0; j-- {
		below := ops.Tril(h, -1).Index(nd.Ellipsis(), nd.Span(j, j+1))
		v := ops.Add(below, nd.Eye(m, k, 0, nd.ArrayOptions{DType: h.DType(), Device: h.Device()}).Index(nd.All(), nd.Span(j, j+1)))
		turned := ops.Multiply(ops.MatMul(adjoint(v), q), tau.Index(nd.Ellipsis(), nd.Span(j, j+1)).ExpandDims(-1))
		q = ops.Subtract(q, ops.MatMul(v, turned))
	}
	return q.BroadcastTo(append(append([]int{}, h.Shape()[:h.Rank()-2]...), m, k)...)
}

func TestComplexSpectra(t *testing.T) {
	a := nd.FromSlice([]complex128{2, 1 - 1i, 1 + 1i, 3}, 2, 2)
	near(t, "EigvalsH", linalg.EigvalsH(a), vector(1, 4))
	near(t, "EigvalsH upper", linalg.EigvalsH(a, linalg.EighOptions{UPLO: "U"}), vector(1, 4))
	near(t, "SVDVals", linalg.SVDVals(a), vector(4, 1))
	near(t, "nuclear norm", linalg.Norm(a, linalg.NormOptions{Kind: "nuc"}), nd.Full(nil, 5.0))
	wide := nd.FromSlice([]complex128{1, 1i, 0, 0, 0, 2i}, 2, 3)
	p := linalg.PInv(wide)
	near(t, "a·PInv(a)·a", ops.MatMul(ops.MatMul(wide, p), wide), wide)
}

func TestOneTriangleIsRead(t *testing.T) {
	nan := math.NaN()
	near(t, "Cholesky", linalg.Cholesky(matrix(2, 4, nan, 2, 5)), matrix(2, 2, 0, 1, 2))
	near(t, "Cholesky upper", linalg.Cholesky(matrix(2, 4, 2, nan, 5), linalg.CholeskyOptions{Upper: true}), matrix(2, 2, 1, 0, 2))
	near(t, "EigvalsH", linalg.EigvalsH(matrix(2, 2, nan, 1, 2)), vector(1, 3))
	near(t, "EigvalsH upper", linalg.EigvalsH(matrix(2, 2, 1, nan, 2), linalg.EighOptions{UPLO: "U"}), vector(1, 3))
	near(t, "TriangularSolve", linalg.TriangularSolve(matrix(2, 2, nan, 1, 4), vector(2, 9)), vector(1, 2))
	near(t, "TriangularSolve transposed", linalg.TriangularSolve(matrix(2, 2, nan, 1, 4), vector(4, 8),
		linalg.TriangularSolveOptions{Transposed: true}), vector(1, 2))
	near(t, "TriangularSolve upper, unit", linalg.TriangularSolve(matrix(2, nan, 3, nan, nan), vector(7, 2),
		linalg.TriangularSolveOptions{Upper: true, UnitDiagonal: true}), vector(1, 2))
}

func TestDeterminants(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, test := range []struct {
			a              *nd.Array
			sign, det, log float64
		}{
			{matrix(2, 1, 2, 3, 4), -1, -2, math.Log(2)},
			{matrix(2, 0, 1, 1, 0), -1, -1, 0},
			{matrix(3, 0, 0, 2, 3, 0, 0, 0, 4, 0), 1, 24, math.Log(24)},
			{matrix(2, 1, 2, 2, 4), 0, 0, math.Inf(-1)},
			{nd.Zeros([]int{0, 0}), 1, 1, 0},
		} {
			a := test.a.To(dev)
			sign, logAbs := linalg.SlogDet(a)
			near(t, "Det", linalg.Det(a), nd.Full(nil, test.det))
			near(t, "sign", sign, nd.Full(nil, test.sign))
			if got := nd.Value[float64](logAbs); math.Abs(got-test.log) > 1e-12 && got != test.log {
				t.Errorf("logarithm %v, want %v", got, test.log)
			}
		}
		large := ops.Multiply(nd.Identity(400, nd.ArrayOptions{Device: dev}), 1e3)
		_, logAbs := linalg.SlogDet(large)
		near(t, "the logarithm of what overflows", logAbs, nd.Full(nil, 1200*math.Ln10))
	})
}

func TestDTypes(t *testing.T) {
	for from, want := range map[dtype.DType]dtype.DType{
		dtype.Complex64: dtype.Complex64, dtype.Complex128: dtype.Complex128, dtype.Bool: dtype.Float64, dtype.Int8: dtype.Float64, dtype.Uint64: dtype.Float64, dtype.Float32: dtype.Float32, dtype.Float64: dtype.Float64,
	} {
		a := nd.Identity(3, from)
		q, _ := linalg.QR(a)
		w, _ := linalg.Eigh(a)
		u, _, _ := linalg.SVD(a)
		x, _, _, _ := linalg.LstSq(a, a)
		for name, y := range map[string]*nd.Array{
			"Inv": linalg.Inv(a), "Det": linalg.Det(a), "Cholesky": linalg.Cholesky(a), "QR": q, "Eigh": w, "SVD": u, "LstSq": x,
			"Solve": linalg.Solve(a, a), "PInv": linalg.PInv(a), "Cond": linalg.Cond(a), "Norm": linalg.Norm(a, linalg.NormOptions{Ord: new(2.0)}),
			"MatrixPower": linalg.MatrixPower(a, -1),
		} {
			want := want
			if name == "Eigh" || name == "Cond" || name == "Norm" {
				want = want.Real()
			}
			if y.DType() != want {
				t.Errorf("%s of %s is %s, want %s", name, from, y.DType(), want)
			}
		}
	}
	single, double := nd.Identity(2, dtype.Float32), nd.Identity(2)
	if y := linalg.Solve(single, double); y.DType() != dtype.Float64 {
		t.Errorf("Solve of float32 and float64 is %s", y.DType())
	}
	if y := linalg.MatrixPower(nd.FromSlice([]int8{2, 0, 0, 3}, 2, 2), 2); y.DType() != dtype.Int8 || nd.Value[int](y, 1, 1) != 9 {
		t.Errorf("the square of integers is %v", y)
	}
}

func TestRefusals(t *testing.T) {
	half := nd.Identity(2, dtype.Float16)
	wide, flat, singular, infinite := normal(2, 3), normal(3), matrix(2, 1, 2, 2, 4), matrix(2, 1, math.NaN(), math.Inf(1), 1)
	a := normal(2, 2)
	for name, call := range map[string]func(){
		"float16":                   func() { linalg.Inv(half) },
		"float16 on the right":      func() { linalg.Solve(a, half) },
		"Inv of a vector":           func() { linalg.Inv(flat) },
		"Inv, not square":           func() { linalg.Inv(wide) },
		"Inv, singular":             func() { linalg.Inv(singular) },
		"Inv, one singular":         func() { linalg.Inv(ops.Stack([]*nd.Array{a, singular})) },
		"Det, not square":           func() { linalg.Det(wide) },
		"SlogDet, not square":       func() { linalg.SlogDet(wide) },
		"Solve, singular":           func() { linalg.Solve(singular, a) },
		"Solve, sizes":              func() { linalg.Solve(a, flat) },
		"Solve, no axes":            func() { linalg.Solve(a, nd.Scalar(1.0)) },
		"Solve, batches":            func() { linalg.Solve(regular(2, 3, 3), normal(3, 3, 1)) },
		"triangle, not square":      func() { linalg.TriangularSolve(wide, a) },
		"Cholesky, not square":      func() { linalg.Cholesky(wide) },
		"Cholesky, not positive":    func() { linalg.Cholesky(matrix(2, 1, 2, 2, 1)) },
		"Cholesky, not a number":    func() { linalg.Cholesky(infinite) },
		"QR mode":                   func() { linalg.QR(a, linalg.QROptions{Mode: "r"}) },
		"QR of a vector":            func() { linalg.QR(flat) },
		"SVD, not finite":           func() { linalg.SVD(infinite) },
		"SVDVals, not finite":       func() { linalg.SVDVals(infinite) },
		"Eigh, not finite":          func() { linalg.Eigh(infinite) },
		"Eigh, UPLO":                func() { linalg.Eigh(a, linalg.EighOptions{UPLO: "X"}) },
		"EigvalsH, not square":      func() { linalg.EigvalsH(wide) },
		"MatrixPower, not square":   func() { linalg.MatrixPower(wide, 2) },
		"MatrixPower, singular":     func() { linalg.MatrixPower(singular, -1) },
		"MatrixRank, both":          func() { linalg.MatrixRank(a, linalg.MatrixRankOptions{Tol: nd.Scalar(1), RTol: nd.Scalar(1)}) },
		"Norm -2 of nothing":        func() { linalg.Norm(normal(0, 2), linalg.NormOptions{Ord: new(-2.0)}) },
		"LstSq, batch":              func() { linalg.LstSq(normal(2, 2, 2), normal(3, 2, 1)) },
		"LstSq, sizes":              func() { linalg.LstSq(a, flat) },
		"Cond, empty":               func() { linalg.Cond(normal(0, 0)) },
		"Cond 1, not square":        func() { linalg.Cond(wide, linalg.CondOptions{P: new(1.0)}) },
		"Cond, order":               func() { linalg.Cond(a, linalg.CondOptions{P: new(3.0)}) },
		"Cond, both":                func() { linalg.Cond(a, linalg.CondOptions{P: new(2.0), Kind: "fro"}) },
		"Norm, both":                func() { linalg.Norm(a, linalg.NormOptions{Ord: new(2.0), Kind: "fro"}) },
		"Norm fro of vectors":       func() { linalg.Norm(flat, linalg.NormOptions{Kind: "fro"}) },
		"Norm 3 of matrices":        func() { linalg.Norm(a, linalg.NormOptions{Ord: new(3.0)}) },
		"Norm by a name":            func() { linalg.Norm(a, linalg.NormOptions{Kind: "max"}) },
		"Norm of three axes":        func() { linalg.Norm(normal(2, 2, 2), linalg.NormOptions{Ord: new(2.0)}) },
		"Norm, axis":                func() { linalg.Norm(a, ops.Over(2)) },
		"Norm, one axis twice":      func() { linalg.Norm(a, ops.Over(0, -2)) },
		"Norm -inf of nothing":      func() { linalg.Norm(normal(0), linalg.NormOptions{Ord: new(math.Inf(-1))}) },
		"Norm 2, not finite":        func() { linalg.Norm(infinite, linalg.NormOptions{Ord: new(2.0)}) },
		"VectorNorm fro":            func() { linalg.VectorNorm(flat, linalg.NormOptions{Kind: "fro"}) },
		"VectorNorm, axis":          func() { linalg.VectorNorm(flat, ops.Over(1)) },
		"MatrixNorm of vectors":     func() { linalg.MatrixNorm(flat) },
		"MatrixNorm, both":          func() { linalg.MatrixNorm(a, linalg.MatrixNormOptions{Ord: new(2.0), Kind: "fro"}) },
		"MatrixTranspose":           func() { linalg.MatrixTranspose(flat) },
		"Diagonal of a vector":      func() { linalg.Diagonal(flat, 0) },
		"TensorInv, ind":            func() { linalg.TensorInv(a, 0) },
		"TensorInv, sizes":          func() { linalg.TensorInv(wide, 1) },
		"TensorSolve, sizes":        func() { linalg.TensorSolve(wide, flat) },
		"TensorSolve, axes":         func() { linalg.TensorSolve(a, flat, ops.Over(2)) },
		"MultiDot of one":           func() { linalg.MultiDot(a) },
		"MultiDot, sizes":           func() { linalg.MultiDot(a, flat, a) },
		"MultiDot, vector in midst": func() { linalg.MultiDot(a, normal(2), a) },
	} {
		if err := nd.Catch(call); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
