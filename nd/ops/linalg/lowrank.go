package linalg

import (
	"errors"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// LowRankSVDOptions are the options of LowRankSVD and LowRankPCA.
type LowRankSVDOptions struct {
	// Iterations is the number of times that the basis is multiplied by a·aᴴ: more are more accurate if the singular
	// values decrease slowly; nil means 2.
	Iterations *int
}

// LowRankSVD returns approximations to the largest q singular values of matrices, and to their vectors, as [SVD] does
// without FullMatrices. It projects the matrices on q dimensions, which it finds with q random vectors from the stream, so
// that large matrices cost little. For matrices of rank q or less, the result is exact up to rounding. Take a few more
// than the wanted ones. Gradients are those of the computation; they exist if the rank is at least q.
//
// Shapes: (…, m, n) gives (…, m, q), (…, q) and (…, q, n), where q is at most the smaller of m and n.
//
// Source: N. Halko et al., Finding structure with randomness, 2009.
// PyTorch: svd_lowrank.
func LowRankSVD(rng *nd.Rand, a *nd.Array, q int, opts ...LowRankSVDOptions) (u, s, vt *nd.Array) {
	const fn nd.Func = "linalg.LowRankSVD"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a)
	defer explainRefusal(fn, a)
	u, s, vt = o.svd(fn, made, rng, a, q)
	return made.Keep(u), made.Keep(s), made.Keep(vt)
}

// LowRankPCA is [LowRankSVD] of the rows of a minus their mean: the rows of vt are the principal directions of the points
// that are the rows of a, and s²/(m - 1) are the variances along them.
// PyTorch: pca_lowrank.
func LowRankPCA(rng *nd.Rand, a *nd.Array, q int, opts ...LowRankSVDOptions) (u, s, vt *nd.Array) {
	const fn nd.Func = "linalg.LowRankPCA"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a)
	defer explainRefusal(fn, a)
	if a.Dim(-2) > 0 {
		a = ops.Subtract(a, ops.Mean(a, ops.Over(-2).KeepDims()))
	}
	u, s, vt = o.svd(fn, made, rng, a, q)
	return made.Keep(u), made.Keep(s), made.Keep(vt)
}

func (o LowRankSVDOptions) svd(fn nd.Func, made *nd.Temporaries, rng *nd.Rand, a *nd.Array, q int) (u, s, vt *nd.Array) {
	m, n := a.Dim(-2), a.Dim(-1)
	times := argument.ValueOr(o.Iterations, 2)
	if q < 0 || q > min(m, n) || times < 0 {
		panic(fn.Errorf([]*nd.Array{a}, "q = %d, %d iterations: want at most %d dimensions, and no negative numbers", q, times, min(m, n)))
	}
	like := nd.ArrayOptions{DType: a.DType().Real(), Device: a.Device()}
	start := made.Own(fn.Random(rng, device.DistributionNormal, append(batchOf(a), n, q), like))
	basis, _ := qr(fn, ops.MatMul(a, start.AsType(a.DType())), false)
	for range times {
		basis, _ = qr(fn, ops.MatMul(adjoint(a), basis), false)
		basis, _ = qr(fn, ops.MatMul(a, basis), false)
	}
	inner, s, vt := svd(fn, ops.MatMul(adjoint(basis), a), false)
	return ops.MatMul(basis, inner), s, vt
}

// explainRefusal turns the refusal of a projected matrix into one of the matrix of a that has an element that is infinite or NaN.
func explainRefusal(fn nd.Func, a *nd.Array) {
	refusal := recover()
	if refusal == nil {
		return
	}
	e, ok := refusal.(*nd.Error)
	var matrix *device.MatrixError
	if ok && errors.As(e, &matrix) {
		flat := a.Detach().Reshape(-1, a.Dim(-2), a.Dim(-1))
		for at := range flat.Dim(0) {
			if one := flat.Index(nd.At(at)); !nd.Value[bool](ops.All(ops.IsFinite(one))) {
				named := fn.Errorf([]*nd.Array{a}, "%s", refusalOf(matrix, one, whole, matrixName(batchOf(a), at)))
				named.Err = e.Err
				panic(named)
			}
		}
	}
	panic(refusal)
}
