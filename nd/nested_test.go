package nd_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/x448/float16"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestToNested(t *testing.T) {
	x := nd.ArangeInt(0, 12, 1, dtype.Int32).Reshape(2, 3, 2).Transpose(1, 0, 2)
	text := "[[[0 1] [6 7]] [[2 3] [8 9]] [[4 5] [10 11]]]"
	type grid [][][]int
	for _, got := range []any{nd.ToNested[[][][]int](x), nd.ToNested[[][][]float64](x), nd.ToNested[[][][]int32](x), nd.ToNested[grid](x), nd.ToNested[any](x)} {
		if fmt.Sprint(got) != text {
			t.Errorf("%T: got %v, want %s", got, got, text)
		}
	}
	rows := nd.ToNested[[][][]int](x)
	rows[0][0] = append(rows[0][0], -1)
	if rows[0][1][0] != 6 {
		t.Error("append to a row overwrites the next one")
	}
	for _, c := range []struct{ got, want any }{
		{nd.ToNested[float64](nd.Full(nil, 2.5)), 2.5},
		{nd.ToNested[any](nd.Full(nil, true)), true},
		{nd.ToNested[int](nd.Scalar(3)), 3},
		{nd.ToNested[any](nd.Scalar(3)), int64(3)},
		{nd.ToNested[any](nd.FromSlice([]int8{1, -2}, 2, 1)), []any{[]any{int8(1)}, []any{int8(-2)}}},
		{nd.ToNested[any](nd.Ones([]int{1}, dtype.BFloat16)), []any{float32(1)}},
		{nd.ToNested[[]float32](nd.Ones([]int{1}, dtype.Float16)), []float32{1}},
		{nd.ToNested[[]float16.Float16](nd.Ones([]int{1}, dtype.Float16)), []float16.Float16{float16.Fromfloat32(1)}},
		{nd.ToNested[[]complex128](nd.FromSlice([]complex64{1i})), []complex128{1i}},
		{nd.ToNested[[]uint64](nd.FromSlice([]uint64{1<<64 - 1})), []uint64{1<<64 - 1}},
		{nd.ToNested[[][]int](nd.Zeros([]int{2, 0}, dtype.Int8)), [][]int{{}, {}}},
		{nd.ToNested[[][]int](nd.Zeros([]int{0, 2}, dtype.Int8)), [][]int{}},
		{nd.ToNested[any](nd.Zeros([]int{2, 0, 3})), []any{[]any{}, []any{}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("got %#v, want %#v", c.got, c.want)
		}
	}
	refused(t, func() { nd.ToNested[[][]int](x) }, "nd.ToNested: the type [][]int has too few levels: want one for every axis", "int32(3, 2, 2)")
	refused(t, func() { nd.ToNested[[][][][]int](x) }, "the type [][][][]int has []int for the elements")
	refused(t, func() { nd.ToNested[[][][]string](x) }, "the type [][][]string has string for the elements")
	refused(t, func() { nd.ToNested[[][][]int16](x) }, "cannot hold all values of int32")
	refused(t, func() { nd.ToNested[fmt.Stringer](x) }, "the type fmt.Stringer has too few levels")
	refused(t, func() { nd.ToNested[any](nil) }, "nd.ToNested")
}
