package text_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

func TestRepr(t *testing.T) {
	ten := text.Options{LineWidth: new(10)}
	for _, c := range []struct {
		d     dtype.DType
		shape []int
		o     text.Options
		want  string
	}{
		{dtype.Int64, []int{3}, text.Options{}, "array([0, 1, 2])"},
		{dtype.Int32, []int{3}, text.Options{}, "array([0, 1, 2], dtype=int32)"},
		{dtype.Float64, []int{3}, text.Options{}, "array([0., 1., 2.])"},
		{dtype.Float32, nil, text.Options{}, "array(0., dtype=float32)"},
		{dtype.Int64, nil, text.Options{}, "array(0)"},
		{dtype.BFloat16, []int{2}, text.Options{}, "array([0., 1.], dtype=bfloat16)"},
		{dtype.Complex128, []int{2}, text.Options{}, "array([0.+0.j, 1.+0.j])"},
		{dtype.Complex64, []int{1}, ten, "array([0.+0.j],\n      dtype=complex64)"},
		{dtype.Int64, []int{2, 2, 2}, text.Options{}, "array([[[0, 1],\n        [2, 3]],\n\n       [[4, 5],\n        [6, 7]]])"},
		{dtype.Float32, []int{3, 4}, text.Options{}, "array([[ 0.,  1.,  2.,  3.],\n       [ 4.,  5.,  6.,  7.],\n" +
			"       [ 8.,  9., 10., 11.]], dtype=float32)"},
		{dtype.Float32, []int{22}, text.Options{}, "array([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12.,\n" +
			"       13., 14., 15., 16., 17., 18., 19., 20., 21.], dtype=float32)"},

		// Empty: the type is always written, the shape unless it is (0,).
		{dtype.Float64, []int{0}, text.Options{}, "array([], dtype=float64)"},
		{dtype.Float32, []int{0, 3}, text.Options{}, "array([], shape=(0, 3), dtype=float32)"},
		{dtype.Bool, []int{40, 0, 2}, text.Options{}, "array([], shape=(40, 0, 2), dtype=bool)"},

		// Summarised: the shape is written.
		{dtype.Int64, []int{1001}, text.Options{}, "array([   0,    1,    2, ...,  998,  999, 1000], shape=(1001,))"},
		{dtype.Float32, []int{1001}, text.Options{}, "array([   0.,    1.,    2., ...,  998.,  999., 1000.],\n" +
			"      shape=(1001,), dtype=float32)"},
		{dtype.Int64, []int{6}, summary(5, 3), "array([0, 1, 2, 3, 4, 5], shape=(6,))"},
	} {
		if got := c.o.Repr(c.d, c.shape, counting(c.d, c.o.Layout(c.shape))); got != c.want {
			t.Errorf("%v %v:\ngot  %q\nwant %q", c.d, c.shape, got, c.want)
		}
	}
}

// counting returns the shown values of an array that holds 0, 1, 2, …
func counting(d dtype.DType, layout text.Layout) text.Values {
	switch {
	case d.IsComplex():
		return text.Values{Complexes: shown(layout, func(i int) complex128 { return complex(float64(i), 0) })}
	case d.IsFloat():
		return text.Values{Floats: shown(layout, func(i int) float64 { return float64(i) })}
	}
	return text.Values{Ints: shown(layout, func(i int) int64 { return int64(i) })}
}

func TestReprHasItsOwnSeparator(t *testing.T) {
	o := text.Options{Separator: new(";"), Prefix: "prefix", Suffix: "suffix"}
	if got, want := o.Repr(dtype.Int64, []int{2}, ints(1, 2)), "array([1, 2])"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
