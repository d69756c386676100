package ref_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device/ref"
)

func TestCopyConvertsAndFollowsStrides(t *testing.T) {
	d := ref.New()
	x := over(in(d, 1.5, -2.5, 3e9, nan, 5, 6), -2, 1) // rows from the last to the first
	x.Offset = 4
	l := launch([]int{3, 2}, over(out[int32](d, 6), 1, 3), x)
	d.Copy(l)
	expect(t, "copy", elements[int32](d, l.Operands[0]), "5 2147483647 1 6 0 -2")
}
