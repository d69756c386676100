package random

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Bernoulli draws true with probability p. The dtype is bool unless the options say otherwise.
// PyTorch: bernoulli.
func Bernoulli(rng *nd.Rand, p float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Bernoulli"
	wantProbability(fn, p)
	o := withDefault(fn, opts, dtype.Bool)
	draws := fn.Random(rng, device.DistributionUniform, shape, nd.ArrayOptions{DType: dtype.Float64, Device: o.Device})
	defer draws.Release()
	y := ops.Less(draws, p)
	return release.Replace(y, y.AsType(o.DType))
}

// Integers draws whole numbers from low to high-1, all with exactly the same probability: int64 unless the options say
// otherwise.
// NumPy: random.randint, random.Generator.integers. PyTorch: randint. NNabla: randint.
func Integers(rng *nd.Rand, low, high int, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Integers"
	if low >= high {
		panic(fn.Errorf(nil, "no numbers from %d up to, but not including, %d", low, high))
	}
	return fn.Made(integers(fn, rng, low, high-1, shape, opts))
}

// IntegersClosed draws whole numbers from low to high, high included, all with exactly the same probability: int64
// unless the options say otherwise.
// NumPy: random.random_integers, random.Generator.integers (with endpoint).
func IntegersClosed(rng *nd.Rand, low, high int, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.IntegersClosed"
	if low > high {
		panic(fn.Errorf(nil, "no numbers from %d to %d", low, high))
	}
	return integers(fn, rng, low, high, shape, opts)
}

// Bits draws from all values of an integer dtype, all with exactly the same probability: uint64 unless the options say
// otherwise.
// NumPy: random.Generator.bytes (of uint8).
func Bits(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Bits"
	o := withDefault(fn, opts, dtype.Uint64)
	if !o.DType.IsInteger() {
		panic(fn.Errorf(nil, "dtype %s: want an integer dtype", o.DType))
	}
	return fn.Random(rng, device.DistributionBits, shape, o)
}

func integers(fn nd.Func, rng *nd.Rand, low, high int, shape []int, opts []nd.ArrayOption) *nd.Array {
	o := withDefault(fn, opts, dtype.Int64)
	if !nd.Scalar(low).Fits(o.DType) || !nd.Scalar(high).Fits(o.DType) {
		panic(fn.Errorf(nil, "the numbers from %d to %d are out of bounds for %s", low, high, o.DType))
	}
	y := remainders(fn, rng, uint64(high)-uint64(low)+1, shape, o.Device)
	y = release.Replace(y, y.View(dtype.Int64))
	if low != 0 {
		ops.Add(y, low, ops.Into(y))
	}
	return release.Replace(y, y.AsType(o.DType))
}

// remainders draws uint64 numbers below span, where 0 means 2 to the power 64. Draws from the largest multiple of span
// on are repeated, because their remainders would make the small numbers likelier.
func remainders(fn nd.Func, rng *nd.Rand, span uint64, shape []int, dev device.Device) *nd.Array {
	o := nd.ArrayOptions{DType: dtype.Uint64, Device: dev}
	draws := fn.Random(rng, device.DistributionBits, shape, o)
	if span == 0 {
		return draws
	}
	last := math.MaxUint64 - -span%span
	switch {
	case last == math.MaxUint64 || draws.Size() == 0:
	case span <= 1<<32:
		draws = accepted(fn, rng, draws, last)
	default:
		for release.Value[uint64](ops.Max(draws)) > last {
			draws = replaced(draws, fn.Random(rng, device.DistributionBits, shape, o), last)
		}
	}
	return ops.Remainder(draws, span, ops.Into(draws))
}

// accepted returns the draws, with draws above last replaced; last is at least 2⁶⁴-2³². A draw is replaced at most
// twice; after that a draw above last remains with a probability below 2⁻⁹⁶. The replacements come from separate
// streams, so that their number need not be known. Only on the CPU, where the check is cheapest, does it check whether
// any draw is above last.
func accepted(fn nd.Func, rng *nd.Rand, draws *nd.Array, last uint64) *nd.Array {
	if draws.Device().Name() == "cpu" && release.Value[uint64](ops.Max(draws)) <= last {
		return draws
	}
	for time := 1; time <= 2; time++ {
		draws = replaced(draws, fn.Redrawn(rng, device.DistributionBits, draws, time), last)
	}
	return draws
}

// replaced returns the draws, with draws above last replaced by those of again. It releases both.
func replaced(draws, again *nd.Array, last uint64) *nd.Array {
	beyond := ops.Greater(draws, last)
	chosen := release.Replace(draws, ops.Where(beyond, again, draws))
	again.Release()
	beyond.Release()
	return chosen
}
