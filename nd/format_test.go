package nd_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func ExampleArray_Format_verbs() {
	loss := nd.FromSlice([]float64{0.123456}, 1).Reshape()
	x := nd.FromSlice([]float32{0.1, 2, -30, 4}, 2, 2)
	fmt.Printf("loss %.4f\n", loss)
	fmt.Printf("%7.2f\n", x)
	// Output:
	// loss 0.1235
	// [[   0.10    2.00]
	//  [ -30.00    4.00]]
}

func TestFormatVerbs(t *testing.T) {
	third := nd.Full(nil, 1.0/3)
	many := nd.Full([]int{1500}, 7)
	for _, c := range []struct {
		format string
		x      *nd.Array
		want   string
	}{
		{"%v", nd.FromSlice([]float64{1.23456, 2}), "[1.23456 2.     ]"},
		{"%.2v", nd.FromSlice([]float64{1.23456, 2}), "[1.23 2.  ]"},
		{"%s", nd.FromSlice([]float64{1.23456, 2}), "[1.23456 2.     ]"},
		{"%#v", nd.FromSlice([]float64{1.23456, 2}), "array([1.23456, 2.     ])"},
		{"%12v", nd.FromSlice([]float64{1.23456, 2}), "[1.23456 2.     ]"},
		{"%v", nil, "<nil>"},
		{"%.3f", nil, "<nil>"},

		{"%v", third, "0.3333333333333333"},
		{"%#v", third, "array(0.33333333)"},
		{"%.3v", third, "0.333"},
		{"%8.3v|", third, "   0.333|"},
		{"%-8.3v|", third, "0.333   |"},
		{"%.4f", third, "0.3333"},
		{"%+08.3f", third, "+000.333"},
		{"%-8.2f|", third, "0.33    |"},
		{"%.2e", third, "3.33e-01"},
		{"%.3g", third, "0.333"},
		{"%G", nd.Scalar(1e-10), "1E-10"},
		{"%.1f", nd.Scalar(2.25), "2.2"},
		{"%d", third, "%!d(float64=0.3333333333333333)"},
		{"%t", nd.Full(nil, true), "true"},
		{"%t", third, "%!t(float64=0.3333333333333333)"},
		{"%.2f", nd.Scalar(1 - 2i), "(1.00-2.00i)"},

		{"%.4f", nd.FromSlice([]float64{0.5, 0.25}), "[0.5000 0.2500]"},
		{"%.1f", nd.FromSlice([]float64{1, math.NaN(), math.Inf(-1)}), "[1.0 NaN -Inf]"},
		{"%g", nd.FromSlice([]float32{0.1, 1e10}), "[0.1 1e+10]"},
		{"%g", nd.FromSlice([]float64{0.1}).AsType(dtype.Float16), "[0.099975586]"},
		{"%.2f", nd.FromSlice([]complex64{1 + 2i, 0.5}), "[(1.00+2.00i) (0.50+0.00i)]"},
		{"%g", nd.FromSlice([]complex64{0.1}), "[(0.1+0i)]"},
		{"%d", nd.FromSlice([]int{1, -20}), "[1 -20]"},
		{"%4d", nd.ArangeInt(0, 4, 1).Reshape(2, 2), "[[   0    1]\n [   2    3]]"},
		{"%#x", nd.FromSlice([]uint8{10, 255}), "[0xa 0xff]"},
		{"%b", nd.FromSlice([]int8{5, -1}), "[101 -1]"},
		{"%.1f", nd.FromSlice([]int{1, 2}), "[1.0 2.0]"},
		{"%.0e", nd.FromSlice([]uint64{math.MaxUint64}), "[2e+19]"},
		{"%t", nd.FromSlice([]bool{true, false}), "[true false]"},
		{"%.2f", nd.Zeros([]int{0, 3}), "[]"},
		{"%.2f", nd.ArangeInt(0, 4, 1).AsType(dtype.Float64).Reshape(2, 2).T(), "[[0.00 2.00]\n [1.00 3.00]]"},
	} {
		if got := fmt.Sprintf(c.format, c.x); got != c.want {
			t.Errorf("%s of %v gives %q, want %q", c.format, c.x, got, c.want)
		}
	}
	var sevens int
	for _, r := range fmt.Sprintf("%d", many) {
		if r == '7' {
			sevens++
		}
	}
	if sevens != 1500 {
		t.Errorf("%%d writes %d of 1500 elements", sevens)
	}
}
