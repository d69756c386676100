package nd_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestMinScalarType has what numpy.min_scalar_type answers.
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
