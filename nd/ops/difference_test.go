package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestDifferences(t *testing.T) {
	x := nd.FromSlice([]int{1, 4, 9, 16}, 2, 2)
	opstest.Repr(t, ops.Diff(x), "array([[3], [7]])")
	opstest.Repr(t, ops.Diff(x, ops.Over(0)), "array([[ 8, 12]])")
	opstest.Repr(t, ops.Diff(x.Ravel(), ops.DiffOptions{N: new(2)}), "array([2, 2])")
	opstest.Repr(t, ops.Diff(x.Ravel(), ops.DiffOptions{N: new(9)}), "array([], dtype=int64)")
	opstest.Repr(t, ops.Diff(x.Ravel(), ops.DiffOptions{Prepend: nd.Scalar(0), Append: nd.FromSlice([]int{25})}), "array([1, 3, 5, 7, 9])")
	opstest.Repr(t, ops.Diff(nd.FromSlice([]uint8{1, 0})), "array([255], dtype=uint8)")
	opstest.Repr(t, ops.Diff(nd.FromSlice([]bool{true, false, false})), "array([ True, False])")
	opstest.Refuses(t, "N = -1", func() { ops.Diff(x, ops.DiffOptions{N: new(-1)}) })
	opstest.Refuses(t, "out of bounds for uint8", func() {
		ops.Diff(nd.Zeros([]int{1}, dtype.Uint8), ops.DiffOptions{Prepend: nd.Scalar(300)})
	})
	opstest.Repr(t, ops.EDiff1D(x, ops.EDiff1DOptions{ToBegin: nd.Scalar(-1), ToEnd: nd.FromSlice([]int{7, 8})}), "array([-1, 3, 5, 7, 7, 8])")
	opstest.Repr(t, ops.EDiff1D(nd.Zeros([]int{0})), "array([], dtype=float64)")
	opstest.Refuses(t, "same_kind", func() { ops.EDiff1D(x, ops.EDiff1DOptions{ToEnd: nd.FromSlice([]float64{1})}) })
	opstest.Refuses(t, "same_kind", func() { ops.EDiff1D(x, ops.EDiff1DOptions{ToEnd: nd.Scalar(nan)}) })
	opstest.Refuses(t, "same_kind", func() { ops.AddAt(x, nd.Scalar(nan), nd.At(0)) })
	opstest.Refuses(t, "same_kind", func() { ops.EDiff1D(nd.Zeros([]int{3}), ops.EDiff1DOptions{ToBegin: nd.Scalar(1i)}) })
}

// Both are exact for a parabola: second-order differences, and slopes between the middles of its chords.
func TestGradientOfParabola(t *testing.T) {
	x := nd.FromSlice([]float64{0, 1, 3, 4, 6})
	y := ops.Square(x)
	d := ops.Gradient(y, ops.GradientOptions{Spacing: []*nd.Array{x}, EdgeOrder: 2})[0]
	opstest.Close(t, d, ops.Multiply(x, 2), 1e-14)
	opstest.Repr(t, ops.Gradient(y, ops.GradientOptions{Spacing: []*nd.Array{x}})[0], "array([ 1., 2., 6., 8., 10.])")
	opstest.Repr(t, ops.Gradient(y, ops.GradientOptions{Spacing: []*nd.Array{nd.Scalar(2)}})[0], "array([ 0.5 , 2.25, 3.75, 6.75, 10. ])")
	opstest.Repr(t, ops.Gradient(y, ops.GradientOptions{DX: new(2.0)})[0], "array([ 0.5 , 2.25, 3.75, 6.75, 10. ])")
	columns := ops.Gradient(nd.FromSlice([]float32{1, 2, 6, 3, 4, 5}, 2, 3), ops.GradientOptions{DX: new(0.5)})
	opstest.Repr(t, columns[0], "array([[ 4., 4., -2.], [ 4., 4., -2.]], dtype=float32)")
	opstest.Repr(t, columns[1], "array([[2., 5., 8.], [2., 2., 2.]], dtype=float32)")
	opstest.Refuses(t, "want DX or Spacing, not both", func() { ops.Gradient(y, ops.GradientOptions{DX: new(2.0), Spacing: []*nd.Array{x}}) })
	both := ops.Gradient(nd.FromSlice([]float32{1, 2, 6, 3, 4, 5}, 2, 3))
	opstest.Repr(t, both[0], "array([[ 2., 2., -1.], [ 2., 2., -1.]], dtype=float32)")
	opstest.Repr(t, both[1], "array([[1. , 2.5, 4. ], [1. , 1. , 1. ]], dtype=float32)")
	opstest.Refuses(t, "at least 3", func() { ops.Gradient(nd.Zeros([]int{2}), ops.GradientOptions{EdgeOrder: 2}) })
	opstest.Refuses(t, "1 or 2", func() { ops.Gradient(y, ops.GradientOptions{EdgeOrder: 3}) })
	opstest.Refuses(t, "coordinates", func() { ops.Gradient(y, ops.GradientOptions{Spacing: []*nd.Array{nd.Zeros([]int{2})}}) })
	opstest.Refuses(t, "spacings", func() { ops.Gradient(y, ops.GradientOptions{Spacing: []*nd.Array{x, x}}) })
}

func TestTrapezoid(t *testing.T) {
	y := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	opstest.Repr(t, ops.Trapezoid(y), "array([ 4., 10.])")
	opstest.Repr(t, ops.Trapezoid(y, ops.TrapezoidOptions{DX: new(2.0), Axis: ops.Over(0)}), "array([5., 7., 9.])")
	opstest.Repr(t, ops.Trapezoid(y, ops.TrapezoidOptions{X: nd.FromSlice([]int{0, 1, 4})}), "array([ 9., 21.])")
	opstest.Repr(t, ops.Trapezoid(y, ops.TrapezoidOptions{X: y, Axis: ops.Over(0)}), "array([ 7.5, 10.5, 13.5])")
	opstest.Repr(t, ops.Trapezoid(nd.Zeros([]int{2, 0})), "array([0., 0.])")
}

func TestInterp(t *testing.T) {
	xp, fp := nd.FromSlice([]float64{1, 2, 4}), nd.FromSlice([]float64{10, 20, 0})
	x := nd.FromSlice([]float64{0, 1, 1.5, 2, 3, 4, 5, nan})
	opstest.Repr(t, ops.Interp(x, xp, fp), "array([10., 10., 15., 20., 10., 0., 0., nan])")
	opstest.Repr(t, ops.Interp(x, xp, fp, ops.InterpOptions{Left: nd.Scalar(-1), Right: nd.Scalar(nan)}), "array([-1., 10., 15., 20., 10., 0., nan, nan])")
	opstest.Repr(t, ops.Interp(nd.Scalar(3), xp, fp), "array(10.)")
	opstest.Repr(t, ops.Interp(nd.FromSlice([]float64{0, 5}), xp.Flip(0), fp.Flip(0), ops.InterpOptions{Period: 4}), "array([ 0., 10.])")
	opstest.Repr(t, ops.Interp(x.Index(nd.Until(3)), xp.Index(nd.Until(1)), fp.Index(nd.Until(1))), "array([10., 10., 10.])")
	opstest.Repr(t, ops.Interp(nd.Scalar(1.5), xp, nd.FromSlice([]complex128{0, 2i, 0})), "array(0.+1.j)")
	opstest.Refuses(t, "equally many samples", func() { ops.Interp(x, xp, x) })
	opstest.Refuses(t, "one number", func() { ops.Interp(x, xp, fp, ops.InterpOptions{Left: xp}) })
	at := nd.FromSlice([]float64{0.5, 1.2, 2.7, 3.9, 6})
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.Interp(xs[0], xs[1], xs[2]) }, at, xp, fp)
}

func TestConvolution1D(t *testing.T) {
	a, v := nd.FromSlice([]int{1, 2, 3}), nd.FromSlice([]int{0, 1, 5, 2})
	opstest.Repr(t, conv.Convolve1D(a, v), "array([ 0, 1, 7, 15, 19, 6])")
	opstest.Repr(t, conv.Convolve1D(a, v, conv.ConvolveOptions{Mode: "same"}), "array([ 1, 7, 15, 19])")
	opstest.Repr(t, conv.Convolve1D(v, a, conv.ConvolveOptions{Mode: "valid"}), "array([ 7, 15])")
	opstest.Repr(t, conv.Correlate1D(v, a), "array([17, 17])")
	opstest.Repr(t, conv.Correlate1D(a, v, conv.ConvolveOptions{Mode: "full"}), "array([ 2, 9, 17, 17, 3, 0])")
	opstest.Repr(t, conv.Correlate1D(nd.FromSlice([]complex128{1, 2}), nd.FromSlice([]complex128{1i})), "array([0.-1.j, 0.-2.j])")
	infinite := opstest.Vector(1, inf) // elements beyond both vectors play no role
	opstest.Repr(t, conv.Convolve1D(opstest.Vector(1.0, 2, 3), infinite), "array([ 1., inf, inf, inf])")
	opstest.Repr(t, conv.Correlate1D(opstest.Vector(1.0, 2, 3), infinite, conv.ConvolveOptions{Mode: "full"}), "array([inf, inf, inf, 3.])")
	opstest.Refuses(t, "full, same or valid", func() { conv.Convolve1D(a, v, conv.ConvolveOptions{Mode: "half"}) })
	opstest.Refuses(t, "not empty", func() { conv.Convolve1D(a, nd.Zeros([]int{0})) })
	x, w := opstest.Normal(47, dtype.Complex128, 5), opstest.Normal(48, dtype.Complex128, 3)
	for _, mode := range []conv.ConvolveMode{"full", "same", "valid"} {
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			return conv.Convolve1D(xs[0], xs[1], conv.ConvolveOptions{Mode: mode})
		}, x, w)
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
			return conv.Correlate1D(xs[1], xs[0], conv.ConvolveOptions{Mode: mode})
		}, x, w)
	}
}

func TestDifferenceGradients(t *testing.T) {
	x := opstest.Normal(49, dtype.Float64, 4, 5)
	spacing := nd.FromSlice([]float64{0, 1, 3, 4, 6})
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"Diff": func(x *nd.Array) *nd.Array {
			return ops.Diff(x, ops.DiffOptions{N: new(2), Axis: ops.Over(0), Prepend: nd.Scalar(1)})
		},
		"Gradient": func(x *nd.Array) *nd.Array {
			return ops.Gradient(x, ops.GradientOptions{Axes: ops.Over(1), Spacing: []*nd.Array{spacing}, EdgeOrder: 2})[0]
		},
		"Trapezoid": func(x *nd.Array) *nd.Array { return ops.Trapezoid(x, ops.TrapezoidOptions{X: x}) },
		"Pad median": func(x *nd.Array) *nd.Array {
			return ops.Pad(x, [][2]int{{1, 0}, {2, 1}}, ops.PadOptions{Mode: "median"})
		},
	} {
		t.Run(name, func(t *testing.T) { gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return f(xs[0]) }, x) })
	}
}

// TestCumulativeTrapezoid checks that the last integral is that of Trapezoid, and that each is that of fewer samples.
func TestCumulativeTrapezoid(t *testing.T) {
	y, x := opstest.Normal(4, dtype.Float64, 3, 5), opstest.Vector(0, 1, 1.5, 4, 4.25)
	for name, o := range map[string]ops.TrapezoidOptions{"": {}, "DX": {DX: new(0.5)}, "X": {X: x}, "X of rows": {X: ops.Multiply(y, 2)}, "axis 0": {Axis: ops.Over(0)}} {
		along := ops.Over(-1)
		sums := ops.CumulativeTrapezoid(y, o)
		if name == "axis 0" {
			along = ops.Over(0)
			opstest.Close(t, sums.Index(nd.At(-1)), ops.Trapezoid(y, o), 1e-14)
		} else {
			opstest.Close(t, sums.Index(nd.All(), nd.At(-1)), ops.Trapezoid(y, o), 1e-14)
		}
		if sums.Dim(along[0]) != y.Dim(along[0])-1 {
			t.Errorf("%s: shape %v", name, sums.Shape())
		}
	}
	opstest.Repr(t, ops.CumulativeTrapezoid(nd.FromSlice([]int64{1, 3, 2})), "array([2. , 4.5])")
	opstest.Repr(t, ops.CumulativeTrapezoid(nd.Zeros([]int{2, 0})), "array([], shape=(2, 0), dtype=float64)")
	opstest.Repr(t, ops.CumulativeTrapezoid(nd.Zeros([]int{1})), "array([], dtype=float64)")
	opstest.Refuses(t, "ops.CumulativeTrapezoid", func() { ops.CumulativeTrapezoid(nd.Zeros(nil)) })
	opstest.Refuses(t, "ops.CumulativeTrapezoid", func() { ops.CumulativeTrapezoid(y, ops.Over(2)) })
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		return ops.CumulativeTrapezoid(xs[0], ops.TrapezoidOptions{X: xs[1]})
	}, y, x)
}
