package random

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// NegativeBinomial draws how many trials fail before the n-th success, each trial with a probability p of success (int64 unless the
// options say otherwise). n need not be whole. The parameters are numbers or arrays, which broadcast to the shape; a nil
// shape means their broadcast shape.
// NumPy: random.negative_binomial.
func NegativeBinomial[N, P nd.Operand](rng *nd.Rand, n N, p P, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.NegativeBinomial"
	return negativeBinomial(fn, rng, nd.AsArray(n), nd.AsArray(p), shape, withDefault(fn, opts, dtype.Int64))
}

func negativeBinomial(fn nd.Func, rng *nd.Rand, n, p *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &n, &p)
	defer d.made.Release()
	wantPositives(fn, "a number of successes", n)
	wantAll(fn, p, ops.Greater, "a probability is not above 0")
	wantAll(fn, p, upTo(nd.Scalar(1.0)), "a probability is above 1")
	odds := ops.Divide(ops.Subtract(1, p), p)
	wantAll(fn, ops.Add(ops.Multiply(n, odds), ops.Multiply(odds, ops.Multiply(10, ops.Sqrt(n)))), upTo(nd.Scalar(float64(maxCount/4))),
		"the number of failures is too large")
	rate := d.of(device.DistributionGamma, n, odds)
	return d.counts(d.of(device.DistributionPoisson, rate, nd.Scalar(0.0)))
}

// Zipf draws k = 1, 2, … with a probability proportional to k^-a, where a is above 1 (int64 unless the options say otherwise). A k that
// int64 does not hold is not drawn. The exponent is a number, or an array that broadcasts to the shape; a nil shape means that
// of the array.
// NumPy: random.zipf.
func Zipf[A nd.Operand](rng *nd.Rand, a A, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Zipf"
	return zipf(fn, rng, nd.AsArray(a), shape, withDefault(fn, opts, dtype.Int64))
}

func zipf(fn nd.Func, rng *nd.Rand, a *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &a)
	defer d.made.Release()
	wantAll(fn, ops.Subtract(a, 1), ops.Greater, "an exponent is not above 1")
	return d.counts(d.of(device.DistributionZipf, a, nd.Scalar(0.0)))
}

// LogSeries draws k = 1, 2, … with the probability p^k/(-k·log(1-p)), where p is at least 0 and below 1 (int64 unless the options say
// otherwise). p is a number, or an array that broadcasts to the shape; a nil shape means that of the array.
// NumPy: random.logseries.
func LogSeries[P nd.Operand](rng *nd.Rand, p P, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.LogSeries"
	return logSeries(fn, rng, nd.AsArray(p), shape, withDefault(fn, opts, dtype.Int64))
}

func logSeries(fn nd.Func, rng *nd.Rand, p *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &p)
	defer d.made.Release()
	wantAll(fn, p, ops.GreaterEqual, "a probability is below 0, or NaN")
	wantAll(fn, ops.Subtract(1, p), ops.Greater, "a probability is not below 1")
	return d.counts(d.of(device.DistributionLogSeries, p, nd.Scalar(0.0)))
}

// Hypergeometric draws how many of some balls, drawn without replacement from an urn with the given numbers of marked and of
// other balls, are marked (int64 unless the options say otherwise). The urn has at most 10⁹ balls. The parameters are whole numbers or
// arrays, which broadcast to the shape; a nil shape means their broadcast shape.
// NumPy: random.hypergeometric.
func Hypergeometric[M, O, D nd.Operand](rng *nd.Rand, marked M, others O, drawn D, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Hypergeometric"
	return hypergeometric(fn, rng, [3]*nd.Array{nd.AsArray(marked), nd.AsArray(others), nd.AsArray(drawn)}, shape, withDefault(fn, opts, dtype.Int64))
}

func hypergeometric(fn nd.Func, rng *nd.Rand, of [3]*nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	fn.Check(of[:]...)
	for _, x := range of {
		if x.DType().IsInexact() {
			panic(fn.Errorf(of[:], "want whole numbers"))
		}
		wantAll(fn, x, ops.GreaterEqual, "a number of balls is below 0")
	}
	d := derive(fn, rng, shape, o, &of[0], &of[1], &of[2])
	defer d.made.Release()
	total := ops.Add(of[0], of[1])
	wantAll(fn, total, upTo(nd.Scalar(1e9)), "an urn has more than a billion balls")
	wantAll(fn, ops.Subtract(total, of[2]), ops.GreaterEqual, "more balls are drawn than there are")
	return d.counts(d.of(device.DistributionHypergeometric, of[:]...))
}
