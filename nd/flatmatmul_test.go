package nd_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestProductsOfSmallMatrices compares the fast path of contiguous matrices with the launch that a batch of one needs, bit by bit.
func TestProductsOfSmallMatrices(t *testing.T) {
	for _, s := range [][3]int{{1, 1, 1}, {4, 4, 4}, {1, 9, 5}, {7, 1, 3}, {3, 5, 1}, {17, 33, 12}, {1, 1, 2000}, {20, 4, 100}, {2, 1024, 2}, {45, 45, 45}, {46, 46, 46}} {
		m, n, k := s[0], s[1], s[2]
		numbers := func(rows, columns int) *nd.Array {
			x := make([]float64, rows*columns)
			for i := range x {
				x[i] = math.Sin(float64(3*i + rows))
			}
			return nd.FromSlice(x, rows, columns)
		}
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Int32, dtype.Bool, dtype.Float16, dtype.Complex64} {
			a, b := numbers(m, k).AsType(dt), numbers(k, n).AsType(dt)
			got, want := ops.MatMul(a, b), ops.MatMul(a.Reshape(1, m, k), b.Reshape(1, k, n)).Reshape(m, n)
			if got.DType() != dt || !ops.ArrayEqual(got, want, ops.ArrayEqualOptions{EqualNaN: true}) {
				t.Errorf("a product of %v with %d rows, %d columns and %d terms is %v, through a launch %v", dt, m, n, k, got, want)
			}
		}
	}
	for _, s := range [][2]int{{0, 3}, {3, 0}} {
		a, b := nd.Zeros([]int{s[0], s[1]}), nd.Zeros([]int{s[1], 2})
		if y := ops.MatMul(a, b); y.Dim(0) != s[0] || y.Dim(1) != 2 || !ops.ArrayEqual(y, nd.ZerosLike(y)) {
			t.Errorf("the product of %v and %v is %v", a, b, y)
		}
	}
}
