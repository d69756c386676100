package text_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

func TestScalar(t *testing.T) {
	minusZero := math.Copysign(0, -1)
	for _, c := range []struct {
		d         dtype.DType
		value     text.Values
		str, repr string
	}{
		{dtype.Bool, text.Values{Bools: []bool{true}}, "True", "np.True_"},
		{dtype.Bool, text.Values{Bools: []bool{false}}, "False", "np.False_"},
		{dtype.Int8, ints(-128), "-128", "np.int8(-128)"},
		{dtype.Uint64, uints(math.MaxUint64), "18446744073709551615", "np.uint64(18446744073709551615)"},
		{dtype.Float64, floats(1), "1.0", "np.float64(1.0)"},
		{dtype.Float64, floats(1.0 / 3), "0.3333333333333333", "np.float64(0.3333333333333333)"},
		{dtype.Float64, floats(1e-4), "0.0001", "np.float64(0.0001)"},
		{dtype.Float64, floats(1e15), "1000000000000000.0", "np.float64(1000000000000000.0)"},
		{dtype.Float64, floats(1e16), "1e+16", "np.float64(1e+16)"},
		{dtype.Float64, floats(1125899906842624.25), "1125899906842624.2", "np.float64(1125899906842624.2)"},
		{dtype.Float64, floats(5e-324), "5e-324", "np.float64(5e-324)"},
		{dtype.Float32, singles(0.1), "0.1", "np.float32(0.1)"},
		{dtype.Float32, singles(1e-4), "1e-04", "np.float32(1e-04)"},
		{dtype.Float32, singles(123456789), "1.2345679e+08", "np.float32(1.2345679e+08)"},
		{dtype.Float32, singles(minusZero), "-0.0", "np.float32(-0.0)"},
		{dtype.Float16, halves(65504), "6.55e+04", "np.float16(6.55e+04)"},
		{dtype.Float16, halves(1e-4), "0.0001", "np.float16(0.0001)"},
		{dtype.Float16, halves(6e-8), "6e-08", "np.float16(6e-08)"},
		{dtype.Float16, halves(nan), "nan", "np.float16(nan)"},
		{dtype.BFloat16, bfloats(0.1), "0.1", "np.bfloat16(0.1)"},
		{dtype.BFloat16, bfloats(-inf), "-inf", "np.bfloat16(-inf)"},
		{dtype.Complex128, complexes(1 + 2i), "(1+2j)", "np.complex128(1+2j)"},
		{dtype.Complex128, complexes(1.5i), "1.5j", "np.complex128(1.5j)"},
		{dtype.Complex128, complexes(complex(minusZero, 1)), "(-0+1j)", "np.complex128(-0+1j)"},
		{dtype.Complex64, complexes(complex(nan, nan)), "(nan+nanj)", "np.complex64(nan+nanj)"},
		{dtype.Complex64, complexes(complex(1, -inf)), "(1-infj)", "np.complex64(1-infj)"},
		{dtype.Complex64, complexes(complex(0, inf)), "infj", "np.complex64(infj)"},
	} {
		if got := text.Scalar(c.d, c.value); got != c.str {
			t.Errorf("Scalar(%v): got %q, want %q", c.d, got, c.str)
		}
		if got := text.ScalarRepr(c.d, c.value); got != c.repr {
			t.Errorf("ScalarRepr(%v): got %q, want %q", c.d, got, c.repr)
		}
	}
}

func TestFloatFormat(t *testing.T) {
	third := 1.0 / 3
	for _, c := range []struct {
		f                      text.FloatFormat
		d                      dtype.DType
		x                      float64
		positional, scientific string
	}{
		{text.FloatFormat{}, dtype.Float64, 2.5, "2.5", "2.5e+00"},
		{text.FloatFormat{}, dtype.Float32, singleValue(math.Pi), "3.1415927", "3.1415927e+00"},
		{text.FloatFormat{}, dtype.Float32, singleValue(1e22), "10000000000000000000000.", "1.e+22"},
		{text.FloatFormat{}, dtype.Float64, inf, "inf", "inf"},
		{text.FloatFormat{Precision: new(3)}, dtype.Float16, halfValue(1e-4), "0.000", "1.e-04"},
		{text.FloatFormat{Precision: new(3)}, dtype.Float64, third, "0.333", "3.333e-01"},
		{text.FloatFormat{Precision: new(3), Unique: new(false)}, dtype.Float64, 2.5, "2.500", "2.500e+00"},
		{text.FloatFormat{Precision: new(2), Fractional: new(false)}, dtype.Float64, 12345, "12000.", "1.23e+04"},
		{text.FloatFormat{Precision: new(1), Trim: "-"}, dtype.Float64, 1.04, "1", "1.e+00"},
		{text.FloatFormat{Precision: new(2)}, dtype.Float64, 0.996, "1.", "9.96e-01"},
		{text.FloatFormat{MinDigits: new(20)}, dtype.Float64, 0.1, "0.10000000000000000555", "1.00000000000000005551e-01"},
		{text.FloatFormat{Trim: "0", Sign: true}, dtype.Float64, 7, "+7.0", "+7.0e+00"},
		{text.FloatFormat{Trim: "-", PadLeft: new(3), PadRight: new(2)}, dtype.Float64, 7, "  7   ", "  7e+00"},
		{text.FloatFormat{ExpDigits: new(4)}, dtype.Float64, 7, "7.", "7.e+0000"},
		{text.FloatFormat{ExpDigits: new(0)}, dtype.Float64, 7, "7.", "7.e+"},
	} {
		if err := c.f.Check(); err != nil {
			t.Errorf("%+v: %v", c.f, err)
		}
		if got := c.f.Positional(c.d, c.x); got != c.positional {
			t.Errorf("Positional(%v): got %q, want %q", c.x, got, c.positional)
		}
		if got := c.f.Scientific(c.d, c.x); got != c.scientific {
			t.Errorf("Scientific(%v): got %q, want %q", c.x, got, c.scientific)
		}
	}
}

func TestCheckNamesTheIllegalOption(t *testing.T) {
	for _, c := range []interface{ Check() error }{
		precision(-1), summary(5, -1), sign("*"), mode("exact"),
		text.FloatFormat{PadLeft: new(-1)},
		text.FloatFormat{Precision: new(0), Fractional: new(false)},
		text.FloatFormat{Precision: new(2), MinDigits: new(3)},
		text.FloatFormat{Unique: new(false)},
		text.FloatFormat{Trim: "all"},
	} {
		if c.Check() == nil {
			t.Errorf("%+v passes", c)
		}
	}
	if err := (text.Options{}).Check(); err != nil {
		t.Error(err)
	}
}
