package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// SVDOptions are the options of SVD.
type SVDOptions struct {
	// FullMatrices makes u and vt square; nil means true, as NumPy does.
	FullMatrices *bool
	// Hermitian says that the matrices are symmetric, or complex Hermitian. Eigh then decomposes them: only the lower
	// triangle is read, the gradient is that of Eigh, and u and vt are square.
	Hermitian bool
}

// SVD returns the singular values s of matrices, in descending order, with orthonormal vectors as columns of u and rows
// of vt: u·diag(s)·vt = a. It panics for NaN and infinities. [SVDVals] returns only the singular values.
//
// The gradient is that of distinct singular values, none of which is 0. If two are equal, or one is 0, terms without a
// limit are left out. Terms that depend on the phases of complex vectors, which are arbitrary, are left out, too. Of
// the vectors beyond the smaller of m and n only the space is determined: a gradient that needs more than the space
// panics.
//
// Shapes: (…, m, n) gives (…, m, m), (…, k) and (…, n, n), where k is the smaller of m and n; without FullMatrices (…,
// m, k), (…, k) and (…, k, n).
// NumPy: linalg.svd.
func SVD(a *nd.Array, opts ...SVDOptions) (u, s, vt *nd.Array) {
	const fn nd.Func = "linalg.SVD"
	given := a
	a = matrices(fn, a)
	o := options.Read(fn, opts)
	if o.Hermitian {
		u, s, vt = hermitianSVD(fn, a)
		return release.Converted(u, a, given), s, vt
	}
	full := o.FullMatrices
	u, s, vt = svd(fn, a, (full == nil || *full) && a.Dim(-1) != a.Dim(-2))
	return release.Converted(u, a, given), s, vt
}

func svd(fn nd.Func, a *nd.Array, full bool) (u, s, vt *nd.Array) {
	m, n := a.Dim(-2), a.Dim(-1)
	k := min(m, n)
	columnsU, rowsV := k, k
	if full {
		columnsU, rowsV = m, n
	}
	f := newFactorisation(fn, a, batchOf(a), m, n)
	f.Full = full
	u, s, vt = f.write(a.DType(), m, columnsU), f.write(a.DType().Real(), k), f.write(a.DType(), rowsV, n)
	f.read(a)
	f.refusing(a, whole, writeSingularValues).run(device.Device.SVD)
	fn.Record(svdOp{}, []*nd.Array{a}, u, s, vt)
	return u, s, vt
}

// hermitianSVD is SVD for symmetric or Hermitian matrices.
func hermitianSVD(fn nd.Func, a *nd.Array) (u, s, vt *nd.Array) {
	checkSquare(fn, a)
	made := fn.Temporaries(&a)
	defer made.Release()
	u, s, vt = symmetricSVD(fn, a)
	return made.Keep(u), made.Keep(s), made.Keep(vt)
}

// symmetricSVD sorts eigenvalues by their absolute values: a = v·diag(w)·vᴴ = v·diag(|w|)·(v·diag(sign w))ᴴ.
func symmetricSVD(fn nd.Func, a *nd.Array) (u, s, vt *nd.Array) {
	w, v := eigh(fn, a, false)
	size := ops.Absolute(w)
	order := ops.ArgSort(size.Detach(), ops.SortOptions{Descending: true})
	u = ops.TakeAlongAxis(v, order.ExpandDims(-2), ops.Over(-1))
	sign := ops.Where(ops.Less(w.Detach(), 0), -1, 1).AsType(w.DType())
	vt = adjoint(scaleColumns(u, ops.TakeAlongAxis(sign, order, ops.Over(-1))))
	return u, ops.TakeAlongAxis(size, order, ops.Over(-1)), vt
}

type svdOp struct{}

func (svdOp) Claims() nd.Claims { return nd.Claims{Out: 7} }

// VJP is U·(X + diag(gs))·Vᴴ plus the part that moves the vectors out of their own space (Townsend 2016,
// "Differentiating the singular value decomposition"). X holds the rotations of the vectors within their space, (Kᵤ·sⱼ
// + Kᵥ·sᵢ)/(sⱼ² - sᵢ²), written so that equal singular values do no harm where that can be avoided. For complex
// matrices the diagonal of X holds the rotation of the phases of a pair of vectors against each other, (Kᵤ -
// Kᵥ)/(4·sᵢ).
func (svdOp) VJP(c *nd.Call) {
	u, s, vt, gu, gs, gvt := c.Out(0), c.Out(1), c.Out(2), c.Gy(0), c.Gy(1), c.Gy(2)
	m, k, n := u.Dim(-2), s.Dim(-1), vt.Dim(-1)
	if u.Dim(-1) > k {
		u, gu = thinGradient(c.Func(), u, gu, k)
	}
	if vt.Dim(-2) > k {
		var v *nd.Array
		v, gvt = thinGradient(c.Func(), adjoint(vt), adjointOf(gvt), k)
		vt, gvt = adjoint(v), adjointOf(gvt)
	}
	var core, outside, turnU, turnV *nd.Array
	if gs != nil {
		core = diagonal(gs)
	}
	inverse := inverseOrZero(s)
	if gu != nil {
		inner := ops.MatMul(adjoint(u), gu)
		turnU = skew(inner)
		if m > k {
			beyond := ops.Subtract(gu, ops.MatMul(u, inner))
			outside = ops.MatMul(scaleColumns(beyond, inverse), vt)
		}
	}
	if gvt != nil {
		inner := ops.MatMul(vt, adjoint(gvt))
		turnV = skew(inner)
		if n > k {
			beyond := ops.Subtract(gvt, ops.MatMul(adjoint(inner), vt))
			outside = sumOf(outside, ops.MatMul(scaleColumns(u, inverse), beyond))
		}
	}
	if together := sumOf(turnU, turnV); together != nil {
		against := sumOf(turnU, negated(turnV))
		sums := inverseOrZero(ops.Add(s.ExpandDims(-2), s.ExpandDims(-1)))
		turns := ops.Add(ops.Multiply(together, inverseGaps(s)), ops.Multiply(against, sums))
		core = sumOf(core, ops.Multiply(turns, 0.5))
	}
	c.SetGx(0, sumOf(ops.MatMul(ops.MatMul(u, core), vt), outside))
}

// thinGradient returns the first k of orthonormal vectors, which are columns, and a gradient for them that is
// equivalent to the gradient g of all: when the first vectors turn out of their space, the others turn into it. The
// rotation of the others among each other is not determined, and thinGradient panics for a gradient that needs it.
func thinGradient(fn nd.Func, all, g *nd.Array, k int) (thin, gThin *nd.Array) {
	n := all.Dim(-1)
	thin = columns(all, 0, k)
	if g == nil {
		return thin, nil
	}
	others, gOthers := columns(all, k, n), columns(g, k, n)
	among := ops.Absolute(ops.Tril(skew(ops.MatMul(adjoint(others.Detach()), gOthers.Detach())), -1))
	if among.Size() > 0 && k > 0 {
		size := ops.Max(ops.Absolute(g.Detach()))
		limit := dtype.Info(size.DType()).Eps * float64(100*n)
		if nd.Value[bool](ops.Greater(ops.Max(among), ops.Multiply(size, limit))) {
			panic(fn.Errorf(nil, "the gradient needs individual vectors beyond the first %d, but only the space of these is determined", k))
		}
	}
	return thin, ops.Subtract(columns(g, 0, k), ops.MatMul(others, ops.MatMul(adjoint(gOthers), thin)))
}

// adjointOf returns the adjoint of a gradient, or nil for a missing one.
func adjointOf(g *nd.Array) *nd.Array {
	if g == nil {
		return nil
	}
	return adjoint(g)
}

func negated(g *nd.Array) *nd.Array {
	if g == nil {
		return nil
	}
	return ops.Negative(g)
}

// skew returns a - aᴴ.
func skew(a *nd.Array) *nd.Array { return ops.Subtract(a, adjoint(a)) }

// SVDVals returns the singular values of matrices in descending order. Of SVDOptions, it uses only Hermitian.
//
// Shapes: (…, m, n) gives (…, k), where k is the smaller of m and n.
// NumPy: linalg.svd (with compute_uv false), linalg.svdvals.
func SVDVals(a *nd.Array, opts ...SVDOptions) *nd.Array {
	const fn nd.Func = "linalg.SVDVals"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&a)
	defer made.Release()
	return made.Keep(valuesOf(fn, matrices(fn, a), o.Hermitian))
}

// valuesOf returns the singular values, in descending order; for Hermitian matrices, the absolute values of the
// eigenvalues.
func valuesOf(fn nd.Func, a *nd.Array, isHermitian bool) *nd.Array {
	if !isHermitian {
		return singularValues(fn, a)
	}
	checkSquare(fn, a)
	return ops.Sort(ops.Absolute(eigenvalues(fn, a, false)), ops.SortOptions{Descending: true})
}

func singularValues(fn nd.Func, a *nd.Array) *nd.Array {
	m, n := a.Dim(-2), a.Dim(-1)
	f := newFactorisation(fn, a, batchOf(a), m, n)
	s := writeSingularValues(f)
	f.read(a)
	f.refusing(a, whole, writeSingularValues).run(device.Device.SVD)
	fn.Record(singularValuesOp{}, []*nd.Array{a}, s)
	return s
}

// writeSingularValues adds the results of a launch that computes only the singular values, and returns these.
func writeSingularValues(f *factorisation) *nd.Array {
	a := f.like[0]
	f.Skip()
	s := f.write(a.DType().Real(), min(a.Dim(-2), a.Dim(-1)))
	f.Skip()
	return s
}

type singularValuesOp struct{}

func (singularValuesOp) Claims() nd.Claims { return nd.Claims{In: 1} }

func (singularValuesOp) VJP(c *nd.Call) {
	u, _, vt := svd(c.Func(), c.In(0), false)
	c.SetGx(0, ops.MatMul(scaleColumns(u, c.Gy(0)), vt))
}
