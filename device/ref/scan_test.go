package ref_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

func TestScan(t *testing.T) {
	for _, test := range []struct {
		c         device.Combine
		exclusive bool
		want      string
	}{
		{device.CombineSum, false, "1 4 6 4 9 15"},
		{device.CombineSum, true, "0 1 4 0 4 9"},
		{device.CombineProd, false, "1 3 6 4 20 120"},
		{device.CombineMax, false, "1 3 3 4 5 6"},
		{device.CombineMin, true, "9223372036854775807 1 1 9223372036854775807 4 4"},
	} {
		d := ref.New()
		shape := []int{2, 3}
		l := launch(shape, dense(shape, out[int64](d, 6), in[int8](d, 1, 3, 2, 4, 5, 6))...)
		l.Combine, l.Exclusive = test.c, test.exclusive
		d.Scan(l)
		expect(t, fmt.Sprint(test.c, test.exclusive), elements[int64](d, l.Operands[0]), test.want)
	}
}
