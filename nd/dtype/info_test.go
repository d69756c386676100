package dtype_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestInfo(t *testing.T) {
	for _, want := range []dtype.Limits{
		{DType: dtype.Unspecified},
		{DType: dtype.Bool, Bits: 8, MaxInt: 1},
		{DType: dtype.Int8, Bits: 8, MinInt: -128, MaxInt: 127},
		{DType: dtype.Int16, Bits: 16, MinInt: math.MinInt16, MaxInt: math.MaxInt16},
		{DType: dtype.Int32, Bits: 32, MinInt: math.MinInt32, MaxInt: math.MaxInt32},
		{DType: dtype.Int64, Bits: 64, MinInt: math.MinInt64, MaxInt: math.MaxInt64},
		{DType: dtype.Uint8, Bits: 8, MaxInt: 255},
		{DType: dtype.Uint16, Bits: 16, MaxInt: math.MaxUint16},
		{DType: dtype.Uint32, Bits: 32, MaxInt: math.MaxUint32},
		{DType: dtype.Uint64, Bits: 64, MaxInt: math.MaxUint64},
		{
			DType: dtype.Float16, Bits: 16, Max: 65504, Tiny: 6.103515625e-05, SmallestSubnormal: 5.960464477539063e-08,
			Eps: 0.0009765625, EpsNeg: 0.00048828125, Resolution: 0.0010004043579101562, Precision: 3,
			MantissaBits: 10, ExponentBits: 5, MinExp: -14, MaxExp: 16,
		},
		{
			DType: dtype.BFloat16, Bits: 16, Max: 3.3895313892515355e+38, Tiny: 1.1754943508222875e-38, SmallestSubnormal: 9.183549615799121e-41,
			Eps: 0.0078125, EpsNeg: 0.00390625, Resolution: 0.010009765625, Precision: 2,
			MantissaBits: 7, ExponentBits: 8, MinExp: -126, MaxExp: 128,
		},
		{
			DType: dtype.Float32, Bits: 32, Max: math.MaxFloat32, Tiny: 1.1754943508222875e-38, SmallestSubnormal: 1.401298464324817e-45,
			Eps: 1.1920928955078125e-07, EpsNeg: 5.960464477539063e-08, Resolution: 9.999999974752427e-07, Precision: 6,
			MantissaBits: 23, ExponentBits: 8, MinExp: -126, MaxExp: 128,
		},
		{
			DType: dtype.Float64, Bits: 64, Max: math.MaxFloat64, Tiny: 2.2250738585072014e-308, SmallestSubnormal: 5e-324,
			Eps: 2.220446049250313e-16, EpsNeg: 1.1102230246251565e-16, Resolution: 1e-15, Precision: 15,
			MantissaBits: 52, ExponentBits: 11, MinExp: -1022, MaxExp: 1024,
		},
	} {
		if diff := cmp.Diff(want, dtype.Info(want.DType)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", want.DType, diff)
		}
	}
	if dtype.Info(dtype.Complex64) != dtype.Info(dtype.Float32) || dtype.Info(dtype.Complex128) != dtype.Info(dtype.Float64) {
		t.Error("the limits of a complex type are not those of its parts")
	}
}
