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

func TestMaskedSoftmax(t *testing.T) {
	x := nd.FromSlice([]float64{1, 1, math.Inf(1), 5, 6, 7}, 2, 3)
	mask := nd.FromSlice([]bool{true, true, false, false, false, false}, 2, 3)
	opstest.Repr(t, ops.MaskedSoftmax(x, mask), "array([[0.5, 0.5, 0. ], [0. , 0. , 0. ]])")
	opstest.Floats(t, "MaskedLogSoftmax", ops.MaskedLogSoftmax(x, mask), -math.Ln2, -math.Ln2, 0, 0, 0, 0)
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Square(ops.MaskedSoftmax(x, mask)) }, nd.FromSlice([]float64{1, 1, 9, 5, 6, 7}, 2, 3))
	opstest.Repr(t, g, "array([[0., 0., 0.], [0., 0., 0.]])")
	opstest.Refuses(t, "broadcast", func() { ops.MaskedSoftmax(x, nd.FromSlice([]bool{true, false})) })
}

func TestAttention(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32, dtype.Float16} {
		q, k, v := opstest.Normal(1, dt, 2, 1, 5, 4), opstest.Normal(2, dt, 3, 7, 4), opstest.Normal(3, dt, 3, 7, 6)
		mask := opstest.Normal(4, dt, 5, 7)
		got := ops.Attention(q, k, v, ops.AttentionOptions{Mask: mask, Scale: new(0.3)})
		scores := ops.Add(ops.Multiply(ops.MatMul(q, k.SwapAxes(1, 2)), 0.3), mask)
		want := ops.MatMul(ops.Softmax(scores), v)
		tolerance := map[dtype.DType]float64{dtype.Float64: 1e-14, dtype.Float32: 2e-6, dtype.Float16: 4e-3}[dt]
		opstest.Close(t, got.AsType(dtype.Float64), want.AsType(dtype.Float64), tolerance)
		scores = ops.Multiply(ops.MatMul(q, k.SwapAxes(1, 2)), 0.5)
		want = ops.MatMul(ops.Softmax(scores), v)
		opstest.Close(t, ops.Attention(q, k, v).AsType(dtype.Float64), want.AsType(dtype.Float64), tolerance)
	}
	q, k, v := opstest.Normal(1, dtype.Float64, 2, 1, 3, 4), opstest.Normal(2, dtype.Float64, 3, 5, 4), opstest.Normal(3, dtype.Float64, 3, 5, 2)
	opstest.Refuses(t, "as long", func() { ops.Attention(q, v, v) })
	opstest.Refuses(t, "as many", func() { ops.Attention(q, k, q) })
	opstest.Refuses(t, "two axes", func() { ops.Attention(q, k, v.Index(nd.At(0), nd.At(0))) })
	opstest.Refuses(t, "broadcasts to the scores", func() { ops.Attention(q, k, v, ops.AttentionOptions{Mask: q}) })
}

func TestMultiHeadAttention(t *testing.T) {
	// One head with identity weights attends to the key that equals the query.
	one := nd.Identity(2)
	query := nd.FromSlice([]float64{100, 0, 0, 100}, 2, 1, 2)
	value := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 1, 2)
	y, weights := ops.MultiHeadAttention(query, query, value, 1, one, one, one, one)
	opstest.Close(t, y, value, 1e-12)
	opstest.Close(t, weights, nd.Identity(2).Reshape(1, 2, 2), 1e-12)
	padding := nd.FromSlice([]float64{1, 0}, 1, 2)
	y, _ = ops.MultiHeadAttention(query, query, value, 1, one, one, one, one, ops.MultiHeadAttentionOptions{KeyPaddingMask: padding})
	opstest.Close(t, y, nd.FromSlice([]float64{3, 4, 3, 4}, 2, 1, 2), 1e-12)

	opstest.Refuses(t, "heads", func() { ops.MultiHeadAttention(query, query, value, 3, one, one, one, one) })
	opstest.Refuses(t, "matrices", func() { ops.MultiHeadAttention(query, query, value, 1, nd.Ones([]int{3, 2}), one, one, one) })
	opstest.Refuses(t, "want a Rand", func() {
		ops.MultiHeadAttention(query, query, value, 1, one, one, one, one, ops.MultiHeadAttentionOptions{Dropout: 0.5})
	})
	opstest.Refuses(t, "both attention biases", func() {
		ops.MultiHeadAttention(query, query, value, 1, one, one, one, one, ops.MultiHeadAttentionOptions{AttnBiasK: nd.Ones([]int{2})})
	})
	opstest.Refuses(t, "padding mask", func() {
		ops.MultiHeadAttention(query, query, value, 1, one, one, one, one, ops.MultiHeadAttentionOptions{KeyPaddingMask: one.Index(nd.At(0))})
	})
}

func TestSelfAttention(t *testing.T) {
	const steps, batch, heads, width = 3, 2, 2, 2
	qkv := opstest.Normal(1, dtype.Float64, steps, batch, heads*3*width)
	scores := ops.SelfAttentionScores(qkv, heads)
	y := ops.SelfAttentionValues(qkv, ops.Softmax(scores), heads)
	// Head 1 of example 0 only, cut out by hand.
	at := func(k int) *nd.Array { return qkv.Index(nd.All(), nd.At(0), nd.Span((3+k)*width, (4+k)*width)) }
	attention := ops.Multiply(ops.MatMul(at(0), at(1).T()), 1/math.Sqrt(width))
	opstest.Close(t, scores.Index(nd.At(1)), attention, 1e-12)
	opstest.Close(t, y.Index(nd.All(), nd.At(0), nd.From(width)), ops.MatMul(ops.Softmax(attention), at(2)), 1e-12)
	opstest.Refuses(t, "multiples", func() { ops.SelfAttentionScores(qkv, 5) })
	opstest.Refuses(t, "attention of shape", func() { ops.SelfAttentionValues(qkv, qkv, heads) })
}

func TestWindowAttention(t *testing.T) {
	query, key := nd.Ones([]int{1, 4, 1, 1}), nd.FromSlice([]float64{1, 2, 3, 4}, 1, 4, 1, 1)
	dilation := opstest.Vector[int64](1)
	opstest.Repr(t, ops.WindowScores(query, key, dilation, 1, true).Reshape(4, 3), "array([[0., 1., 2.], [1., 2., 3.], [2., 3., 4.], [3., 4., 0.]])")
	back := ops.WindowScores(query, key, opstest.Vector[int64](2), 1, false)
	opstest.Repr(t, back.Reshape(4, 2), "array([[0., 1.], [0., 2.], [1., 3.], [2., 4.]])")
	opstest.Repr(t, ops.WindowContext(back, key, opstest.Vector[int64](2), 1, false).Reshape(-1), "array([ 1., 4., 10., 20.])")
	opstest.Repr(t, ops.WindowMask(back, opstest.Vector[int64](2), opstest.Vector[int64](3), 1, false).Reshape(4, 2), "array([[0., 1.], [0., 1.], [1., 1.], [0., 0.]])")
	opstest.Refuses(t, "one shape", func() { ops.WindowScores(query, nd.Ones([]int{1, 3, 1, 1}), dilation, 1, true) })
	opstest.Refuses(t, "integer dilation", func() { ops.WindowScores(query, key, opstest.Vector(1.0), 1, true) })
	opstest.Refuses(t, "want scores of shape", func() { ops.WindowContext(back, key, dilation, 1, true) })
	opstest.Refuses(t, "a length for each", func() { ops.WindowMask(back, dilation, opstest.Vector[int64](1, 2), 1, false) })
}

func TestAttentionGradients(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 2, 1, 2)
	w := func(seed uint64) *nd.Array { return opstest.Normal(seed, dtype.Float64, 2, 2) }
	qkv, attention := opstest.Normal(7, dtype.Float64, 2, 1, 6), opstest.Normal(8, dtype.Float64, 1, 2, 2)
	long, score := opstest.Normal(9, dtype.Float64, 1, 3, 1, 2), opstest.Normal(10, dtype.Float64, 1, 3, 1, 3)
	for name, test := range map[string]struct {
		f  gradcheck.Function
		in []*nd.Array
	}{
		"Attention": {func(xs ...*nd.Array) *nd.Array {
			return ops.Attention(xs[0], xs[1], xs[2], ops.AttentionOptions{Mask: xs[3], Scale: new(0.7)})
		}, []*nd.Array{opstest.Normal(11, dtype.Float64, 2, 1, 3, 4), opstest.Normal(12, dtype.Float64, 2, 5, 4), opstest.Normal(13, dtype.Float64, 5, 2),
			opstest.Normal(14, dtype.Float64, 3, 5)}},
		"Attention of groups": {func(xs ...*nd.Array) *nd.Array {
			return ops.Attention(xs[0], xs[1], xs[2], ops.AttentionOptions{Causal: true, Grouped: true})
		}, []*nd.Array{opstest.Normal(11, dtype.Float64, 4, 3, 2), opstest.Normal(12, dtype.Float64, 2, 2, 2), opstest.Normal(13, dtype.Float64, 2, 2, 1)}},
		"MultiHeadAttention": {func(xs ...*nd.Array) *nd.Array {
			y, weights := ops.MultiHeadAttention(xs[0], xs[1], xs[1], 2, xs[2], xs[3], xs[4], xs[5],
				ops.MultiHeadAttentionOptions{AttnBiasK: xs[6], AttnBiasV: xs[6]})
			return ops.Add(ops.Sum(y), ops.Sum(ops.Square(weights)))
		}, []*nd.Array{x, opstest.Normal(2, dtype.Float64, 2, 1, 2), w(3), w(4), w(5), w(6), opstest.Vector(0.5, -0.5)}},
		"SelfAttentionScores": {func(xs ...*nd.Array) *nd.Array { return ops.SelfAttentionScores(xs[0], 1) }, []*nd.Array{qkv}},
		"SelfAttentionValues": {func(xs ...*nd.Array) *nd.Array { return ops.SelfAttentionValues(xs[0], xs[1], 1) }, []*nd.Array{qkv, attention}},
		"WindowScores": {func(xs ...*nd.Array) *nd.Array {
			return ops.WindowScores(xs[0], xs[1], opstest.Vector[int64](1), 1, true)
		}, []*nd.Array{long, long}},
		"WindowContext": {func(xs ...*nd.Array) *nd.Array {
			return ops.WindowContext(xs[0], xs[1], opstest.Vector[int64](1), 1, true)
		}, []*nd.Array{score, long}},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, test.f, test.in...)
			gradcheck.CheckSecondOrder(t, test.f, test.in...)
		})
	}
}
