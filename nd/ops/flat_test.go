package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestSmallCallsGiveTheBitsOfLaunches compares calls on small contiguous arrays with the same calls under Where, which
// launch.
func TestSmallCallsGiveTheBitsOfLaunches(t *testing.T) {
	binary := []func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array{
		pair(ops.Add), pair(ops.Subtract), pair(ops.Multiply), pair(ops.Divide), pair(ops.Maximum), pair(ops.Less), pair(ops.Power), pair(ops.Arctan2),
	}
	unary := []func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array{ops.Exp, ops.Tanh, ops.Sqrt, ops.Negative, ops.Positive, ops.IsNaN}
	for _, dt := range []dtype.DType{dtype.Float16, dtype.Float32, dtype.Float64, dtype.Complex64} {
		for _, n := range []int{0, 1, 10, 63, 2048, 2049} {
			a, b := nd.Arange(0, float64(n), 1).AsType(dt), ops.Add(nd.Arange(0, float64(n), 1), 0.25).AsType(dt)
			if n > 10 && dt.IsFloat() {
				for i, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e-310} {
					nd.Fill(a.Index(nd.At(2*i)), v)
				}
			}
			launched := ops.UfuncOptions{Where: nd.Full([]int{n}, true)}
			for k, f := range binary {
				if dt.IsComplex() && k > 3 {
					continue
				}
				for _, args := range [][2]*nd.Array{{a, b}, {a, nd.Scalar(2)}, {nd.Scalar(0.3), b}, {a, a}} {
					sameBits(t, f(args[0], args[1]), f(args[0], args[1], launched))
				}
			}
			for rows := range 10 {
				if rows*n == 0 || rows == 9 && n > 10 {
					continue
				}
				for _, shape := range [][]int{{rows, n}, {1, rows, n}} {
					matrix := ops.Add(nd.Arange(0, float64(rows*n), 1), 0.5).AsType(dt).Reshape(shape...)
					where := ops.UfuncOptions{Where: nd.Full(shape, true)}
					for _, f := range binary[:4] {
						sameBits(t, f(matrix, b), f(matrix, b, where))
						sameBits(t, f(a, matrix), f(a, matrix, where))
					}
				}
			}
			for k, f := range unary {
				if !dt.IsComplex() || k < 3 {
					sameBits(t, f(a), f(a, launched))
				}
			}
		}
	}
}

// TestFunctionsOfScalars checks functions of one and of two operands that are all scalars.
func TestFunctionsOfScalars(t *testing.T) {
	for name, f := range map[string]func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array{
		"Exp": ops.Exp, "Tanh": ops.Tanh, "Sqrt": ops.Sqrt, "Negative": ops.Negative, "Positive": ops.Positive, "IsNaN": ops.IsNaN,
		"Absolute": ops.Absolute, "Square": ops.Square,
	} {
		for _, x := range []*nd.Array{nd.Scalar(0.5), nd.Scalar(0.5 + 2i)} {
			if name != "Tanh" && name != "IsNaN" || !x.DType().IsComplex() {
				if got, want := f(x), f(x.Copy()); got.DType() != want.DType() || !ops.ArrayEqual(got, want) {
					t.Errorf("%s(%v) is %v, want %v", name, x, got, want)
				}
			}
		}
	}
	for name, f := range map[string]func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array{"Add": pair(ops.Add), "Divide": pair(ops.Divide), "Less": pair(ops.Less)} {
		if got, want := f(nd.Scalar(0.5), nd.Scalar(3)), f(nd.Scalar(0.5).Copy(), nd.Scalar(3.0).Copy()); !ops.ArrayEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func sameBits(t *testing.T, got, want *nd.Array) {
	t.Helper()
	if got.DType() != want.DType() || got.Size() != want.Size() || got.Size() > 0 && !ops.ArrayEqual(memoryOf(got), memoryOf(want)) {
		t.Errorf("%v, want %v", got, want)
	}
}

// memoryOf returns the memory of an array as bytes.
func memoryOf(x *nd.Array) *nd.Array { return x.View(dtype.Uint8) }

func TestSmallCallsWriteIntoOverlappingArrays(t *testing.T) {
	x := nd.Arange(0, 11, 1).AsType(dtype.Float32)
	head, tail := x.Index(nd.Span(0, 10)), x.Index(nd.Span(1, 11))
	version := x.Version()
	if y := ops.Add(head, head, ops.Into(tail)); y != tail {
		t.Error("the result is not Out")
	}
	if want := nd.FromSlice([]float32{0, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18}); !ops.ArrayEqual(x, want) {
		t.Errorf("%v, want %v", x, want)
	}
	ops.Add(head, 1, ops.Into(head))
	if want := nd.FromSlice([]float32{1, 1, 3, 5, 7, 9, 11, 13, 15, 17, 18}); !ops.ArrayEqual(x, want) {
		t.Errorf("%v, want %v", x, want)
	}
	if x.Version() != version+2 {
		t.Errorf("version %d after two writes to version %d", x.Version(), version)
	}
}

func TestSmallCallsBelongToTheYoungestArena(t *testing.T) {
	older, younger := nd.NewArena(), nd.NewArena()
	a, b := older.Adopt(floats(10)), younger.Adopt(floats(10))
	results := []*nd.Array{ops.Add(a, b), ops.Add(b, a), ops.Exp(b), ops.Multiply(2, b)}
	kept := ops.Add(a, 1.5)
	younger.Release()
	for i, y := range results {
		if !y.IsReleased() {
			t.Errorf("result %d outlives the arena of an operand", i)
		}
	}
	if kept.IsReleased() {
		t.Error("a result was released with another arena")
	}
	older.Release()
	if err := nd.Catch(func() { ops.Add(kept, floats(10)) }); err == nil {
		t.Error("a released array was accepted")
	}
}
