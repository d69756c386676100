package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// TestNumbersFit gives functions numbers that uint8 does not hold. Each refuses, before it writes.
func TestNumbersFit(t *testing.T) {
	x := nd.FromSlice([]uint8{3, 5, 10})
	at, mask := nd.FromSlice([]int{0}), nd.FromSlice([]bool{false, false, false})
	square := nd.Zeros([]int{2, 2}, dtype.Uint8)
	copied := ops.MustKernel("T x, T y", "T z", "z = y")
	for name, f := range map[string]func(v *nd.Array){
		"ops.Put":          func(v *nd.Array) { ops.Put(x, at, v) },
		"ops.PutMask":      func(v *nd.Array) { ops.PutMask(x, mask, v) },
		"ops.Place":        func(v *nd.Array) { ops.Place(x, mask, v) },
		"ops.FillDiagonal": func(v *nd.Array) { ops.FillDiagonal(square, v, false) },
		"ops.Insert":       func(v *nd.Array) { ops.Insert(x, 1, v) },
		"ops.Pad":          func(v *nd.Array) { ops.Pad(x, []int{1}, ops.PadOptions{Value: v}) },
		"ops.Shift":        func(v *nd.Array) { ops.Shift(x, []int{1}, ops.ShiftOptions{Value: v}) },
		"ops.Max":          func(v *nd.Array) { ops.Max(x, ops.ReduceOptions{Initial: v}) },
		"ops.PutAlongAxis": func(v *nd.Array) { ops.PutAlongAxis(x, at, v, ops.Over(0)) },
		"ops.CopyTo":       func(v *nd.Array) { ops.CopyTo(x, v, ops.CopyToOptions{Casting: dtype.CastUnsafe}) },
		"Array.Assign":     func(v *nd.Array) { x.Assign(v) },
		"Array.With":       func(v *nd.Array) { x.With(v, nd.At(0)) },
		"Array.AsType":     func(v *nd.Array) { v.AsType(dtype.Uint8) },
		"ops.Add": func(v *nd.Array) {
			ops.Add(x, v, ops.UfuncOptions{DType: dtype.Uint8, Casting: dtype.CastUnsafe})
		},
		"ops.Pad of a ramp": func(v *nd.Array) { ops.Pad(x, []int{1}, ops.PadOptions{Mode: ops.PadLinearRamp, Value: v}) },
		"kernel":            func(v *nd.Array) { copied.Call(x, v) },
	} {
		for _, v := range []*nd.Array{nd.Scalar(256), nd.Scalar(-1), nd.Scalar(1e10), nd.Scalar(math.NaN()), nd.Scalar(2i)} {
			if name == "kernel" && !v.DType().IsInteger() {
				continue // the kernel computes in a wider dtype
			}
			if err := nd.Catch(func() { f(v) }); err == nil {
				t.Errorf("%s of %v is not refused", name, v)
			}
		}
	}
	opstest.Repr(t, x, "array([ 3, 5, 10], dtype=uint8)")
	opstest.Repr(t, square, "array([[0, 0], [0, 0]], dtype=uint8)")
	ops.Put(x, at, nd.Scalar(2.5))
	opstest.Repr(t, x, "array([ 2, 5, 10], dtype=uint8)")
	opstest.Refuses(t, "ops.Put: 1e+10 is out of bounds for uint8", func() { ops.Put(x, at, nd.Scalar(1e10)) })
	opstest.Refuses(t, "ops.Select: the integer 300 is out of bounds for uint8", func() {
		ops.Select([]*nd.Array{mask}, []*nd.Array{x}, nd.Scalar(300))
	})
	opstest.Refuses(t, "ops.Unwrap: the integer 256 is out of bounds for uint8", func() {
		ops.Unwrap(nd.FromSlice([]uint8{250, 5, 10}), ops.UnwrapOptions{Period: nd.Scalar(256)})
	})
}
