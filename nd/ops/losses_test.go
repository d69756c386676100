package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// TestCrossEntropyOptions: scores, probabilities and their logarithms have one loss under all options.
func TestCrossEntropyOptions(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 4, 3, 2)
	labels := nd.FromSlice([]int8{0, 2, 7, 1, 1, 7, 2, 2}, 4, 2)
	weight := opstest.Vector(0.5, 2, 1)
	p := ops.Softmax(opstest.Normal(2, dtype.Float64, 4, 3, 2), ops.Over(1))
	for _, o := range []ops.CrossEntropyOptions{{}, {Weight: weight}, {Smoothing: 0.3}, {Weight: weight, Smoothing: 0.3, Reduction: "mean"}, {Weight: weight, Reduction: "sum"}} {
		o.Ignore = new(7)
		for _, target := range []*nd.Array{labels, labels.ExpandDims(1), p} {
			expected := ops.SoftmaxCrossEntropy(x, target, o)
			opstest.Close(t, ops.CategoricalNLL(ops.LogSoftmax(x, ops.Over(1)), target, o), expected, 1e-13)
			opstest.Close(t, ops.CategoricalCrossEntropy(ops.Softmax(x, ops.Over(1)), target, o), expected, 1e-13)
		}
	}
	none := ops.SoftmaxCrossEntropy(x, nd.FullLike(labels, 7), ops.CrossEntropyOptions{Ignore: new(7), Reduction: "mean"})
	opstest.Floats(t, "of no labels", none, math.NaN())
	opstest.Refuses(t, "a weight for each of 3", func() { ops.SoftmaxCrossEntropy(x, labels, ops.CrossEntropyOptions{Weight: opstest.Vector(1.0)}) })
	opstest.Refuses(t, "from 0 to 1", func() { ops.CategoricalNLL(x, labels, ops.CrossEntropyOptions{Smoothing: 1.5}) })
	opstest.Refuses(t, "sum or mean", func() { ops.CategoricalNLL(x, labels, ops.CrossEntropyOptions{Reduction: "none"}) })
	opstest.Refuses(t, "or probabilities like x", func() { ops.SoftmaxCrossEntropy(x, labels.AsType(dtype.Float64)) })
	opstest.Refuses(t, "1 or 2", func() { ops.MultiMargin(nd.Ones([]int{1, 2}), opstest.Vector[int64](0), ops.MultiMarginOptions{P: 3}) })
	opstest.Refuses(t, "signed integers", func() { ops.MultiLabelMargin(nd.Ones([]int{1, 2}), nd.Ones([]int{1, 2})) })
}

// TestGatesAtTheirCorners: values and gradients where the parts of functions meet, and far out.
func TestGatesAtTheirCorners(t *testing.T) {
	inf := math.Inf(1)
	x := opstest.Vector(-inf, -3, 3, 1e308)
	y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.HardSwish(x) }, x)
	opstest.Floats(t, "HardSwish", y, 0, 0, 3, 1e308)
	opstest.Floats(t, "its gradient", g, 0, 0, 1, 1)
	half := opstest.Vector(-0.5, 0.5, math.Nextafter(0.5, 1), -inf)
	_, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.HardShrink(x) }, half)
	opstest.Floats(t, "gradient of HardShrink", g, 0, 0, 1, 1)
	y, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.SoftShrink(x) }, half)
	opstest.Floats(t, "SoftShrink", y, 0, 0, 0x1p-53, -inf)
	opstest.Floats(t, "its gradient", g, 0, 0, 1, 1)
	opstest.Floats(t, "KLDivergence", ops.KLDivergence(opstest.Vector(-inf, -1), opstest.Vector(0.0, 1)), 0, 1)
	opstest.Refuses(t, "into halves", func() { ops.GLU(opstest.Vector(1.0, 2, 3)) })
	opstest.Refuses(t, "none below 0", func() { ops.HardShrink(x, ops.ShrinkOptions{Lambda: new(-1.0)}) })
}

// TestDistances: equal vectors are at a distance of 0 without a gradient, and a product of many rows has those of few.
func TestDistances(t *testing.T) {
	a := opstest.Normal(1, dtype.Float64, 40, 3)
	far := ops.CDist(a, a)
	opstest.Close(t, ops.CDist(a.Index(nd.Span(0, 20)), a.Index(nd.Span(20, 40))), far.Index(nd.Span(0, 20), nd.Span(20, 40)), 1e-12)
	row, column := ops.TriuIndices(40, 40, 1)
	opstest.Close(t, ops.PDist(a), far.Index(nd.Pick(row), nd.Pick(column)), 1e-12)
	for _, p := range []float64{1, 2, 3, math.Inf(1), 0} {
		_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.CDist(x, nd.Ones([]int{1, 3}), ops.DistanceOptions{P: &p}) }, nd.Ones([]int{2, 3}))
		if nd.Value[bool](ops.Any(ops.NotEqual(g, nd.Scalar(0)))) {
			t.Errorf("gradient of a distance 0 with p = %v: %v", p, g)
		}
	}
	opstest.Floats(t, "CosineSimilarity", ops.CosineSimilarity(opstest.Vector(0.0, 0), opstest.Vector(1.0, 2)), 0)
	opstest.Refuses(t, "from 0 on", func() { ops.PDist(a, ops.DistanceOptions{P: new(-1.0)}) })
	opstest.Refuses(t, "as many columns", func() { ops.CDist(a, nd.Ones([]int{2, 2})) })
	opstest.Refuses(t, "that broadcast", func() { ops.CosineSimilarity(a, nd.Ones([]int{2, 2})) })
}

// TestDeconvolutionPadsBelowDilation: the result may be longer by anything less than the stride or the dilation.
func TestDeconvolutionPadsBelowDilation(t *testing.T) {
	x, w := nd.FromSlice([]float64{1, 2}, 1, 1, 2), nd.Ones([]int{1, 1, 2})
	o := ops.DeconvolutionOptions{Dilation: []int{3}, OutputPadding: []int{2}}
	opstest.Floats(t, "Deconvolution", ops.Deconvolution(x, w, nil, o), 1, 2, 0, 1, 2, 0, 0)
	o.OutputPadding[0] = 3
	opstest.Refuses(t, "strides or dilations", func() { ops.Deconvolution(x, w, nil, o) })
}
