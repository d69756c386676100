package runner

import (
	"math"
	"math/big"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

func TestMatchExpected(t *testing.T) {
	x := nd.Zeros([]int{2, 3}, dtype.Int16)
	integer := func(v int64) golden.Value { return big.NewInt(v) }
	for _, c := range []struct {
		name    string
		results []any
		want    golden.Value
		ok      bool
	}{
		{"text", []any{"abc"}, "abc", true},
		{"other text", []any{"abd"}, "abc", false},
		{"dtype as text", []any{dtype.Float32}, "float32", true},
		{"integer", []any{3}, integer(3), true},
		{"integer of another type", []any{uint8(3)}, integer(3), true},
		{"integer as text", []any{uint64(math.MaxUint64)}, "18446744073709551615", true},
		{"fraction for an integer", []any{3.5}, integer(3), false},
		{"whole float", []any{3.0}, integer(3), true},
		{"float", []any{0.5}, 0.5, true},
		{"nan", []any{math.NaN()}, math.NaN(), true},
		{"bool", []any{true}, true, true},
		{"number for a bool", []any{1}, true, false},
		{"list", []any{[]int{2, 3}}, golden.List{integer(2), integer(3)}, true},
		{"longer list", []any{[]int{2, 3, 4}}, golden.List{integer(2), integer(3)}, false},
		{"several results", []any{2, "a"}, golden.List{integer(2), "a"}, true},
		{"complex", []any{1 + 2i}, complex(1, 2), true},
		{"none", []any{(*nd.Array)(nil)}, nil, true},
		{"no result", nil, "abc", false},
		{"array", []any{x}, golden.Object{{Name: "shape", Value: golden.List{integer(2), integer(3)}}, {Name: "dtype", Value: "int16"},
			{Name: "strides", Value: golden.List{integer(6), integer(2)}}, {Name: "c_contiguous", Value: true}, {Name: "f_contiguous", Value: false}}, true},
		{"array of another shape", []any{x}, golden.Object{{Name: "shape", Value: golden.List{integer(3), integer(2)}}}, false},
		{"unknown property", []any{x}, golden.Object{{Name: "colour", Value: "red"}}, false},
		{"struct", []any{struct{ NinArgs int }{2}}, golden.Object{{Name: "nin_args", Value: integer(2)}}, true},
		{"map", []any{map[string]any{"nin": 2}}, golden.Object{{Name: "nin", Value: integer(2)}}, true},
		{"map without it", []any{map[string]any{}}, golden.Object{{Name: "nin", Value: integer(2)}}, false},
	} {
		if err := matchExpected(compare.Tolerance{}, c.results, c.want); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestUlps(t *testing.T) {
	next := float64(math.Nextafter32(1, 2))
	for _, c := range []struct {
		a, b float64
		want uint64
	}{
		{1, 1, 0},
		{1, next, 1},
		{next, 1, 1},
		{0, math.Copysign(0, -1), 0},
		{float64(math.SmallestNonzeroFloat32), -float64(math.SmallestNonzeroFloat32), 2},
		{math.MaxFloat32, math.Inf(1), 1},
		{math.NaN(), math.NaN(), 0},
		{math.NaN(), 1, math.MaxUint64},
	} {
		if got := ulps(c.a, c.b, dtype.Float32); got != c.want {
			t.Errorf("ulps(%v, %v) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
	if got := ulps(1, math.Nextafter(math.Nextafter(1, 2), 2), dtype.Float64); got != 2 {
		t.Errorf("%d ulps of float64, want 2", got)
	}
}
