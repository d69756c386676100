package random

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Power draws from [0, 1] with the density a·x^(a-1). The exponent is a number, or an array that broadcasts to the shape; a nil shape
// means that of the array. No gradient flows.
// NumPy: random.power.
func Power[A nd.Operand](rng *nd.Rand, a A, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Power"
	return power(fn, rng, nd.AsArray(a), shape, floatOptions(fn, opts))
}

func power(fn nd.Func, rng *nd.Rand, a *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &a)
	defer d.made.Release()
	wantPositives(fn, "an exponent", a)
	below := ops.Log1p(ops.Negative(d.uniform())) // the logarithm of a number in (0, 1]
	return d.end(ops.Exp(ops.Divide(below, a)))
}

// The root of a quadratic equation, or the other root (Michael, Schucany and Haas 1976). The smaller root is mean²/other.
var waldKernel = sync.OnceValue(func() *ops.Kernel {
	return ops.MustKernel("T z, T u, T mean, T scale", "T y", "r = mean*z*z/(2*scale); "+
		"other = mean*(1 + r + sqrt(r*(r + 2))); x = mean*(mean/other); y = u <= mean/(mean + x) ? x : other", ops.KernelOptions{Name: "random.Wald"})
})

// Wald draws from the inverse Gaussian distribution with the given mean and scale: the time at which a Brownian motion with drift
// first reaches a level. Its variance is mean³/scale. The parameters are numbers or arrays, which broadcast to the shape; a nil shape
// means their broadcast shape. No gradient flows.
// NumPy: random.wald.
func Wald[M, S nd.Operand](rng *nd.Rand, mean M, scale S, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Wald"
	return wald(fn, rng, nd.AsArray(mean), nd.AsArray(scale), shape, floatOptions(fn, opts))
}

func wald(fn nd.Func, rng *nd.Rand, mean, scale *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &mean, &scale)
	defer d.made.Release()
	wantPositives(fn, "a mean, or a scale,", mean, scale)
	return d.end(waldKernel().Call(d.normal(), d.uniform(), mean, scale))
}

// VonMises draws angles from -π to π around the angle mean, with a density proportional to exp(kappa·cos(x - mean)). The parameters
// are numbers or arrays, which broadcast to the shape; a nil shape means their broadcast shape. No gradient flows.
// NumPy: random.vonmises.
func VonMises[M, K nd.Operand](rng *nd.Rand, mean M, kappa K, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.VonMises"
	return vonMises(fn, rng, nd.AsArray(mean), nd.AsArray(kappa), shape, floatOptions(fn, opts))
}

func vonMises(fn nd.Func, rng *nd.Rand, mean, kappa *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	d := derive(fn, rng, shape, o, &mean, &kappa)
	defer d.made.Release()
	wantAll(fn, mean, finite, "an angle is not finite")
	wantFromZero(fn, "a concentration", kappa)
	return d.end(d.of(device.DistributionVonMises, mean, kappa))
}
