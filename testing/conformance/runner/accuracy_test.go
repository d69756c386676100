package runner

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// TestAccuracyNearRoots adds an error of one ulp of 1 to values of lgamma and digamma. It is allowed
// only near a root below zero, in float64.
func TestAccuracyNearRoots(t *testing.T) {
	for _, c := range []struct {
		name    string
		x, want float64
		dt      dtype.DType
		passes  bool
	}{
		{"lgamma", -2.4570247382208006, 5.619192358950097e-17, dtype.Float64, true},
		{"digamma", -0.5040830082644554, 7.289763902976895e-17, dtype.Float64, true},
		{"digamma", -0.5, 0.03648997397857652, dtype.Float64, false},
		{"lgamma", -2.5, -0.05624371649767406, dtype.Float64, false},
		{"lgamma", 1.0078125, -0.004460112133464387, dtype.Float64, false},
		{"digamma", 1.4609375, -0.0006722793, dtype.Float64, false},
		{"lgamma", -2.4570248, float64(float32(4.2e-8)), dtype.Float32, false},
		{"erf", 0.001, 0.001128378790969236, dtype.Float64, false},
	} {
		points := &table{args: []*nd.Array{nd.FromSlice([]float64{c.x}).AsType(c.dt)}, want: []float64{c.want}, dt: c.dt}
		got := compare.ElementsOf(nd.FromSlice([]float64{c.want + ulp(1, c.dt)}).AsType(c.dt)).Floats
		if _, err := points.worst(c.name, got); (err == nil) != c.passes {
			t.Errorf("%s(%v), %s: %v, want it to pass: %v", c.name, c.x, c.dt, err, c.passes)
		}
		if _, err := points.worst(c.name, []float64{c.want}); err != nil {
			t.Errorf("%s(%v): %v", c.name, c.x, err)
		}
	}
	if got := ulps(math.NaN(), 1, dtype.Float64); got != math.MaxUint64 {
		t.Errorf("NaN is %d ulps from 1", got)
	}
}
