package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestHistogram(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 1, 5, nan, 4, 9}, 7)
	edges := nd.FromSlice([]float64{1, 2, 4, 5})
	counts, same := ops.Histogram(x, ops.HistogramOptions{Edges: edges})
	opstest.Repr(t, counts, "array([2, 1, 2])") // the last bin includes its upper edge
	opstest.Repr(t, same, "array([1., 2., 4., 5.])")
	counts, _ = ops.Histogram(x, ops.HistogramOptions{Bins: 2, Range: &[2]float64{0, 4}})
	opstest.Repr(t, counts, "array([2, 2])")
	counts, made := ops.Histogram(nd.FromSlice([]int{3, 3}), ops.HistogramOptions{Bins: 2})
	opstest.Repr(t, made, "array([2.5, 3. , 3.5])")
	opstest.Repr(t, counts, "array([0, 2])")
	counts, made = ops.Histogram(nd.Zeros([]int{0}), ops.HistogramOptions{Bins: 2})
	opstest.Repr(t, made, "array([0. , 0.5, 1. ])")
	opstest.Repr(t, counts, "array([0, 0])")
	opstest.Repr(t, ops.HistogramBinEdges(nd.FromSlice([]float32{0, 1}), ops.HistogramOptions{Bins: 2}), "array([0. , 0.5, 1. ], dtype=float32)")
	weights := nd.FromSlice([]float32{1, 2, 3, 4, 5, 6, 7})
	counts, _ = ops.Histogram(x, ops.HistogramOptions{Edges: edges, Weights: weights})
	opstest.Repr(t, counts, "array([ 4., 2., 10.], dtype=float32)")
	counts, _ = ops.Histogram(x, ops.HistogramOptions{Edges: edges, Density: true})
	opstest.Repr(t, counts, "array([0.4, 0.1, 0.4])")
	opstest.Refuses(t, "finite", func() { ops.Histogram(x) })
	opstest.Refuses(t, "in order", func() { ops.Histogram(x, ops.HistogramOptions{Range: &[2]float64{1, 0}}) })
	opstest.Refuses(t, "increase", func() { ops.Histogram(x, ops.HistogramOptions{Edges: nd.FromSlice([]int{2, 1})}) })
	opstest.Refuses(t, "positive", func() { ops.Histogram(x, ops.HistogramOptions{Bins: -1}) })
	opstest.Refuses(t, "every element", func() { ops.Histogram(x, ops.HistogramOptions{Weights: edges}) })
	opstest.Refuses(t, "no width", func() { ops.Histogram(x, ops.HistogramOptions{Bins: 8, Range: &[2]float64{1e17, 1e17 + 32}}) })
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		counts, _ := ops.Histogram(x, ops.HistogramOptions{Edges: edges, Weights: xs[0]})
		return counts
	}, opstest.Normal(46, dtype.Float64, 7))
}

func TestHistogramsOfPoints(t *testing.T) {
	x := nd.FromSlice([]float64{0, 1, 1, 2, 9})
	y := nd.FromSlice([]float64{0, 0, 3, 4, 0})
	counts, xEdges, yEdges := ops.Histogram2D(x, y, ops.HistogramDDOptions{Bins: []int{2}, Range: [][2]float64{{0, 2}, {0, 4}}})
	opstest.Repr(t, counts, "array([[1., 0.], [1., 2.]])")
	opstest.Repr(t, xEdges, "array([0., 1., 2.])")
	opstest.Repr(t, yEdges, "array([0., 2., 4.])")
	points := ops.Stack([]*nd.Array{x, y}, ops.Over(1))
	edges := []*nd.Array{nd.FromSlice([]float64{0, 1, 3}), nd.FromSlice([]float64{0, 10})}
	counts, _ = ops.HistogramDD(points, ops.HistogramDDOptions{Edges: edges, Density: true})
	opstest.Repr(t, counts, "array([[0.025 ], [0.0375]])")
	counts, _ = ops.HistogramDD(points, ops.HistogramDDOptions{Edges: edges, Weights: x})
	opstest.Repr(t, counts, "array([[0.], [4.]])")
	opstest.Refuses(t, "entries of Edges", func() { ops.HistogramDD(points, ops.HistogramDDOptions{Edges: edges[:1]}) })
	opstest.Refuses(t, "row for each point", func() { ops.HistogramDD(x) })
	opstest.Refuses(t, "two vectors", func() { ops.Histogram2D(x, points) })
}

func TestDigitize(t *testing.T) {
	x := nd.FromSlice([]float64{-1, 0, 0.5, 1, 2, nan})
	up := nd.FromSlice([]float64{0, 1, 2})
	opstest.Repr(t, ops.Digitize(x, up), "array([0, 1, 1, 2, 3, 3])")
	opstest.Repr(t, ops.Digitize(x, up, ops.DigitizeOptions{Right: true}), "array([0, 0, 1, 1, 2, 3])")
	opstest.Repr(t, ops.Digitize(x, up.Flip(0)), "array([3, 2, 2, 1, 0, 0])")
	opstest.Repr(t, ops.Digitize(x, up.Flip(0), ops.DigitizeOptions{Right: true}), "array([3, 3, 2, 2, 1, 0])")
	opstest.Refuses(t, "increase or decrease", func() { ops.Digitize(x, nd.FromSlice([]int{0, 2, 1})) })
}

func TestBits(t *testing.T) {
	x := nd.FromSlice([]bool{true, false, false, false, false, false, true, true, true})
	opstest.Repr(t, ops.PackBits(x), "array([131, 128], dtype=uint8)")
	opstest.Repr(t, ops.PackBits(x, ops.BitsOptions{BitOrder: "little"}), "array([193, 1], dtype=uint8)")
	opstest.Repr(t, ops.PackBits(nd.FromSlice([]int{0, 7}, 1, 2), ops.Over(0)), "array([[ 0, 128]], dtype=uint8)")
	bytes := ops.PackBits(x)
	opstest.Repr(t, ops.UnpackBits(bytes, ops.UnpackOptions{Count: new(9)}), "array([1, 0, 0, 0, 0, 0, 1, 1, 1], dtype=uint8)")
	opstest.Repr(t, ops.UnpackBits(bytes.Index(nd.Until(1)), ops.UnpackOptions{Count: new(-5), BitOrder: "little"}), "array([1, 1, 0], dtype=uint8)")
	opstest.Repr(t, ops.UnpackBits(bytes.Index(nd.Until(1)), ops.UnpackOptions{Count: new(10)}), "array([1, 0, 0, 0, 0, 0, 1, 1, 0, 0], dtype=uint8)")
	opstest.Refuses(t, "bools or integers", func() { ops.PackBits(nd.Zeros([]int{8})) })
	opstest.Refuses(t, "uint8", func() { ops.UnpackBits(x) })
	opstest.Refuses(t, "big or little", func() { ops.PackBits(x, ops.BitsOptions{BitOrder: "middle"}) })
	opstest.Refuses(t, "leaves more bits", func() { ops.UnpackBits(bytes, ops.UnpackOptions{Count: new(-17)}) })
}
