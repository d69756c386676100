package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Gaussian returns draws from the normal distributions N(mean, exp(lnVar)), element by element: mean + exp(lnVar/2)·ε
// with ε drawn from rng, so that gradients flow to both.
//
// Source: D. Kingma, M. Welling, Auto-Encoding Variational Bayes, 2013.
// Chainer: gaussian.
func Gaussian(mean, lnVar *nd.Array, rng *nd.Rand) *nd.Array {
	const fn nd.Func = "ops.Gaussian"
	fn.Check(mean, lnVar)
	if !broadcast.Equal(mean.Shape(), lnVar.Shape()) || !mean.DType().IsFloat() || mean.IsScalar() {
		panic(fn.Errorf([]*nd.Array{mean, lnVar}, "want floats of one shape"))
	}
	made := fn.Temporaries(&mean, &lnVar)
	defer made.Release()
	noise := fn.Random(rng, device.DistributionNormal, mean.Shape(), nd.ArrayOptions{DType: mean.DType(), Device: mean.Device()})
	return made.Keep(Add(mean, Multiply(Exp(Multiply(lnVar, 0.5)), made.Own(noise))))
}
