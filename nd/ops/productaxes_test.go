package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestProductAxes(t *testing.T) {
	x := nd.Arange(0, 24, 1).Reshape(2, 3, 4)
	w := opstest.Normal(1, dtype.Float64, 4, 5)
	got := ops.MatMul(x, w, ops.ProductOptions{Axes: []ops.Axes{{0, 2}, {0, 1}, {2, 1}}})
	want := ops.MatMul(x.MoveAxis([]int{1}, []int{0}), w).Transpose(0, 2, 1) // (3, 2, 5), whose matrices lie turned
	assert.Equal(t, got, want)
	out := nd.Zeros([]int{3, 5, 2})
	if y := ops.MatMul(x, w, ops.ProductOptions{Axes: []ops.Axes{{0, 2}, {0, 1}, {2, 1}}, Out: out}); y != out {
		t.Error("MatMul does not return Out")
	}
	assert.Equal(t, out, want)
	assert.Equal(t, ops.MatMul(x, nd.Ones([]int{4}), ops.ProductOptions{Axes: []ops.Axes{{0, 2}, {0}, {1}}}), ops.Sum(x, ops.Over(2)).T())
	opstest.Repr(t, ops.MatMul(nd.Ones([]int{3}), nd.Ones([]int{3}), ops.ProductOptions{Axes: []ops.Axes{{0}, {0}}}), "array(3.)")
	m := nd.Arange(0, 6, 1).Reshape(2, 3)
	cube := nd.Arange(0, 12, 1).Reshape(2, 3, 2)
	assert.Equal(t, ops.VecMat(m.T(), cube, ops.ProductOptions{Axes: []ops.Axes{{0}, {1, 0}, {0}}}), ops.Einsum("nb,mnb->mb", m.T(), cube))
	assert.Equal(t, ops.MatVec(x, m, ops.ProductOptions{Axes: []ops.Axes{{2, 0}, {0}, {0}}}),
		ops.Sum(ops.Multiply(x, m.ExpandDims(2)), ops.Over(0)).T())

	wide := nd.Zeros([]int{2, 2}, dtype.Float32)
	ops.MatMul(nd.Ones([]int{2, 3}), nd.Ones([]int{3}), ops.Into(wide)) // the batch of Out has one axis more
	opstest.Repr(t, wide, "array([[3., 3.], [3., 3.]], dtype=float32)")
	one := nd.Zeros([]int{1})
	ops.MatMul(nd.Ones([]int{3}), nd.Ones([]int{3}), ops.Into(one))
	opstest.Repr(t, one, "array([3.])")

	for text, f := range map[string]func(){
		"ops.MatMul: axes [0] of operand 1: want 2":   func() { ops.MatMul(x, w, ops.ProductOptions{Axes: []ops.Axes{{0, 2}, {0}, {0, 1}}}) },
		"ops.MatMul: axes of 2 arrays":                func() { ops.MatMul(x, w, ops.ProductOptions{Axes: []ops.Axes{{0, 2}, {0, 1}}}) },
		"ops.MatVec: axes of the result":              func() { ops.MatVec(x, m, ops.ProductOptions{Axes: []ops.Axes{{2, 0}, {0}, {3}}}) },
		"ops.MatMul: the result has shape (2,), Out ": func() { ops.MatMul(nd.Ones([]int{2, 3}), nd.Ones([]int{3}), ops.Into(one)) },
		"ops.Dot: it has no Axes":                     func() { ops.Dot(m, m.T(), ops.ProductOptions{Axes: []ops.Axes{{0}, {0}}}) },
		"ops.Outer: it has no Axes":                   func() { ops.Outer(m, m, ops.ProductOptions{Axes: []ops.Axes{{0}, {0}}}) },
		"ops.MatMul: the result is float64, which":    func() { ops.MatMul(m, m.T(), ops.Into(nd.Zeros([]int{2, 2}, dtype.Int8))) },
	} {
		opstest.Refuses(t, text, f)
	}
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.MatMul(xs[0], xs[1], ops.ProductOptions{Axes: []ops.Axes{{0, 2}, {0, 1}, {2, 1}}})
	}, opstest.Normal(2, dtype.Complex128, 2, 3, 4), opstest.Normal(3, dtype.Float64, 4, 2))
}

func TestVecDotOptions(t *testing.T) {
	m := nd.Arange(0, 6, 1).Reshape(2, 3)
	opstest.Repr(t, ops.VecDot(m, m, ops.Over(-1).KeepDims()), "array([[ 5.], [50.]])")
	opstest.Repr(t, ops.VecDot(m, m, ops.Over(0).KeepDims()), "array([[ 9., 17., 29.]])")
	opstest.Repr(t, ops.VecDot(m, m.T(), ops.VecDotOptions{Axes: []ops.Axes{{0}, {1}}}), "array([ 9., 17., 29.])")
	opstest.Repr(t, ops.VecDot(m.AsType(dtype.Int8), m.AsType(dtype.Int8), ops.VecDotOptions{DType: dtype.Float32}), "array([ 5., 50.], dtype=float32)")
	out := nd.Zeros([]int{2, 2})
	ops.VecDot(m, m, ops.Into(out))
	opstest.Repr(t, out, "array([[ 5., 50.], [ 5., 50.]])")
	opstest.Refuses(t, "ops.VecDot: Axes [[0]]: want the axes of both operands", func() { ops.VecDot(m, m, ops.VecDotOptions{Axes: []ops.Axes{{0}}}) })
	opstest.Refuses(t, "ops.VecDot: the result has shape (2,), Out (3,)", func() { ops.VecDot(m, m, ops.Into(nd.Zeros([]int{3}))) })
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.VecDot(xs[0], xs[1], ops.Over(0).KeepDims()) },
		opstest.Normal(2, dtype.Complex128, 3, 2), opstest.Normal(3, dtype.Complex128, 3, 2))
}
