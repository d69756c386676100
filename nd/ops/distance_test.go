package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// TestDistances checks that equal vectors have distance 0 and no gradient, and that the matrix product gives the same
// distances.
func TestDistances(t *testing.T) {
	a := opstest.Normal(1, dtype.Float64, 40, 3)
	far := ops.CDist(a, a)
	opstest.Close(t, ops.CDist(a.Index(nd.Span(0, 20)), a.Index(nd.Span(20, 40))), far.Index(nd.Span(0, 20), nd.Span(20, 40)), 1e-12)
	row, column := ops.TriuIndices(40, 40, 1)
	opstest.Close(t, ops.PDist(a), far.Index(nd.Pick(row), nd.Pick(column)), 1e-12)
	for _, p := range []float64{1, 2, 3, math.Inf(1), 0} {
		_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.CDist(x, nd.Ones([]int{1, 3}), ops.DistanceOptions{P: &p}) }, nd.Ones([]int{2, 3}))
		if nd.Value[bool](ops.Any(ops.NotEqual(g, 0))) {
			t.Errorf("gradient of a distance 0 with p = %v: %v", p, g)
		}
	}
	opstest.Floats(t, "CosineSimilarity", ops.CosineSimilarity(opstest.Vector(0.0, 0), opstest.Vector(1.0, 2)), 0)
	opstest.Refuses(t, "at least 0", func() { ops.PDist(a, ops.DistanceOptions{P: new(-1.0)}) })
	opstest.Refuses(t, "equally many columns", func() { ops.CDist(a, nd.Ones([]int{2, 2})) })
	opstest.Refuses(t, "that broadcast", func() { ops.CosineSimilarity(a, nd.Ones([]int{2, 2})) })
}
