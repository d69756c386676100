package ref_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

func TestSort(t *testing.T) {
	x := []float64{2, nan, neg, 0, -inf, 2, nan, 3}
	for _, test := range []struct {
		descending      bool
		values, indices string
	}{
		{false, "-Inf -0 0 2 2 3 NaN NaN", "4 2 3 0 5 7 1 6"},
		{true, "3 2 2 -0 0 -Inf NaN NaN", "7 0 5 2 3 4 1 6"},
	} {
		d := ref.New()
		shape := []int{8}
		l := launch(shape, dense(shape, out[float64](d, 8), out[int64](d, 8), in(d, x...))...)
		l.Descending = test.descending
		d.Sort(l)
		expect(t, "values", elements[float64](d, l.Operands[0]), test.values)
		expect(t, "indices", elements[int64](d, l.Operands[1]), test.indices)
	}
}

func TestSortComplexAndIndicesAlone(t *testing.T) {
	d := ref.New()
	shape := []int{4}
	l := launch(shape, dense(shape, device.Operand{}, out[int64](d, 4), in(d, 1+1i, complex(0, nan), 1-1i, 0))...)
	d.Sort(l)
	expect(t, "indices", elements[int64](d, l.Operands[1]), "3 2 0 1")
}
