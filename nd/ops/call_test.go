package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// floats is an array of small numbers.
func floats(shape ...int) *nd.Array {
	x := nd.Zeros(shape, nd.ArrayOptions{DType: nd.FromSlice([]float32{}).DType()})
	for i, data := 0, nd.Data[float32](x); i < len(data); i++ {
		data[i] = float32(i%7) / 8
	}
	return x.Copy()
}

// BenchmarkCall measures what a function costs on next to no data. Results are not released unless the name says so.
func BenchmarkCall(b *testing.B) {
	ten, other, out := floats(10), floats(10), floats(10)
	point, thousand, result := floats(), floats(1000), floats(1000)
	table, row := floats(3, 4), floats(4)
	hundred, matrix := floats(100, 100), floats(4, 4)
	for _, c := range []struct {
		name string
		call func()
	}{
		{"scalar0d_add", func() { ops.Add(point, point) }},
		{"add10", func() { ops.Add(ten, other) }},
		{"add10_out", func() { ops.Add(ten, other, ops.UfuncOptions{Out: out}) }},
		{"add10_scalar", func() { ops.Add(ten, nd.Scalar(1.5)) }},
		{"add3x4_row", func() { ops.Add(table, row) }},
		{"add1000", func() { ops.Add(thousand, thousand) }},
		{"add1000_release", func() { ops.Add(thousand, thousand).Release() }},
		{"add1000_out", func() { ops.Add(thousand, thousand, ops.UfuncOptions{Out: result}) }},
		{"exp10", func() { ops.Exp(ten) }},
		{"sum10", func() { ops.Sum(ten) }},
		{"mean3x4_axis", func() { ops.Mean(table, ops.ReduceOptions{Axes: []int{1}}) }},
		{"slice", func() { hundred.Index(nd.Span(10, 20), nd.All().By(2)) }},
		{"reshape", func() { hundred.Reshape(10, 1000) }},
		{"transpose", func() { hundred.T() }},
		{"getitem", func() { nd.Value[float32](hundred, 3, 4) }},
		{"getitem_view", func() { hundred.Index(nd.At(3), nd.At(4)) }},
		{"matmul4x4", func() { ops.MatMul(matrix, matrix) }},
		{"softmax4x4", func() { ops.Softmax(matrix) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.call()
			}
		})
	}
}

// BenchmarkRecord measures recording and differentiating, for one operation on next to no data.
func BenchmarkRecord(b *testing.B) {
	ten, other := floats(10), floats(10)
	b.Run("add10_record_grad", func(b *testing.B) {
		b.ReportAllocs()
		tape := grad.NewTape()
		for i := 0; b.Loop(); i++ {
			ops.Add(tape.Watch(ten), other)
			if i%1000 == 999 {
				tape.Reset()
			}
		}
	})
	chain := func(f func(x, w *nd.Array) *nd.Array) func(b *testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			tape := grad.NewTape()
			for i := 0; i < b.N; i += 1000 {
				x := tape.Watch(ten)
				y := x
				for range 1000 {
					y = f(y, other)
				}
				tape.Gradient(y, x)
				tape.Reset()
			}
		}
	}
	b.Run("chain1000_add10_fwdbwd_per_op", chain(func(x, w *nd.Array) *nd.Array { return ops.Add(x, w) }))
	b.Run("chain1000_multanh10_fwdbwd_per_op", chain(func(x, w *nd.Array) *nd.Array { return ops.Tanh(ops.Multiply(x, w)) }))
}
