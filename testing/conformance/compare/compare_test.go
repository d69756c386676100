package compare

import (
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestCompare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	f := func(v ...float64) *nd.Array { return nd.FromSlice(v) }
	loose := Tolerance{RTol: 0.1, ATol: 0.01}
	strict := Tolerance{DType: true}
	for _, c := range []struct {
		name      string
		tol       Tolerance
		got, want *nd.Array
		differs   string // part of the message; "" for none
	}{
		{"equal", strict, f(1, nan, inf), f(1, nan, inf), ""},
		{"negative zero", strict, f(math.Copysign(0, -1)), f(0), ""},
		{"within rtol", loose, f(1.05), f(1), ""},
		{"beyond rtol", loose, f(1, 1.2, 3), f(1, 1, 1), "element [1] is 1.2, want 1 (2 of 3 differ)"},
		{"within atol", loose, f(0.005), f(0), ""},
		{"tolerance counts from what is wanted", Tolerance{RTol: 0.5}, f(1.9), f(1), "is 1.9"},
		{"a number for nan", loose, f(0), f(nan), "want NaN"},
		{"nan for a number", loose, f(nan), f(0), "is NaN"},
		{"other infinity", loose, f(-inf), f(inf), "want +Inf"},
		{"a large number for infinity", loose, f(math.MaxFloat64), f(inf), "want +Inf"},
		{"shape", loose, f(1, 2), f(1), "shape [2], want [1]"},
		{"rank", loose, f(1), nd.Full(nil, 1.0), "shape [1], want []"},
		{"dtype counts", strict, f(1), nd.FromSlice([]float32{1}), "dtype float64, want float32"},
		{"dtype that may stand instead", Tolerance{DType: true, Instead: dtype.Float64}, f(1), nd.FromSlice([]float32{1}), ""},
		{"other dtype than both", Tolerance{DType: true, Instead: dtype.Int64}, f(1), nd.FromSlice([]float32{1}), "dtype float64, want float32"},
		{"dtype does not count", loose, f(1), nd.FromSlice([]float32{1}), ""},
		{"integers are exact", loose, nd.FromSlice([]int{101}), nd.FromSlice([]int{100}), "is 101"},
		{"large integers are exact", loose, nd.FromSlice([]int64{math.MaxInt64}), nd.FromSlice([]int64{math.MaxInt64 - 1}), "is 9223372036854775807"},
		{"signed and unsigned", loose, nd.FromSlice([]int64{-1}), nd.FromSlice([]uint64{math.MaxUint64}), "is -1"},
		{"bool for a float", loose, nd.FromSlice([]bool{true, false}), f(1, 0), ""},
		{"float for an integer", loose, f(2), nd.FromSlice([]int{2}), ""},
		{"fraction for an integer", loose, f(2.001), nd.FromSlice([]int{2}), "is 2.001"},
		{"complex by modulus", Tolerance{ATol: 1}, nd.FromSlice([]complex128{1 + 1i}), nd.FromSlice([]complex128{0.5 + 0.5i}), ""},
		{"complex beyond", Tolerance{ATol: 0.7}, nd.FromSlice([]complex128{1 + 1i}), nd.FromSlice([]complex128{0.5 + 0.5i}), "is (1+1i)"},
		{"complex nan", loose, nd.FromSlice([]complex128{complex(nan, 1)}), nd.FromSlice([]complex128{complex(nan, 1)}), ""},
		{"complex infinity", loose, nd.FromSlice([]complex128{complex(inf, 1)}), nd.FromSlice([]complex128{complex(-inf, 1)}), "want (-Inf"},
		{"position", loose, f(0, 0, 0, 1).Reshape(2, 2).T(), f(0, 0, 0, 0).Reshape(2, 2), "element [1,1]"},
		{"strides", strict, f(0, 1, 2, 3).Reshape(2, 2).T(), f(0, 2, 1, 3).Reshape(2, 2), ""},
		{"nothing", loose, nil, f(1), "nothing"},
	} {
		err := c.tol.Compare(c.got, c.want)
		switch {
		case err == nil && c.differs != "":
			t.Errorf("%s: no difference", c.name)
		case err != nil && (c.differs == "" || !strings.Contains(err.Error(), c.differs)):
			t.Errorf("%s: %v, want %q", c.name, err, c.differs)
		}
	}
}

func TestIdentical(t *testing.T) {
	f := func(v ...float64) *nd.Array { return nd.FromSlice(v) }
	other := nd.Zeros([]int{3000})
	other.Assign(nd.Scalar(1), nd.At(1500))
	for _, c := range []struct {
		name      string
		got, want *nd.Array
		differs   string // part of the message; "" for none
	}{
		{"equal", f(1, math.NaN()), f(1, math.Copysign(math.NaN(), -1)), ""},
		{"strides", f(0, 1, 2, 3).Reshape(2, 2).T(), f(0, 2, 1, 3).Reshape(2, 2), ""},
		{"last digit", f(1), f(math.Nextafter(1, 2)), "element [0]"},
		{"middle of a long array", other, nd.Zeros([]int{3000}), "element [1500]"},
		{"negative zero", f(math.Copysign(0, -1)), f(0), "signs of zeros"},
		{"dtype", f(1), nd.FromSlice([]float32{1}), "dtype"},
		{"shape", f(1), f(1).Reshape(1, 1), "shape"},
		{"nothing", nil, f(1), "nothing"},
	} {
		err := Identical(c.got, c.want)
		if (err == nil) != (c.differs == "") || err != nil && !strings.Contains(err.Error(), c.differs) {
			t.Errorf("%s: %v, want %q", c.name, err, c.differs)
		}
	}
}
