package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestMatMulShapes(t *testing.T) {
	a := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	v := nd.FromSlice([]int{1, 0, 2})
	opstest.Repr(t, ops.MatMul(a, a.T()), "array([[ 5, 14], [14, 50]])")
	opstest.Repr(t, ops.MatMul(a, v), "array([ 4, 13])")
	opstest.Repr(t, ops.MatMul(v, a.T()), "array([ 4, 13])")
	opstest.Repr(t, ops.MatMul(v, v), "array(5)")
	opstest.Repr(t, ops.MatMul(a.Flip(1), v), "array([ 2, 11])")
	opstest.Repr(t, ops.MatMul(nd.Zeros([]int{2, 0}), nd.Zeros([]int{0, 2})), "array([[0., 0.], [0., 0.]])")
	opstest.Repr(t, ops.MatMul(nd.FromSlice([]bool{true, true}), nd.FromSlice([]bool{false, true})), "array(True)")
	opstest.Repr(t, ops.MatMul(nd.Ones([]int{2, 1, 1, 3}), a.T()).Index(nd.At(1)), "array([[[ 3., 12.]]])")
	opstest.Refuses(t, "want operands of at least one axis", func() { ops.MatMul(a, nd.Scalar(2)) })
	opstest.Refuses(t, "the last axis of a has length 3", func() { ops.MatMul(a, a) })
	opstest.Refuses(t, "do not broadcast to one shape", func() { ops.MatMul(nd.Zeros([]int{2, 1, 1}), nd.Zeros([]int{3, 1, 1})) })
}

func TestProducts(t *testing.T) {
	a, b := nd.FromSlice([]int{1, 2, 3, 4}, 2, 2), nd.FromSlice([]int{5, 6})
	opstest.Repr(t, ops.Dot(a, b), "array([17, 39])")
	opstest.Repr(t, ops.Dot(nd.Scalar(2), b), "array([10, 12])")
	opstest.Repr(t, ops.Inner(a, a), "array([[ 5, 11], [11, 25]])")
	opstest.Repr(t, ops.Outer(b, a), "array([[ 5, 10, 15, 20], [ 6, 12, 18, 24]])")
	opstest.Repr(t, ops.VDot(nd.FromSlice([]complex128{1i, 2}), nd.FromSlice([]complex128{1i, 3})), "array(7.+0.j)")
	opstest.Repr(t, ops.TensorDot(a, a), "array(30)")
	opstest.Repr(t, ops.TensorDot(a, b, ops.TensorDotOptions{N: new(0)}).Index(nd.At(1), nd.At(0)), "array([15, 18])")
	opstest.Repr(t, ops.TensorDot(a, a, ops.TensorDotOptions{A: []int{0, 1}, B: []int{1, 0}}), "array(29)")
	opstest.Repr(t, ops.Dot(nd.Zeros([]int{2, 0}), nd.Zeros([]int{0})), "array([0., 0.])")
	out := nd.Zeros([]int{2}, dtype.Int64)
	ops.Dot(a, b, ops.Into(out))
	opstest.Repr(t, out, "array([17, 39])")
	into := nd.Zeros([]int{2, 4}, dtype.Float32).Index(nd.All(), nd.All().By(2))
	if ops.TensorDot(a, a, ops.TensorDotOptions{N: new(1), Out: into}) != into {
		t.Error("TensorDot does not return Out")
	}
	opstest.Repr(t, into, "array([[ 7., 10.], [15., 22.]], dtype=float32)")
	opstest.Repr(t, ops.TensorDot(a, a, ops.Into(nd.Zeros(nil))), "array(30.)")
	opstest.Refuses(t, "ops.TensorDot", func() { ops.TensorDot(a, a, ops.Into(into)) })
	opstest.Refuses(t, "same_kind", func() { ops.TensorDot(a.AsType(dtype.Float64), a, ops.Into(nd.Zeros(nil, dtype.Int64))) })
	opstest.Refuses(t, "want Out of dtype int64", func() { ops.Dot(a, b, ops.Into(nd.Zeros([]int{2}))) })
	opstest.Refuses(t, "want as many elements", func() { ops.VDot(a, b) })
	opstest.Refuses(t, "sum over 3 axes", func() { ops.TensorDot(a, a, ops.TensorDotOptions{N: new(3)}) })
	opstest.Refuses(t, "want equal lengths", func() { ops.Dot(a, nd.Zeros([]int{3})) })
}

// TestProductDTypes computes sums that exceed the operands' dtype.
func TestProductDTypes(t *testing.T) {
	a, b := nd.FromSlice([]int8{100, -128, 127, 3}, 2, 2), nd.FromSlice([]uint8{255, 200})
	wide := ops.ProductOptions{DType: dtype.Int32}
	opstest.Repr(t, ops.MatMul(a, b, wide), "array([ -100, 32985], dtype=int32)")
	opstest.Repr(t, ops.MatVec(a, b, wide), "array([ -100, 32985], dtype=int32)")
	opstest.Repr(t, ops.VecMat(b, a, wide), "array([ 50900, -32040], dtype=int32)")
	opstest.Repr(t, ops.Dot(a, b, wide), "array([ -100, 32985], dtype=int32)")
	opstest.Repr(t, ops.Dot(b, nd.Scalar(2), wide), "array([510, 400], dtype=int32)")
	opstest.Repr(t, ops.Outer(b, b, ops.ProductOptions{DType: dtype.Uint16}), "array([[65025, 51000], [51000, 40000]], dtype=uint16)")
	opstest.Repr(t, ops.MatMul(a, b, ops.ProductOptions{DType: dtype.Int8}), "array([-100, -39], dtype=int8)")
	out := nd.Zeros([]int{2})
	ops.MatMul(a, b, ops.ProductOptions{DType: dtype.Int32, Out: out})
	opstest.Repr(t, out, "array([ -100., 32985.])")
	opstest.Refuses(t, "cannot cast int8 to dtype uint8", func() { ops.MatMul(a, b, ops.ProductOptions{DType: dtype.Uint8}) })
	opstest.Refuses(t, "which same_kind casting does not turn into int8", func() {
		ops.MatMul(a, b, ops.ProductOptions{DType: dtype.Float32, Out: nd.Zeros([]int{2}, dtype.Int8)})
	})
	x, w := opstest.Normal(1, dtype.Float64, 2, 3).AsType(dtype.Float32), opstest.Normal(2, dtype.Float64, 3, 2)
	y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.MatMul(x, w, ops.ProductOptions{DType: dtype.Float64}) }, x)
	if y.DType() != dtype.Float64 || g.DType() != dtype.Float32 {
		t.Errorf("the product is %s, its gradient %s", y.DType(), g.DType())
	}
}

func TestAffine(t *testing.T) {
	x, w := nd.ArangeInt(0, 6, 1).Reshape(1, 2, 3), nd.Ones([]int{6, 2})
	opstest.Repr(t, ops.Affine(x, w, ops.AffineOptions{Bias: nd.FromSlice([]float64{1, 2})}), "array([[16., 17.]])")
	opstest.Repr(t, ops.Affine(x, nd.Ones([]int{3, 2, 1}), ops.AffineOptions{BaseAxis: new(-1)}).Reshape(2, 2), "array([[ 3., 3.], [12., 12.]])")
	opstest.Refuses(t, "x has 6 features, w 3", func() { ops.Affine(x, nd.Ones([]int{3, 2})) })
	opstest.Refuses(t, "want a bias of shape (2,)", func() { ops.Affine(x, w, ops.AffineOptions{Bias: nd.Ones([]int{1})}) })
	opstest.Refuses(t, "base axis 4 of 3 axes", func() { ops.Affine(x, w, ops.AffineOptions{BaseAxis: new(4)}) })
}

func TestProductGradients(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
		matMul := func(a, b *nd.Array) *nd.Array { return ops.MatMul(a, b) }
		m, n, v := opstest.Normal(10, dt, 2, 3), opstest.Normal(11, dt, 3, 4), opstest.Normal(12, dt, 3)
		batch := opstest.Normal(13, dt, 2, 1, 4, 3)
		for name, c := range map[string]struct {
			f    func(a, b *nd.Array) *nd.Array
			a, b *nd.Array
		}{
			"matrices":  {matMul, m, n},
			"vectors":   {matMul, v, v.Flip()},
			"row":       {matMul, v, n},
			"broadcast": {matMul, batch, opstest.Normal(14, dt, 3, 3, 2)},
			"real":      {matMul, opstest.Normal(15, dtype.Float64, 2, 3), n},
			"Outer":     {func(a, b *nd.Array) *nd.Array { return ops.Outer(a, b) }, m, v},
			"VDot":      {ops.VDot, m, m.Flip(0)},
			"Dot":       {func(a, b *nd.Array) *nd.Array { return ops.Dot(a, b) }, batch, v},
			"MatVec":    {func(a, b *nd.Array) *nd.Array { return ops.MatVec(a, b) }, batch, v},
			"VecMat":    {func(a, b *nd.Array) *nd.Array { return ops.VecMat(a, b) }, opstest.Normal(16, dt, 5, 2), batch.Index(nd.Ellipsis(), nd.Until(2), nd.All())},
			"Affine": {func(a, b *nd.Array) *nd.Array {
				return ops.Affine(a, b, ops.AffineOptions{Bias: b.Index(nd.At(0))})
			}, m, n},
		} {
			t.Run(name+" of "+dt.String(), func(t *testing.T) {
				gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return c.f(xs[0], xs[1]) }, c.a, c.b)
			})
		}
	}
}

// TestGradientsOfSharedFactors has factors that all or some matrices of a batch share: their gradients add up products
// of the batch, which need not exist one by one.
func TestGradientsOfSharedFactors(t *testing.T) {
	for _, c := range [][2][]int{
		{{5, 1}, {7, 1, 6}}, {{7, 5, 1}, {1, 6}}, {{3, 1, 1, 7}, {1, 4, 7, 1}}, {{4, 1, 3, 1}, {2, 1, 3, 1, 5}},
		{{1, 1, 4, 1}, {3, 2, 1, 4}}, {{3, 1, 1, 1}, {1, 2, 1, 6}}, {{2, 1, 4, 0}, {3, 0, 4}}, {{0, 1, 4, 1}, {3, 1, 4}},
	} {
		for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
			a, b := opstest.Normal(1, dt, c[0]...), opstest.Normal(2, dt, c[1]...)
			product := func(xs ...*nd.Array) *nd.Array { return ops.MatMul(xs[0], xs[1]) }
			gradcheck.Check(t, product, a, b)
			gradcheck.CheckSecondOrder(t, product, a, b)
			gradcheck.Check(t, product, a.SwapAxes(-1, -2).Copy().SwapAxes(-1, -2), b.Flip())
		}
	}
}
