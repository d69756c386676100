package ref_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

func TestScatter(t *testing.T) {
	for _, test := range []struct {
		c    device.Combine
		b    device.Bounds
		want string
	}{
		{device.CombineAssign, device.BoundsRaise, "3 10 10 4"},
		{device.CombineSum, device.BoundsRaise, "16 10 10 14"},
		{device.CombineMax, device.BoundsRaise, "10 10 10 10"},
		{device.CombineProd, device.BoundsWrap, "60 10 10 40"},
		{device.CombineAssign, device.BoundsClip, "4 10 10 10"},
		{device.CombineSum, device.BoundsDrop, "16 10 10 10"},
	} {
		d := ref.New()
		l := indexed(d, test.b, in[int32](d, 10, 10, 10, 10), over(in[int32](d, 1, 2, 3, 4), 1), 0, 0, 0, -1)
		l.Combine = test.c
		d.Scatter(l)
		expect(t, fmt.Sprint(test.c, test.b), elements[int32](d, l.Operands[0]), test.want)
	}
}
