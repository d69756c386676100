package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestInsertAtOneIndex(t *testing.T) {
	m := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	columns := nd.FromSlice([]int{7, 8, 9, 10}, 2, 2)
	for _, c := range []struct {
		got  *nd.Array
		want string
	}{
		{ops.Insert(m, 1, nd.FromSlice([]int{7, 8}), ops.Over(1)), "array([[0, 7, 1, 2], [3, 8, 4, 5]])"},
		{ops.Insert(m, []int{1}, nd.FromSlice([]int{7, 8}, 2, 1), ops.Over(1)), "array([[0, 7, 1, 2], [3, 8, 4, 5]])"},
		{ops.Insert(m, 1, columns, ops.Over(1)), "array([[ 0, 7, 9, 1, 2], [ 3, 8, 10, 4, 5]])"},
		{ops.Insert(m, 3, columns.T(), ops.Over(-1)), "array([[ 0, 1, 2, 7, 8], [ 3, 4, 5, 9, 10]])"},
		{ops.Insert(m, -1, nd.Scalar(5), ops.Over(0)), "array([[0, 1, 2], [5, 5, 5], [3, 4, 5]])"},
		{ops.Insert(m, 2, nd.FromSlice([]int{7, 8, 9})), "array([0, 1, 7, 8, 9, 2, 3, 4, 5])"},
		{ops.Insert(m, 1, nd.FromSlice([]float64{7.5, 8, 9}, 1, 1, 3), ops.Over(0)), "array([[0, 1, 2], [7, 8, 9], [3, 4, 5]])"},
		{ops.Insert(nd.ArangeInt(0, 3, 1), []int{1}, nd.FromSlice([]int{9}, 1, 1)), "array([0, 9, 1, 2])"},
		{ops.Insert(nd.Zeros([]int{0}), 0, nd.FromSlice([]int{9})), "array([9.])"},
		{ops.Insert(m, 0, nd.Zeros([]int{0, 3}), ops.Over(0)), "array([[0, 1, 2], [3, 4, 5]])"},
	} {
		opstest.Repr(t, c.got, c.want)
	}
	opstest.Refuses(t, "ops.Insert: index 4 is out of range for axis 1 of length 3", func() { ops.Insert(m, 4, columns, ops.Over(1)) })
	opstest.Refuses(t, "values do not broadcast to shape (2, 1)", func() { ops.Insert(m, 1, nd.FromSlice([]int{7, 8, 9}), ops.Over(1)) })
	opstest.Refuses(t, "values do not broadcast", func() { ops.Insert(m, 1, nd.Zeros([]int{2, 2, 3}), ops.Over(1)) })
	opstest.Refuses(t, "out of bounds for int8", func() { ops.Insert(m.AsType(dtype.Int8), 1, nd.Scalar(300)) })
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(ops.Insert(xs[0], 1, xs[1], ops.Over(1)))
	}, opstest.Normal(1, dtype.Float64, 2, 3), opstest.Normal(2, dtype.Float64, 2))
}
