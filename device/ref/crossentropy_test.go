package ref_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

func TestCrossEntropy(t *testing.T) {
	d := ref.New()
	shape := []int{3, 3}
	x := in(d, append(ln[:6:6], 1, 2, 3)...)
	labels := in[int32](d, 2, 0, -1)
	l := launch(shape, over(out[float64](d, 3), 1, 0), over(x, 3, 1), over(labels, 1, 0))
	l.Ignore = -1
	d.CrossEntropy(l)
	expect(t, "losses", rounded(d, l.Operands[0]), "0.470004 0.980829 0")

	l = launch(shape, over(out[float64](d, 9), 3, 1), over(x, 3, 1), over(labels, 1, 0), over(in(d, 1.0, 2, 3), 1, 0))
	l.Ignore = -1
	d.CrossEntropyGrad(l)
	expect(t, "gradients", rounded(d, l.Operands[0]), "0.125 0.25 -0.375 -1.25 0.75 0.5 0 0 0")
}

func TestCrossEntropyRefusesLabels(t *testing.T) {
	d := ref.New()
	shape := []int{2, 3}
	for _, wrong := range []int64{3, -2} {
		y := in(d, 7.0, 7)
		labels := over(in(d, 0, wrong), 1, 0)
		l := launch(shape, over(y, 1, 0), over(in(d, 1.0, 2, 3, 4, 5, 6), 3, 1), labels)
		l.Ignore = -1
		e, _ := panicOf(func() { d.CrossEntropy(l) }).(*device.IndexError)
		if e == nil || e.Index != int(wrong) || e.Size != 3 {
			t.Errorf("label %d panicked with %v", wrong, e)
		}
		expect(t, "the output", elements[float64](d, y), "7 7")
	}
}
