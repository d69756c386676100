package ref_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device/ref"
)

func TestNonzero(t *testing.T) {
	d := ref.New()
	l := launch([]int{2, 3}, in[int64](d, -1, -1, -1, -1, -1, -1), over(in(d, 0, 1, neg, nan, 0, -2), 3, 1))
	if n := d.Nonzero(l); n != 3 {
		t.Errorf("%d values are not zero, want 3", n)
	}
	expect(t, "positions", elements[int64](d, l.Operands[0]), "1 3 5 -1 -1 -1")
}
