package poly_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/poly"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func floats(values ...float64) *nd.Array { return nd.FromSlice(values) }

// near compares with values that were computed by hand.
func near(t *testing.T, got *nd.Array, values ...float64) {
	t.Helper()
	assert.AllClose(t, got, floats(values...), 1e-9, 1e-12)
}

func TestArithmetic(t *testing.T) {
	p, q := floats(1, -3, 2), floats(1, -1)
	near(t, poly.Add(p, q), 1, -2, 1)
	near(t, poly.Sub(q, p), -1, 4, -3)
	near(t, poly.Mul(p, q), 1, -4, 5, -2)
	quotient, rest := poly.Div(p, q)
	near(t, quotient, 1, -2)
	near(t, rest, 0)
	quotient, rest = poly.Div(floats(2, 0, 0, 1), floats(1, 1, 1))
	near(t, quotient, 2, -2)
	near(t, rest, 3)
	quotient, rest = poly.Div(q, p)
	near(t, quotient, 0)
	near(t, rest, 1, -1)
	quotient, rest = poly.Div(floats(0, 1, -3, 2), floats(0, 0, 1, -1))
	near(t, quotient, 0, 1, -2)
	near(t, rest, 0)
	quotient, rest = poly.Div(q, floats(0, 0, 2))
	near(t, quotient, 0.5, -0.5)
	near(t, rest, 0)
	if quotient, _ = poly.Div(floats(1, 1), floats(0, 0)); !math.IsInf(quotient.Float(0), 1) {
		t.Errorf("by 0: %v", quotient)
	}
	near(t, poly.Val(p, floats(0, 1, 2, 3)), 2, 0, 0, 2)
	if y := poly.Val(p.AsType(dtype.Float32), nd.Scalar(3)); y.DType() != dtype.Float32 || nd.Value[float64](y) != 2 {
		t.Errorf("at a number: %#v", y)
	}
	inf := math.Inf(1)
	for k, y := range nd.ToSlice[float64](poly.Val(floats(1, 0, 0), floats(inf, -inf))) {
		if y != inf {
			t.Errorf("x² at infinity number %d is %v", k, y)
		}
	}
	near(t, poly.Val(floats(5), floats(inf, 1)), 5, 5)
	near(t, poly.Val(floats(0, 0, 5), floats(inf, -inf, 1)), 5, 5, 5)
	near(t, poly.Val(floats(0, 0, 5), nd.Scalar(inf)), 5)
	if y := poly.Val(floats(5), nd.Zeros([]int{2, 3}, dtype.Complex64)); y.DType() != dtype.Complex128 || y.Rank() != 2 {
		t.Errorf("a constant at complex64: %s of shape %v", y.DType(), y.Shape())
	}
	near(t, poly.Der(floats(1, 2, 3, 4), 2), 6, 4)
	near(t, poly.Der(floats(1, 2), 5))
	near(t, poly.Int(floats(6, 4), 2, poly.IntOptions{K: floats(7, 8)}), 1, 2, 7, 8)
	near(t, poly.FromRoots(floats(1, 2, 3)), 1, -6, 11, -6)
	near(t, poly.FromRoots(nd.FromSlice([]int{})), 1)
}

func TestRoots(t *testing.T) {
	for text, c := range map[string]*nd.Array{
		"[1.+0.j 2.+0.j 3.+0.j]":         poly.FromRoots(floats(3, 1, 2)),
		"[-1.-2.j -1.+2.j]":              floats(1, 2, 5),
		"[0.+0.j 0.+0.j 2.+0.j]":         floats(0, 0, 3, -6, 0, 0),
		"[]":                             floats(0, 0),
		"[-0.5+0.j]":                     floats(2, 1),
		"[-1.-1.732j -1.+1.732j 2.+0.j]": floats(1, 0, 0, -8),
	} {
		got := poly.Roots(c)
		rounded := ops.Add(ops.Round(got, ops.RoundOptions{Decimals: 3}), 0)
		if s := strings.Join(strings.Fields(strings.ReplaceAll(fmt.Sprint(rounded), " ", "  ")), " "); plain(s) != plain(text) || got.DType() != dtype.Complex128 {
			t.Errorf("of %v: %s, want %s", c, s, text)
		}
	}
	if y := poly.Roots(nd.FromSlice([]float32{1, -3, 2})); y.DType() != dtype.Complex64 {
		t.Errorf("of float32: %s", y.DType())
	}
}

// plain removes characters that only align numbers.
func plain(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("[", " ", "]", " ").Replace(s)), " ")
}

func TestFit(t *testing.T) {
	x := floats(0, 1, 2, 3, 4, 5)
	y := poly.Val(floats(2, -1, 3), x)
	near(t, poly.Fit(x, y, 2), 2, -1, 3)
	both := ops.Stack([]*nd.Array{y, x}, ops.Over(1))
	assert.AllClose(t, poly.Fit(x, both, 2), nd.FromSlice([]float64{2, 0, -1, 1, 3, 0}, 3, 2), 1e-9, 1e-12)
	noisy := ops.Add(y, floats(0.1, -0.1, 0.05, 0, -0.2, 0.1))
	p, cov := poly.FitCov(x, noisy, 2)
	near(t, p, 2.0196428571429, -1.1082142857143, 3.0821428571429) // as NumPy's polyfit(x, noisy, 2, cov=True)
	assert.AllClose(t, cov, nd.FromSlice([]float64{0.00049936, -0.00249681, 0.00166454, -0.00249681, 0.01354936, -0.01098597,
		0.00166454, -0.01098597, 0.01531378}, 3, 3), 1e-5, 0)
}

func TestGradients(t *testing.T) {
	p, q, x := floats(0.5, -1, 2, 0.3), floats(1.5, 0.5, -1), floats(0.3, -0.7, 1.1, 2, -1.6)
	y, w := floats(1, 0.5, -0.2, 3, 2.2), floats(1, 2, 0.5, 1, 1.5)
	for name, c := range map[string]struct {
		f    func(xs ...*nd.Array) *nd.Array
		args []*nd.Array
	}{
		"Val": {func(xs ...*nd.Array) *nd.Array { return poly.Val(xs[0], xs[1]) }, []*nd.Array{p, x}},
		"Sub": {func(xs ...*nd.Array) *nd.Array { return poly.Sub(xs[0], xs[1]) }, []*nd.Array{p, q}},
		"Mul": {func(xs ...*nd.Array) *nd.Array { return poly.Mul(xs[0], xs[1]) }, []*nd.Array{p, q}},
		"Div by leading zeros": {func(xs ...*nd.Array) *nd.Array {
			quotient, rest := poly.Div(xs[0], ops.Concatenate([]*nd.Array{nd.Zeros([]int{2}), xs[1]}))
			return ops.Concatenate([]*nd.Array{quotient, rest})
		}, []*nd.Array{floats(3, -1, 0.5, 2), floats(2, 1, -1)}},
		"Div": {func(xs ...*nd.Array) *nd.Array {
			quotient, rest := poly.Div(xs[0], xs[1])
			return ops.Concatenate([]*nd.Array{quotient, rest})
		}, []*nd.Array{p, q}},
		"Der":              {func(xs ...*nd.Array) *nd.Array { return poly.Der(xs[0], 2) }, []*nd.Array{p}},
		"Int":              {func(xs ...*nd.Array) *nd.Array { return poly.Int(xs[0], 2, poly.IntOptions{K: xs[1]}) }, []*nd.Array{p, floats(1, 2)}},
		"FromRoots":        {func(xs ...*nd.Array) *nd.Array { return poly.FromRoots(xs[0]) }, []*nd.Array{q}},
		"Roots":            {func(xs ...*nd.Array) *nd.Array { return poly.Roots(xs[0]) }, []*nd.Array{p}},
		"Roots of complex": {func(xs ...*nd.Array) *nd.Array { return poly.Roots(xs[0]) }, []*nd.Array{nd.FromSlice([]complex128{2 + 1i, -1, 3i, 1 - 2i})}},
		"Fit": {func(xs ...*nd.Array) *nd.Array {
			return poly.Fit(xs[0], xs[1], 2, poly.FitOptions{W: xs[2]})
		}, []*nd.Array{x, y, w}},
		"FitCov": {func(xs ...*nd.Array) *nd.Array { _, cov := poly.FitCov(xs[0], xs[1], 1); return cov }, []*nd.Array{x, y}},
	} {
		t.Run(name, func(t *testing.T) {
			checker := gradcheck.Checker{Directions: 2, Relative: 1e-5, Absolute: 1e-7}
			checker.CheckSecondOrder(t, c.f, c.args...)
		})
	}
}

func TestRefusals(t *testing.T) {
	p, none, table := floats(1, 2), floats(), nd.Zeros([]int{2, 2})
	for text, call := range map[string]func(){
		"poly.Val: want coefficients in an array of one axis":              func() { poly.Val(table, p) },
		"poly.Add: want coefficients":                                      func() { poly.Add(p, table) },
		"poly.Mul: want at least one coefficient each":                     func() { poly.Mul(p, none) },
		"poly.Div: want at least one coefficient each":                     func() { poly.Div(none, p) },
		"poly.Der: derivative -1":                                          func() { poly.Der(p, -1) },
		"poly.Int: integral -1":                                            func() { poly.Int(p, -1) },
		"poly.Int: 2 constants of 3 integrations":                          func() { poly.Int(p, 3, poly.IntOptions{K: p}) },
		"poly.Roots: a coefficient is infinite or NaN":                     func() { poly.Roots(ops.Divide(p, 0.0)) },
		"poly.Fit: degree -1":                                              func() { poly.Fit(p, p, -1) },
		"poly.Fit: want points in an array of one axis":                    func() { poly.Fit(p, floats(1, 2, 3), 1) },
		"poly.Fit: want as many weights as points":                         func() { poly.Fit(p, p, 1, poly.FitOptions{W: floats(1)}) },
		"poly.FitCov: 2 points for 2 coefficients: want more, or Unscaled": func() { poly.FitCov(p, p, 1) },
		"poly.FitCov: the points determine 1 of 2 coefficients":            func() { poly.FitCov(floats(1, 1, 1, 1), floats(1, 2, 3, 4), 1) },
	} {
		if err := nd.Catch(call); err == nil || !strings.HasPrefix(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
}

func TestFitDTypes(t *testing.T) {
	x, y := nd.FromSlice([]float32{0, 1, 2, 3}), nd.FromSlice([]float32{1, 3, 5, 7})
	for name, got := range map[string]*nd.Array{
		"Fit":          poly.Fit(x, y, 1),
		"Der":          poly.Der(x, 1),
		"Int":          poly.Int(x, 1),
		"Int of bytes": poly.Int(x.AsType(dtype.Uint8), 1),
	} {
		if got.DType() != dtype.Float64 {
			t.Errorf("%s gives %s", name, got.DType())
		}
	}
	if got := poly.Der(x.AsType(dtype.Uint8), 1); got.DType() != dtype.Int64 {
		t.Errorf("Der of bytes gives %s", got.DType())
	}
	if got := poly.Fit(x.AsType(dtype.Complex64), y, 1); got.DType() != dtype.Complex128 {
		t.Errorf("Fit of complex64 gives %s", got.DType())
	}
}

// The line through complex points is (2+i)·x + i.
func TestFitComplex(t *testing.T) {
	x := nd.FromSlice([]complex128{0, 1i, 1, 2 + 1i})
	y := ops.Add(ops.Multiply(x, 2+1i), 1i)
	got, residuals, rank, s, rcond := poly.FitFull(x, y, 1)
	assert.AllClose(t, got, nd.FromSlice([]complex128{2 + 1i, 1i}), 1e-12, 1e-12)
	if rank.DType() != dtype.Int32 || nd.Value[int](rank) != 2 || s.DType() != dtype.Float64 || s.Size() != 2 || rcond != 4*0x1p-52 {
		t.Errorf("rank %v, singular values %v, bound %v", rank, s, rcond)
	}
	assert.AllClose(t, residuals, nd.FromSlice([]float64{0}), 0, 1e-20)
	_, cov := poly.FitCov(x, y, 1, poly.FitOptions{Unscaled: true})
	powers := ops.Stack([]*nd.Array{x, nd.OnesLike(x)}, ops.Over(1))
	assert.AllClose(t, cov, linalg.Inv(ops.MatMul(powers.T(), powers)), 1e-12, 1e-12)
}

// The residuals of the line through 0, 0, 3 at 0, 1, 2 are 1/2, -1, 1/2.
func TestFitFull(t *testing.T) {
	x := floats(0, 1, 2)
	p, residuals, rank, s, rcond := poly.FitFull(x, floats(0, 0, 3), 1)
	near(t, p, 1.5, -0.5)
	near(t, residuals, 1.5)
	cosine := 3 / math.Sqrt(15) // of the columns 0 1 2 and 1 1 1
	near(t, s, math.Sqrt(1+cosine), math.Sqrt(1-cosine))
	if nd.Value[int](rank) != 2 || rcond != 3*0x1p-52 {
		t.Errorf("rank %v, bound %v", rank, rcond)
	}
	_, residuals, rank, _, rcond = poly.FitFull(x.AsType(dtype.Float32), floats(0, 0, 3), 3, poly.FitOptions{RCond: new(0.5)})
	if residuals.Size() != 0 || nd.Value[int](rank) >= 4 || rcond != 0.5 {
		t.Errorf("residuals %v, rank %v, bound %v", residuals, rank, rcond)
	}
	opstest.Refuses(t, "poly.FitFull: degree -1", func() { poly.FitFull(x, x, -1) })
}
