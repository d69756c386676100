package random

import (
	"math"

	"github.com/x448/float16"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

const maxFinite = math.MaxFloat64

// least replaces a draw of 0 if 0 itself would give an infinity: it is half of the step between uniform draws.
func (d *transform) least(opts []nd.ArrayOption) float64 {
	if withDefault(d.fn, opts, dtype.Float64).DType == dtype.Float64 {
		return 0x1p-54
	}
	return 0x1p-25
}

var uniform = transform{fn: "random.Uniform", from: device.DistributionUniform, scalars: "T low, T width, T last",
	body: "min(low + u*width, last)"}

// Uniform draws from the interval from low (included) to high (not included). With ops.Into(out) the draws are written to
// out, which gives them its shape and dtype; the shape may be nil.
// NumPy: random.uniform, random.random_sample. PyTorch: rand. NNabla: rand.
func Uniform(rng *nd.Rand, low, high float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	if out := outputOptions(uniform.fn, shape, opts); out != nil {
		return written(out, Uniform(rng, low, high, out.Shape(), likeOf(out)))
	}
	wantFinite(uniform.fn, "the bound", low)
	wantFinite(uniform.fn, "the length of the interval", high-low)
	if low == 0 && high == 1 {
		if y, ok := uniform.standard(rng, shape, opts); ok {
			return y
		}
	}
	last := math.Inf(1)
	if low < high {
		last = max(low, below(high, floatOptions(uniform.fn, opts).DType))
	}
	return uniform.draw(rng, shape, opts, low, high-low, last)
}

// below returns the largest number of a dtype that is less than high: rounded sums would reach high itself.
func below(high float64, dt dtype.DType) float64 {
	switch dt {
	case dtype.Float64:
		return math.Nextafter(high, math.Inf(-1))
	case dtype.Float32:
		if v := float32(high); float64(v) < high {
			return float64(v)
		}
		return float64(math.Nextafter32(float32(high), float32(math.Inf(-1))))
	}
	bits := uint16(dtype.Float16FromFloat64(high))
	value := func() float64 { return float64(float16.Frombits(bits).Float32()) }
	if dt == dtype.BFloat16 {
		bits = uint16(dtype.BFloat16FromFloat64(high))
		value = func() float64 { return float64(dtype.BF16(bits).Float32()) }
	}
	if value() >= high {
		bits = previous16(bits)
	}
	return value()
}

// previous16 returns the bits of the next smaller 16-bit float: the sign is the highest bit, the others are the
// magnitude.
func previous16(bits uint16) uint16 {
	switch {
	case bits&0x7fff == 0:
		return 0x8001
	case bits&0x8000 != 0:
		return bits + 1
	}
	return bits - 1
}

var normal = transform{fn: "random.Normal", from: device.DistributionNormal, scalars: "T mean, T std", body: "u*std + mean"}

// Normal draws from the normal distribution with the given mean and standard deviation. With ops.Into(out) the draws are
// written to out, as those of Uniform.
// NumPy: random.normal, random.standard_normal. PyTorch: randn. NNabla: randn.
func Normal(rng *nd.Rand, mean, std float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	if out := outputOptions(normal.fn, shape, opts); out != nil {
		return written(out, Normal(rng, mean, std, out.Shape(), likeOf(out)))
	}
	wantNonNegative(normal.fn, "standard deviation", std)
	if mean == 0 && std == 1 {
		if y, ok := normal.standard(rng, shape, opts); ok {
			return y
		}
	}
	return normal.draw(rng, shape, opts, mean, std)
}

// NormalOf is Normal with a mean and a standard deviation for each element: arrays, or Scalars, that broadcast to the
// shape. A nil shape means their broadcast shape. Gradients flow to both.
// NumPy: random.normal (with arrays). PyTorch: normal.
func NormalOf(rng *nd.Rand, mean, std *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.NormalOf"
	fn.Check(mean, std)
	made := fn.Temporaries(&mean, &std)
	defer made.Release()
	if std.Size() > 0 && !nd.Value[bool](ops.All(ops.GreaterEqual(std.Detach(), 0))) {
		panic(fn.Errorf([]*nd.Array{mean, std}, "a standard deviation is below 0"))
	}
	shape = shapeOf(fn, shape, []*nd.Array{mean, std})
	o := floatOptions(fn, opts)
	if o.Device == nil {
		o.Device = deviceOf(mean, std)
	}
	z := made.Own(Normal(rng, 0, 1, shape, o))
	return made.Keep(ops.Add(ops.Multiply(z, asFloat(std, o.DType)), asFloat(mean, o.DType)))
}

// asFloat converts an array; a Scalar takes the dtype of the other operand.
func asFloat(x *nd.Array, dt dtype.DType) *nd.Array {
	if x.IsScalar() {
		return x
	}
	return x.AsType(dt)
}

// deviceOf returns the device of the first array that is not a Scalar; nil if all are Scalars.
func deviceOf(xs ...*nd.Array) device.Device {
	for _, x := range xs {
		if !x.IsScalar() {
			return x.Device()
		}
	}
	return nil
}

var logNormal = transform{fn: "random.LogNormal", from: device.DistributionNormal, scalars: "T mean, T std", body: "exp(u*std + mean)"}

// LogNormal draws exp(x) for normal x with the given mean and standard deviation.
// NumPy: random.lognormal.
func LogNormal(rng *nd.Rand, mean, std float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantNonNegative(logNormal.fn, "standard deviation", std)
	return logNormal.draw(rng, shape, opts, mean, std)
}

var exponential = transform{fn: "random.Exponential", from: device.DistributionUniform, scalars: "T scale", body: "-scale*log1p(-u)"}

// Exponential draws from the exponential distribution with the given scale, which is its mean: P(x > t) =
// exp(-t/scale). With ops.Into(out) the draws are written to out, as those of Uniform.
// NumPy: random.exponential, random.standard_exponential (for scale 1).
func Exponential(rng *nd.Rand, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	if out := outputOptions(exponential.fn, shape, opts); out != nil {
		return written(out, Exponential(rng, scale, out.Shape(), likeOf(out)))
	}
	wantNonNegative(exponential.fn, "scale", scale)
	return exponential.draw(rng, shape, opts, scale)
}

var gumbel = transform{fn: "random.Gumbel", from: device.DistributionUniform, scalars: "T loc, T scale, T least",
	body: "loc - scale*log(-log(max(u, least)))"}

// Gumbel draws from the Gumbel distribution: P(x < t) = exp(-exp(-(t-loc)/scale)).
// NumPy: random.gumbel.
func Gumbel(rng *nd.Rand, loc, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantNonNegative(gumbel.fn, "scale", scale)
	return gumbel.draw(rng, shape, opts, loc, scale, gumbel.least(opts))
}

var laplace = transform{fn: "random.Laplace", from: device.DistributionUniform, scalars: "T loc, T scale, T least",
	body: "loc + scale*(u < 0.5 ? log(2*max(u, least)) : -log(2 - 2*u))"}

// Laplace draws from the Laplace distribution with density exp(-|x-loc|/scale)/(2·scale).
// NumPy: random.laplace.
func Laplace(rng *nd.Rand, loc, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantNonNegative(laplace.fn, "scale", scale)
	return laplace.draw(rng, shape, opts, loc, scale, laplace.least(opts))
}

var logistic = transform{fn: "random.Logistic", from: device.DistributionUniform, scalars: "T loc, T scale, T least",
	body: "loc + scale*(log(max(u, least)) - log1p(-u))"}

// Logistic draws from the logistic distribution: P(x < t) = 1/(1 + exp(-(t-loc)/scale)).
// NumPy: random.logistic.
func Logistic(rng *nd.Rand, loc, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantNonNegative(logistic.fn, "scale", scale)
	return logistic.draw(rng, shape, opts, loc, scale, logistic.least(opts))
}

var cauchy = transform{fn: "random.Cauchy", from: device.DistributionUniform, scalars: "T loc, T scale", body: "loc + scale*tan(pi*(u - 0.5))"}

// Cauchy draws from the Cauchy distribution with density 1/(π·scale·(1 + ((x-loc)/scale)²)).
// NumPy: random.standard_cauchy (for loc 0 and scale 1).
func Cauchy(rng *nd.Rand, loc, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantNonNegative(cauchy.fn, "scale", scale)
	return cauchy.draw(rng, shape, opts, loc, scale)
}

var rayleigh = transform{fn: "random.Rayleigh", from: device.DistributionUniform, scalars: "T scale", body: "scale*sqrt(-2*log1p(-u))"}

// Rayleigh draws from the Rayleigh distribution: P(x > t) = exp(-t²/(2·scale²)).
// NumPy: random.rayleigh.
func Rayleigh(rng *nd.Rand, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantNonNegative(rayleigh.fn, "scale", scale)
	return rayleigh.draw(rng, shape, opts, scale)
}

var weibull = transform{fn: "random.Weibull", from: device.DistributionUniform, scalars: "T exponent", body: "pow(-log1p(-u), exponent)"}

// Weibull draws from the Weibull distribution of scale 1: P(x > t) = exp(-t^a).
// NumPy: random.weibull.
func Weibull(rng *nd.Rand, a float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantPositive(weibull.fn, "exponent", a)
	return weibull.draw(rng, shape, opts, 1/a)
}

var pareto = transform{fn: "random.Pareto", from: device.DistributionUniform, scalars: "T exponent", body: "expm1(-exponent*log1p(-u))"}

// Pareto draws from the Pareto II (Lomax) distribution: P(x > t) = (1 + t)^-a.
// NumPy: random.pareto.
func Pareto(rng *nd.Rand, a float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantPositive(pareto.fn, "exponent", a)
	return pareto.draw(rng, shape, opts, 1/a)
}

var triangular = transform{fn: "random.Triangular", from: device.DistributionUniform, scalars: "T left, T right, T share, T up, T down",
	body: "u < share ? left + sqrt(u*up) : right - sqrt((1 - u)*down)"}

// Triangular draws from the distribution whose density is a triangle from left to right with its peak at mode.
// NumPy: random.triangular.
func Triangular(rng *nd.Rand, left, mode, right float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	wantFinite(triangular.fn, "the length of the interval", right-left)
	if !(left <= mode && mode <= right && left < right) {
		panic(triangular.fn.Errorf(nil, "left %v, mode %v, right %v: want them in this order, and left below right", left, mode, right))
	}
	width := right - left
	return triangular.draw(rng, shape, opts, left, right, (mode-left)/width, (mode-left)*width, (right-mode)*width)
}
