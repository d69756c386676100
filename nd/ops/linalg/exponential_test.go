package linalg_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// TestMatrixExpOfUnequalElements has matrices whose norms are far above those of their powers, with known exponentials.
// Each element must be right by itself.
func TestMatrixExpOfUnequalElements(t *testing.T) {
	e := math.E
	for name, c := range map[string]struct{ a, want []float64 }{
		"diagonal 1":        {[]float64{1, 1.2e9, 0, 1}, []float64{e, e * 1.2e9, 0, e}},
		"diagonal -1":       {[]float64{-1, 0, -1e15, -1}, []float64{1 / e, 0, -1e15 / e, 1 / e}},
		"diagonals 1 and 2": {[]float64{1, 1e12, 0, 2}, []float64{e, 1e12 * (e*e - e), 0, e * e}},
		"nilpotent":         {[]float64{0, 1e300, 0, 0}, []float64{1, 1e300, 0, 1}},
		"diagonal 30":       {[]float64{30, 1e20, 0, 30}, []float64{math.Exp(30), math.Exp(30) * 1e20, 0, math.Exp(30)}},
		"powers overflow":   {[]float64{-1e60, 0, 1e59, -1e60}, []float64{0, 0, 0, 0}},
		"hyperbolic":        {[]float64{0, 1e9, 1e-9, 0}, []float64{math.Cosh(1), 1e9 * math.Sinh(1), 1e-9 * math.Sinh(1), math.Cosh(1)}},
		"turn":              {[]float64{0, -1e9, 1e-9, 0}, []float64{math.Cos(1), -1e9 * math.Sin(1), 1e-9 * math.Sin(1), math.Cos(1)}},
		"small":             {[]float64{1e-9, 1e-3, 0, 1e-9}, []float64{math.Exp(1e-9), math.Exp(1e-9) * 1e-3, 0, math.Exp(1e-9)}},
		"large diagonal":    {[]float64{500, 0, 0, -500}, []float64{math.Exp(500), 0, 0, math.Exp(-500)}},
		"zeros":             {[]float64{0, 0, 0, 0}, []float64{1, 0, 0, 1}},
	} {
		got := nd.ToSlice[float64](linalg.MatrixExp(nd.FromSlice(c.a, 2, 2)).Ravel())
		for i, want := range c.want {
			tolerance := 2e-14 * math.Abs(want)
			if name == "large diagonal" || name == "diagonal 30" {
				tolerance *= 100 // the condition of exp
			}
			if !(math.Abs(got[i]-want) <= tolerance) {
				t.Errorf("%s: element %d is %v, want %v", name, i, got[i], want)
			}
		}
	}
}

// TestMatrixExpOfABatch checks that each matrix of a batch gives what it gives alone, beside matrices of other sizes.
func TestMatrixExpOfABatch(t *testing.T) {
	batch := nd.FromSlice([]float64{1, 2, 3, 4, 1e3, -1e3, 2e3, -3e3, 0, 0, 0, 0, 1, 1e12, 0, 1, math.NaN(), 1, 1, 1, 20, 1, 1, 20}, 6, 2, 2)
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
		x := batch.AsType(dt)
		all := linalg.MatrixExp(x)
		for i := range 6 {
			alone := linalg.MatrixExp(x.Index(nd.At(i)))
			if !ops.ArrayEqual(all.Index(nd.At(i)), alone, ops.ArrayEqualOptions{EqualNaN: true}) {
				t.Errorf("%s: matrix %d: %v in a batch, %v alone", dt, i, all.Index(nd.At(i)), alone)
			}
		}
	}
}

// TestMatrixExpGradientOfUnequalElements: the exponential of (x b; 0 x) is eˣ·(1 b; 0 1).
func TestMatrixExpGradientOfUnequalElements(t *testing.T) {
	tape := grad.NewTape()
	a := tape.Watch(nd.FromSlice([]float64{1, 1e9, 0, 1}, 2, 2))
	g := tape.Gradient(linalg.MatrixExp(a).Index(nd.At(0), nd.At(1)), a)[0]
	// The derivative of the element by a is e·(b/2 1; b²/6 b/2).
	want := []float64{math.E * 1e9 / 2, math.E, math.E * 1e18 / 6, math.E * 1e9 / 2}
	for i, got := range nd.ToSlice[float64](g.Ravel()) {
		if !(math.Abs(got-want[i]) <= 1e-11*want[i]) {
			t.Errorf("gradient %d is %v, want %v", i, got, want[i])
		}
	}
}
