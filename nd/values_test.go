package nd_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestToSliceConverts(t *testing.T) {
	x := nd.FromSlice([]int32{1, -2, 3, 4}, 2, 2).T()
	if got := nd.ToSlice[int](x); !slices.Equal(got, []int{1, 3, -2, 4}) {
		t.Errorf("int32 as int: %v", got)
	}
	if got := nd.ToSlice[float64](x); !slices.Equal(got, []float64{1, 3, -2, 4}) {
		t.Errorf("int32 as float64: %v", got)
	}
	if got := nd.ToSlice[int](nd.FromSlice([]int64{math.MinInt64, math.MaxInt64})); !slices.Equal(got, []int{math.MinInt64, math.MaxInt64}) {
		t.Errorf("int64 as int: %v", got)
	}
	if got := nd.ToSlice[int](nd.FromSlice([]bool{true, false})); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("bool as int: %v", got)
	}
	half := nd.FromSlice([]float64{0.1}).AsType(dtype.Float16)
	if got := nd.ToSlice[float32](half); got[0] != 0.099975586 {
		t.Errorf("float16 as float32: %v", got)
	}
	if got := nd.ToSlice[complex128](nd.Scalar(2)); got[0] != 2 {
		t.Errorf("Scalar(2) as complex128: %v", got)
	}
	if got := nd.ToSlice[int](nd.Zeros([]int{0, 2}, dtype.Uint8)); got == nil || len(got) != 0 {
		t.Errorf("no elements: %#v", got)
	}
	room := make([]int, 4)
	if nd.CopyTo(room, x); !slices.Equal(room, []int{1, 3, -2, 4}) {
		t.Errorf("CopyTo gives %v", room)
	}
	refused(t, func() { nd.ToSlice[int](nd.Zeros([]int{2})) }, "nd.ToSlice", "int64", "float64", "AsType")
	refused(t, func() { nd.ToSlice[int](nd.FromSlice([]uint64{1})) }, "nd.ToSlice", "uint64")
	refused(t, func() { nd.ToSlice[float32](nd.Zeros([]int{2})) }, "nd.ToSlice", "float32")
	refused(t, func() { nd.ToSlice[int](nil) }, "nd.ToSlice", "nil")
	refused(t, func() { nd.CopyTo(make([]int, 3), x) }, "nd.CopyTo", "3 elements")
}

func TestRows(t *testing.T) {
	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}})
	if got := x.String(); got != "[[1. 2. 3.]\n [4. 5. 6.]]" {
		t.Errorf("FromRows gives %s", got)
	}
	rows := nd.ToRows[float64](x.T())
	if len(rows) != 3 || !slices.Equal(rows[2], []float64{3, 6}) {
		t.Errorf("ToRows gives %v", rows)
	}
	rows[0] = append(rows[0], 9) // must not reach into the next row
	if !slices.Equal(rows[1], []float64{2, 5}) {
		t.Errorf("rows share memory: %v", rows)
	}
	if ints := nd.FromRows([][]int{{1}, {2}}); ints.DType() != dtype.Int64 || nd.ToRows[int](ints)[1][0] != 2 {
		t.Errorf("ints: %v", ints)
	}
	for want, rows := range map[int][][]float32{0: nil, 2: {{}, {}}} {
		if x := nd.FromRows(rows); x.Dim(0) != want || x.Dim(1) != 0 || len(nd.ToRows[float32](x)) != want {
			t.Errorf("%v: shape %v", rows, x.Shape())
		}
	}
	refused(t, func() { nd.FromRows([][]int{{1, 2}, {3}}) }, "nd.FromRows", "row 1 has 1", "row 0 has 2")
	refused(t, func() { nd.ToRows[int](nd.Zeros([]int{2})) }, "nd.ToRows", "matrix")
	refused(t, func() { nd.ToRows[int](x) }, "nd.ToRows", "AsType")
}

func TestFloat(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3})
	if v := x.Float(-1); v != 3 {
		t.Errorf("the last of %v is %v", x, v)
	}
	if v := nd.Full([]int{1, 1}, true).Float(); v != 1 {
		t.Errorf("true is %v", v)
	}
	if v := nd.Scalar(0.25).Float(); v != 0.25 {
		t.Errorf("Scalar(0.25) is %v", v)
	}
	refused(t, func() { x.Float() }, "Array.Float", "one element")
	refused(t, func() { x.Float(3) }, "Array.Float", "outside")
	refused(t, func() { (*nd.Array)(nil).Float() }, "Array.Float", "nil")
}

func TestOneLengthIsComputed(t *testing.T) {
	data := []float64{1, 2, 3, 4, 5, 6}
	for what, x := range map[string]*nd.Array{
		"FromSlice":   nd.FromSlice(data, -1, 3),
		"FromSliceOn": nd.FromSliceOn(nd.Zeros(nil).Device(), data, 2, -1),
		"Wrap":        nd.Wrap(data, -1, 3),
	} {
		if !slices.Equal(x.Shape(), []int{2, 3}) {
			t.Errorf("%s: shape %v", what, x.Shape())
		}
	}
	if x := nd.FromSlice([]int{}, 0+2, -1); !slices.Equal(x.Shape(), []int{2, 0}) {
		t.Errorf("no elements: shape %v", x.Shape())
	}
	refused(t, func() { nd.FromSlice(data, -1, 4) }, "nd.FromSlice", "6 elements", "(-1,4)")
	refused(t, func() { nd.FromSlice(data, -1, -1) }, "nd.FromSlice", "only one")
	refused(t, func() { nd.Wrap(data, -2, 3) }, "nd.Wrap", "negative")
	refused(t, func() { nd.Wrap([]int8{}, -1, 0) }, "nd.Wrap", "0 elements")
}

// A slice of int is an int64 array, as with FromSlice, and is the array's memory.
func TestWrapInts(t *testing.T) {
	if bits.UintSize < 64 {
		refused(t, func() { nd.Wrap([]int{1}) }, "nd.Wrap", "32 bits")
		return
	}
	data := []int{1, -2, 1 << 40, 4, 5, 6}
	x := nd.Wrap(data, 2, -1)
	if want := nd.FromSlice(data, 2, 3); x.GoString() != want.GoString() {
		t.Errorf("%#v, want %#v", x, want)
	}
	data[1] = 7
	x.Assign(nd.Scalar(-9), nd.At(1), nd.At(2))
	if x.Float(0, 1) != 7 || data[5] != -9 {
		t.Errorf("the array %v and the slice %v differ", x, data)
	}
	if none := nd.Wrap([]int(nil)); none.Size() != 0 || none.DType() != dtype.Int64 {
		t.Errorf("of nil: %#v", none)
	}
	if columns := nd.WrapStrided(data, []int{3, 2}, []int{1, 3}); columns.Float(2, 1) != -9 {
		t.Errorf("with strides: %v", columns)
	}
}

func TestWrapStrided(t *testing.T) {
	data := []float32{0, 1, 2, 3, 4, 5, 6}
	x := nd.WrapStrided(data, []int{2, 3}, []int{4, 1})
	if got := x.String(); got != "[[0. 1. 2.]\n [4. 5. 6.]]" {
		t.Errorf("got %s", got)
	}
	x.Assign(nd.Scalar(9), nd.At(1))
	if !slices.Equal(data, []float32{0, 1, 2, 3, 9, 9, 9}) {
		t.Errorf("written: %v", data)
	}
	if y := x.Index(nd.All(), nd.At(0)); !slices.Equal(nd.ToSlice[float32](y), []float32{0, 9}) {
		t.Errorf("a column: %v", y)
	}
	if turned := nd.WrapStrided(data, []int{3, 2}, []int{1, 4}); turned.String() != x.T().String() {
		t.Errorf("turned: %v", turned)
	}
	if one := nd.WrapStrided(data, []int{1, 1}, []int{1 << 62, 1 << 62}); one.Float() != 0 {
		t.Errorf("one element: %v", one)
	}
	if none := nd.WrapStrided([]int8{}, []int{0, 2}, []int{2, 1}); none.Size() != 0 {
		t.Errorf("no elements: %v", none)
	}
	for _, c := range []struct {
		shape, strides []int
		want           string
	}{
		{[]int{2, 4}, []int{4, 1}, "beyond 7 elements"},
		{[]int{3, 3}, []int{math.MaxInt / 2, 1}, "beyond"},
		{[]int{2, 3}, []int{2, 1}, "one offset"},
		{[]int{2, 3}, []int{0, 1}, "one offset"},
		{[]int{2, 3}, []int{-3, 1}, "none negative"},
		{[]int{2, 3}, []int{1}, "one per axis"},
		{[]int{-1, 3}, []int{3, 1}, "negative"},
	} {
		refused(t, func() { nd.WrapStrided(data, c.shape, c.strides) }, "nd.WrapStrided", c.want)
	}
	refused(t, func() { nd.WrapStrided(data[:0], nil, nil) }, "beyond 0 elements")
}
