package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestCrossEntropyOptions checks that scores, probabilities and their logarithms have the same loss under all options.
func TestCrossEntropyOptions(t *testing.T) {
	x := normal(1, dtype.Float64, 4, 3, 2)
	labels := nd.FromSlice([]int8{0, 2, 7, 1, 1, 7, 2, 2}, 4, 2)
	weight := vector(0.5, 2, 1)
	p := ops.Softmax(normal(2, dtype.Float64, 4, 3, 2), ops.Over(1))
	for _, o := range []ops.CrossEntropyOptions{{}, {Weight: weight}, {Smoothing: 0.3}, {Weight: weight, Smoothing: 0.3, Reduction: "mean"}, {Weight: weight, Reduction: "sum"}} {
		o.Ignore = new(7)
		for _, target := range []*nd.Array{labels, labels.ExpandDims(1), p} {
			expected := ops.SoftmaxCrossEntropy(x, target, o)
			close64(t, ops.CategoricalNLL(ops.LogSoftmax(x, ops.Over(1)), target, o), expected, 1e-13)
			close64(t, ops.CategoricalCrossEntropy(ops.Softmax(x, ops.Over(1)), target, o), expected, 1e-13)
		}
	}
	none := ops.SoftmaxCrossEntropy(x, nd.FullLike(labels, 7), ops.CrossEntropyOptions{Ignore: new(7), Reduction: "mean"})
	wantFloats(t, "of no labels", none, math.NaN())
	refuses(t, "a weight for each of 3", func() { ops.SoftmaxCrossEntropy(x, labels, ops.CrossEntropyOptions{Weight: vector(1.0)}) })
	refuses(t, "from 0 to 1", func() { ops.CategoricalNLL(x, labels, ops.CrossEntropyOptions{Smoothing: 1.5}) })
	refuses(t, "sum, mean or an empty string", func() { ops.CategoricalNLL(x, labels, ops.CrossEntropyOptions{Reduction: "none"}) })
	refuses(t, "or probabilities like x", func() { ops.SoftmaxCrossEntropy(x, labels.AsType(dtype.Float64)) })
	refuses(t, "1 or 2", func() { ops.MultiMargin(nd.Ones([]int{1, 2}), vector[int64](0), ops.MultiMarginOptions{P: 3}) })
	refuses(t, "signed integers", func() { ops.MultiLabelMargin(nd.Ones([]int{1, 2}), nd.Ones([]int{1, 2})) })
}

// TestGatesAtTheirCorners checks values and gradients where the pieces of functions meet, and far away.
func TestGatesAtTheirCorners(t *testing.T) {
	inf := math.Inf(1)
	x := vector(-inf, -3, 3, 1e308)
	y, g := gradOf(func(x *nd.Array) *nd.Array { return ops.HardSwish(x) }, x)
	wantFloats(t, "HardSwish", y, 0, 0, 3, 1e308)
	wantFloats(t, "its gradient", g, 0, 0, 1, 1)
	half := vector(-0.5, 0.5, math.Nextafter(0.5, 1), -inf)
	_, g = gradOf(func(x *nd.Array) *nd.Array { return ops.HardShrink(x) }, half)
	wantFloats(t, "gradient of HardShrink", g, 0, 0, 1, 1)
	y, g = gradOf(func(x *nd.Array) *nd.Array { return ops.SoftShrink(x) }, half)
	wantFloats(t, "SoftShrink", y, 0, 0, 0x1p-53, -inf)
	wantFloats(t, "its gradient", g, 0, 0, 1, 1)
	wantFloats(t, "KLDivergence", ops.KLDivergence(vector(-inf, -1), vector(0.0, 1)), 0, 1)
	refuses(t, "into halves", func() { ops.GLU(vector(1.0, 2, 3)) })
	refuses(t, "at least 0", func() { ops.HardShrink(x, ops.ShrinkOptions{Lambda: new(-1.0)}) })
}

// TestDistances checks that equal vectors have distance 0 and no gradient, and that the matrix product gives the same
// distances.
func TestDistances(t *testing.T) {
	a := normal(1, dtype.Float64, 40, 3)
	far := ops.CDist(a, a)
	close64(t, ops.CDist(a.Index(nd.Span(0, 20)), a.Index(nd.Span(20, 40))), far.Index(nd.Span(0, 20), nd.Span(20, 40)), 1e-12)
	row, column := ops.TriuIndices(40, 40, 1)
	close64(t, ops.PDist(a), far.Index(nd.Pick(row), nd.Pick(column)), 1e-12)
	for _, p := range []float64{1, 2, 3, math.Inf(1), 0} {
		_, g := gradOf(func(x *nd.Array) *nd.Array { return ops.CDist(x, nd.Ones([]int{1, 3}), ops.DistanceOptions{P: &p}) }, nd.Ones([]int{2, 3}))
		if nd.Value[bool](ops.Any(ops.NotEqual(g, nd.Scalar(0)))) {
			t.Errorf("gradient of a distance 0 with p = %v: %v", p, g)
		}
	}
	wantFloats(t, "CosineSimilarity", ops.CosineSimilarity(vector(0.0, 0), vector(1.0, 2)), 0)
	refuses(t, "at least 0", func() { ops.PDist(a, ops.DistanceOptions{P: new(-1.0)}) })
	refuses(t, "equally many columns", func() { ops.CDist(a, nd.Ones([]int{2, 2})) })
	refuses(t, "that broadcast", func() { ops.CosineSimilarity(a, nd.Ones([]int{2, 2})) })
}

// TestDeconvolutionPadsBelowDilation checks that OutputPadding may be any number below the stride or the dilation.
func TestDeconvolutionPadsBelowDilation(t *testing.T) {
	x, w := nd.FromSlice([]float64{1, 2}, 1, 1, 2), nd.Ones([]int{1, 1, 2})
	o := ops.DeconvolutionOptions{Dilation: []int{3}, OutputPadding: []int{2}}
	wantFloats(t, "Deconvolution", ops.Deconvolution(x, w, nil, o), 1, 2, 0, 1, 2, 0, 0)
	o.OutputPadding[0] = 3
	refuses(t, "strides or dilations", func() { ops.Deconvolution(x, w, nil, o) })
}
