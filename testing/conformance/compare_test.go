package conformance

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/golden"
)

func TestCompare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	f := func(v ...float64) *nd.Array { return nd.FromSlice(v) }
	loose := tolerance{rtol: 0.1, atol: 0.01}
	strict := tolerance{dtype: true}
	for _, c := range []struct {
		name      string
		tol       tolerance
		got, want *nd.Array
		differs   string // part of the message; "" for none
	}{
		{"equal", strict, f(1, nan, inf), f(1, nan, inf), ""},
		{"negative zero", strict, f(math.Copysign(0, -1)), f(0), ""},
		{"within rtol", loose, f(1.05), f(1), ""},
		{"beyond rtol", loose, f(1, 1.2, 3), f(1, 1, 1), "element [1] is 1.2, want 1 (2 of 3 differ)"},
		{"within atol", loose, f(0.005), f(0), ""},
		{"tolerance counts from what is wanted", tolerance{rtol: 0.5}, f(1.9), f(1), "is 1.9"},
		{"a number for nan", loose, f(0), f(nan), "want NaN"},
		{"nan for a number", loose, f(nan), f(0), "is NaN"},
		{"other infinity", loose, f(-inf), f(inf), "want +Inf"},
		{"a large number for infinity", loose, f(math.MaxFloat64), f(inf), "want +Inf"},
		{"shape", loose, f(1, 2), f(1), "shape [2], want [1]"},
		{"rank", loose, f(1), nd.Full(nil, 1.0), "shape [1], want []"},
		{"dtype counts", strict, f(1), nd.FromSlice([]float32{1}), "dtype float64, want float32"},
		{"dtype does not count", loose, f(1), nd.FromSlice([]float32{1}), ""},
		{"integers are exact", loose, nd.FromSlice([]int{101}), nd.FromSlice([]int{100}), "is 101"},
		{"large integers are exact", loose, nd.FromSlice([]int64{math.MaxInt64}), nd.FromSlice([]int64{math.MaxInt64 - 1}), "is 9223372036854775807"},
		{"signed and unsigned", loose, nd.FromSlice([]int64{-1}), nd.FromSlice([]uint64{math.MaxUint64}), "is -1"},
		{"bool for a float", loose, nd.FromSlice([]bool{true, false}), f(1, 0), ""},
		{"float for an integer", loose, f(2), nd.FromSlice([]int{2}), ""},
		{"fraction for an integer", loose, f(2.001), nd.FromSlice([]int{2}), "is 2.001"},
		{"complex by modulus", tolerance{atol: 1}, nd.FromSlice([]complex128{1 + 1i}), nd.FromSlice([]complex128{0.5 + 0.5i}), ""},
		{"complex beyond", tolerance{atol: 0.7}, nd.FromSlice([]complex128{1 + 1i}), nd.FromSlice([]complex128{0.5 + 0.5i}), "is (1+1i)"},
		{"complex nan", loose, nd.FromSlice([]complex128{complex(nan, 1)}), nd.FromSlice([]complex128{complex(nan, 1)}), ""},
		{"complex infinity", loose, nd.FromSlice([]complex128{complex(inf, 1)}), nd.FromSlice([]complex128{complex(-inf, 1)}), "want (-Inf"},
		{"position", loose, f(0, 0, 0, 1).Reshape(2, 2).T(), f(0, 0, 0, 0).Reshape(2, 2), "element [1,1]"},
		{"strides", strict, f(0, 1, 2, 3).Reshape(2, 2).T(), f(0, 2, 1, 3).Reshape(2, 2), ""},
		{"nothing", loose, nil, f(1), "nothing"},
	} {
		err := c.tol.compare(c.got, c.want)
		switch {
		case err == nil && c.differs != "":
			t.Errorf("%s: no difference", c.name)
		case err != nil && (c.differs == "" || !strings.Contains(err.Error(), c.differs)):
			t.Errorf("%s: %v, want %q", c.name, err, c.differs)
		}
	}
}

func TestMatchExpected(t *testing.T) {
	x := nd.Zeros([]int{2, 3}, nd.ArrayOptions{DType: dtype.Int16})
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
		if err := (tolerance{}).matchExpected(c.results, c.want); (err == nil) != c.ok {
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
