package ref_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/x448/float16"
)

func TestElementwiseWhere(t *testing.T) {
	d := ref.New()
	shape := []int{4}
	l := launch(shape, dense(shape, in[int32](d, 9, 9, 9, 9), in[int32](d, 1, 2, 3, 4), in(d, true, false, false, true))...)
	l.Where = 2
	l.Program = compile(t, device.Source{Inputs: "int32 x", Outputs: "int32 y", Body: "10*x"}, nil)
	d.Elementwise(l)
	expect(t, "where", elements[int32](d, l.Operands[0]), "10 9 9 40")
}

func TestElementwiseRawScalarsPosition(t *testing.T) {
	d := ref.New()
	shape := []int{2, 3}
	raw := in(d, 0, 10.0, 20, 30)
	raw.Offset, raw.Len = 1, 3
	l := launch(shape, over(out[float64](d, 6), 1, 2), over(out[int64](d, 6), 3, 1), raw)
	l.Outputs = 2
	l.Program = compile(t, device.Source{Inputs: "raw double x", Scalars: "double a, int32 k", Outputs: "double y, int64 z",
		Body: "y = x[i - k]*a; z = n - i"}, nil)
	l.Scalars[0], l.Scalars[1] = device.Scalar{Re: 0.5}, device.Scalar{Int: 1}
	d.Elementwise(l)
	expect(t, "raw reads", elements[float64](d, l.Operands[0]), "0 15 5 0 10 0")
	expect(t, "positions", elements[int64](d, l.Operands[1]), "6 5 4 3 2 1")
}

func TestElementwiseSixteenBits(t *testing.T) {
	d := ref.New()
	x := in(d, float16.Fromfloat32(1), float16.Fromfloat32(2049))
	shape := []int{2}
	l := launch(shape, dense(shape, out[float16.Float16](d, 2), x)...)
	l.Program = compile(t, device.Source{Inputs: "T x", Outputs: "T y", Body: "x + 0.0004"}, map[byte]dtype.DType{'T': dtype.Float16})
	d.Elementwise(l)
	expect(t, "float16", elements[float16.Float16](d, l.Operands[0]), "1 2048")
}
