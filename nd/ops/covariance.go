package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// CovOptions are the options of Cov.
type CovOptions struct {
	// Y holds more variables, in the same layout as x.
	Y *nd.Array
	// RowVar says that every row is a variable and every column an observation; nil means true, false means the
	// reverse.
	RowVar *bool
	// Bias divides by the number of observations n instead of n - 1.
	Bias bool
	// DDof is subtracted from the number of observations before the division, and overrides Bias; nil leaves the choice
	// to Bias.
	DDof *float64
	// FWeights says how often each observation occurred; they are non-negative integers.
	FWeights *nd.Array
	// AWeights are relative weights of the observations.
	AWeights *nd.Array
	// DType is the dtype of the result; by default float64, or complex128.
	DType dtype.DType
}

// Cov returns the covariance matrix of variables: Σw·(x_i - mean_i)·conj(x_j - mean_j), divided by the sum of weights
// minus DDof. One variable gives a 0-d array. Too few observations give infinities or NaN.
//
// Shapes: (variables, observations) gives (variables, variables).
// NumPy: cov.
func Cov(x *nd.Array, opts ...CovOptions) *nd.Array {
	const fn nd.Func = "ops.Cov"
	c := covariance(fn, x, options.Read(fn, opts), false)
	if c.Size() == 1 {
		return release.Replace(c, c.Reshape())
	}
	return c
}

// covariance returns the covariance matrix, always with two axes. Each variable is measured in a unit of its own if
// scaled: coefficients of correlation do not depend on it, and their squares stay in the range.
func covariance(fn nd.Func, x *nd.Array, o CovOptions, scaled bool) *nd.Array {
	made := fn.Temporaries(&x, &o.Y, &o.FWeights, &o.AWeights)
	defer made.Release()
	in := []*nd.Array{x}
	if o.Y != nil {
		in = append(in, o.Y)
	}
	fn.Check(in...)
	t := o.DType
	if !t.Valid() {
		t = dtype.Promote(ufunc.CommonType(in), dtype.Float64)
	}
	if !t.IsInexact() {
		panic(fn.Errorf(in, "covariance of dtype %s: want a float or complex dtype", t))
	}
	for i, v := range in {
		if v.Rank() > 2 {
			panic(fn.Errorf(in, "%d axes: want one or two", v.Rank()))
		}
		if v = AtLeast2D(v.AsType(t)); !argument.ValueOr(o.RowVar, true) && in[i].Rank() == 2 {
			v = v.T()
		}
		in[i] = v
	}
	x = in[0]
	if len(in) == 2 {
		x = concatenate(fn, in, JoinOptions{})
	}
	if x.Dim(0) == 0 {
		return made.Keep(fn.NewFilled(t, []int{0, 0}, 0, x))
	}
	if scaled {
		return made.Keep(meanProducts(centred(fn, x, true), o))
	}
	return made.Keep(weightedCovariance(fn, x, o))
}

// meanProducts returns the products of rows that have mean 0, divided by the number of observations.
func meanProducts(d *nd.Array, o CovOptions) *nd.Array {
	n := math.Max(float64(d.Dim(1))-degrees(o), 0)
	return Divide(MatMul(d, Conj(d).T()), n)
}

// degrees returns the number that is subtracted from that of the observations.
func degrees(o CovOptions) float64 {
	if o.Bias {
		return argument.ValueOr(o.DDof, 0)
	}
	return argument.ValueOr(o.DDof, 1)
}

func weightedCovariance(fn nd.Func, x *nd.Array, o CovOptions) *nd.Array {
	ddof := degrees(o)
	w := observationWeights(fn, x, o)
	if w == nil {
		return meanProducts(centred(fn, x, false), o)
	}
	total := Sum(w)
	fromMean := func(x *nd.Array) *nd.Array {
		return Subtract(x, Divide(Sum(Multiply(x, w), Over(1).KeepDims()), total))
	}
	d := fromMean(fromMean(x)) // see distancesFromMean
	n := Subtract(total, ddof)
	if o.AWeights != nil {
		spread := Sum(Multiply(w, o.AWeights.AsType(w.DType())))
		n = Subtract(total, Multiply(Divide(spread, total), ddof))
	}
	return Divide(MatMul(Multiply(d, w), Conj(d).T()), Maximum(n, 0))
}

// centredLen is the number of elements that are centred at a time: they stay in the cache.
const centredLen = 1 << 16

// centred returns the distances of a row's numbers from their mean; if scaled, divided by a power of two near the largest. If nothing
// is recorded, the CPU treats some rows after the other.
func centred(fn nd.Func, x *nd.Array, scaled bool) *nd.Array {
	rows, n := x.Dim(0), x.Dim(1)
	step := max(1, centredLen/max(n, 1))
	if step >= rows || !onCPU(x) || ufunc.Recorded(x) {
		return distancesFromMean(x, scaled && n > 0, nil)
	}
	y := fn.NewLike(x.DType(), x.Shape(), x)
	for from := 0; from < rows; from += step {
		some := nd.Span(from, min(from+step, rows))
		part, to := x.Index(some), y.Index(some)
		made := fn.Temporaries(&part, &to)
		distancesFromMean(part, scaled, to)
		made.Release()
	}
	return y
}

// distancesFromMean is centred for all rows at once. A second subtraction removes the rounding error of the mean, so that the
// distances of equal numbers are 0. Any power of two near the largest distance will do, such as that before this subtraction.
func distancesFromMean(x *nd.Array, scaled bool, out *nd.Array) *nd.Array {
	along := Over(1).KeepDims()
	d := Subtract(x, Mean(x, along))
	if !scaled {
		return Subtract(d, Mean(d, along), Into(out))
	}
	if t := x.DType(); t != dtype.Float32 && t != dtype.Float64 {
		d = Subtract(d, Mean(d, along))
		return Divide(d, ufunc.Unit.Apply1(Max(Absolute(d.Detach()), along)), Into(out))
	}
	known := d.Detach()
	scale := toUnit.Call2(Max(known, along), Min(known, along), ufunc.Options{})
	return scaledDistance.Call(ufunc.Options{Out: out}, nil, d, Mean(d, along), scale)
}

var (
	// toUnit is the power of two that brings the number with the largest magnitude between 1 and 2, if it is neither too large nor too small.
	toUnit = ufunc.Definition{Fn: "ops.CorrCoef", Two: true,
		Body:   "max(a, -b) > 0 && max(a, -b) < inf ? exp2(-max(min(floor(log2(max(a, -b))), T(126)), T(-126))) : T(1)",
		Body64: "max(a, -b) > 0 && max(a, -b) < inf ? exp2(-max(min(floor(log2(max(a, -b))), T(1022)), T(-1022))) : T(1)"}
	scaledDistance = ufunc.Definition{Fn: "ops.CorrCoef", In: "T x, T mean, T scale", Body: "(x - mean) * scale"}
)

// observationWeights returns the product of both kinds of weights in the real dtype of x, or nil if there are no
// weights.
func observationWeights(fn nd.Func, x *nd.Array, o CovOptions) *nd.Array {
	var w *nd.Array
	for _, v := range []*nd.Array{o.FWeights, o.AWeights} {
		if v == nil {
			continue
		}
		fn.Check(x, v)
		if v.Rank() != 1 || v.Dim(0) != x.Dim(1) {
			panic(fn.Errorf([]*nd.Array{x, v}, "want a weight for every observation"))
		}
		if v == o.FWeights && !v.DType().IsInteger() {
			panic(fn.Errorf([]*nd.Array{x, v}, "want FWeights that are integers"))
		}
		if v.Size() > 0 && nd.Value[bool](Any(Less(v.Detach(), 0))) {
			panic(fn.Errorf([]*nd.Array{x, v}, "weights cannot be negative"))
		}
		if v = v.AsType(x.DType().Real()); w != nil {
			v = Multiply(w, v)
		}
		w = v
	}
	return w
}

// CorrCoefOptions are the options of CorrCoef.
type CorrCoefOptions struct {
	// Y holds more variables, in the same layout as x.
	Y *nd.Array
	// RowVar says that every row is a variable and every column an observation; nil means true, false means the
	// reverse.
	RowVar *bool
	// DType is the dtype of the result; by default float64, or complex128.
	DType dtype.DType
}

// CorrCoef returns Pearson's correlation coefficients: the covariances divided by both standard deviations, clipped to
// [-1, 1] (both parts of complex ones). A constant variable gives NaN.
//
// Shapes: (variables, observations) gives (variables, variables).
// NumPy: corrcoef.
func CorrCoef(x *nd.Array, opts ...CorrCoefOptions) *nd.Array {
	const fn nd.Func = "ops.CorrCoef"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&x, &o.Y)
	defer made.Release()
	c := covariance(fn, x, CovOptions{Y: o.Y, RowVar: o.RowVar, DType: o.DType}, true)
	deviations := Sqrt(Real(c.Diagonal(0, 0, 1)))
	c = Divide(Divide(c, deviations.ExpandDims(1)), deviations)
	low, high := nd.Scalar(-1), nd.Scalar(1)
	if c.DType().IsComplex() {
		imaginary := nd.Scalar(1i)
		c = Add(Clip(Real(c), low, high), Multiply(Clip(Imag(c), low, high), imaginary))
	} else {
		c = Clip(c, low, high)
	}
	if c.Size() == 1 {
		c = c.Reshape()
	}
	return made.Keep(c)
}
