package text_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

var nan, inf = math.NaN(), math.Inf(1)

// ints, floats and complexes are the values of arrays that are shown completely.
func ints(v ...int64) text.Values           { return text.Values{Ints: v} }
func uints(v ...uint64) text.Values         { return text.Values{Uints: v} }
func floats(v ...float64) text.Values       { return text.Values{Floats: v} }
func complexes(v ...complex128) text.Values { return text.Values{Complexes: v} }
func halves(v ...float64) text.Values       { return narrowed(v, halfValue) }
func singles(v ...float64) text.Values      { return narrowed(v, singleValue) }
func bfloats(v ...float64) text.Values      { return narrowed(v, bfloatValue) }
func halfValue(x float64) float64           { return float64(dtype.Float16FromFloat64(x).Float32()) }
func singleValue(x float64) float64         { return float64(float32(x)) }
func bfloatValue(x float64) float64         { return float64(dtype.BFloat16FromFloat64(x).Float32()) }
func count(v text.Values) int               { return len(v.Ints) + len(v.Uints) + len(v.Floats) + len(v.Complexes) }
func precision(n int) text.Options          { return text.Options{Precision: &n} }
func mode(m string) text.Options            { return text.Options{FloatMode: m} }
func sign(s string) text.Options            { return text.Options{Sign: s} }
func modeAt(m string, n int) text.Options   { return text.Options{FloatMode: m, Precision: &n} }
func summary(threshold, edge int) text.Options {
	return text.Options{Threshold: &threshold, EdgeItems: &edge}
}

func narrowed(v []float64, narrow func(float64) float64) text.Values {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = narrow(x)
	}
	return text.Values{Floats: out}
}

func TestArrayOfOneAxis(t *testing.T) {
	const (
		f16, bf16, f32, f64 = dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64
		c64, c128           = dtype.Complex64, dtype.Complex128
	)
	third := 1.0 / 3
	for _, c := range []struct {
		d      dtype.DType
		values text.Values
		o      text.Options
		want   string
	}{
		// Shortest digits, lined up at the point.
		{f64, floats(1, 2), text.Options{}, "[1. 2.]"},
		{f64, floats(0.1, 0.25, 100), text.Options{}, "[  0.1    0.25 100.  ]"},
		{f64, floats(third, 2*third), text.Options{}, "[0.33333333 0.66666667]"},
		{f32, singles(third, 2*third), text.Options{}, "[0.33333334 0.6666667 ]"},
		{f16, halves(third, 2*third), text.Options{}, "[0.3333 0.6665]"},
		{bf16, bfloats(third, 1.5, -2), text.Options{}, "[ 0.334  1.5   -2.   ]"},
		{f64, floats(math.Copysign(0, -1), 0), text.Options{}, "[-0.  0.]"},

		// The choice of scientific notation: by size, smallness, ratio; in the element type.
		{f64, floats(1e8, 1), text.Options{}, "[1.e+08 1.e+00]"},
		{f64, floats(99999999, 1e6), text.Options{}, "[99999999.  1000000.]"},
		{f32, singles(1e6, 1e5), text.Options{}, "[1.e+06 1.e+05]"},
		{f32, singles(999999, 1e5), text.Options{}, "[999999. 100000.]"},
		{f16, halves(1000, 1), text.Options{}, "[1.e+03 1.e+00]"},
		{f16, halves(999, 1), text.Options{}, "[999.   1.]"},
		{bf16, bfloats(99, 1), text.Options{}, "[99.  1.]"},
		{bf16, bfloats(100, 1), text.Options{}, "[1.e+02 1.e+00]"},
		{f64, floats(9.9e-5, 1e-3), text.Options{}, "[9.9e-05 1.0e-03]"},
		{f32, singles(1e-4, 1e-3), text.Options{}, "[0.0001 0.001 ]"},
		{f64, floats(1e-3, 1.5), text.Options{}, "[1.0e-03 1.5e+00]"},
		{f64, floats(5e-324, math.MaxFloat64), text.Options{}, "[4.94065646e-324 1.79769313e+308]"},
		{f16, halves(0.1, 12345), text.Options{}, "[9.9976e-02 1.2344e+04]"},
		{f64, floats(1e-10, 1), text.Options{Suppress: true}, "[0. 1.]"},
		{f64, floats(1e-10, 1e9), text.Options{Suppress: true}, "[1.e-10 1.e+09]"},

		// NaN and infinities.
		{f64, floats(nan, -1, inf), text.Options{}, "[nan -1. inf]"},
		{f64, floats(nan, nan), text.Options{}, "[nan nan]"},
		{f64, floats(inf, -inf), text.Options{}, "[ inf -inf]"},
		{f64, floats(1e10, nan, -inf), text.Options{}, "[1.e+10    nan   -inf]"},
		{f64, floats(nan, inf), sign("+"), "[+nan +inf]"},
		{f64, floats(nan, 1), text.Options{NaNStr: "missing"}, "[missing      1.]"},

		// Precision and the float modes.
		{f64, floats(1.23456, 2), precision(2), "[1.23 2.  ]"},
		{f64, floats(1.23456, 2), precision(0), "[1. 2.]"},
		{f64, floats(0.1, 0.25, 100), modeAt("fixed", 3), "[  0.100   0.250 100.000]"},
		{f64, floats(0.1, 0.25, 100), mode("maxprec_equal"), "[  0.10   0.25 100.00]"},
		{f64, floats(third, 0.5), mode("unique"), "[0.3333333333333333 0.5               ]"},
		{f64, floats(third, 0.5), modeAt("maxprec", 3), "[0.333 0.5  ]"},
		{f64, floats(1e-9, third), modeAt("fixed", 3), "[1.000e-09 3.333e-01]"},
		{f64, floats(1.5, 2.5), modeAt("fixed", 0), "[2. 2.]"},

		// Signs and separators.
		{f64, floats(1, -2), sign("+"), "[+1. -2.]"},
		{f64, floats(1, 2), sign(" "), "[ 1.  2.]"},
		{f64, floats(1, -2), sign(" "), "[ 1. -2.]"},
		{f64, floats(1, 2, 3), text.Options{Separator: new(", ")}, "[1., 2., 3.]"},
		{f64, floats(1, 2, 3), text.Options{Separator: new("")}, "[1.2.3.]"},

		// Complex numbers: two columns.
		{c128, complexes(1+2i, complex(math.Copysign(0, -1), -0.5)), text.Options{}, "[ 1.+2.j  -0.-0.5j]"},
		{c64, complexes(complex(singleValue(1e-8), 1)), text.Options{}, "[1.e-08+1.j]"},
		{c128, complexes(complex(nan, inf), 1), text.Options{}, "[nan+infj  1. +0.j]"},
		{c64, complexes(1.25-1i, 100+0.5i), text.Options{}, "[  1.25-1.j  100.  +0.5j]"},
		{c128, complexes(1 + 1i), sign("+"), "[+1.+1.j]"},

		// Integers: flush right.
		{dtype.Int64, ints(1, -20, 300), text.Options{}, "[  1 -20 300]"},
		{dtype.Int64, ints(math.MinInt64, 0), text.Options{}, "[-9223372036854775808                    0]"},
		{dtype.Uint64, uints(math.MaxUint64), text.Options{}, "[18446744073709551615]"},
		{dtype.Uint8, uints(1, 20), sign("+"), "[ +1 +20]"},
		{dtype.Int64, ints(1, 20), sign(" "), "[  1  20]"},
		{dtype.Int64, ints(1, -20), sign(" "), "[  1 -20]"},
		{dtype.Int8, ints(-5, 3), sign("+"), "[-5 +3]"},
	} {
		if got := c.o.Array(c.d, []int{count(c.values)}, c.values); got != c.want {
			t.Errorf("%v %v:\ngot  %q\nwant %q", c.d, c.values, got, c.want)
		}
	}
}

func TestArrayOfBools(t *testing.T) {
	var o text.Options
	if got, want := o.Array(dtype.Bool, []int{2}, text.Values{Bools: []bool{true, false}}), "[ True False]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := o.Array(dtype.Bool, nil, text.Values{Bools: []bool{true}}), "True"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestArrayWithoutAxes(t *testing.T) {
	third := floats(1.0 / 3)
	if got, want := precision(3).Array(dtype.Float64, nil, third), "0.333"; got != want {
		t.Errorf("Array: got %q, want %q", got, want)
	}
	if got, want := precision(3).Str(dtype.Float64, nil, third), "0.3333333333333333"; got != want {
		t.Errorf("Str: got %q, want %q", got, want)
	}
	if got, want := precision(3).Repr(dtype.Float64, nil, third), "array(0.333)"; got != want {
		t.Errorf("Repr: got %q, want %q", got, want)
	}
}

func TestFormatterReplacesTheRules(t *testing.T) {
	o := text.Options{Formatter: func(v any) string {
		if v.(float64) < 0 {
			return "less"
		}
		return "more"
	}}
	if got, want := o.Array(dtype.Float32, []int{3}, floats(-1, 0, 1)), "[less more more]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestArrayRefusesTheWrongNumberOfValues(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for 2 values of an array of 3")
		}
	}()
	text.Options{}.Array(dtype.Int32, []int{3}, ints(1, 2))
}
