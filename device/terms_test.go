package device_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestTerms lists the programs of squares and of scaled values, which are made once.
func TestTerms(t *testing.T) {
	for dt, want := range map[dtype.DType][3]string{
		dtype.Float32: {
			"f(float32 x, float32 m) -> float32 y\n  0 float32 input x\n  1 float32 input m\n  2 float32 sub %0 %1\n  3 float32 mul %2 %2\n  = [3]\n",
			"f(float32 x, float32 m, float32 scale) -> float32 y\n  0 float32 input x\n  1 float32 input m\n  2 float32 sub %0 %1\n" +
				"  3 float32 input scale\n  4 float32 mul %2 %3\n  5 float32 mul %4 %4\n  = [5]\n",
			"f(float32 x, float32 m, float32 scale) -> float32 y\n  0 float32 input x\n  1 float32 input m\n  2 float32 sub %0 %1\n" +
				"  3 float32 input scale\n  4 float32 mul %2 %3\n  = [4]\n",
		},
		dtype.Complex64: {
			"f(complex64 x, complex64 m) -> float32 y\n  0 complex64 input x\n  1 complex64 input m\n  2 complex64 sub %0 %1\n" +
				"  3 float32 real %2\n  4 float32 imag %2\n  5 float32 mul %3 %3\n  6 float32 mul %4 %4\n  7 float32 add %5 %6\n  = [7]\n",
			"", "",
		},
	} {
		ps := &device.Programs{Source: device.Source{Name: "f", Inputs: "T x, T m", Outputs: "T y", Body: "y = x - m"}}
		p := ps.Of(dt)
		for k, how := range [][2]bool{{true, false}, {true, true}, {false, true}} {
			q := p.Terms(how[0], how[1])
			if got := q.String(); want[k] != "" && got != want[k] {
				t.Errorf("%s: terms of %v:\n%swant\n%s", dt, how, got, want[k])
			}
			if q != p.Terms(how[0], how[1]) || p.Terms(false, false) != p {
				t.Errorf("%s: the terms %v are made twice", dt, how)
			}
		}
	}
	post := (&device.Programs{Source: device.Source{Name: "g", Inputs: "T x, T unit", Outputs: "T y", Body: "y = sqrt(x) * unit * unit"}}).Of(dtype.Float64)
	if got, want := post.ForUnit1().String(), "g(float64 x) -> float64 y\n  0 float64 input x\n  1 float64 sqrt %0\n  = [1]\n"; got != want {
		t.Errorf("for unit 1:\n%swant\n%s", got, want)
	}
}

// TestScales checks that scaled squares of the largest and the smallest number are in the range.
func TestScales(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
		info, s := dtype.Info(dt), device.ScalesOf(dt, true)
		if v := info.Max * s.Down; !(v*v*0x1p40 < info.Max) {
			t.Errorf("%s: the largest number, scaled down, is %v", dt, v)
		}
		if v := math.Sqrt(s.Least) * s.Up; !(v*v*0x1p10 < info.Max) {
			t.Errorf("%s: √%v, scaled up, is %v", dt, s.Least, v)
		}
		if v := info.SmallestSubnormal * s.Up; !(v*v > info.Tiny) {
			t.Errorf("%s: the smallest number, scaled up, is %v", dt, v)
		}
		for sum, want := range map[float64]float64{0: s.Up, 1: 1, s.Least / 2: s.Up, math.Inf(1): s.Down, math.NaN(): s.Down} {
			if got := s.Of(sum, 0); got != want {
				t.Errorf("%s: the scale of the sum %v is %v, want %v", dt, sum, got, want)
			}
		}
	}
}
