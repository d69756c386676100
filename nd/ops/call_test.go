package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// floats returns an array of small numbers.
func floats(shape ...int) *nd.Array {
	x := nd.Zeros(shape, dtype.Float32)
	for i, data := 0, nd.Data[float32](x); i < len(data); i++ {
		data[i] = float32(i%7) / 8
	}
	return x.Copy()
}

// call is a function on very little data. Its name is that of its case in package bench, if it has one.
type call struct {
	name   string
	allocs int // the allowed allocations: the result's header, with its data, and those of the comment
	run    func()
}

func calls() []call {
	ten, other, out := floats(10), floats(10), floats(10)
	point, thousand, result := floats(), floats(1000), floats(1000)
	table, row := floats(3, 4), floats(4)
	hundred, matrix := floats(100, 100), floats(4, 4)
	return []call{
		{"scalar0d_add", 1, func() { ops.Add(point, point) }},
		{"add10", 1, func() { ops.Add(ten, other) }},
		{"add10_out", 0, func() { ops.Add(ten, other, ops.Into(out)) }},
		{"add10_scalar", 2, func() { ops.Add(ten, 1.5) }}, // the Scalar
		{"add3x4_row", 1, func() { ops.Add(table, row) }},
		{"add1000_release", 1, func() { ops.Add(thousand, thousand).Release() }},
		{"add1000_out", 0, func() { ops.Add(thousand, thousand, ops.Into(result)) }},
		{"exp10", 1, func() { ops.Exp(ten) }},
		{"less10", 1, func() { ops.Less(ten, other) }},
		{"sum10", 1, func() { ops.Sum(ten) }},
		{"mean3x4_axis", 3, func() { ops.Mean(table, ops.Over(1)) }}, // the axes, and sharing
		{"slice", 1, func() { hundred.Index(nd.Span(10, 20), nd.All().By(2)) }},
		{"reshape", 1, func() { hundred.Reshape(10, 1000) }},
		{"transpose", 1, func() { hundred.T() }},
		{"getitem", 0, func() { nd.Value[float32](hundred, 3, 4) }},
		{"getitem_view", 1, func() { hundred.Index(nd.At(3), nd.At(4)) }},
		{"matmul4x4", 3, func() { ops.MatMul(matrix, matrix) }}, // the device's blocks
	}
}

func TestCallsAllocateTheirResults(t *testing.T) {
	if raceDetector {
		t.Skip("pools forget things at random")
	}
	for _, c := range calls() {
		if n := int(testing.AllocsPerRun(200, c.run)); n > c.allocs {
			t.Errorf("%s allocates %d times, want %d", c.name, n, c.allocs)
		}
	}
}

// TestRecordingAllocatesLittle compares the allocations of an operation on a used tape with those of the unrecorded
// operation, and bounds those of the backward pass.
func TestRecordingAllocatesLittle(t *testing.T) {
	if raceDetector {
		t.Skip("pools forget things at random")
	}
	const steps = 500
	ten, other := floats(10), floats(10)
	tape := grad.NewTape()
	forward := func() (x, y *nd.Array) {
		x = tape.Watch(ten)
		y = x
		for range steps {
			y = ops.Multiply(ops.Add(y, other), other)
		}
		return x, y
	}
	for range 3 {
		x, y := forward()
		tape.Gradient(y, x)
		tape.Reset()
	}
	there := testing.AllocsPerRun(5, func() {
		forward()
		tape.Reset()
	})
	if perCall := (there - 1) / (2 * steps); perCall > 1.1 {
		t.Errorf("a recorded call allocates %.2f times, want its result alone", perCall)
	}
	both := testing.AllocsPerRun(5, func() {
		x, y := forward()
		tape.Gradient(y, x)
		tape.Reset()
	})
	if perCall := (both - there) / (2 * steps); perCall > 1.1 {
		t.Errorf("the backward pass allocates %.2f times for a call", perCall)
	}
}

// BenchmarkCall measures the cost of a function on very little data. Results are not released unless the name says so.
func BenchmarkCall(b *testing.B) {
	for _, c := range calls() {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.run()
			}
		})
	}
}

// BenchmarkRecord measures recording and differentiating, for one operation on very little data.
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
