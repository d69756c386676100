package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestDropout(t *testing.T) {
	x := nd.Ones([]int{100, 100}, dtype.Float32)
	y := ops.Dropout(x, 0.3, nd.NewRand(1))
	if kept := nd.Value[float64](ops.CountNonzero(y)) / 1e4; math.Abs(kept-0.7) > 0.02 {
		t.Errorf("%v of the elements are kept, want about 0.7", kept)
	}
	opstest.Repr(t, ops.Max(y), "array(1.4285715, dtype=float32)")
	opstest.Repr(t, ops.All(ops.Equal(y, ops.Dropout(x, 0.3, nd.NewRand(1)))), "array(True)")
	opstest.Repr(t, ops.Any(ops.NotEqual(ops.Dropout(x, 0, nd.NewRand(1)), x)), "array(False)")
	opstest.Repr(t, ops.Any(ops.Dropout(x, 1, nd.NewRand(1))), "array(False)")
	rows := ops.Dropout(x, 0.5, nd.NewRand(2), ops.Over(1))
	if n := nd.Value[int](ops.CountNonzero(rows)); n%100 != 0 || n == 0 || n == 10000 {
		t.Errorf("%d elements are kept: want whole rows", n)
	}
	opstest.Refuses(t, "probability 1.5", func() { ops.Dropout(x, 1.5, nd.NewRand(1)) })
	opstest.Refuses(t, "probability NaN", func() { ops.Dropout(x, math.NaN(), nd.NewRand(1)) })
	opstest.Refuses(t, "no stream of random numbers", func() { ops.Dropout(x, 0.5, nil) })
	opstest.Refuses(t, "want a float or complex array", func() { ops.Dropout(nd.FromSlice([]int{1}), 0.5, nd.NewRand(1)) })
}

func TestDropoutGradient(t *testing.T) {
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(ops.Dropout(xs[0], 0.4, nd.NewRand(5)))
	}, opstest.Normal(30, dtype.Float64, 20))
}

func TestAlphaDropout(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 200, 200)
	for _, p := range []float64{0, 0.2, 0.7} {
		y := ops.AlphaDropout(x, p, nd.NewRand(3))
		mean, variance := nd.Value[float64](ops.Mean(y)), nd.Value[float64](ops.Var(y))
		if math.Abs(mean) > 0.03 || math.Abs(variance-1) > 0.05 {
			t.Errorf("with p = %v the mean is %v and the variance %v", p, mean, variance)
		}
		kept := ops.NotEqual(ops.Dropout(nd.OnesLike(x), p, nd.NewRand(3)), 0)
		a := 1 / math.Sqrt((1-p)*(1+p*1.7580993408473766*1.7580993408473766))
		b := a * p * 1.7580993408473766
		by := ops.Where(kept, ops.Add(ops.Multiply(x, a), b), b-a*1.7580993408473766)
		if !ops.AllClose(y, by) {
			t.Errorf("with p = %v elements differ from what they should be", p)
		}
	}
	opstest.Repr(t, ops.Any(ops.AlphaDropout(x, 1, nd.NewRand(1))), "array(False)")
	channels := ops.AlphaDropout(nd.OnesLike(x), 0.5, nd.NewRand(2), ops.Over(1))
	if n := nd.Value[int](ops.CountNonzero(ops.Equal(channels, ops.Min(channels)))); n%200 != 0 || n == 0 || n == 40000 {
		t.Errorf("%d elements are dropped: want whole rows", n)
	}
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(ops.AlphaDropout(xs[0], 0.4, nd.NewRand(5)))
	}, opstest.Normal(30, dtype.Float64, 20))
	opstest.Refuses(t, "probability 1.5", func() { ops.AlphaDropout(x, 1.5, nd.NewRand(1)) })
}
