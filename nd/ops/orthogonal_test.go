package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

var families = []ops.OrthogonalFamily{ops.ChebyshevT, ops.ChebyshevU, ops.ChebyshevV, ops.ChebyshevW, ops.ShiftedChebyshevT, ops.ShiftedChebyshevU,
	ops.ShiftedChebyshevV, ops.ShiftedChebyshevW, ops.HermiteH, ops.HermiteHe, ops.LaguerreL, ops.LegendreP}

// TestOrthogonalPolynomials compares with known polynomials and values.
func TestOrthogonalPolynomials(t *testing.T) {
	x := opstest.Vector(-2, -1, -0.5, 0, 0.25, 1, 3)
	for _, c := range []struct {
		family ops.OrthogonalFamily
		n      int
		p      func(x float64) float64
	}{
		{ops.ChebyshevT, 4, func(x float64) float64 { return 8*x*x*x*x - 8*x*x + 1 }},
		{ops.ChebyshevU, 3, func(x float64) float64 { return 8*x*x*x - 4*x }},
		{ops.ChebyshevV, 3, func(x float64) float64 { return 8*x*x*x - 4*x*x - 4*x + 1 }},
		{ops.ChebyshevW, 3, func(x float64) float64 { return 8*x*x*x + 4*x*x - 4*x - 1 }},
		{ops.ShiftedChebyshevT, 2, func(x float64) float64 { return 8*x*x - 8*x + 1 }},
		{ops.ShiftedChebyshevU, 2, func(x float64) float64 { return 16*x*x - 16*x + 3 }},
		{ops.ShiftedChebyshevV, 1, func(x float64) float64 { return 4*x - 3 }},
		{ops.ShiftedChebyshevW, 1, func(x float64) float64 { return 4*x - 1 }},
		{ops.HermiteH, 4, func(x float64) float64 { return 16*x*x*x*x - 48*x*x + 12 }},
		{ops.HermiteHe, 5, func(x float64) float64 { return x*x*x*x*x - 10*x*x*x + 15*x }},
		{ops.LaguerreL, 3, func(x float64) float64 { return (-x*x*x + 9*x*x - 18*x + 6) / 6 }},
		{ops.LegendreP, 4, func(x float64) float64 { return (35*x*x*x*x - 30*x*x + 3) / 8 }},
		{ops.LegendreP, 0, func(float64) float64 { return 1 }},
		{ops.LegendreP, -3, func(float64) float64 { return 0 }},
	} {
		var want []float64
		for _, v := range nd.ToSlice[float64](x) {
			want = append(want, c.p(v))
		}
		opstest.Close(t, ops.OrthogonalPolynomial(c.family, x, c.n), opstest.Vector(want...), 1e-12)
	}
	for _, n := range []int{50, 1000} {
		angle := opstest.Vector(0.1, 0.7, 1.5, 3)
		opstest.Close(t, ops.OrthogonalPolynomial(ops.ChebyshevT, ops.Cos(angle), n), ops.Cos(ops.Multiply(angle, n)), 1e-11)
	}
}

// TestOrthogonalPolynomialsOfManyDegrees compares with single degrees, for layouts, dtypes and shapes.
func TestOrthogonalPolynomialsOfManyDegrees(t *testing.T) {
	x := opstest.Normal(3, dtype.Float64, 4, 2).Transpose()
	n := nd.FromSlice([]int8{3, 0, -1, 5, 3, 7}, 3, 1, 2)
	for _, family := range families {
		y := ops.OrthogonalPolynomial(family, x, n.SwapAxes(1, 2))
		if want := []int{3, 2, 4}; !slices.Equal(y.Shape(), want) {
			t.Fatalf("%s: shape %v, want %v", family, y.Shape(), want)
		}
		for i, degree := range []int{3, 0, -1, 5, 3, 7} {
			opstest.Close(t, y.Index(nd.At(i/2), nd.At(i%2)), ops.OrthogonalPolynomial(family, x.Index(nd.At(i%2)), degree), 0)
		}
	}
	half := x.AsType(dtype.Float16)
	y := ops.OrthogonalPolynomial(ops.HermiteH, half, 6)
	if want := ops.OrthogonalPolynomial(ops.HermiteH, half.AsType(dtype.Float32), 6).AsType(dtype.Float16); !ops.ArrayEqual(y, want) {
		t.Errorf("of float16: %v, want %v", y, want)
	}
	opstest.Repr(t, ops.OrthogonalPolynomial(ops.ChebyshevT, nd.FromSlice([]int64{2, 3}), 2), "array([ 7., 17.])")
	opstest.Repr(t, ops.OrthogonalPolynomial(ops.ChebyshevT, nd.FromSlice([]float32{2}).Reshape(), nd.FromSlice([]uint64{2})), "array([7.], dtype=float32)")
	opstest.Repr(t, ops.OrthogonalPolynomial(ops.ChebyshevT, nd.Zeros([]int{0, 2}), nd.FromSlice([]int64{2, 3})), "array([], shape=(0, 2), dtype=float64)")
	opstest.Repr(t, ops.OrthogonalPolynomial(ops.ChebyshevT, nd.Zeros([]int{1}), nd.Zeros([]int{0}, dtype.Int64)), "array([], dtype=float64)")
}

// TestOrthogonalPolynomialsLeaveTheRange expects infinities with the sign of the leading term, and NaN only of NaN.
func TestOrthogonalPolynomialsLeaveTheRange(t *testing.T) {
	inf := math.Inf(1)
	for _, family := range families {
		for n := 1; n < 8; n++ {
			odd, even := -inf, inf
			if n%2 == 0 {
				odd = inf
			}
			if family == ops.LaguerreL {
				odd, even = inf, odd
			}
			opstest.Floats(t, string(family), ops.OrthogonalPolynomial(family, opstest.Vector(-inf, inf, math.NaN()), n), odd, even, math.NaN())
			if n > 4 {
				opstest.Floats(t, string(family), ops.OrthogonalPolynomial(family, opstest.Vector[float32](-1e20, 1e20), n), odd, even)
			}
		}
	}
}

func TestOrthogonalPolynomialGradients(t *testing.T) {
	x, n := opstest.Vector(-1, -0.6, 0, 0.3, 1, 1.2), nd.FromSlice([]int64{0, 1, 2, 5}, 4, 1)
	for _, family := range families {
		f := func(xs ...*nd.Array) *nd.Array { return ops.OrthogonalPolynomial(family, xs[0], n) }
		gradcheck.Check(t, f, x)
		gradcheck.CheckSecondOrder(t, f, x)
	}
	third := derivativeOf(func(x *nd.Array, _ ...ops.UfuncOption) *nd.Array {
		return ops.OrthogonalPolynomial(ops.LegendreP, x, 3)
	}, x, 3)
	opstest.Close(t, third, nd.Full(x.Shape(), 15.0), 1e-12)
	at := derivativeOf(func(x *nd.Array, _ ...ops.UfuncOption) *nd.Array {
		return ops.OrthogonalPolynomial(ops.ChebyshevT, x, 3)
	}, opstest.Vector(math.Inf(1)), 2)
	opstest.Floats(t, "the second derivative at infinity", at, math.Inf(1))
}

func TestOrthogonalPolynomialRefuses(t *testing.T) {
	x := opstest.Vector(1.0, 2)
	opstest.Refuses(t, "want integers", func() { ops.OrthogonalPolynomial(ops.HermiteH, x, 1.5) })
	opstest.Refuses(t, "want integers", func() { ops.OrthogonalPolynomial(ops.HermiteH, x, x) })
	opstest.Refuses(t, "want one of the constants", func() { ops.OrthogonalPolynomial("jacobi", x, 1) })
	opstest.Refuses(t, "ops.OrthogonalPolynomial", func() { ops.OrthogonalPolynomial(ops.HermiteH, x, nd.FromSlice([]int64{1, 2, 3})) })
	opstest.Refuses(t, "want an array", func() { ops.OrthogonalPolynomial(ops.HermiteH, nd.Scalar(1.5), 1) })
	opstest.Refuses(t, "want at most", func() { ops.OrthogonalPolynomial(ops.HermiteH, x, math.MaxInt64) })
	opstest.Refuses(t, "complex", func() { ops.OrthogonalPolynomial(ops.HermiteH, x.AsType(dtype.Complex64), 1) })
}
