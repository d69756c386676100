package ops_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestRunningExtremes compares with values of PyTorch.
func TestRunningExtremes(t *testing.T) {
	x := nd.FromSlice([]float64{1, 3, 2, 3, math.NaN(), 5, 2, 2, 0, -1, 2, 7}, 2, 6)
	values, indices := ops.CumMax(x, ops.Over(1))
	opstest.Repr(t, values, "array([[ 1., 3., 3., 3., nan, nan], [ 2., 2., 2., 2., 2., 7.]])")
	opstest.Repr(t, indices, "array([[0, 1, 1, 3, 4, 4], [0, 1, 1, 1, 4, 5]])")
	values, indices = ops.CumMin(x.Index(nd.At(1)))
	opstest.Repr(t, values, "array([ 2., 2., 0., -1., -1., -1.])")
	opstest.Repr(t, indices, "array([0, 1, 2, 3, 3, 3])")
	values, _ = ops.CumMax(nd.FromSlice([]bool{false, true, false}))
	opstest.Repr(t, values, "array([False, True, True])")
	values, _ = ops.CumMin(nd.Zeros([]int{2, 0}, dtype.Int8), ops.Over(-1))
	opstest.Repr(t, values, "array([], shape=(2, 0), dtype=int8)")
	opstest.Refuses(t, "no order", func() { ops.CumMax(nd.FromSlice([]complex64{1})) })
	distinct := opstest.Normal(1, dtype.Float64, 3, 4)
	for _, f := range []func(*nd.Array, ...ops.Axes) (*nd.Array, *nd.Array){ops.CumMax, ops.CumMin} {
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			v, _ := f(xs[0], ops.Over(0))
			return ops.Square(v)
		}, distinct)
	}
}

func TestLogCumSumExp(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, -500, 800, 3})
	if got := fmt.Sprintf("%.4f", ops.LogCumSumExp(x)); got != "[1.0000 2.3133 2.3133 800.0000 800.0000]" {
		t.Errorf("got %s", got)
	}
	long := opstest.Normal(2, dtype.Float64, 2, 33)
	opstest.Close(t, ops.LogCumSumExp(long, ops.Over(1)), ops.Log(ops.CumSum(ops.Exp(long), ops.Over(1))), 1e-14)
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.LogCumSumExp(xs[0], ops.Over(0)) }, opstest.Normal(3, dt, 5, 2))
	}
}

func TestMode(t *testing.T) {
	values, indices := ops.Mode(nd.FromSlice([]int{3, 1, 2, 1, 3, 5, 4, 4, 5, 0}, 2, 5))
	opstest.Repr(t, values, "array([1, 4])")
	opstest.Repr(t, indices, "array([3, 2])")
	values, indices = ops.Mode(nd.FromSlice([]int{7, 1, 7, 2}, 2, 2), ops.Over(0))
	opstest.Repr(t, values, "array([7, 1])")
	opstest.Repr(t, indices, "array([1, 0])")
	opstest.Refuses(t, "no elements", func() { ops.Mode(nd.Zeros([]int{2, 0})) })
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		v, _ := ops.Mode(xs[0])
		return ops.Square(v)
	}, opstest.Normal(4, dtype.Float64, 3, 4))
}

func TestUniqueConsecutive(t *testing.T) {
	u := ops.UniqueConsecutive(nd.FromSlice([]int{1, 1, 2, 2, 2, 1, 3, 3}))
	opstest.Repr(t, u.Values, "array([1, 2, 1, 3])")
	opstest.Repr(t, u.Inverse, "array([0, 0, 1, 1, 1, 2, 3, 3])")
	opstest.Repr(t, u.Counts, "array([2, 3, 1, 2])")
	opstest.Repr(t, u.Indices, "array([0, 2, 5, 6])")
	opstest.Repr(t, ops.UniqueConsecutive(nd.FromSlice([]int{1, 2, 1, 2, 0, 0}, 3, 2), ops.Over(0)).Values, "array([[1, 2], [0, 0]])")
}

func TestReduceAlongAxis(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	at := nd.FromSlice([]int{0, 0, 2, 1, 1, 1}, 2, 3)
	v := nd.FromSlice([]float64{2, 8, 3, 0, 7, -1}, 2, 3)
	for how, wants := range map[ops.ReduceKind][2]string{
		"sum":  {"[[11. 2. 6.] [ 4. 11. 6.]]", "[[10. 2. 3.] [ 4. 6. 6.]]"},
		"prod": {"[[16. 2. 9.] [ 4. -0. 6.]]", "[[16. 2. 3.] [ 4. -0. 6.]]"},
		"mean": {"[[3.66666667 2. 3. ] [4. 2.75 6. ]]", "[[5. 2. 3.] [4. 2. 6.]]"},
		"max":  {"[[8. 2. 3.] [4. 7. 6.]]", "[[8. 2. 3.] [4. 7. 6.]]"},
		"min":  {"[[ 1. 2. 3.] [ 4. -1. 6.]]", "[[ 2. 2. 3.] [ 4. -1. 6.]]"},
	} {
		for k, exclude := range []bool{false, true} {
			f := func(xs ...*nd.Array) *nd.Array {
				return ops.ReduceAlongAxis(xs[0], at, xs[1], ops.Over(1), how, ops.ReduceAlongOptions{ExcludeSelf: exclude})
			}
			if got := strings.Join(strings.Fields(f(x, v).String()), " "); got != wants[k] {
				t.Errorf("%s, self excluded %v: got %s, want %s", how, exclude, got, wants[k])
			}
			gradcheck.CheckSecondOrder(t, f, opstest.Normal(5, dtype.Float64, 2, 3), opstest.Normal(6, dtype.Float64, 2, 3))
		}
	}
	withZeros := func(v *nd.Array) *nd.Array { return ops.ReduceAlongAxis(x, at, v, ops.Over(1), "prod") }
	_, g := opstest.ValueAndGrad(withZeros, nd.FromSlice([]float64{0, 8, 0, 0, 7, 0}, 2, 3))
	opstest.Repr(t, g, "array([[8., 0., 3.], [0., 0., 0.]])")
	empty := ops.ReduceAlongAxis(x, at.Index(nd.All(), nd.Until(0)), v, ops.Over(1), "max")
	opstest.Repr(t, empty, "array([[1., 2., 3.], [4., 5., 6.]])")
	opstest.Refuses(t, `"amax"`, func() { ops.ReduceAlongAxis(x, at, v, ops.Over(1), "amax") })
}
