package poly

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// FitOptions are the options of Fit, FitCov and FitFull.
type FitOptions struct {
	// W holds the weights of the residuals (not of their squares): 1/σ for an error with the standard deviation σ. Nil
	// means 1.
	W *nd.Array
	// RCond is the bound, relative to the largest singular value, up to which a singular value counts as 0. Nil means the
	// epsilon of the points' dtype times the number of points.
	RCond *float64
	// Unscaled leaves the covariances as they follow from the weights, which must then equal 1/σ. Without it they need
	// only be proportional to 1/σ.
	Unscaled bool
}

// Fit returns the coefficients of the polynomial of degree deg that minimises Σ(w·(p(x) - y))² at the points x. Each
// column of y is fitted separately. Points and values may be complex. The coefficients are float64 or complex128, as in
// NumPy. The gradients of x, y and w assume that the points determine all coefficients.
//
// Shapes: (m) and (m) or (m, k) give (deg+1) or (deg+1, k).
// NumPy: polyfit.
func Fit(x, y *nd.Array, deg int, opts ...FitOptions) *nd.Array {
	const fn nd.Func = "poly.Fit"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&x, &y, &o.W)
	defer made.Release()
	f := fitted(fn, made, x, y, deg, o)
	return made.Keep(f.p)
}

// FitFull returns the result of Fit and facts about the equations that it solves, whose matrix has the weighted powers of the
// points as columns, each divided by its norm: the sums of squares of the residuals, which are empty if the points do not
// determine all coefficients or are not more than these; the rank of the matrix (int32); its singular values; and the
// bound RCond up to which they count as 0.
//
// Shapes: (m) and (m) or (m, k) give (deg+1) or (deg+1, k), then (1), (k) or (0), (), and the smaller of m and deg+1.
// NumPy: polyfit (with full).
func FitFull(x, y *nd.Array, deg int, opts ...FitOptions) (p, residuals, rank, s *nd.Array, rcond float64) {
	const fn nd.Func = "poly.FitFull"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&x, &y, &o.W)
	defer made.Release()
	f := fitted(fn, made, x, y, deg, o)
	return made.Keep(f.p), made.Keep(f.residuals), made.Keep(f.rank), made.Keep(f.s), f.rcond
}

// FitCov returns the result of Fit and the covariances of the coefficients: (AᵀA)⁻¹ of the weighted powers of x, times
// the variance of an error as estimated from the residuals, Σ(w·(p(x) - y))²/(m - deg - 1).
//
// Shapes: (m) and (m) or (m, k) give (deg+1) and (deg+1, deg+1), or (deg+1, k) and (deg+1, deg+1, k).
// NumPy: polyfit (with cov).
func FitCov(x, y *nd.Array, deg int, opts ...FitOptions) (p, cov *nd.Array) {
	const fn nd.Func = "poly.FitCov"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&x, &y, &o.W)
	defer made.Release()
	f := fitted(fn, made, x, y, deg, o)
	n, m := deg+1, x.Dim(0)
	if !o.Unscaled && m <= n {
		panic(fn.Errorf([]*nd.Array{x, y}, "%d points for %d coefficients: want more, or Unscaled", m, n))
	}
	if rank := nd.Value[int](f.rank); rank < n {
		panic(fn.Errorf([]*nd.Array{x, y}, "the points determine %d of %d coefficients", rank, n))
	}
	cov = linalg.Inv(ops.MatMul(f.powers.T(), f.powers))
	cov = ops.Divide(cov, ops.Multiply(f.scale, f.scale.ExpandDims(1)))
	if y.Rank() == 2 {
		cov = cov.ExpandDims(2)
	}
	if !o.Unscaled {
		variance := ops.Divide(f.residuals, m-n)
		if y.Rank() == 1 {
			variance = variance.Reshape()
		}
		cov = ops.Multiply(cov, variance)
	}
	return made.Keep(f.p), made.Keep(cov)
}

// fit holds the coefficients, and the weighted powers of the points, each divided by its norm in scale, with what LstSq
// says of them.
type fit struct {
	p, residuals, rank, s, powers, scale *nd.Array
	rcond                                float64
}

func fitted(fn nd.Func, made *nd.Temporaries, x, y *nd.Array, deg int, o FitOptions) fit {
	all := []*nd.Array{x, y}
	if o.W != nil {
		all = append(all, o.W)
	}
	fn.Check(all...)
	defer func() {
		if refusal := recover(); refusal != nil {
			panic(explained(refusal, fn, all, x, deg, o.W))
		}
	}()
	switch {
	case deg < 0:
		panic(fn.Errorf(all, "degree %d: want one of 0 or more", deg))
	case x.Rank() != 1 || x.Size() == 0 || y.Rank() != 1 && y.Rank() != 2 || y.Dim(0) != x.Dim(0):
		panic(fn.Errorf(all, "want points in an array of one axis, and as many values, or rows of them"))
	case o.W != nil && (o.W.Rank() != 1 || o.W.Dim(0) != x.Dim(0) || o.W.DType().IsComplex()):
		panic(fn.Errorf(all, "want as many weights as points, real ones"))
	}
	rcond := dtype.Info(dtype.MeanType(x.DType()).Real()).Eps * float64(x.Dim(0))
	x, y = x.AsType(wide(x)), y.AsType(wide(y))
	fn.CheckAllocatable(x.DType(), x.Dim(0), broadcast.Sum(deg, 1))
	if o.RCond != nil {
		rcond = *o.RCond
	}
	left, right := vander(made, x, deg+1), y
	if o.W != nil {
		column := o.W.ExpandDims(1)
		left = ops.Multiply(left, column)
		if y.Rank() == 2 {
			right = ops.Multiply(y, column)
		} else {
			right = ops.Multiply(y, o.W)
		}
	}
	scale := ops.Norm(left, ops.Over(0))
	left = ops.Divide(left, scale)
	p, residuals, rank, s := linalg.LstSq(left, right, linalg.LstSqOptions{RCond: &rcond})
	if y.Rank() == 2 {
		scale = scale.ExpandDims(1)
	}
	return fit{ops.Divide(p, scale), residuals, rank, s, left, scale.Ravel(), rcond}
}
