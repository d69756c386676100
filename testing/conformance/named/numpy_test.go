package named_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

func integers(values ...int64) *nd.Array { return nd.FromSlice(values) }

// TestNumPyValues checks functions of NumPy that no document has. Most examples are those of NumPy's own documentation.
func TestNumPyValues(t *testing.T) {
	choices := []*nd.Array{integers(0, 1, 2, 3), integers(10, 11, 12, 13), integers(20, 21, 22, 23), integers(30, 31, 32, 33)}
	xp, fp := vector(1, 2, 3), vector(3, 2, 0)
	differences := integers(1, 2, 4, 7, 0)
	for i, c := range []struct {
		name string
		args []any
		want *nd.Array
	}{
		{"numpy.choose", []any{integers(2, 3, 1, 0), choices}, integers(20, 31, 12, 3)},
		{"numpy.choose", []any{integers(2, 4, 1, 0), choices, "clip"}, integers(20, 31, 12, 3)},
		{"numpy.choose", []any{integers(2, 4, 1, 0), choices, "wrap"}, integers(20, 1, 12, 3)},
		{"numpy.correlate", []any{vector(1, 2, 3), vector(0, 1, 0.5)}, vector(3.5)},
		{"numpy.correlate", []any{vector(1, 2, 3), vector(0, 1, 0.5), "same"}, vector(2, 3.5, 3)},
		{"numpy.correlate", []any{vector(1, 2, 3), vector(0, 1, 0.5), "full"}, vector(0.5, 2, 3.5, 3, 0)},
		{"numpy.ediff1d", []any{differences}, integers(1, 2, 3, -7)},
		{"numpy.ediff1d", []any{differences, integers(88, 99), integers(-99)}, integers(-99, 1, 2, 3, -7, 88, 99)},
		{"numpy.extract", []any{nd.FromSlice([]bool{true, false, false, true}, 2, 2), integers(4, 5, 6, 7).Reshape(2, 2)}, integers(4, 7)},
		{"numpy.interp", []any{vector(0, 1, 1.5, 2.75, 3.25), xp, fp}, vector(3, 3, 2.5, 0.5, 0)},
		{"numpy.interp", []any{vector(0, 4), xp, fp, -99, 99}, vector(-99, 99)},
		{"numpy.interp", []any{vector(-180, -170, -185, 185, -10, -5, 0, 365), vector(190, -190, 350, -350), vector(5, 10, 3, 4), with{"period": 360}},
			vector(7.5, 5, 8.75, 6.25, 3, 3.25, 3.5, 3.75)},
		{"numpy.intersect1d", []any{integers(1, 3, 4, 3), integers(3, 1, 2, 1)}, integers(1, 3)},
		{"numpy.isin", []any{integers(0, 2, 4, 6).Reshape(2, 2), integers(1, 2, 4, 8)}, nd.FromSlice([]bool{false, true, true, false}, 2, 2)},
		{"numpy.isin", []any{integers(0, 2), integers(1, 2), with{"invert": true}}, nd.FromSlice([]bool{true, false})},
		{"numpy.setdiff1d", []any{integers(1, 2, 3, 2, 4, 1), integers(3, 4, 5, 6)}, integers(1, 2)},
		{"numpy.setxor1d", []any{integers(1, 2, 3, 2, 4), integers(2, 3, 5, 7, 5)}, integers(1, 4, 5, 7)},
		{"numpy.union1d", []any{integers(-1, 0, 1), integers(-2, 0, 2)}, integers(-2, -1, 0, 1, 2)},
	} {
		equal(t, fmt.Sprintf("call %d, of %s", i, c.name), one[*nd.Array](t, c.name, c.args...), c.want)
	}
	refused(t, "4", "numpy.choose", integers(2, 4, 1, 0), choices)
	for i, x := range call(t, "numpy.diag_indices", 3, 4).Values {
		equal(t, fmt.Sprintf("diag_indices: array %d", i), x, integers(0, 1, 2))
	}
}

// TestNumPyGrids checks the functions that make indices and coordinates of grids.
func TestNumPyGrids(t *testing.T) {
	rows, columns := integers(0, 0, 0, 1, 1, 1).Reshape(2, 3), integers(0, 1, 2, 0, 1, 2).Reshape(2, 3)
	for i, x := range call(t, "numpy.indices", []any{2, 3}).Values {
		equal(t, fmt.Sprintf("indices: array %d", i), x, []*nd.Array{rows, columns}[i])
	}
	ranges := []any{catalogue.Slice{Start: 0, Stop: 2}, catalogue.Slice{Start: 0, Stop: 3}}
	equal(t, "mgrid", one[*nd.Array](t, "numpy.mgrid", ranges), ops.Stack([]*nd.Array{rows, columns}))
	equal(t, "mgrid of one range", one[*nd.Array](t, "numpy.mgrid", catalogue.Slice{Start: 0, Stop: 3}), integers(0, 1, 2))
	for i, x := range call(t, "numpy.ogrid", ranges).Values {
		equal(t, fmt.Sprintf("ogrid: array %d", i), x, []*nd.Array{integers(0, 1).Reshape(2, 1), integers(0, 1, 2).Reshape(1, 3)}[i])
	}
}

// TestReducedView checks arrays that are not contiguous: CuPy merges the axes that it can.
func TestReducedView(t *testing.T) {
	x := integers(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).Reshape(2, 3, 2)
	y := one[*nd.Array](t, "cupy.ndarray.reduced_view", x.Index(nd.All(), nd.Until(2)))
	equal(t, "reduced_view", y, integers(0, 1, 2, 3, 6, 7, 8, 9).Reshape(2, 4))
	if !y.SharesMemory(x) {
		t.Error("reduced_view copies")
	}
	equal(t, "reduced_view with a dtype", one[*nd.Array](t, "cupy.ndarray.reduced_view", nd.FromSlice([]int32{1, 2, 3, 4}, 2, 2), "uint32"),
		nd.FromSlice([]uint32{1, 2, 3, 4}))
}

func TestNumPyEquality(t *testing.T) {
	nan, row, rows := vector(1, math.NaN()), vector(1, 2), vector(1, 2, 1, 2).Reshape(2, 2)
	for _, c := range []struct {
		name string
		args []any
		want bool
	}{
		{"numpy.array_equal", []any{row, integers(1, 2)}, true},
		{"numpy.array_equal", []any{row, vector(1, 3)}, false},
		{"numpy.array_equal", []any{row, rows}, false},
		{"numpy.array_equal", []any{nan, nan}, false},
		{"numpy.array_equal", []any{nan, nan, true}, true},
		{"numpy.array_equiv", []any{row, rows}, true},
		{"numpy.array_equiv", []any{row, vector(1, 2, 3)}, false},
		{"numpy.array_equiv", []any{vector(1, 3), rows}, false},
	} {
		equal(t, fmt.Sprintf("%s%v", c.name, c.args), one[bool](t, c.name, c.args...), c.want)
	}
}

// TestNumPyTransforms checks transforms that are known by hand, and that the inverses lead back.
func TestNumPyTransforms(t *testing.T) {
	complexes := func(values ...complex128) *nd.Array { return nd.FromSlice(values) }
	x, y := vector(1, 2, 3, 4).Reshape(2, 2), complexes(10, -2, -4, 0).Reshape(2, 2)
	for _, c := range []struct {
		name       string
		args       []any
		real, imag []float64
	}{
		{"numpy.fft.fftn", []any{x}, []float64{10, -2, -4, 0}, []float64{0, 0, 0, 0}},
		{"numpy.fft.fftn", []any{vector(0, 1, 0, 0), with{"axes": []int{0}}}, []float64{1, 0, -1, 0}, []float64{0, -1, 0, 1}},
		{"numpy.fft.fftn", []any{x, with{"norm": "forward"}}, []float64{2.5, -0.5, -1, 0}, []float64{0, 0, 0, 0}},
		{"numpy.fft.ifftn", []any{y}, []float64{1, 2, 3, 4}, []float64{0, 0, 0, 0}},
		{"numpy.fft.ifftn", []any{y, with{"s": []int{1, 2}, "axes": []int{0, 1}}}, []float64{4, 6}, []float64{0, 0}},
		{"numpy.fft.rfftn", []any{x}, []float64{10, -2, -4, 0}, []float64{0, 0, 0, 0}},
		{"numpy.fft.rfftn", []any{vector(0, 1, 0, 0)}, []float64{1, 0, -1}, []float64{0, -1, 0}},
		{"numpy.fft.irfft2", []any{y, []int{2, 2}}, []float64{1, 2, 3, 4}, nil},
		{"numpy.fft.irfftn", []any{y, []int{2, 2}}, []float64{1, 2, 3, 4}, nil},
		{"numpy.fft.irfftn", []any{complexes(1, -1i, -1), []int{4}, []int{0}}, []float64{0, 1, 0, 0}, nil},
		{"numpy.fft.hfft", []any{complexes(1, 2, 3)}, []float64{8, -2, 0, -2}, nil},
		{"numpy.fft.hfft", []any{complexes(0, 1i), 3}, []float64{0, math.Sqrt(3), -math.Sqrt(3)}, nil},
		{"numpy.fft.ihfft", []any{vector(8, -2, 0, -2)}, []float64{1, 2, 3}, []float64{0, 0, 0}},
	} {
		got := one[*nd.Array](t, c.name, c.args...)
		what := fmt.Sprintf("%s%v", c.name, c.args)
		if c.imag != nil {
			near(t, "the imaginary part of "+what, ops.Imag(got), c.imag...)
			got = ops.Real(got)
		}
		near(t, what, got, c.real...)
	}
}
