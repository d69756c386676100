package nd_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestScalarTexts(t *testing.T) {
	third := nd.FromSlice([]float32{1. / 3})
	for _, c := range []struct{ name, got, want string }{
		{"repr of a float", third.ScalarRepr(), "np.float32(0.33333334)"},
		{"repr of a bool", nd.FromSlice([]bool{true}).ScalarRepr(), "np.True_"},
		{"repr of a weak number", nd.Scalar(3).ScalarRepr(), "np.int64(3)"},
		{"positional", third.Positional(nd.FloatFormat{}), "0.33333334"},
		{"positional, three digits", third.Positional(nd.FloatFormat{Precision: new(3)}), "0.333"},
		{"positional, a weak number", nd.Scalar(0.5).Positional(nd.FloatFormat{}), "0.5"},
		{"scientific", third.Scientific(nd.FloatFormat{}), "3.3333334e-01"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
}

// TestIntegersBeyondInt64Print prints Scalars that fit no integer dtype.
func TestIntegersBeyondInt64Print(t *testing.T) {
	v, _ := new(big.Int).SetString("-123456789012345678901", 10)
	x := nd.ScalarInt(v)
	for _, c := range []struct{ got, want string }{
		{x.String(), "-123456789012345678901"},
		{fmt.Sprintf("%#v", x), "array(-123456789012345678901)"},
		{fmt.Sprintf("%25s|", x), "   -123456789012345678901|"},
		{fmt.Sprintf("%x", x), fmt.Sprintf("%x", v)},
		{fmt.Sprintf("%.1e", x), "-1.2e+20"},
		{x.Array2String(nd.PrintOptions{}), "-123456789012345678901"},
		{x.ScalarRepr(), "-123456789012345678901"},
		{nd.Scalar(uint64(math.MaxUint64)).String(), "18446744073709551615"},
		{nd.Scalar(math.MinInt64).String(), "-9223372036854775808"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	refused(t, func() { x.Item() }, "Array.Item", "-123456789012345678901 is out of bounds for int64")
	refused(t, func() { nd.Ones([]int{2}).AsType(dtype.Uint8).Assign(nd.Scalar(300)) }, "Array.Assign", "300 is out of bounds for uint8")
	refused(t, func() { nd.Fill(nd.Ones([]int{2}), 2+1i) }, "nd.Fill", "float64 does not hold the complex number (2+1i)")
}

func TestScalarTextsRefuse(t *testing.T) {
	for name, call := range map[string]func(){
		"several elements": func() { nd.FromSlice([]float32{1, 2}).ScalarRepr() },
		"no float":         func() { nd.FromSlice([]int32{1}).Positional(nd.FloatFormat{}) },
		"negative digits":  func() { nd.FromSlice([]float32{1}).Scientific(nd.FloatFormat{Precision: new(-1)}) },
	} {
		if nd.Catch(call) == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
