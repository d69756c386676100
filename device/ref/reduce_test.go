package ref_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// reduction launches a reduction of int32 or float32 values by a program over the last axes.
func reduction[T dtype.Element](t *testing.T, c device.Combine, shape []int, axes int, values ...T) string {
	t.Helper()
	d := ref.New()
	outputs := 1
	for _, n := range shape[:len(shape)-axes] {
		outputs *= n
	}
	y := out[T](d, outputs)
	y.Strides[0] = 1
	if axes == len(shape) {
		y.Strides[0] = 0
	}
	l := launch(shape, y, dense(shape, in(d, values...))[0])
	l.Combine, l.Reduced = c, axes
	l.Program = compile(t, device.Source{Inputs: "T x", Outputs: "T y", Body: "y = x"}, map[byte]dtype.DType{'T': dtype.Of[T]()})
	d.Reduce(l)
	return elements[T](d, l.Operands[0])
}

func TestReduce(t *testing.T) {
	square := []int{2, 3}
	expect(t, "sum of rows", reduction[int32](t, device.CombineSum, square, 1, 1, 2, 3, 4, 5, 6), "6 15")
	expect(t, "sum", reduction[int32](t, device.CombineSum, square, 2, 1, 2, 3, 4, 5, 6), "21")
	expect(t, "sum over no axes", reduction[int32](t, device.CombineSum, []int{3}, 0, 1, 2, 3), "1 2 3")
	expect(t, "sum that wraps", reduction[int8](t, device.CombineSum, []int{3}, 1, 100, 100, 100), "44")
	expect(t, "product", reduction[int32](t, device.CombineProd, []int{4}, 1, 1, 2, 3, -4), "-24")
	expect(t, "max", reduction(t, device.CombineMax, []int{2, 3}, 1, 1, 3, 2, 1, nan, 2), "3 NaN")
	expect(t, "fmax", reduction(t, device.CombineFMax, []int{2, 2}, 1, nan, 3, nan, nan), "3 NaN")
	expect(t, "min", reduction(t, device.CombineMin, []int{3}, 1, 2, -inf, 1), "-Inf")
	expect(t, "all", reduction(t, device.CombineAll, []int{2, 2}, 1, true, true, true, false), "true false")
	expect(t, "any", reduction(t, device.CombineAny, []int{2, 2}, 1, false, true, false, false), "true false")
	expect(t, "complex max", reduction[complex128](t, device.CombineMax, []int{3}, 1, 1+5i, 2-1i, 2-2i), "(2-1i)")
	// In float32 alone, the ones would be lost next to 2^24.
	expect(t, "float32 sum", reduction[float32](t, device.CombineSum, []int{4}, 1, 1<<24, 1, 1, 1), fmt.Sprint(float32(1<<24+4)))
}

func TestReduceOfNothing(t *testing.T) {
	empty := []int{0}
	expect(t, "sum", reduction[float64](t, device.CombineSum, empty, 1), "0")
	expect(t, "product", reduction[float64](t, device.CombineProd, empty, 1), "1")
	expect(t, "max", reduction[float64](t, device.CombineMax, empty, 1), "-Inf")
	expect(t, "min", reduction[float64](t, device.CombineMin, empty, 1), "+Inf")
	expect(t, "fmax", reduction[float64](t, device.CombineFMax, empty, 1), "NaN")
	expect(t, "int8 max", reduction[int8](t, device.CombineMax, empty, 1), "-128")
	expect(t, "uint64 min", reduction[uint64](t, device.CombineMin, empty, 1), "18446744073709551615")
	expect(t, "complex min", reduction[complex64](t, device.CombineMin, empty, 1), "(+Inf+Infi)")
	expect(t, "all", reduction[bool](t, device.CombineAll, empty, 1), "true")
	expect(t, "any", reduction[bool](t, device.CombineAny, empty, 1), "false")
}

// TestReduceProgramAndPost computes Σ(x-c)² / n, with the scalar c of the program before the scalar n of Post.
func TestReduceProgramAndPost(t *testing.T) {
	d := ref.New()
	shape := []int{2, 3}
	l := launch(shape, over(out[float64](d, 2), 1, 0), dense(shape, in[int32](d, 1, 2, 3, 4, 4, 7))[0])
	l.Reduced, l.Combine = 1, device.CombineSum
	l.Program = compile(t, device.Source{Inputs: "double x", Scalars: "double c", Outputs: "double y", Body: "(x - c)*(x - c)"}, nil)
	l.Post = compile(t, device.Source{Inputs: "double s", Scalars: "double count", Outputs: "double y", Body: "s / count"}, nil)
	l.Scalars[0], l.Scalars[1] = device.Scalar{Re: 1}, device.Scalar{Re: 2}
	d.Reduce(l)
	expect(t, "Σ(x-c)²/n", elements[float64](d, l.Operands[0]), "2.5 27")
}
