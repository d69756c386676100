package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestResultsCanBeWrittenUnderATape checks that no temporary header still refers to the memory of a result.
func TestResultsCanBeWrittenUnderATape(t *testing.T) {
	x := opstest.Normal(50, dtype.Float64, 3, 3)
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"MatMul": func(x *nd.Array) *nd.Array { return ops.MatMul(x, nd.Ones([]int{3})) },
		"Dot":    func(x *nd.Array) *nd.Array { return ops.Dot(x, x) },
		"Affine": func(x *nd.Array) *nd.Array { return ops.Affine(x, x) },
		"Roll":   func(x *nd.Array) *nd.Array { return ops.Roll(x, 2) },
		"TakeAlongAxis": func(x *nd.Array) *nd.Array {
			return ops.TakeAlongAxis(x, nd.FromSlice([]int{0, 2, 1}, 1, 3), ops.Over(0))
		},
		"AddAt":     func(x *nd.Array) *nd.Array { return ops.AddAt(x, nd.Scalar(1), nd.At(0)) },
		"DiagFlat":  func(x *nd.Array) *nd.Array { return ops.DiagFlat(x, 0) },
		"LogSumExp": func(x *nd.Array) *nd.Array { return ops.LogSumExp(x, ops.Over(0)) },
		"Sum":       func(x *nd.Array) *nd.Array { return ops.Sum(x, ops.Over(0)) },
		"Pad":       func(x *nd.Array) *nd.Array { return ops.Pad(x, [][2]int{{1, 1}, {0, 0}}) },
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
				y := f(xs[0])
				y.Assign(ops.Sum(xs[0]), nd.At(-1))
				return y
			}, x)
		})
	}
}

func TestAddAtInPlaceUnderATape(t *testing.T) {
	v := opstest.Normal(51, dtype.Float64, 4)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		y := ops.Square(xs[0])
		y.Assign(ops.AddAt(y, xs[1], nd.Pick(nd.FromSlice([]int{1, 1, 0, 2}))))
		return ops.Square(y)
	}, opstest.Normal(52, dtype.Float64, 3), v)
}
