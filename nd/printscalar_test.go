package nd_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
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
