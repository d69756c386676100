package ref_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

func TestArgReduce(t *testing.T) {
	for _, test := range []struct {
		c    device.Combine
		x    []float64
		want string
	}{
		{device.CombineMax, []float64{1, 3, 3, 2}, "1"},
		{device.CombineMin, []float64{1, 0, neg, 2}, "1"},
		{device.CombineMax, []float64{1, nan, 3, nan}, "1"},
		{device.CombineMin, []float64{1, 2, nan, -inf}, "2"},
	} {
		d := ref.New()
		shape := []int{2, 2}
		l := launch(shape, out[int64](d, 1), dense(shape, in(d, test.x...))[0])
		l.Reduced, l.Combine = 2, test.c
		d.ArgReduce(l)
		expect(t, fmt.Sprint(test.c, test.x), elements[int64](d, l.Operands[0]), test.want)
	}
}
