package linalg_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// TestReflectors multiplies the reflections, and compares the product with q and r.
func TestReflectors(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		h, tau := linalg.QRReflectors(matrix(1, 3, 4).To(dev))
		near(t, "h", h, matrix(2, -5, 0.5))
		near(t, "tau", tau, vector(1.6))
		for _, a := range []*nd.Array{normal(5, 3), normal(2, 3, 3), normal(3, 5), normal(2, 0), normal(0, 2), matrix(2, 1, 2, 2, 4, 3, 6), nd.Zeros([]int{3, 3})} {
			a = a.To(dev)
			h, tau := linalg.QRReflectors(a)
			m, n := a.Dim(-2), a.Dim(-1)
			one := nd.Identity(m, nd.ArrayOptions{Device: dev})
			q := one
			for k := range min(m, n) {
				v := ops.Add(ops.Tril(transposed(h), -1).Index(nd.Ellipsis(), nd.Span(k, k+1)), one.Index(nd.All(), nd.Span(k, k+1)))
				turn := ops.Multiply(ops.MatMul(v, transposed(v)), tau.Index(nd.Ellipsis(), nd.Span(k, k+1)).ExpandDims(-1))
				q = ops.MatMul(q, ops.Subtract(one, turn))
			}
			near(t, "q·r", ops.MatMul(q, ops.Triu(transposed(h), 0)), a)
			if m >= n && n > 0 {
				_, r := linalg.QR(a)
				near(t, "r", ops.Triu(transposed(h), 0).Index(nd.Ellipsis(), nd.Until(n), nd.All()), r)
			}
		}
	})
}

func TestNormOrders(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		x    *nd.Array
		ord  float64
		want float64
	}{
		{vector(3, -4), 2, 5}, {vector(3, -4), 1, 7}, {vector(3, -4), inf, 4}, {vector(3, -4), -inf, 3}, {vector(3, 0), 0, 1},
		{vector(3, 0), -1, 0}, {vector(), 2, 0}, {vector(), inf, 0}, {vector(), -1, inf}, {vector(1, 1), 0.5, 4}, {vector(inf, 1), 3, inf},
		{vector(math.NaN(), 1), inf, math.NaN()}, {matrix(2, 1, -2, 3, 4), 1, 6}, {matrix(2, 1, -2, 3, 4), -1, 4},
		{matrix(2, 1, -2, 3, 4), inf, 7}, {matrix(2, 1, -2, 3, 4), -inf, 3}, {matrix(2, 3, 0, 0, -4), 2, 4}, {matrix(2, 3, 0, 0, -4), -2, 3},
		{nd.Zeros([]int{0, 2}), 1, 0}, {nd.Zeros([]int{0, 2}), inf, 0},
	} {
		got := nd.Value[float64](linalg.Norm(test.x, linalg.NormOptions{Ord: &test.ord}))
		if !(math.Abs(got-test.want) <= 1e-12) && got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("order %v of %v is %v, want %v", test.ord, test.x, got, test.want)
		}
	}
	x := normal(2, 3, 4)
	columns := ops.Max(ops.Sum(ops.Absolute(x), ops.Over(2)), ops.Over(1))
	near(t, "axes the other way", linalg.Norm(x, linalg.NormOptions{Ord: new(1.0), Axes: ops.Over(2, 1)}), columns)
	near(t, "kept axes", linalg.Norm(x, linalg.NormOptions{Ord: new(1.0), Axes: ops.Over(2, 1), KeepDims: true}), columns.Reshape(2, 1, 1))
	near(t, "of integers", linalg.Norm(nd.FromSlice([]int32{3, 4})), nd.Full(nil, 5.0))
	near(t, "of a number", linalg.Norm(nd.Scalar(-2.0)), nd.Full(nil, 2.0))
	near(t, "of complex numbers", linalg.Norm(nd.FromSlice([]complex64{3i, 4})), nd.Full(nil, 5.0).AsType(dtype.Float32))
}

func TestConditionNumbers(t *testing.T) {
	inf, one := math.Inf(1), 1.0
	singular, notNumbers := matrix(2, 1, 2, 2, 4), matrix(2, 1, math.NaN(), 2, 4)
	for _, o := range []linalg.CondOptions{{P: &one}, {P: &inf}, {P: new(-1.0)}, {Kind: "fro"}} {
		if y := nd.Value[float64](linalg.Cond(singular, o)); !math.IsInf(y, 1) {
			t.Errorf("%+v of a singular matrix is %v", o, y)
		}
		if y := nd.Value[float64](linalg.Cond(notNumbers, o)); !math.IsNaN(y) && !math.IsInf(y, 1) {
			t.Errorf("%+v of NaN is %v", o, y)
		}
	}
	near(t, "the ratio", linalg.Cond(matrix(2, 4, 0, 0, -2)), nd.Full(nil, 2.0))
	near(t, "the other ratio", linalg.Cond(matrix(2, 4, 0, 0, -2), linalg.CondOptions{P: new(-2.0)}), nd.Full(nil, 0.5))
	near(t, "order 1", linalg.Cond(matrix(2, 1, 2, 3, 4), linalg.CondOptions{P: &one}), nd.Full(nil, 21.0))
	if y := nd.Value[float64](linalg.Cond(nd.Zeros([]int{2, 2}))); !math.IsInf(y, 1) {
		t.Errorf("of zeros it is %v", y)
	}
}

func TestPseudoInverse(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, a := range []*nd.Array{normal(4, 2), normal(2, 2, 4), matrix(2, 1, 2, 2, 4, 3, 6), nd.Zeros([]int{2, 3}), normal(0, 3)} {
			a = a.To(dev)
			p := linalg.PInv(a, linalg.PInvOptions{RCond: nd.Scalar(1e-12)})
			near(t, "a·p·a", ops.MatMul(ops.MatMul(a, p), a), a)
			near(t, "p·a·p", ops.MatMul(ops.MatMul(p, a), p), p)
			near(t, "p·a", transposed(ops.MatMul(p, a)), ops.MatMul(p, a))
		}
	})
}

func TestLeastSquares(t *testing.T) {
	a, b := matrix(2, 1, 0, 1, 1, 1, 2, 1, 3), vector(-1, 0.2, 0.9, 2.1)
	x, residuals, rank, s := linalg.LstSq(a, b)
	near(t, "the line", x, vector(-0.95, 1))
	near(t, "residuals", residuals, vector(0.05))
	near(t, "rank", rank, nd.Full(nil, 2, dtype.Int32))
	near(t, "singular values", s, linalg.SVDVals(a))
	x, residuals, rank, _ = linalg.LstSq(matrix(2, 1, 2, 2, 4, 3, 6), matrix(2, 1, 0, 2, 0, 3, 0))
	near(t, "the shortest", x, matrix(2, 0.2, 0, 0.4, 0))
	if residuals.Size() != 0 || nd.Value[int](rank) != 1 {
		t.Errorf("residuals %v and rank %v of a matrix of rank 1", residuals, rank)
	}
	_, _, rank, _ = linalg.LstSq(matrix(2, 1, 0, 0, 1e-3), vector(1, 1), linalg.LstSqOptions{RCond: new(0.1)})
	near(t, "rank by RCond", rank, nd.Full(nil, 1, dtype.Int32))
}

func TestRanks(t *testing.T) {
	near(t, "of a batch", linalg.MatrixRank(ops.Stack([]*nd.Array{nd.Identity(2), matrix(2, 1, 2, 2, 4), nd.Zeros([]int{2, 2})})),
		nd.FromSlice([]int{2, 1, 0}))
	near(t, "of a vector", linalg.MatrixRank(vector(0, 3)), nd.Full(nil, 1))
	near(t, "of zeros", linalg.MatrixRank(vector(0, 0)), nd.Full(nil, 0))
	near(t, "by Tol", linalg.MatrixRank(matrix(2, 3, 0, 0, 2), linalg.MatrixRankOptions{Tol: nd.Scalar(2.5)}), nd.Full(nil, 1))
	near(t, "by RTol", linalg.MatrixRank(matrix(2, 3, 0, 0, 2), linalg.MatrixRankOptions{RTol: nd.Scalar(0.5)}), nd.Full(nil, 2))
	near(t, "of float32", linalg.MatrixRank(normal(3, 5).AsType(dtype.Float32)), nd.Full(nil, 3))
}

func TestPowersAndProducts(t *testing.T) {
	a := regular(2, 3, 3)
	want := nd.Identity(3).BroadcastTo(2, 3, 3)
	for n := range 9 {
		near(t, "a power", linalg.MatrixPower(a, n), want)
		near(t, "a negative power", ops.MatMul(linalg.MatrixPower(a, -n), want), nd.Identity(3).BroadcastTo(2, 3, 3))
		want = ops.MatMul(want, a)
	}
	near(t, "Kron", linalg.Kron(nd.FromSlice([]int8{1, 2}), nd.FromSlice([]int8{1, 3, 5, 7}, 2, 2)),
		nd.FromSlice([]int8{1, 3, 2, 6, 5, 7, 10, 14}, 2, 4))
	near(t, "Kron of numbers", linalg.Kron(nd.Full(nil, 2.0), nd.Full(nil, 3.0)), nd.Full(nil, 6.0))
	x, y, z := normal(5, 2), normal(2, 7), normal(7, 3)
	near(t, "MultiDot", linalg.MultiDot(x, y, z), ops.MatMul(ops.MatMul(x, y), z))
	near(t, "MultiDot of vectors", linalg.MultiDot(normal(2), y, normal(7)), ops.MatMul(ops.MatMul(normal(2), y), normal(7)))
}

func TestArgumentsAreLeftAlone(t *testing.T) {
	a, b := regular(3, 3), normal(3, 2)
	before, right := a.Copy(), b.Copy()
	linalg.Solve(a, b)
	linalg.Inv(a)
	linalg.QRReflectors(a)
	linalg.SVD(a)
	linalg.Eigh(a)
	linalg.Cond(a, linalg.CondOptions{P: new(1.0)})
	near(t, "a", a, before)
	near(t, "b", b, right)
}

// The polynomial of degree 4 through 0, 1, … 9 at these points has the coefficients of the identity. LstSq of float32 computes in
// float64 and rounds once.
func TestLstSqOfFloat32(t *testing.T) {
	x := nd.Arange(0, 10, 1)
	a := ops.Stack([]*nd.Array{nd.OnesLike(x), x, ops.Square(x), ops.Power(x, 3), ops.Power(x, 4)}, ops.Over(1))
	got, residuals, _, s := linalg.LstSq(a.AsType(dtype.Float32), x.AsType(dtype.Float32))
	assert.AllClose(t, got, nd.FromSlice([]float32{0, 1, 0, 0, 0}), 0, 1e-9)
	if got.DType() != dtype.Float32 || residuals.DType() != dtype.Float32 || s.DType() != dtype.Float32 {
		t.Errorf("dtypes %s, %s and %s", got.DType(), residuals.DType(), s.DType())
	}
}
