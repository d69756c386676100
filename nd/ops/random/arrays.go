package random

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// drawWithArrays makes an array of draws whose parameters are arrays, or Scalars, that broadcast to the shape. A nil
// shape means the broadcast shape of the parameters. The draws equal those with numbers as parameters, and gradients
// flow to parameters that are arrays.
func (d *transform) drawWithArrays(fn nd.Func, rng *nd.Rand, shape []int, opts []nd.ArrayOption, parameters ...*nd.Array) *nd.Array {
	o := floatOptions(fn, opts)
	if o.Device == nil {
		o.Device = deviceOf(parameters...)
	}
	shape = shapeOf(fn, shape, parameters)
	d.once.Do(func() {
		d.each = ops.MustKernel("T u, "+d.scalars, "T y", "y = "+d.body, ops.KernelOptions{Name: string(fn)})
	})
	wide := dtype.ComputeType(o.DType)
	u := fn.Random(rng, d.from, shape, nd.ArrayOptions{DType: wide, Device: o.Device})
	in := []*nd.Array{u}
	for _, p := range parameters {
		in = append(in, asFloat(p, wide))
	}
	y := d.each.Call(in...)
	for i, x := range in {
		if i == 0 || x != parameters[i-1] {
			x.Release()
		}
	}
	return release.Replace(y, y.AsType(o.DType))
}

// shapeOf returns the shape of draws whose parameters broadcast to it.
func shapeOf(fn nd.Func, shape []int, parameters []*nd.Array) []int {
	shapes := make([][]int, len(parameters))
	for i, p := range parameters {
		shapes[i] = p.Shape()
	}
	all, err := broadcast.Shapes(shapes...)
	if err == nil && shape == nil {
		return all
	}
	if full, err2 := broadcast.Shapes(all, shape); err != nil || err2 != nil || !broadcast.Equal(full, shape) {
		panic(fn.Errorf(parameters, "the parameters do not broadcast to shape %s", broadcast.FormatShape(shape)))
	}
	return shape
}

// wantAll panics with the text unless all parameters satisfy ok, which compares them with 0. It waits for the device.
func wantAll(fn nd.Func, x *nd.Array, ok func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array, text string) {
	if x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "want real parameters"))
	}
	detached := x
	if !x.IsScalar() {
		detached = x.Detach()
		defer detached.Release()
	}
	fits := ok(detached, nd.Scalar(0))
	defer fits.Release()
	if every := ops.All(fits); !release.Value[bool](every) {
		panic(fn.Errorf([]*nd.Array{x}, "%s", text))
	}
}

// drawWithScale is of for distributions with a scale among the parameters.
func (d *transform) drawWithScale(fn nd.Func, rng *nd.Rand, scale *nd.Array, shape []int, opts []nd.ArrayOption, parameters ...*nd.Array) *nd.Array {
	fn.Check(parameters...)
	wantAll(fn, scale, ops.GreaterEqual, "a scale is below 0")
	return d.drawWithArrays(fn, rng, shape, opts, parameters...)
}

// LaplaceOf is Laplace with arrays, or Scalars, as parameters. They broadcast to the shape; a nil shape means their
// broadcast shape. Gradients flow to both.
// NumPy: random.laplace (with arrays).
func LaplaceOf(rng *nd.Rand, loc, scale *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	return laplace.drawWithScale("random.LaplaceOf", rng, scale, shape, opts, loc, scale, nd.Scalar(laplace.least(opts)))
}

// GumbelOf is Gumbel with arrays, or Scalars, as parameters. They broadcast to the shape; a nil shape means their
// broadcast shape. Gradients flow to both.
// NumPy: random.gumbel (with arrays).
func GumbelOf(rng *nd.Rand, loc, scale *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	return gumbel.drawWithScale("random.GumbelOf", rng, scale, shape, opts, loc, scale, nd.Scalar(gumbel.least(opts)))
}

// LogisticOf is Logistic with arrays, or Scalars, as parameters. They broadcast to the shape; a nil shape means their
// broadcast shape. Gradients flow to both.
// NumPy: random.logistic (with arrays).
func LogisticOf(rng *nd.Rand, loc, scale *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	return logistic.drawWithScale("random.LogisticOf", rng, scale, shape, opts, loc, scale, nd.Scalar(logistic.least(opts)))
}

// LogNormalOf is LogNormal with arrays, or Scalars, as parameters. They broadcast to the shape; a nil shape means their
// broadcast shape. Gradients flow to both.
// NumPy: random.lognormal (with arrays).
func LogNormalOf(rng *nd.Rand, mean, std *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.LogNormalOf"
	fn.Check(mean, std)
	wantAll(fn, std, ops.GreaterEqual, "a standard deviation is below 0")
	return logNormal.drawWithArrays(fn, rng, shape, opts, mean, std)
}

// ExponentialOf is Exponential with a scale for each element: an array that broadcasts to the shape; a nil shape means
// the shape of scale. Gradients flow to it.
// NumPy: random.exponential (with arrays).
func ExponentialOf(rng *nd.Rand, scale *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	return exponential.drawWithScale("random.ExponentialOf", rng, scale, shape, opts, scale)
}

// RayleighOf is Rayleigh with a scale for each element: an array that broadcasts to the shape; a nil shape means the
// shape of scale. Gradients flow to it.
// NumPy: random.rayleigh (with arrays).
func RayleighOf(rng *nd.Rand, scale *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	return rayleigh.drawWithScale("random.RayleighOf", rng, scale, shape, opts, scale)
}

// UniformOf is Uniform with arrays, or Scalars, as bounds. They broadcast to the shape; a nil shape means their
// broadcast shape. Gradients flow to both.
// NumPy: random.uniform (with arrays).
func UniformOf(rng *nd.Rand, low, high *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.UniformOf"
	fn.Check(low, high)
	made := fn.Temporaries(&low, &high)
	defer made.Release()
	t := floatOptions(fn, opts).DType
	low, high = low.AsType(dtype.ComputeType(t)), high.AsType(dtype.ComputeType(t))
	width := ops.Subtract(high, low)
	wantAll(fn, width, finite, "a bound, or the length of an interval, is not finite")
	below := ops.NextAfter(high.Detach().AsType(t), math.Inf(-1))
	last := ops.Where(ops.Greater(width.Detach(), 0), ops.Maximum(below, low.Detach()), math.Inf(1))
	return made.Keep(uniform.drawWithArrays(fn, rng, shape, opts, low, width, last))
}

func finite(a, _ *nd.Array, opts ...ops.UfuncOption) *nd.Array { return ops.IsFinite(a, opts...) }

// WeibullOf is Weibull with an exponent for each element: an array that broadcasts to the shape; a nil shape means the
// shape of a. Gradients flow to it.
// NumPy: random.weibull (with arrays).
func WeibullOf(rng *nd.Rand, a *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	return weibull.ofExponent("random.WeibullOf", rng, a, shape, opts)
}

// ParetoOf is Pareto with an exponent for each element: an array that broadcasts to the shape; a nil shape means the
// shape of a. Gradients flow to it.
// NumPy: random.pareto (with arrays).
func ParetoOf(rng *nd.Rand, a *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	return pareto.ofExponent("random.ParetoOf", rng, a, shape, opts)
}

func (d *transform) ofExponent(fn nd.Func, rng *nd.Rand, a *nd.Array, shape []int, opts []nd.ArrayOption) *nd.Array {
	fn.Check(a)
	wantAll(fn, a, ops.Greater, "an exponent is not above 0")
	made := fn.Temporaries(&a)
	defer made.Release()
	a = asFloat(a, dtype.ComputeType(floatOptions(fn, opts).DType))
	return made.Keep(d.drawWithArrays(fn, rng, shape, opts, ops.Divide(1, a)))
}

// GeometricOf is Geometric with a probability for each element: an array that broadcasts to the shape; a nil shape
// means the shape of p.
// NumPy: random.geometric (with arrays).
func GeometricOf(rng *nd.Rand, p *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.GeometricOf"
	fn.Check(p)
	made := fn.Temporaries(&p)
	defer made.Release()
	wantAll(fn, p, ops.Greater, "a probability is not above 0")
	wantAll(fn, ops.Subtract(1, p), ops.GreaterEqual, "a probability is above 1")
	o := withDefault(fn, opts, dtype.Int64)
	unit := ops.Divide(1, ops.Log1p(ops.Negative(asFloat(p.Detach(), dtype.Float64))))
	return made.Keep(counts(fn, o, math.Inf(1), func(o nd.ArrayOptions) *nd.Array {
		y := geometric.drawWithArrays(fn, rng, shape, []nd.ArrayOption{nd.ArrayOptions{DType: dtype.Float64, Device: o.Device}}, unit)
		return release.Replace(y, y.AsType(o.DType))
	}))
}

// TriangularOf is Triangular with arrays, or Scalars, as corners. They broadcast to the shape; a nil shape means their
// broadcast shape. Gradients flow to all three.
// NumPy: random.triangular (with arrays).
func TriangularOf(rng *nd.Rand, left, mode, right *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.TriangularOf"
	fn.Check(left, mode, right)
	made := fn.Temporaries(&left, &mode, &right)
	defer made.Release()
	wide := dtype.ComputeType(floatOptions(fn, opts).DType)
	left, mode, right = asFloat(left, wide), asFloat(mode, wide), asFloat(right, wide)
	width, rise, fall := ops.Subtract(right, left), ops.Subtract(mode, left), ops.Subtract(right, mode)
	wantAll(fn, width, finite, "a corner, or the length of an interval, is not finite")
	wantAll(fn, width, ops.Greater, "a left corner is not below the right one")
	wantAll(fn, rise, ops.GreaterEqual, "a mode is below the left corner")
	wantAll(fn, fall, ops.GreaterEqual, "a mode is above the right corner")
	return made.Keep(triangular.drawWithArrays(fn, rng, shape, opts, left, right, ops.Divide(rise, width), ops.Multiply(rise, width), ops.Multiply(fall, width)))
}
