package catalogue

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// linalgRows is the chapter of linear algebra.
var linalgRows = []Row{
	{Signature: "cupy.linalg.cholesky(a)", Func: linalg.Cholesky},
	{Signature: "cupy.linalg.qr(a, mode='reduced')", Func: qrByMode},
	{Signature: "cupy.linalg.svd(a, full_matrices=True, compute_uv=True)", Func: func(a *nd.Array, full, vectors bool) []*nd.Array {
		if !vectors {
			return []*nd.Array{linalg.SVDVals(a)}
		}
		u, s, vt := linalg.SVD(a, linalg.SVDOptions{FullMatrices: &full})
		return []*nd.Array{u, s, vt}
	}, Note: "SVDVals if compute_uv is false"},

	{Signature: "numpy.linalg.det(a)", Func: linalg.Det},
	{Signature: "numpy.linalg.slogdet(a)", Func: linalg.SlogDet},
	{Signature: "numpy.linalg.inv(a)", Func: linalg.Inv},
	{Signature: "numpy.linalg.pinv(a, rcond=None, hermitian=False, *, rtol=None)", Func: func(a, rcond *nd.Array, hermitian bool, rtol *nd.Array) *nd.Array {
		if rtol != nil {
			rcond = rtol
		}
		return linalg.PInv(a, linalg.PInvOptions{RCond: rcond, Hermitian: hermitian})
	}},
	{Signature: "numpy.linalg.solve(a, b)", Func: linalg.Solve},
	{Signature: "numpy.linalg.lstsq(a, b, rcond=None)", Func: func(a, b *nd.Array, rcond *float64) (x, s *nd.Array) {
		if a.Rank() > 2 || b.Rank() > 2 {
			panic(nd.Func("lstsq").Errorf([]*nd.Array{a, b}, "NumPy has no batched lstsq"))
		}
		x, _, _, s = linalg.LstSq(a, b, linalg.LstSqOptions{RCond: rcond})
		return x, s
	}, Note: "also for batches"},
	{Signature: "numpy.linalg.matrix_rank(a, tol=None, hermitian=False, *, rtol=None)", Func: linalg.MatrixRank},
	{Signature: "numpy.linalg.matrix_power(a, n)", Func: linalg.MatrixPower},
	{Signature: "numpy.linalg.eigh(a, UPLO='L')", Func: linalg.Eigh},
	{Signature: "numpy.linalg.eigvalsh(a, UPLO='L')", Func: linalg.EigvalsH},
	{Signature: "numpy.linalg.eig(a)", Func: sortedEig, Note: "always returns complex numbers"},
	{Signature: "numpy.linalg.eigvals(a)", Func: func(a *nd.Array) *nd.Array {
		w := linalg.Eigvals(a)
		defer w.Release()
		return ops.Sort(w)
	},
		Note: "always returns complex numbers"},
	{Signature: "numpy.linalg.norm(x, ord=None, axis=None, keepdims=False)", Func: func(x *nd.Array, ord any, axis []int, keepDims bool) *nd.Array {
		p, kind := order(ord)
		return linalg.Norm(x, linalg.NormOptions{Ord: p, Kind: linalg.NormKind(kind), Axes: axis, KeepDims: keepDims})
	}, Note: "the option Kind if ord is a name"},
	{Signature: "numpy.linalg.cond(a, p=None)", Func: func(x *nd.Array, ord any) *nd.Array {
		p, kind := order(ord)
		return linalg.Cond(x, linalg.CondOptions{P: p, Kind: linalg.NormKind(kind)})
	}, Note: "the option Kind if p is a name"},
	{Signature: "numpy.kron(a, b)", Func: linalg.Kron},
	{Signature: "numpy.einsum(subscripts, *operands, out=None, dtype=None)", Func: einsum, Note: "EinsumWith for out and dtype; Subscripts for lists"},
	{Signature: "numpy.einsum_path(subscripts, *operands)", Func: func(subscripts any, operands []*nd.Array) *nd.Array {
		return pathOf(ops.EinsumPath(subscriptsOf(subscripts, len(operands)), operands...)).To(operands[0].Device())
	}, NoGrad: true, Note: "only one order is offered"},
	{Signature: "numpy.linalg.outer(x1, x2, /)", Func: func(a, b *nd.Array) *nd.Array { return ops.Outer(a, b) }},
	{Signature: "numpy.matrix_transpose(x, /)", Func: linalg.MatrixTranspose},
	{Signature: "numpy.linalg.matrix_transpose(x, /)", Func: linalg.MatrixTranspose},
	{Signature: "numpy.linalg.diagonal(x, /, *, offset=0)", Func: linalg.Diagonal},
	{Signature: "numpy.linalg.trace(x, /, *, offset=0, dtype=None)", Func: linalg.Trace},
	{Signature: "numpy.linalg.matrix_norm(x, /, *, keepdims=False, ord='fro')", Func: func(x *nd.Array, keepDims bool, ord any) *nd.Array {
		p, kind := order(ord)
		return linalg.MatrixNorm(x, linalg.MatrixNormOptions{Ord: p, Kind: linalg.NormKind(kind), KeepDims: keepDims})
	}, Note: "the option Kind if ord is a name"},
	{Signature: "numpy.linalg.vector_norm(x, /, *, axis=None, keepdims=False, ord=2)", Func: linalg.VectorNorm},
	{Signature: "numpy.linalg.svdvals(x, /)", Func: linalg.SVDVals},
	{Signature: "numpy.linalg.tensorsolve(a, b, axes=None)", Func: linalg.TensorSolve},
	{Signature: "numpy.linalg.tensorinv(a, ind=2)", Func: linalg.TensorInv},

	{Signature: "torch.linalg.lu(A)", Func: linalg.LU},
	{Signature: "torch.linalg.lu_factor(A)", Func: func(a *nd.Array) (factors, pivots *nd.Array) {
		factors, pivots = linalg.LUFactor(a)
		defer pivots.Release()
		return factors, ops.Add(pivots, 1)
	}, Note: "pivots (int64) count from 0"},
	{Signature: "torch.linalg.lu_solve(LU, pivots, B, adjoint=False)", Func: func(factors, pivots, b *nd.Array, adjoint bool) *nd.Array {
		pivots = ops.Subtract(pivots, 1)
		defer pivots.Release()
		return linalg.LUSolve(factors, pivots, b, linalg.LUSolveOptions{Adjoint: adjoint})
	}, Note: "pivots count from 0"},
	{Signature: "torch.lu_unpack(LU_data, LU_pivots)", Func: func(factors, pivots *nd.Array) (p, l, u *nd.Array) {
		pivots = ops.Subtract(pivots, 1)
		defer pivots.Release()
		return linalg.LUUnpack(factors, pivots)
	}, Note: "pivots count from 0"},
	{Signature: "torch.ormqr(input, tau, other, left=True, transpose=False)", Func: func(h, tau, c *nd.Array, left, transpose bool) *nd.Array {
		return linalg.HouseholderMultiply(h, tau, c, linalg.HouseholderMultiplyOptions{Right: !left, Adjoint: transpose})
	}, Domain: map[string]Interval{"": {0, 1.5}}},
	{Signature: "torch.linalg.ldl_factor(A, *, hermitian=False)", Func: func(a *nd.Array, hermitian bool) (factors, pivots *nd.Array) {
		factors, pivots = linalg.LDLFactor(a, linalg.LDLOptions{Hermitian: hermitian})
		defer pivots.Release()
		return factors, ops.Where(ops.Less(pivots, 0), pivots, ops.Add(pivots, 1))
	}, NoGrad: true, Note: "pivots (int64) count from 0"},
	{Signature: "torch.linalg.ldl_solve(LD, pivots, B, *, hermitian=False)", Func: func(factors, pivots, b *nd.Array, hermitian bool) *nd.Array {
		pivots = ops.Where(ops.Less(pivots, 0), pivots, ops.Subtract(pivots, 1))
		defer pivots.Release()
		return linalg.LDLSolve(factors, pivots, b, linalg.LDLOptions{Hermitian: hermitian})
	}, Note: "pivots count from 0"},
	{Signature: "torch.linalg.matrix_exp(A)", Func: linalg.MatrixExp},
	{Signature: "torch.linalg.householder_product(A, tau)", Func: linalg.HouseholderProduct, Domain: map[string]Interval{"": {0, 1.5}}},
	{Signature: "torch.linalg.lstsq(A, B)", Func: func(a, b *nd.Array) *nd.Array {
		x, residuals, rank, s := linalg.LstSq(a, b)
		residuals.Release()
		rank.Release()
		s.Release()
		return x
	}, Note: "also returns residuals, ranks and singular values"},
	{Signature: "torch.cholesky_solve(B, L, upper=False)", Func: func(b, l *nd.Array, upper bool) *nd.Array {
		return linalg.CholeskySolve(l, b, linalg.CholeskySolveOptions{Upper: upper})
	}, Note: "the factor comes first"},
	{Signature: "torch.cholesky_inverse(L, upper=False)", Func: linalg.CholeskyInverse},

	{Signature: "nnabla.functions.batch_inv(x)", Func: linalg.Inv},
	{Signature: "nnabla.functions.batch_det(x)", Func: linalg.Det},
	{Signature: "nnabla.functions.batch_logdet(x)", Note: "the second result; the first one is the sign", Func: func(x *nd.Array) *nd.Array {
		_, logAbs := linalg.SlogDet(x)
		return logAbs
	}},
	{Signature: "nnabla.functions.batch_cholesky(x, upper=False)", Func: linalg.Cholesky},
	{Signature: "chainer.functions.inv(a)", Func: linalg.Inv},
	{Signature: "chainer.functions.batch_inv(a)", Func: linalg.Inv},
}

// einsum takes subscripts as text, or as lists of axes: one for each operand and optionally one for the result.
func einsum(subscripts any, operands []*nd.Array, out *nd.Array, t dtype.DType) *nd.Array {
	text := subscriptsOf(subscripts, len(operands))
	if out == nil && !t.Valid() {
		return ops.Einsum(text, operands...)
	}
	return ops.EinsumWith(text, operands, ops.EinsumOptions{Out: out, DType: t})
}

// pathOf returns the path as an array, without the text.
func pathOf(path [][]int, _ string) *nd.Array {
	return nd.FromSlice(slices.Concat(path...), len(path), -1)
}

func subscriptsOf(v any, operands int) string {
	if text, ok := v.(string); ok {
		return text
	}
	lists := converted(v.([]any), subscriptList)
	if len(lists) > operands {
		return ops.Subscripts(lists[:operands], lists[operands])
	}
	return ops.Subscripts(lists, nil)
}

// subscriptList converts a list of axes, in which the text "..." or nd.Ellipsis() is an ellipsis.
func subscriptList(v any) []int {
	list, ok := v.([]any)
	if !ok {
		return oneOrMore(v)
	}
	return converted(list, func(axis any) int {
		if axis == "..." || axis == any(nd.Ellipsis()) {
			return ops.EllipsisAxis
		}
		return integer(axis)
	})
}

// qrByMode returns q and r, only r with mode r, and LAPACK's raw output with mode raw.
func qrByMode(a *nd.Array, mode string) []*nd.Array {
	switch mode {
	case "r":
		return []*nd.Array{linalg.QRTriangle(a)}
	case "raw":
		h, tau := linalg.QRReflectors(a)
		return []*nd.Array{h, tau}
	}
	q, r := linalg.QR(a, linalg.QROptions{Mode: linalg.QRMode(mode)})
	return []*nd.Array{q, r}
}

// sortedEig fixes the free choices: the order of the eigenvalues and the phases of the eigenvectors.
func sortedEig(a *nd.Array) (w, v *nd.Array) {
	w, v = linalg.Eig(a)
	made := nd.Func("numpy.linalg.eig").Temporaries()
	defer made.Release()
	w, v = made.Own(w), made.Own(v)
	order := ops.ArgSort(w.Detach())
	v = ops.TakeAlongAxis(v, order.ExpandDims(-2), ops.Over(-1))
	if v.Size() > 0 {
		v = ops.Multiply(v, ops.Conj(ops.Sign(v.Index(nd.Ellipsis(), nd.Span(0, 1), nd.All()))))
	}
	return made.Keep(ops.TakeAlongAxis(w, order, ops.Over(-1))), made.Keep(v)
}

// order separates the names of norms from the numbers.
func order(ord any) (value *float64, name string) {
	switch ord := ord.(type) {
	case nil:
		return nil, ""
	case string:
		return nil, ord
	}
	return new(number(ord)), ""
}
