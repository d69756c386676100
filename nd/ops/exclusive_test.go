package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

// TestNoViewsStay checks that views made for a launch do not keep the memory of the operand or of the result from being
// released.
func TestNoViewsStay(t *testing.T) {
	first, last := 0, -1
	labels := nd.Zeros([]int{20}, dtype.Int64)
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"Softmax":             func(x *nd.Array) *nd.Array { return ops.Softmax(x) },
		"Softmax down":        func(x *nd.Array) *nd.Array { return ops.Softmax(x, ops.Over(first)) },
		"LogSoftmax":          func(x *nd.Array) *nd.Array { return ops.LogSoftmax(x) },
		"SoftmaxCrossEntropy": func(x *nd.Array) *nd.Array { return loss.SoftmaxCrossEntropy(x, labels) },
		"LayerNormalization":  func(x *nd.Array) *nd.Array { return normalize.LayerNormalization(x, nil, nil) },
		"CumSum":              func(x *nd.Array) *nd.Array { return ops.CumSum(x, ops.Over(last)) },
		"CumSum down":         func(x *nd.Array) *nd.Array { return ops.CumSum(x, ops.Over(first)) },
		"CumSum of all":       func(x *nd.Array) *nd.Array { return ops.CumSum(x) },
		"CumSum backwards": func(x *nd.Array) *nd.Array {
			return ops.CumSum(x, ops.ScanOptions{Axis: ops.Over(last), Reverse: true})
		},
		"ArgMax":        func(x *nd.Array) *nd.Array { return ops.ArgMax(x, ops.Over(last)) },
		"ArgMax of all": func(x *nd.Array) *nd.Array { return ops.ArgMax(x) },
		"Sum":           func(x *nd.Array) *nd.Array { return ops.Sum(x) },
		"Var":           func(x *nd.Array) *nd.Array { return ops.Var(x) },
		"Sort":          func(x *nd.Array) *nd.Array { return ops.Sort(x) },
		"ArgSort":       func(x *nd.Array) *nd.Array { return ops.ArgSort(x) },
		"Norm":          func(x *nd.Array) *nd.Array { return ops.Norm(x) },
		"GELU":          func(x *nd.Array) *nd.Array { return ops.GELU(x) },
		"Concatenate":   func(x *nd.Array) *nd.Array { return ops.Concatenate([]*nd.Array{x, x}) },
		"MatMul":        func(x *nd.Array) *nd.Array { return ops.MatMul(x, x) },
	} {
		t.Run(name, func(t *testing.T) {
			x := nd.Ones([]int{20, 20})
			y := f(x)
			if !x.IsExclusive() {
				t.Error("the operand is not alone")
			}
			if !y.IsExclusive() {
				t.Error("the result is not alone")
			}
		})
	}
}
