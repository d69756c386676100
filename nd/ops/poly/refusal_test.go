package poly_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/poly"
)

// The errors of a fit speak of points and weights, not of a matrix or an iteration.
func TestFitNamesPointsAndWeights(t *testing.T) {
	v := func(x ...float64) *nd.Array { return nd.FromSlice(x) }
	for _, c := range []struct {
		x, w *nd.Array
		deg  int
		want string
	}{
		{x: v(0), deg: 1, want: "all points are 0: they determine 1 of 2 coefficients"},
		{x: v(0, 0, 0), deg: 3, want: "all points are 0: they determine 1 of 4 coefficients"},
		{x: v(1, math.NaN(), 3), deg: 1, want: "x[1] is NaN: want finite numbers"},
		{x: v(1, 2, math.Inf(1)), deg: 1, want: "x[2] is +Inf: want finite numbers"},
		{x: v(1, 2, 3), w: v(1, 1, math.NaN()), deg: 1, want: "W[2] is NaN: want finite numbers"},
		{x: v(1, 2, 3), w: v(0, 0, 0), deg: 1, want: "all weights are 0"},
		{x: v(1, 1e200, 3), deg: 2, want: "the points to the power 2, or their squares, leave the range of float64"},
	} {
		opstest.Refuses(t, "poly.Fit: "+c.want+" [operands: float64(", func() { poly.Fit(c.x, nd.OnesLike(c.x), c.deg, poly.FitOptions{W: c.w}) })
	}
	opstest.Refuses(t, "poly.FitCov: x[0] is NaN", func() { poly.FitCov(v(math.NaN(), 1, 2), v(1, 2, 3), 1) })
	if p := poly.Fit(v(0), v(3), 0); p.Float(0) != 3 {
		t.Errorf("a constant through one point at 0 is %v", p)
	}
	if p := poly.Fit(v(2), v(3), 1); math.Abs(2*p.Float(0)+p.Float(1)-3) > 1e-12 { // of all lines through the point, one is chosen
		t.Errorf("a line through (2, 3) is %v", p)
	}
}
