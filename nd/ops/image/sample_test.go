package image_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestSample(t *testing.T) {
	x := nd.FromSlice([]float64{0, 1, 2, 10, 11, 12}, 2, 3)
	rows, columns := nd.FromSlice([]float64{0.5, -0.5, 1}, 3, 1), nd.FromSlice([]float64{0, 1.5, 2.5, 7})
	want := nd.FromSlice([]float64{5, 6.5, 3.5, 0, 0, 0.75, 0.5, 0, 10, 11.5, 6, 0}, 3, 4)
	assert.Equal(t, image.Sample(x, []*nd.Array{rows, columns}), want)
	assert.Equal(t, image.Sample(x.AsType(dtype.Float16), []*nd.Array{rows, columns}), want.AsType(dtype.Float16))
	clipped := nd.FromSlice([]float64{5, 6.5, 7, 7, 0, 1.5, 2, 2, 10, 11.5, 12, 12}, 3, 4)
	assert.Equal(t, image.Sample(x, []*nd.Array{rows, columns}, image.SampleOptions{Clip: true}), clipped)

	// The locations along the columns vary per row, integers select the rows, and one row stays.
	assert.Equal(t, image.Sample(x, []*nd.Array{nd.FromSlice([]float64{0.5, 2, 1, 1.5}, 2, 2)}, image.SampleOptions{Kept: ops.Over(0)}), nd.FromSlice([]float64{0.5, 2, 11, 11.5}, 2, 2))
	chosen := nd.FromSlice([]int64{1, 0, 1})
	assert.Equal(t, image.Sample(x, []*nd.Array{chosen, nd.FromSlice([]float64{0.25, 0.5, 2})}), nd.FromSlice([]float64{10.25, 0.5, 12}))
	assert.Equal(t, image.Sample(x, []*nd.Array{nd.FromSlice([]float64{0.5, 2, 1}, 3, 1)}, image.SampleOptions{Kept: ops.Over(1)}),
		nd.FromSlice([]float64{0.5, 10.5, 2, 12, 1, 11}, 3, 2))
}

// TestSampleOddLocations checks that elements of weight 0 have no influence, that locations far outside are outside, and
// that NaN stays NaN.
func TestSampleOddLocations(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	x := nd.FromSlice([]float64{inf, 1, nan, 3, inf})
	locations := nd.FromSlice([]float64{1, 3, -1, 5, inf, -inf, 1e300, nan})
	assert.Equal(t, image.Sample(x, []*nd.Array{locations}), nd.FromSlice([]float64{1, 3, 0, 0, 0, 0, 0, nan}))
	x = nd.FromSlice([]float64{5, 1, 7})
	assert.Equal(t, image.Sample(x, []*nd.Array{locations}, image.SampleOptions{Clip: true}), nd.FromSlice([]float64{1, 7, 5, 7, 7, 5, 7, nan}))
	far := nd.FromSlice([]int64{math.MaxInt64, math.MinInt64, 2})
	assert.Equal(t, image.Sample(x, []*nd.Array{far}), nd.FromSlice([]float64{0, 0, 7}))
}

func TestSampleGradients(t *testing.T) {
	rng := nd.NewRand(3)
	draw := func(low, high float64, shape ...int) *nd.Array {
		return random.Uniform(rng, low, high, shape, dtype.Float64)
	}
	images := draw(-1, 1, 2, 3, 4, 5)
	for _, clip := range []bool{false, true} {
		o := image.SampleOptions{Clip: clip}
		check := func(locations ...*nd.Array) {
			f := func(in ...*nd.Array) *nd.Array { return image.Sample(in[0], in[1:], o) }
			gradcheck.Check(t, f, append([]*nd.Array{images}, locations...)...)
			gradcheck.CheckSecondOrder(t, f, append([]*nd.Array{images}, locations...)...)
		}
		check(draw(-1.5, 4.5, 3, 1), draw(-1.5, 5.5, 2)) // rows and columns
		o.Kept = ops.Over(0, 1)
		check(draw(-1.5, 4.5, 2, 1, 3, 2), draw(-1.5, 5.5, 2, 1, 3, 2))
		o.Axes, o.Kept = ops.Over(1, 2, 3), ops.Over(1)
		check(draw(0, 2, 2, 1, 2), draw(0, 3, 2), draw(0, 4, 2))
		f := func(in ...*nd.Array) *nd.Array {
			return image.Sample(in[0], []*nd.Array{nd.FromSlice([]int64{2, 0}), in[1], in[2]}, o)
		}
		gradcheck.CheckSecondOrder(t, f, images, draw(0, 3, 2), draw(0, 4, 2))
	}
}

func TestSampleRefuses(t *testing.T) {
	x, p := nd.Zeros([]int{2, 3}), nd.Zeros([]int{4})
	for text, f := range map[string]func(){
		"1 to 2 axes":           func() { image.Sample(x, []*nd.Array{p, p, p}) },
		"one for each":          func() { image.Sample(x, []*nd.Array{p}, image.SampleOptions{Axes: ops.Over(0, 1)}) },
		"floats or integers":    func() { image.Sample(x, []*nd.Array{p.AsType(dtype.Bool)}) },
		"no meaning":            func() { image.Sample(x.AsType(dtype.Complex64), []*nd.Array{p}) },
		"length 3, but x has 2": func() { image.Sample(x, []*nd.Array{nd.Zeros([]int{3, 4})}, image.SampleOptions{Kept: ops.Over(0)}) },
		"Kept [0 1]":            func() { image.Sample(x, []*nd.Array{p}, image.SampleOptions{Kept: ops.Over(0, 1)}) },
		"at most 3 arrays":      func() { image.Sample(nd.Zeros([]int{1, 1, 1, 1}), []*nd.Array{p, p, p, p}) },
	} {
		assert.Raises(t, text, f)
	}
}
