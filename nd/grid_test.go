package nd_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func TestGeomspace(t *testing.T) {
	no := false
	for _, test := range []struct {
		got  *nd.Array
		want []float64
	}{
		{nd.Geomspace(1, 1000, 4), []float64{1, 10, 100, 1000}},
		{nd.Geomspace(-1000, -10, 3), []float64{-1000, -100, -10}},
		{nd.Geomspace(3, 7, 2), []float64{3, 7}},
		{nd.Geomspace(3, 7, 1), []float64{3}},
		{nd.Geomspace(3, 7, 0), []float64{}},
		{nd.Geomspace(1, 256, 4, nd.SpaceOptions{Endpoint: &no}), []float64{1, 4, 16, 64}},
		{nd.Geomspace(-1, -8, 3, dtype.Int32), []float64{-1, -2, -8}},
	} {
		got := nd.ToSlice[float64](test.got.AsType(dtype.Float64))
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return a/b-1 < 1e-14 && b/a-1 < 1e-14 }) {
			t.Errorf("got %v, want %v", got, test.want)
		}
	}
	refused(t, func() { nd.Geomspace(-1, 1, 3) }, "nd.Geomspace: from -1 to 1: want two numbers of one sign")
	refused(t, func() { nd.Geomspace(0, 1, 3) }, "want two numbers of one sign")
	refused(t, func() { nd.Geomspace(1, 2, -3) }, "-3 numbers")
}

// TestIntegerSpacesWantFiniteEnds: an infinite end leaves infinities and NaN between the ends, which would become
// arbitrary integers.
// A distance that leaves the range does not matter: all numbers are in it.
func TestLinspaceOfFarEnds(t *testing.T) {
	const far = 0x1.8p1023
	want := []float64{-far, -far / 2, 0, far / 2, far}
	if got := nd.ToSlice[float64](nd.Linspace(-far, far, 5)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	got := nd.ToSlice[float64](nd.Linspace(far, -far, 4, nd.SpaceOptions{Endpoint: new(false)}))
	if want := []float64{far, far / 2, 0, -far / 2}; !slices.Equal(got, want) {
		t.Errorf("without the end %v, want %v", got, want)
	}
	if step := nd.SpaceStep(-far, far, 5); step != far/2 {
		t.Errorf("the step is %v, want %v", step, far/2)
	}
}

func TestIntegerSpacesWantFiniteEnds(t *testing.T) {
	for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		for _, dt := range []dtype.DType{dtype.Int8, dtype.Int64, dtype.Uint64} {
			const want = "an end is infinite or NaN: want finite ends for"
			refused(t, func() { nd.Linspace(0, bad, 3, dt) }, want)
			refused(t, func() { nd.Linspace(bad, 0, 1, dt) }, want)
			refused(t, func() { nd.Logspace(0, bad, 3, 10, dt) }, want)
			refused(t, func() {
				ops.Linspace(nd.FromSlice([]float32{0, 1}), nd.FromSlice([]float64{1, bad}), 3, ops.SpaceOptions{DType: dt})
			}, want)
			refused(t, func() { ops.Linspace(nd.Scalar(bad), nd.Scalar(1), 3, ops.SpaceOptions{DType: dt}) }, want)
			refused(t, func() { ops.Logspace(nd.Zeros(nil), nd.Scalar(bad), 3, nd.Scalar(10), ops.SpaceOptions{DType: dt}) }, want)
			refused(t, func() { ops.Geomspace(nd.Ones(nil), nd.Full(nil, bad), 3, ops.SpaceOptions{DType: dt}) }, want)
		}
		if x := nd.Linspace(0, bad, 3); x.Size() != 3 {
			t.Errorf("floats from 0 to %v: %v", bad, x)
		}
	}
	refused(t, func() { nd.Geomspace(1, math.Inf(1), 3, dtype.Int64) }, "an end is infinite or NaN")
	if x := nd.ToSlice[int8](nd.Linspace(-1e3, 1e3, 3, dtype.Int8)); !slices.Equal(x, []int8{-128, 0, 127}) {
		t.Errorf("int8 from -1000 to 1000: %v", x)
	}
	if x := ops.Linspace(nd.Scalar(-1e3), nd.Zeros(nil), 2, ops.SpaceOptions{DType: dtype.Int8}); !slices.Equal(nd.ToSlice[int8](x), []int8{-128, 0}) {
		t.Errorf("int8 from -1000 to 0: %v", x)
	}
}

func TestFromFunction(t *testing.T) {
	x := nd.FromFunction([]int{2, 3}, func(at []*nd.Array) *nd.Array { return at[1] })
	if got := nd.ToSlice[float64](x); !slices.Equal(got, []float64{0, 1, 2, 0, 1, 2}) {
		t.Errorf("got %v", got)
	}
	refused(t, func() { nd.FromFunction([]int{-1}, nil) }, "nd.FromFunction: shape (-1,) has a negative length")
}

func TestIx(t *testing.T) {
	x := nd.ArangeInt(0, 12, 1).Reshape(3, 4)
	rows, columns := nd.FromSlice([]int{2, 0}), nd.FromSlice([]bool{false, true, false, true})
	at := nd.Ix(rows, columns)
	if got := nd.ToNested[[][]int](at[0]); !slices.EqualFunc(got, [][]int{{2}, {0}}, slices.Equal) || !at[0].SharesMemory(rows) {
		t.Errorf("array 0: %v", got)
	}
	if got := nd.ToNested[[][]int](at[1]); !slices.EqualFunc(got, [][]int{{1, 3}}, slices.Equal) {
		t.Errorf("array 1: %v", got)
	}
	if got := nd.ToSlice[int](x.Index(nd.Pick(at[0]), nd.Pick(at[1]))); !slices.Equal(got, []int{9, 11, 1, 3}) {
		t.Errorf("the grid: %v", got)
	}
	if got := nd.Ix(nd.Zeros([]int{0}, dtype.Int64), nd.Zeros([]int{2}, dtype.Bool)); !slices.Equal(got[0].Shape(), []int{0, 1}) || !slices.Equal(got[1].Shape(), []int{1, 0}) {
		t.Errorf("empty vectors: %v and %v", got[0].Shape(), got[1].Shape())
	}
	if got := nd.Ix(); len(got) != 0 {
		t.Errorf("no vectors: %v", got)
	}
	refused(t, func() { nd.Ix(rows, x) }, "nd.Ix: array 1 has 2 axes: want one")
	refused(t, func() { nd.Ix(nd.Full(nil, 1)) }, "nd.Ix: array 0 has 0 axes: want one")
}

func TestIndicesSparse(t *testing.T) {
	at := nd.Indices([]int{2, 3}, nd.IndicesOptions{Sparse: true, DType: dtype.Int32})
	wantRepr(t, at[0], "array([[0], [1]], dtype=int32)")
	wantRepr(t, at[1], "array([[0, 1, 2]], dtype=int32)")
	if x := nd.Indices([]int{2, 3}, dtype.Uint8)[0]; x.DType() != dtype.Uint8 || x.Size() != 6 {
		t.Errorf("a dtype alone gives %s of shape %v", x.DType(), x.Shape())
	}
	refused(t, func() { nd.Indices([]int{2, -3}, nd.IndicesOptions{Sparse: true}) }, "nd.Indices")
}
