// Package random draws arrays of random numbers from streams: a stream is an explicit argument, made by nd.NewRand, and
// the same seed gives the same numbers on every device.
package random

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// floats refuses dtypes that the distribution of fn does not have.
func floats(fn string, opts []nd.ArrayOptions) {
	if len(opts) > 0 && opts[0].DType.Valid() && !opts[0].DType.IsFloat() {
		panic(nd.Errorf(fn, nil, "dtype %s: want a float dtype", opts[0].DType))
	}
}

// scaled computes y·scale + shift in place.
func scaled(y *nd.Array, scale, shift float64) *nd.Array {
	if scale != 1 {
		ops.Multiply(y, nd.Scalar(scale), ops.UfuncOptions{Out: y})
	}
	if shift != 0 {
		ops.Add(y, nd.Scalar(shift), ops.UfuncOptions{Out: y})
	}
	return y
}

// Uniform draws from the interval from low (included) to high: float64 unless the options say otherwise.
// numpy.random.uniform, nnabla rand.
func Uniform(rng *nd.Rand, low, high float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn = "random.Uniform"
	floats(fn, opts)
	if math.IsInf(high-low, 0) || math.IsNaN(high-low) {
		panic(nd.Errorf(fn, nil, "the interval from %v to %v has no finite length", low, high))
	}
	return scaled(rng.Fill(fn, device.DistributionUniform, shape, opts...), high-low, low)
}

// Normal draws from the normal distribution of a mean and a standard deviation, which must not be negative: float64
// unless the options say otherwise. numpy.random.normal, nnabla randn.
func Normal(rng *nd.Rand, mean, std float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn = "random.Normal"
	floats(fn, opts)
	if !(std >= 0) {
		panic(nd.Errorf(fn, nil, "standard deviation %v: want none below 0", std))
	}
	return scaled(rng.Fill(fn, device.DistributionNormal, shape, opts...), std, mean)
}

// LogNormal draws exp(x) for normal x of a mean and a standard deviation. numpy.random.lognormal.
func LogNormal(rng *nd.Rand, mean, std float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn = "random.LogNormal"
	floats(fn, opts)
	if !(std >= 0) {
		panic(nd.Errorf(fn, nil, "standard deviation %v: want none below 0", std))
	}
	y := scaled(rng.Fill(fn, device.DistributionNormal, shape, opts...), std, mean)
	return ops.Exp(y, ops.UfuncOptions{Out: y})
}

// Exponential draws from the exponential distribution of a scale (its mean): -scale·log(1 - u). numpy.random.exponential.
func Exponential(rng *nd.Rand, scale float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn = "random.Exponential"
	floats(fn, opts)
	if !(scale >= 0) {
		panic(nd.Errorf(fn, nil, "scale %v: want none below 0", scale))
	}
	return scaled(minusLog(rng.Fill(fn, device.DistributionUniform, shape, opts...)), scale, 0)
}

// Gumbel draws from the Gumbel distribution of a location and a scale: loc - scale·log(-log(1 - u)). numpy.random.gumbel.
func Gumbel(rng *nd.Rand, loc, scale float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn = "random.Gumbel"
	floats(fn, opts)
	if !(scale >= 0) {
		panic(nd.Errorf(fn, nil, "scale %v: want none below 0", scale))
	}
	// A draw of 0 would give an infinity: it becomes the smallest step above.
	draws := rng.Fill(fn, device.DistributionUniform, shape, opts...)
	least := map[bool]float64{true: 0x1p-53, false: 0x1p-24}[draws.DType() == dtype.Float64]
	y := minusLog(ops.Where(ops.Equal(draws, nd.Scalar(0)), nd.Scalar(least), draws))
	return scaled(ops.Log(y, ops.UfuncOptions{Out: y}), -scale, loc)
}

// minusLog computes -log(1 - u) in place.
func minusLog(u *nd.Array) *nd.Array {
	ops.Subtract(nd.Scalar(1), u, ops.UfuncOptions{Out: u})
	ops.Log(u, ops.UfuncOptions{Out: u})
	return ops.Negative(u, ops.UfuncOptions{Out: u})
}

// Bernoulli draws true with probability p. The dtype is bool unless the options say otherwise.
func Bernoulli(rng *nd.Rand, p float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn = "random.Bernoulli"
	if !(p >= 0 && p <= 1) {
		panic(nd.Errorf(fn, nil, "probability %v: want one from 0 to 1", p))
	}
	o := nd.ArrayOptions{DType: dtype.Bool}
	if len(opts) > 0 {
		o.Device = opts[0].Device
		if opts[0].DType.Valid() {
			o.DType = opts[0].DType
		}
	}
	draws := rng.Fill(fn, device.DistributionUniform, shape, nd.ArrayOptions{DType: dtype.Float32, Device: o.Device})
	defer draws.Release()
	return ops.Less(draws, nd.Scalar(p)).AsType(o.DType)
}

// Integers draws whole numbers from low to high-1, each as likely: int64 unless the options say otherwise.
// numpy.random.randint, nnabla randint.
func Integers(rng *nd.Rand, low, high int, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn = "random.Integers"
	if low >= high {
		panic(nd.Errorf(fn, nil, "no numbers from %d to %d", low, high-1))
	}
	o := nd.ArrayOptions{DType: dtype.Int64}
	if len(opts) > 0 {
		o.Device = opts[0].Device
		if opts[0].DType.Valid() {
			o.DType = opts[0].DType
		}
	}
	if !nd.Scalar(low).Fits(o.DType) || !nd.Scalar(high-1).Fits(o.DType) {
		panic(nd.Errorf(fn, nil, "the numbers from %d to %d are out of bounds for %s", low, high-1, o.DType))
	}
	// Of 64 bits modulo a range of up to 32, no number is likelier than another by more than one in 2 to the power 32.
	bits := rng.Fill(fn, device.DistributionBits, shape, nd.ArrayOptions{DType: dtype.Uint64, Device: o.Device})
	defer bits.Release()
	span := uint64(high) - uint64(low)
	y := ops.Remainder(bits, nd.Scalar(span)).AsType(dtype.Int64)
	return ops.Add(y, nd.Scalar(low), ops.UfuncOptions{Out: y}).AsType(o.DType)
}

// Permutation returns the whole numbers from 0 to n-1 (int64) in random order: the order that sorts n draws.
// numpy.random.permutation.
func Permutation(rng *nd.Rand, n int, opts ...nd.ArrayOptions) *nd.Array {
	const fn = "random.Permutation"
	if n < 0 {
		panic(nd.Errorf(fn, nil, "%d numbers: want none below 0", n))
	}
	o := nd.ArrayOptions{DType: dtype.Uint64}
	if len(opts) > 0 {
		o.Device = opts[0].Device
	}
	bits := rng.Fill(fn, device.DistributionBits, []int{n}, o)
	defer bits.Release()
	return ops.ArgSort(bits)
}
