package ref_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

// indexed launches Gather or Scatter along an axis of four elements.
func indexed(d *ref.Device, b device.Bounds, y, x device.Operand, indices ...int64) *device.Launch {
	shape := []int{len(indices)}
	l := launch(shape, y, x, dense(shape, in(d, indices...))[0])
	l.Bounds, l.Axes[0] = b, device.IndexAxis{Stride: 1, Size: 4}
	return l
}

func TestGather(t *testing.T) {
	for _, test := range []struct {
		b       device.Bounds
		indices []int64
		want    string
	}{
		{device.BoundsRaise, []int64{0, 3, -1, -4}, "10 13 13 10"},
		{device.BoundsWrap, []int64{4, -5, 7, math.MinInt64}, "10 13 13 10"},
		{device.BoundsClip, []int64{-1, 4, 2, math.MaxInt64}, "10 13 12 13"},
		{device.BoundsDrop, []int64{-1, 4, 2, 0}, "0 0 12 10"},
	} {
		d := ref.New()
		l := indexed(d, test.b, over(out[int32](d, 4), 1), in[int32](d, 10, 11, 12, 13), test.indices...)
		d.Gather(l)
		expect(t, fmt.Sprint(test.indices), elements[int32](d, l.Operands[0]), test.want)
	}
}

// TestGatherTwoAxes reads x[1, :, 0] and x[0, :, 1] of an array with the shape (2, 2, 2).
func TestGatherTwoAxes(t *testing.T) {
	d := ref.New()
	x := over(in[int32](d, 0, 1, 10, 11, 100, 101, 110, 111), 0, 2)
	l := launch([]int{2, 2}, over(out[int32](d, 4), 2, 1), x, over(in[int64](d, 1, 0), 1, 0), over(in[int64](d, 0, -1), 1, 0))
	l.Axes[0], l.Axes[1] = device.IndexAxis{Stride: 4, Size: 2}, device.IndexAxis{Stride: 1, Size: 2}
	d.Gather(l)
	expect(t, "x[a, :, b]", elements[int32](d, l.Operands[0]), "100 110 1 11")
}

// TestIndexErrors: nothing is written when an index is out of range.
func TestIndexErrors(t *testing.T) {
	d := ref.New()
	y := in[int32](d, 9, 9, 9, 9)
	for name, kernel := range map[string]func(*device.Launch){"Gather": d.Gather, "Scatter": d.Scatter} {
		for _, wrong := range []int64{4, -5, 1 << 40} {
			l := indexed(d, device.BoundsRaise, over(y, 0), over(in[int32](d, 1, 2, 3), 0), 0, 1, wrong)
			e, _ := panicOf(func() { kernel(l) }).(*device.IndexError)
			if e == nil || e.Index != int(wrong) || e.Size != 4 {
				t.Errorf("%s at %d panicked with %v", name, wrong, e)
			}
		}
	}
	expect(t, "the output", elements[int32](d, y), "9 9 9 9")
	l := indexed(d, device.BoundsWrap, over(y, 1), over(in[int32](d, 1), 0), 0)
	l.Axes[0].Size = 0
	if _, ok := panicOf(func() { d.Gather(l) }).(*device.IndexError); !ok {
		t.Error("wrapping an index on an axis of length 0 must fail")
	}
}
