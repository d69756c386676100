package linalg

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// PInvOptions are the options of PInv.
type PInvOptions struct {
	// RCond is the bound, relative to the largest singular value, up to which a singular value counts as 0: a scalar,
	// nd.Scalar(1e-6), or an array that broadcasts to the batch of matrices; nil means 1e-15.
	RCond *nd.Array
	// Hermitian says that the matrices are symmetric, or complex Hermitian. Only their lower triangle is read, and the
	// gradient is symmetric or Hermitian, too.
	Hermitian bool
}

// PInv returns the Moore-Penrose inverses of matrices. It computes in float64 or complex128; the result has the dtype of a.
// The gradient is that of matrices of constant rank.
//
// Shapes: (…, m, n) gives (…, n, m).
//
// Source: G. Golub, V. Pereyra, The Differentiation of Pseudo-Inverses and Nonlinear Least Squares Problems Whose
// Variables Separate, 1973.
// NumPy: linalg.pinv. PyTorch: pinverse.
func PInv(a *nd.Array, opts ...PInvOptions) *nd.Array {
	const fn nd.Func = "linalg.PInv"
	fn.Check(a)
	o := options.Read(fn, opts)
	made := fn.Temporaries(&a)
	defer made.Release()
	if hasEmptyMatrices(a) { // NumPy keeps their dtype
		return made.Keep(fn.NewLike(a.DType(), transpose(a).Shape(), a))
	}
	a = matrices(fn, a)
	rcond := nd.Scalar(1e-15)
	if o.RCond != nil {
		rcond = o.RCond
		fn.Check(a, rcond)
		batch := batchOf(a)
		if shape, err := broadcast.Shapes(batch, rcond.Shape()); err != nil || !broadcast.Equal(shape, batch) {
			panic(fn.Errorf([]*nd.Array{a, rcond}, "want an RCond that broadcasts to shape %s", broadcast.FormatShape(batch)))
		}
	}
	if o.Hermitian {
		checkSquare(fn, a)
	}
	return made.Keep(pinvOp{o.Hermitian}.apply(fn, a, rcond))
}

func (op pinvOp) apply(fn nd.Func, a, rcond *nd.Array) *nd.Array {
	x := a.Detach()
	if op.hermitian {
		x = completed(x, false)
	}
	y := op.pseudoInverse(fn, x, rcond)
	fn.Record(op, []*nd.Array{a}, y)
	return y
}

func (op pinvOp) pseudoInverse(fn nd.Func, a, rcond *nd.Array) *nd.Array {
	if a.Size() == 0 {
		return fn.NewLike(a.DType(), transpose(a).Shape(), a)
	}
	t := a.DType()
	a = a.AsType(dtype.Promote(t, dtype.Float64)) // a bound of 1e-15 needs it
	var u, s, vt *nd.Array
	if op.hermitian {
		u, s, vt = symmetricSVD(fn, a)
	} else {
		u, s, vt = svd(fn, a, false)
	}
	return ops.MatMul(scaleColumns(adjoint(vt), inverseAbove(s, rcond)), adjoint(u)).AsType(t)
}

// inverseAbove returns 1/s where s is larger than its largest element times rcond, else 0.
func inverseAbove(s, rcond *nd.Array) *nd.Array {
	limit := ops.Multiply(ops.Max(s, ops.Over(-1).KeepDims()), perMatrix(rcond))
	return inverseOrZero(ops.Where(ops.Greater(s, limit), s, 0.0))
}

// perMatrix returns a number as it is, or one number per matrix in the shape that broadcasts with their singular values.
func perMatrix(v *nd.Array) *nd.Array {
	if v.Rank() == 0 {
		return v
	}
	return v.ExpandDims(-1)
}

type pinvOp struct{ hermitian bool }

// VJP follows from dP = -P·dA·P + P·Pᴴ·dAᴴ·(I - A·P) + (I - P·A)·dAᴴ·Pᴴ·P.
func (op pinvOp) VJP(c *nd.Call) {
	a, p := c.In(0), c.Out(0)
	if op.hermitian {
		a = completed(a, false)
	}
	g, ph := adjoint(c.Gy(0)), adjoint(p)
	gx := ops.Negative(ops.MatMul(ops.MatMul(ph, c.Gy(0)), ph))
	outside := fromIdentity(ops.MatMul(a, p))
	gx = ops.Add(gx, ops.MatMul(ops.MatMul(outside, g), ops.MatMul(p, ph)))
	outside = fromIdentity(ops.MatMul(p, a))
	gx = ops.Add(gx, ops.MatMul(ops.MatMul(ops.MatMul(ph, p), g), outside))
	if op.hermitian {
		gx = hermitianPart(gx)
	}
	c.SetGx(0, gx)
}

// fromIdentity returns I - a.
func fromIdentity(a *nd.Array) *nd.Array {
	one := identity(a.Dim(-1), a)
	defer one.Release()
	return ops.Subtract(one, a)
}

// LstSqOptions are the options of LstSq.
type LstSqOptions struct {
	// RCond is the bound, relative to the largest singular value, up to which a singular value counts as 0; nil means
	// the dtype's epsilon times the larger of m and n. -1 means the dtype's epsilon.
	RCond *float64
}

// LstSq returns the least-squares solution x, which minimises the Euclidean norm of b - a·x, with the smallest norm of
// x if there are several; the sums of squares of b - a·x, which are empty if the rank of a matrix is less than n or if
// m ≤ n; the ranks (int32); and the singular values of a. A vector b is one column, and its axis is left out of x. The
// gradient is that of a constant rank. The computation is in float64 or complex128; the results have the dtype of a and b.
//
// Shapes: (…, m, n) and (…, m, k) give (…, n, k), (…, k) or (0), (…), and (…, the smaller of m and n); the axes before
// broadcast.
// NumPy: linalg.lstsq.
func LstSq(a, b *nd.Array, opts ...LstSqOptions) (x, residuals, rank, s *nd.Array) {
	const fn nd.Func = "linalg.LstSq"
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	a, b, isVector := equations(fn, a, b)
	sameBatch(fn, a, b)
	m, n := a.Dim(-2), a.Dim(-1)
	t := a.DType()
	eps := dtype.Info(t.Real()).Eps
	rcond := eps * float64(max(m, n))
	if o := options.Read(fn, opts); o.RCond != nil {
		if rcond = *o.RCond; rcond < 0 {
			rcond = eps
		}
	}
	wide := dtype.Promote(t, dtype.Float64)
	a, b = a.AsType(wide), b.AsType(wide)
	x = ops.MatMul(pinvOp{}.apply(fn, a, nd.Scalar(rcond)), b)
	s = singularValues(fn, a)
	rank = rankOf(s.Detach(), nd.Scalar(rcond)).AsType(dtype.Int32)
	residuals = made.Own(nd.Zeros([]int{0}, nd.ArrayOptions{DType: a.DType().Real(), Device: a.Device()}))
	if m > n && nd.Value[bool](ops.All(ops.Equal(rank, n))) {
		rest := ops.Absolute(ops.Subtract(b, ops.MatMul(a, x)))
		residuals = ops.Sum(ops.Square(rest), ops.Over(-2))
	}
	if isVector {
		x = x.Squeeze(-1)
	}
	return made.Keep(x.AsType(t)), made.Keep(residuals.AsType(t.Real())), made.Keep(rank), made.Keep(s.AsType(t.Real()))
}

// rankOf counts the singular values above the largest times rtol.
func rankOf(s, rtol *nd.Array) *nd.Array {
	if s.Dim(-1) == 0 {
		return nd.Zeros(s.Shape()[:s.Rank()-1], nd.ArrayOptions{DType: dtype.Int64, Device: s.Device()})
	}
	largest := ops.Max(s, ops.Over(-1).KeepDims())
	return ops.CountNonzero(ops.Greater(s, ops.Multiply(largest, perMatrix(rtol))), lastAxis)
}

// MatrixRankOptions are the options of MatrixRank.
type MatrixRankOptions struct {
	// Tol is the bound that singular values must exceed to count, a scalar or an array with one number for each matrix;
	// nil means the largest singular value times RTol.
	Tol *nd.Array
	// RTol is Tol relative to the largest singular value, also a scalar or an array; nil means the dtype's epsilon
	// times the larger of m and n.
	RTol *nd.Array
	// Hermitian says that the matrices are symmetric, or complex Hermitian: only the lower triangle is read.
	Hermitian bool
}

// MatrixRank returns (int64) the number of singular values of each matrix that count as larger than 0; an empty matrix
// has rank 0. An array with fewer than two axes has rank 1, or 0 if all elements are 0.
//
// Shapes: (…, m, n) gives (…).
// NumPy: linalg.matrix_rank.
func MatrixRank(a *nd.Array, opts ...MatrixRankOptions) *nd.Array {
	const fn nd.Func = "linalg.MatrixRank"
	fn.Check(a)
	o := options.Read(fn, opts)
	if o.Tol != nil && o.RTol != nil {
		panic(fn.Errorf([]*nd.Array{a}, "Tol and RTol exclude each other"))
	}
	made := fn.Temporaries(&a)
	defer made.Release()
	if a.Rank() < 2 {
		return made.Keep(ops.Any(a.Detach()).AsType(dtype.Int64))
	}
	a = matrices(fn, a).Detach()
	for _, tolerance := range []*nd.Array{o.Tol, o.RTol} {
		if tolerance == nil {
			continue
		}
		fn.Check(a, tolerance)
		if _, err := broadcast.Shapes(batchOf(a), tolerance.Shape()); err != nil {
			panic(fn.Errorf([]*nd.Array{a, tolerance}, "want tolerances that broadcast with shape %s", broadcast.FormatShape(batchOf(a))))
		}
	}
	s := valuesOf(fn, a, o.Hermitian)
	if o.Tol != nil {
		return made.Keep(ops.CountNonzero(ops.Greater(s, perMatrix(o.Tol)), lastAxis))
	}
	rtol := nd.Scalar(dtype.Info(s.DType()).Eps * float64(max(a.Dim(-2), a.Dim(-1))))
	if o.RTol != nil {
		rtol = o.RTol
	}
	return made.Keep(rankOf(s, rtol))
}
