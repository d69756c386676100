package ref_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

// rounded formats float64 elements with six digits.
func rounded(d *ref.Device, o device.Operand) string {
	values := make([]float64, o.Memory.Size/8)
	d.CopyOut(bytesOf(values), o.Memory, 0)
	text := ""
	for _, v := range values {
		text += fmt.Sprintf(" %.6g", v)
	}
	return text[1:]
}

var ln = []float64{math.Log(1), math.Log(2), math.Log(5), math.Log(3), math.Log(3), math.Log(2)}

func TestSoftmax(t *testing.T) {
	d := ref.New()
	for _, test := range []struct {
		x         []float64
		soft, log string
	}{
		{ln[:3], "0.125 0.25 0.625", "-2.07944 -1.38629 -0.470004"},
		{[]float64{1e17, 1e17, -1e300}, "0.5 0.5 0", "-0.693147 -0.693147 -1e+300"},
		{[]float64{-inf, 0, 0}, "0 0.5 0.5", "-Inf -0.693147 -0.693147"},
		{[]float64{-inf, -inf, -inf}, "NaN NaN NaN", "NaN NaN NaN"},
		{[]float64{nan, 0, 0}, "NaN NaN NaN", "NaN NaN NaN"},
	} {
		for _, log := range []bool{false, true} {
			shape := []int{1, 3}
			l := launch(shape, dense(shape, out[float64](d, 3), in(d, test.x...))...)
			l.Log = log
			d.Softmax(l)
			want := test.soft
			if log {
				want = test.log
			}
			expect(t, fmt.Sprint(test.x, log), rounded(d, l.Operands[0]), want)
		}
	}
}

// TestSoftmaxGrad compares with finite differences of Softmax itself: the gradient of Σ g·softmax(x).
func TestSoftmaxGrad(t *testing.T) {
	d := ref.New()
	x, g := []float64{0.3, -1, 2}, []float64{1, 0.5, -2}
	shape := []int{3}
	for _, log := range []bool{false, true} {
		forward := func(x []float64) (device.Operand, []float64) {
			l := launch(shape, dense(shape, out[float64](d, 3), in(d, x...))...)
			l.Log = log
			d.Softmax(l)
			y := make([]float64, 3)
			d.CopyOut(bytesOf(y), l.Operands[0].Memory, 0)
			return l.Operands[0], y
		}
		y, _ := forward(x)
		l := launch(shape, dense(shape, out[float64](d, 3), y, in(d, g...))...)
		l.Log = log
		d.SoftmaxGrad(l)
		got := make([]float64, 3)
		d.CopyOut(bytesOf(got), l.Operands[0].Memory, 0)
		for k := range x {
			const h = 1e-5
			up, down := append([]float64(nil), x...), append([]float64(nil), x...)
			up[k] += h
			down[k] -= h
			_, a := forward(up)
			_, b := forward(down)
			want := 0.0
			for j := range a {
				want += g[j] * (a[j] - b[j]) / (2 * h)
			}
			if math.Abs(got[k]-want) > 1e-9 {
				t.Errorf("log %v: the gradient of x[%d] is %v, want %v", log, k, got[k], want)
			}
		}
	}
}
