package random

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// MultivariateNormalOptions are the options of MultivariateNormal.
type MultivariateNormalOptions struct {
	// Method says of which factor of the covariances the draws are made: "svd", the default, "eigh", or "cholesky", which is the
	// fastest, and has a gradient where variances are equal, but wants a positive definite matrix.
	Method string
	// Tol is how far the covariances may be from a matrix that is symmetric and has no negative eigenvalue; nil means 1e-8.
	Tol *float64
	// Unchecked leaves out the check, and the draws of a matrix that is none of covariances have no meaning.
	Unchecked bool
	// DType is the dtype of the result, float64 by default.
	DType dtype.DType
}

// MultivariateNormal draws vectors from the normal distribution of a mean, of shape (n), and a matrix of covariances (n, n), which
// may be singular: mean + factor·z of standard normal numbers z, where factor·factorᵀ is the matrix. The result has shape
// (shape…, n). Covariances that are not symmetric, or have a negative eigenvalue, are refused. Gradients flow to both, as the
// factor has them. numpy.random.multivariate_normal, numpy.random.Generator.multivariate_normal.
func MultivariateNormal(rng *nd.Rand, mean, cov *nd.Array, shape []int, opts ...MultivariateNormalOptions) *nd.Array {
	const fn nd.Func = "random.MultivariateNormal"
	fn.Check(mean, cov)
	o := options.Read(fn, opts)
	if mean.Rank() != 1 || cov.Rank() != 2 || cov.Dim(0) != mean.Dim(0) || cov.Dim(1) != mean.Dim(0) {
		panic(fn.Errorf([]*nd.Array{mean, cov}, "want a mean of one axis, and a square matrix of as many rows"))
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

// covarianceFactor returns a matrix whose product with its transpose cov is, and refuses what has none.
func covarianceFactor(fn nd.Func, cov *nd.Array, o MultivariateNormalOptions) *nd.Array {
	tolerance := 1e-8
	if o.Tol != nil {
		tolerance = *o.Tol
	}
	close := func(x, y *nd.Array) bool {
		return ops.AllClose(x.Detach(), y.Detach(), ops.IsCloseOptions{RTol: nd.Scalar(tolerance), ATol: nd.Scalar(tolerance)})
	}
	refused := func() {
		panic(fn.Errorf([]*nd.Array{cov}, "the covariances are not symmetric, or have a negative eigenvalue"))
	}
	if !o.Unchecked && !close(cov, cov.T()) {
		refused()
	}
	switch o.Method {
	case "", "svd":
		u, s, vt := linalg.SVD(cov)
		if !o.Unchecked && !close(ops.MatMul(ops.Multiply(vt.T(), s), vt), cov) {
			refused()
		}
		return ops.Multiply(u, ops.Sqrt(s))
	case "eigh":
		w, v := linalg.Eigh(cov)
		below := ops.Less(w.Detach(), nd.Scalar(-tolerance))
		if !o.Unchecked && nd.Value[bool](ops.Any(below)) {
			refused()
		}
		return ops.Multiply(v, ops.Sqrt(ops.Absolute(w)))
	case "cholesky":
		return linalg.Cholesky(cov)
	}
	panic(fn.Errorf(nil, "method %q: want \"svd\", \"eigh\" or \"cholesky\"", o.Method))
}
