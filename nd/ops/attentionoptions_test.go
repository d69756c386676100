package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestAttentionSees compares every option that hides keys with weights that are written out.
func TestAttentionSees(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32, dtype.BFloat16} {
		tolerance := map[dtype.DType]float64{dtype.Float64: 1e-14, dtype.Float32: 2e-6, dtype.BFloat16: 4e-2}[dt]
		for _, size := range [][2]int{{5, 7}, {7, 5}, {260, 70}, {70, 260}, {1, 3}} {
			q, k, v := opstest.Normal(1, dt, 2, size[0], 4).AsType(dt), opstest.Normal(2, dt, 2, size[1], 4).AsType(dt), opstest.Normal(3, dt, 2, size[1], 6).AsType(dt)
			seen := nd.Tri(size[0], size[1], 0, dtype.Bool)
			scores := ops.Multiply(ops.MatMul(q, k.SwapAxes(1, 2)), 0.5)
			expected := ops.MatMul(ops.MaskedSoftmax(scores, seen), v)
			for name, o := range map[string]ops.AttentionOptions{
				"Causal": {Causal: true}, "bools": {Mask: seen}, "both": {Mask: nd.Ones([]int{2, 1, 1}, dtype.Bool), Causal: true},
				"added": {Mask: ops.Where(seen, 0, -1e9).AsType(dt)},
			} {
				got := ops.Attention(q, k, v, o)
				if got.DType() != dt {
					t.Errorf("%s: %s of %s", name, got.DType(), dt)
				}
				opstest.Close(t, got.AsType(dtype.Float64), expected.AsType(dtype.Float64), tolerance)
			}
		}
	}
	one := nd.FromSlice([]float64{1, 2}, 2, 1)
	blind := nd.FromSlice([]bool{false, true, false, true}, 2, 2)
	opstest.Floats(t, "Attention", ops.Attention(one, one, one, ops.AttentionOptions{Mask: blind, Causal: true}), 0, 2)
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Attention(x, one, one, ops.AttentionOptions{Mask: blind}) }, one)
	opstest.Floats(t, "gradient", g, 0, 0)
}

func TestAttentionGroups(t *testing.T) {
	q, k, v := opstest.Normal(1, dtype.Float64, 2, 6, 3, 4), opstest.Normal(2, dtype.Float64, 2, 2, 5, 4), opstest.Normal(3, dtype.Float64, 2, 2, 5, 2)
	mask := opstest.Normal(4, dtype.Float64, 6, 3, 5)
	three := func(x *nd.Array) *nd.Array { return ops.Repeat(x, 3, ops.Over(1)) }
	o := ops.AttentionOptions{Mask: mask}
	expected := ops.Attention(q, three(k), three(v), o)
	o.Grouped = true
	opstest.Close(t, ops.Attention(q, k, v, o), expected, 1e-14)
	opstest.Refuses(t, "a multiple", func() { ops.Attention(k, q, q, ops.AttentionOptions{Grouped: true}) })
	flat := nd.Ones([]int{2, 2})
	opstest.Refuses(t, "three axes", func() { ops.Attention(flat, flat, flat, ops.AttentionOptions{Grouped: true}) })
	opstest.Refuses(t, "a mask for 6 heads", func() { ops.Attention(q, k, v, ops.AttentionOptions{Grouped: true, Mask: mask.Index(nd.Span(0, 2))}) })
}

// TestAttentionDropout checks that the gradient is that of the drawn weights, and that the mean over many draws is the
// result without dropout.
func TestAttentionDropout(t *testing.T) {
	q, k, v := opstest.Normal(1, dtype.Float64, 3, 4), opstest.Normal(2, dtype.Float64, 5, 4), opstest.Normal(3, dtype.Float64, 5, 2)
	draw := func(seed uint64) ops.AttentionOptions {
		return ops.AttentionOptions{Dropout: 0.4, Rand: nd.NewRand(seed), Causal: true}
	}
	f := func(xs ...*nd.Array) *nd.Array { return ops.Attention(xs[0], xs[1], xs[2], draw(7)) }
	gradcheck.Check(t, f, q, k, v)
	many := ops.Repeat(q.ExpandDims(0), 4000, ops.Over(0))
	opstest.Close(t, ops.Mean(ops.Attention(many, k, v, draw(8)), ops.Over(0)), ops.Attention(q, k, v, ops.AttentionOptions{Causal: true}), 0.1)
	opstest.Refuses(t, "a Rand", func() { ops.Attention(q, k, v, ops.AttentionOptions{Dropout: 0.5}) })
	opstest.Refuses(t, "from 0 to 1", func() { ops.Attention(q, k, v, ops.AttentionOptions{Dropout: 2, Rand: nd.NewRand(1)}) })
}
