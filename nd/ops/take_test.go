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

func TestTakeAlongAxisModes(t *testing.T) {
	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}})
	at := nd.FromRows([][]int64{{-1, 3}, {-4, 7}})
	wrap, clip := ops.TakeAlongOptions{Mode: ops.IndexWrap}, ops.TakeAlongOptions{Mode: ops.IndexClip}
	opstest.Repr(t, ops.TakeAlongAxis(x, at, ops.Over(1), wrap), "array([[3., 1.], [6., 5.]])")
	opstest.Repr(t, ops.TakeAlongAxis(x, at, ops.Over(1), clip), "array([[1., 3.], [4., 6.]])")
	opstest.Repr(t, ops.TakeAlongAxis(x.T(), at.T(), ops.Over(0), wrap), "array([[3., 6.], [1., 5.]])")
	opstest.Repr(t, ops.TakeAlongAxis(x, nd.FromRows([][]int8{{9}}), ops.Over(-1), clip), "array([[3.], [6.]])")
	opstest.Repr(t, ops.TakeAlongAxis(x, at, ops.Over(1), ops.TakeAlongOptions{Mode: ops.IndexClip}).AsType(dtype.Int8), "array([[1, 3], [4, 6]], dtype=int8)")
	for _, o := range []ops.TakeAlongOptions{wrap, clip} {
		f := func(xs ...*nd.Array) *nd.Array { return ops.Square(ops.TakeAlongAxis(xs[0], at, ops.Over(1), o)) }
		gradcheck.Check(t, f, x)
		gradcheck.CheckSecondOrder(t, f, x)
	}
	if y := ops.TakeAlongAxis(x, nd.Zeros([]int{2, 0}, dtype.Int64), ops.Over(1), wrap); y.Size() != 0 {
		t.Errorf("without indices: shape %v", y.Shape())
	}
	opstest.Refuses(t, "ops.TakeAlongAxis", func() { ops.TakeAlongAxis(x, at, ops.Over(1)) })
	opstest.Refuses(t, `ops.TakeAlongAxis: mode "mirror": want raise, wrap or clip`, func() {
		ops.TakeAlongAxis(x, at, ops.Over(1), ops.TakeAlongOptions{Mode: "mirror"})
	})
}
