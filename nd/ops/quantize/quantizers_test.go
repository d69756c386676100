package quantize_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

// TestPow2IsExact checks that every exponent of both float types is kept, and checks the values next to it on both
// sides.
func TestPow2IsExact(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
		least, greatest := -126, 126
		if dt == dtype.Float64 {
			least, greatest = -1022, 1022
		}
		var x, want []float64
		for e := least; e <= greatest; e++ {
			for _, factor := range []float64{1, 0.75, 1.375, -1, -1.25} {
				x = append(x, math.Ldexp(factor, e))
				want = append(want, math.Copysign(math.Ldexp(1, e), factor))
			}
		}
		got := quantize.Pow2(nd.FromSlice(x).AsType(dt), quantize.Pow2Options{N: 16, M: new(greatest), WithZero: new(false)})
		if !ops.ArrayEqual(got, nd.FromSlice(want)) {
			t.Errorf("%s: %v, want %v", dt, got, want)
		}
	}
}

// TestQuantizersKeepNaN also checks that infinities become the bounds.
func TestQuantizersKeepNaN(t *testing.T) {
	x := nd.FromSlice([]float64{math.NaN(), math.Inf(1), math.Inf(-1)})
	one := func(v float64) *nd.Array { return nd.Full([]int{1}, v) }
	for name, c := range map[string]struct {
		y         *nd.Array
		high, low float64
	}{
		"FixedPoint":    {quantize.FixedPoint(x), 127. / 16, -127. / 16},
		"Pow2":          {quantize.Pow2(x), 2, -2},
		"Pow2 unsigned": {quantize.Pow2(x, quantize.Pow2Options{Sign: new(false), M: new(0)}), 1, 0},
		"MinMax":        {quantize.MinMax(x, one(-1), one(1), one(0), one(2)), 1, -1},
		"Prune":         {quantize.Prune(x, quantize.PruneOptions{Rate: new(0.0)}), math.Inf(1), math.Inf(-1)},
	} {
		if !math.IsNaN(c.y.Float(0)) || c.y.Float(1) != c.high || c.y.Float(2) != c.low {
			t.Errorf("%s: %v, want NaN, %v and %v", name, c.y, c.high, c.low)
		}
	}
}
