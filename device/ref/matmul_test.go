package ref_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device/ref"
)

func TestMatMul(t *testing.T) {
	d := ref.New()
	// A is 2×3, B is 3×2, in the loop (m, n, k) = (2, 2, 3).
	l := launch([]int{2, 2, 3}, over(out[int32](d, 4), 2, 1, 0), over(in[int8](d, 1, 2, 3, 4, 5, 6), 3, 0, 1), over(in[int8](d, 1, 2, 3, 4, 5, 60), 0, 1, 2))
	d.MatMul(l)
	expect(t, "A·B", elements[int32](d, l.Operands[0]), "22 190 49 388")

	l = launch([]int{1, 1, 2}, out[bool](d, 1), over(in(d, false, true), 0, 0, 1), over(in(d, true, true), 0, 0, 1))
	d.MatMul(l)
	expect(t, "bools", elements[bool](d, l.Operands[0]), "true")

	l = launch([]int{1, 1, 2}, out[complex64](d, 1), over(in[complex64](d, 1+1i, 2), 0, 0, 1), over(in[complex64](d, 1-1i, 3i), 0, 0, 1))
	d.MatMul(l)
	expect(t, "complex", elements[complex64](d, l.Operands[0]), "(2+6i)")

	l = launch([]int{1, 2, 0}, over(in(d, 7.0, 7), 2, 1, 0), in[float64](d), in[float64](d))
	d.MatMul(l)
	expect(t, "empty sums", elements[float64](d, l.Operands[0]), "0 0")
}
