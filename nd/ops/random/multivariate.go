package random

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// CovarianceMethod is the factorisation of the covariances of MultivariateNormal.
type CovarianceMethod string

const (
	CovarianceSVD      CovarianceMethod = "svd"      // by singular values
	CovarianceEigh     CovarianceMethod = "eigh"     // by eigenvalues
	CovarianceCholesky CovarianceMethod = "cholesky" // by Cholesky: the fastest, with a gradient also for equal variances, but only for a positive definite matrix
)

// MultivariateNormalOptions are the options of MultivariateNormal.
type MultivariateNormalOptions struct {
	// Method is the factorisation of the covariances; the default is CovarianceSVD.
	Method CovarianceMethod
	// Tol is the largest accepted deviation of the covariances from a symmetric matrix without negative eigenvalues;
	// nil means 1e-8.
	Tol *float64
	// Unchecked skips the check. The draws are meaningless if the matrix is not a covariance matrix.
	Unchecked bool
	// DType is the dtype of the result, float64 by default.
	DType dtype.DType
}

// MultivariateNormal draws vectors from the normal distribution with a mean of shape (n) and a covariance matrix (n,
// n), which may be singular: mean + factor·z with standard normal numbers z, where factor·factorᵀ is the matrix. The
// result has shape (shape…, n). It panics if the covariances are not symmetric or have a negative eigenvalue. Gradients
// flow to both, as far as the factorisation has gradients.
// NumPy: random.multivariate_normal, random.Generator.multivariate_normal.
func MultivariateNormal(rng *nd.Rand, mean, cov *nd.Array, shape []int, opts ...MultivariateNormalOptions) *nd.Array {
	const fn nd.Func = "random.MultivariateNormal"
	fn.Check(mean, cov)
	o := options.Read(fn, opts)
	if mean.Rank() != 1 || cov.Rank() != 2 || cov.Dim(0) != mean.Dim(0) || cov.Dim(1) != mean.Dim(0) {
		panic(fn.Errorf([]*nd.Array{mean, cov}, "want a mean of one axis, and a square matrix with as many rows"))
	}
	if mean.DType().IsComplex() || cov.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{mean, cov}, "want real numbers"))
	}
	if !o.DType.Valid() {
		o.DType = dtype.Float64
	}
	if !o.DType.IsFloat() {
		panic(fn.Errorf(nil, "dtype %s: want a float dtype", o.DType))
	}
	made := fn.Temporaries(&mean, &cov)
	defer made.Release()
	factor := covarianceFactor(fn, cov.AsType(dtype.Float64), o)
	wide := nd.ArrayOptions{DType: dtype.Float64, Device: cov.Device()}
	z := made.Own(fn.Random(rng, device.DistributionNormal, append(append([]int{}, shape...), mean.Dim(0)), wide))
	y := ops.Add(ops.MatMul(z, factor.T()), mean.AsType(dtype.Float64))
	return made.Keep(y.AsType(o.DType))
}

// covarianceFactor returns a matrix whose product with its transpose is cov. It panics if cov has no such factor.
func covarianceFactor(fn nd.Func, cov *nd.Array, o MultivariateNormalOptions) *nd.Array {
	tolerance := 1e-8
	if o.Tol != nil {
		tolerance = *o.Tol
	}
	close := func(x, y *nd.Array) bool {
		return ops.AllClose(x.Detach(), y.Detach(), ops.IsCloseOptions{RTol: nd.Scalar(tolerance), ATol: nd.Scalar(tolerance)})
	}
	refused := func() {
		if finite := ops.All(ops.IsFinite(cov.Detach())); !nd.Value[bool](finite) {
			panic(fn.Errorf([]*nd.Array{cov}, "a covariance is NaN or infinite"))
		}
		panic(fn.Errorf([]*nd.Array{cov}, "the covariances are not symmetric, or have a negative eigenvalue"))
	}
	if !o.Unchecked && !close(cov, cov.T()) {
		refused()
	}
	switch o.Method {
	case "", CovarianceSVD:
		u, s, vt := linalg.SVD(cov)
		if !o.Unchecked && !close(ops.MatMul(ops.Multiply(vt.T(), s), vt), cov) {
			refused()
		}
		return ops.Multiply(u, ops.Sqrt(s))
	case CovarianceEigh:
		w, v := linalg.Eigh(cov)
		below := ops.Less(w.Detach(), -tolerance)
		if !o.Unchecked && nd.Value[bool](ops.Any(below)) {
			refused()
		}
		return ops.Multiply(v, ops.Sqrt(ops.Absolute(w)))
	case CovarianceCholesky:
		return linalg.Cholesky(cov)
	}
	panic(fn.Errorf(nil, "method %q: want svd, eigh or cholesky", o.Method))
}
