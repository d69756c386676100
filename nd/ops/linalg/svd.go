package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// SVDOptions are the options of SVD.
type SVDOptions struct {
	// FullMatrices makes u and vt square; nil means true, as NumPy does.
	FullMatrices *bool
}

// SVD returns the singular values s of matrices, in descending order, with orthonormal vectors as columns of u and rows of
// vt: u·diag(s)·vt = a. Not-a-numbers and infinities are refused. numpy.linalg.svd; [SVDVals] gives the singular values
// alone.
//
// The gradient is that of distinct singular values, none of them 0; where two are equal, or one is 0, what has no limit is
// left out. None flows through vectors beyond the smaller of m and n: ask for FullMatrices false.
//
// Shapes: (…, m, n) gives (…, m, m), (…, k) and (…, n, n), where k is the smaller of m and n; without FullMatrices (…, m, k),
// (…, k) and (…, k, n).
func SVD(a *nd.Array, opts ...SVDOptions) (u, s, vt *nd.Array) {
	const fn = "linalg.SVD"
	a = realMatrices(fn, a)
	full := first(opts).FullMatrices
	return svd(fn, a, (full == nil || *full) && a.Dim(-1) != a.Dim(-2))
}

func svd(fn string, a *nd.Array, full bool) (u, s, vt *nd.Array) {
	m, n := a.Dim(-2), a.Dim(-1)
	k := min(m, n)
	columnsU, rowsV := k, k
	if full {
		columnsU, rowsV = m, n
	}
	f := newFactorisation(fn, a, batchOf(a), m, n)
	f.Full = full
	u, s, vt = f.write(a.DType(), m, columnsU), f.write(a.DType(), k), f.write(a.DType(), rowsV, n)
	f.read(a)
	f.run(device.Device.SVD)
	nd.Record(svdOp{fn, full}, []*nd.Array{a}, []*nd.Array{u, s, vt})
	return u, s, vt
}

type svdOp struct {
	fn   string
	full bool // u or vt has more vectors than there are singular values
}

func (op svdOp) Name() string   { return op.fn }
func (svdOp) Claims() nd.Claims { return nd.Claims{Out: 7} }

// VJP is U·(X·S + S·Y + diag(gs))·Vᵀ, with X and Y made of the rotations of the vectors in their own space, and what moves
// them out of it (Townsend 2016, "Differentiating the singular value decomposition").
func (op svdOp) VJP(c *nd.Call) {
	u, s, vt, gu, gs, gvt := c.Out(0), c.Out(1), c.Out(2), c.Gy(0), c.Gy(1), c.Gy(2)
	m, k, n := u.Dim(-2), s.Dim(-1), vt.Dim(-1)
	if op.full {
		if m > k && gu != nil || n > k && gvt != nil {
			panic(nd.Errorf(op.fn, nil, "vectors beyond the singular values have no gradient: use FullMatrices false"))
		}
		u, vt = columns(u, 0, k), rows(vt, 0, k)
	}
	var core, outside *nd.Array
	if gs != nil {
		core = scaleColumns(identity(k, s), gs)
	}
	inverse := inverseOrZero(s)
	squares := ops.Square(s)
	gaps := inverseOrZero(ops.Subtract(squares.ExpandDims(-2), squares.ExpandDims(-1)))
	if gu != nil {
		inner := ops.MatMul(transpose(u), gu)
		core = sumOf(core, scaleColumns(ops.Multiply(skew(inner), gaps), s))
		if m > k {
			beyond := ops.Subtract(gu, ops.MatMul(u, inner))
			outside = ops.MatMul(scaleColumns(beyond, inverse), vt)
		}
	}
	if gvt != nil {
		inner := ops.MatMul(vt, transpose(gvt))
		core = sumOf(core, ops.Multiply(ops.Multiply(skew(inner), gaps), s.ExpandDims(-1)))
		if n > k {
			beyond := ops.Subtract(gvt, ops.MatMul(transpose(inner), vt))
			outside = sumOf(outside, ops.MatMul(scaleColumns(u, inverse), beyond))
		}
	}
	c.SetGx(0, sumOf(ops.MatMul(ops.MatMul(u, core), vt), outside))
}

// skew is a - aᵀ.
func skew(a *nd.Array) *nd.Array { return ops.Subtract(a, transpose(a)) }

// SVDVals returns the singular values of matrices in descending order. numpy.linalg.svd with compute_uv false, and
// numpy.linalg.svdvals.
//
// Shapes: (…, m, n) gives (…, k), where k is the smaller of m and n.
func SVDVals(a *nd.Array) *nd.Array {
	const fn = "linalg.SVDVals"
	return singularValues(fn, matrices(fn, a))
}

func singularValues(fn string, a *nd.Array) *nd.Array {
	if a.DType().IsComplex() {
		return everySecond(singularValues(fn, embedded(a)))
	}
	m, n := a.Dim(-2), a.Dim(-1)
	f := newFactorisation(fn, a, batchOf(a), m, n)
	f.Skip()
	s := f.write(a.DType(), min(m, n))
	f.Skip()
	f.read(a)
	f.run(device.Device.SVD)
	nd.Record1(singularValuesOp{fn}, a, s)
	return s
}

type singularValuesOp struct{ fn string }

func (op singularValuesOp) Name() string   { return op.fn }
func (singularValuesOp) Claims() nd.Claims { return nd.Claims{In: 1} }

func (op singularValuesOp) VJP(c *nd.Call) {
	u, _, vt := svd(op.fn, c.In(0), false)
	c.SetGx(0, ops.MatMul(scaleColumns(u, c.Gy(0)), vt))
}
