package nd_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestMinScalarType compares with the results of NumPy's min_scalar_type.
func TestMinScalarType(t *testing.T) {
	for got, want := range map[[2]dtype.DType]string{
		{nd.MinScalarType(true), nd.MinScalarType(uint8(255))}:                      "bool uint8",
		{nd.MinScalarType(256), nd.MinScalarType(-128)}:                             "uint16 int8",
		{nd.MinScalarType(-129), nd.MinScalarType(-32769)}:                          "int16 int32",
		{nd.MinScalarType(1 << 32), nd.MinScalarType(uint64(math.MaxUint64))}:       "uint64 uint64",
		{nd.MinScalarType(math.MinInt32 - 1), nd.MinScalarType(65536)}:              "int64 uint32",
		{nd.MinScalarType(3.1), nd.MinScalarType(65000.0)}:                          "float16 float32",
		{nd.MinScalarType(-1e40), nd.MinScalarType(math.Inf(-1))}:                   "float64 float16",
		{nd.MinScalarType(1e-300), nd.MinScalarType(math.NaN())}:                    "float16 float16",
		{nd.MinScalarType(1i), nd.MinScalarType(complex(math.Inf(1), 0))}:           "complex64 complex128",
		{nd.MinScalarType(complex(0, 1e39)), nd.MinScalarType(complex(1e38, 1e38))}: "complex128 complex64",
	} {
		if s := got[0].String() + " " + got[1].String(); s != want {
			t.Errorf("got %s, want %s", s, want)
		}
	}
}

// TestNumbersThatDoNotFit: a number is stored as NumPy stores Python's numbers, or refused before anything is
// allocated.
func TestNumbersThatDoNotFit(t *testing.T) {
	kinds := []struct {
		value *nd.Array
		fits  string // those dtypes of a selection that accept it
	}{
		{nd.Scalar(-1), "bool int8 int64 float32 complex64"},
		{nd.Scalar(255), "bool uint8 int64 uint64 float32 complex64"},
		{nd.Scalar(uint64(math.MaxUint64)), "bool uint64 float32 complex64"},
		{nd.Scalar(127.9), "bool int8 uint8 int64 uint64 float32 complex64"},
		{nd.Scalar(-0.9), "bool int8 uint8 int64 uint64 float32 complex64"},
		{nd.Scalar(-1.5), "bool int8 int64 float32 complex64"},
		{nd.Scalar(math.Ldexp(1, 63)), "bool uint64 float32 complex64"},
		{nd.Scalar(math.NaN()), "bool float32 complex64"},
		{nd.Scalar(math.Inf(-1)), "bool float32 complex64"},
		{nd.Scalar(1 + 0i), "bool complex64"},
	}
	for _, k := range kinds {
		var converted, assigned []string
		for _, dt := range []dtype.DType{dtype.Bool, dtype.Int8, dtype.Uint8, dtype.Int64, dtype.Uint64, dtype.Float32, dtype.Complex64} {
			if nd.Catch(func() { k.value.AsType(dt) }) == nil {
				converted = append(converted, dt.String())
			}
			if nd.Catch(func() { nd.Zeros([]int{2, 2}, dt).Assign(k.value) }) == nil {
				assigned = append(assigned, dt.String())
			}
		}
		for what, got := range map[string][]string{"AsType": converted, "Assign": assigned} {
			if strings.Join(got, " ") != k.fits {
				t.Errorf("%v: %s takes it as %v, want %s", k.value, what, got, k.fits)
			}
		}
	}
}
