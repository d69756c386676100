package onnx

import (
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn/model"
)

// multiplyAdds are the numbers of multiplications with additions, by operator.
var multiplyAdds = map[string]func(in, out []model.Value) int{
	"Conv": perOutput(1, 1), "ConvInteger": perOutput(1, 1), "QLinearConv": perOutput(3, 1), "DeformConv": perOutput(1, 1),
	"ConvTranspose": func(in, _ []model.Value) int { return sizeOf(in, 0) * broadcast.Size(after(shapeOf(in, 1), 1)) },
	"MatMul":        byInner, biasedProduct: byInner, "MatMulInteger": byInner, "Gemm": byInner,
	"FusedConv": perOutput(1, 1), "FusedMatMul": byInner, "FusedGemm": byInner,
}

// perOutput counts the elements of a filter for each element of the result.
func perOutput(weights, from int) func(in, out []model.Value) int {
	return func(in, out []model.Value) int {
		return sizeOf(out, 0) * broadcast.Size(after(shapeOf(in, weights), from))
	}
}

// byInner counts the length of the axis that a matrix product sums over, for each element of the result.
func byInner(in, out []model.Value) int {
	a, y := sizeOf(in, 0), shapeOf(out, 0)
	if len(y) == 0 || y[len(y)-1] == 0 || sizeOf(out, 0) == 0 {
		return a
	}
	rows := sizeOf(out, 0) / y[len(y)-1]
	return sizeOf(out, 0) * (a / max(rows, 1))
}

func shapeOf(values []model.Value, i int) []int {
	if i >= len(values) {
		return nil
	}
	if x := arrayIn(values[i]); x != nil {
		return x.Shape()
	}
	return nil
}

func sizeOf(values []model.Value, i int) int { return broadcast.Size(shapeOf(values, i)) }

func after(shape []int, from int) []int { return shape[min(from, len(shape)):] }
