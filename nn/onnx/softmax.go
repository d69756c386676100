package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// stepwiseSoftmax is ops.Softmax. For floats of 16 bits it rounds after each step, as ONNX defines the operator by others:
// models that were trained or checked with such steps expect their results.
func stepwiseSoftmax(x *nd.Array, over ops.Axes) *nd.Array {
	if t := x.DType(); t != dtype.Float16 && t != dtype.BFloat16 || x.Size() == 0 {
		return ops.Softmax(x, over)
	}
	keep := ops.ReduceOptions{Axes: over, KeepDims: true}
	powers := ops.Exp(ops.Subtract(x, ops.Max(x, keep)))
	return ops.Divide(powers, stepwiseSum(powers, over))
}

// stepwiseSum is the sum along an axis, which stays. A sum of a few numbers of bfloat16 is rounded after each of them, as
// that of ONNX's reference is; longer ones would lose all digits that way.
func stepwiseSum(x *nd.Array, over ops.Axes) *nd.Array {
	const few = 64
	axis := nd.Func("Softmax").Axis(x, over, -1)
	if x.DType() != dtype.BFloat16 || x.Dim(axis) > few {
		return ops.Sum(x, ops.ReduceOptions{Axes: over, KeepDims: true})
	}
	parts := ops.Unstack(x, over)
	sum := parts[0]
	for _, part := range parts[1:] {
		sum = ops.Add(sum, part)
	}
	return sum.ExpandDims(axis)
}
