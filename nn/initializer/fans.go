package initializer

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// The initializers of this file take the number of inputs per output, in, and the number of outputs, out, from the
// shape. A weight (outputs, inputs, kernel…), as in package link, has in = inputs·kernel and out = outputs. Chainer
// counts this way, and NNabla in [CalcUniformLimGlorot]; PyTorch and Keras multiply both numbers by the kernel.

// LeCunNormal is Normal with the standard deviation scale·√(1/in) (LeCun et al. 1998), the default of package link.
// Keras's lecun_normal truncates the normal distribution.
func LeCunNormal(scale float64) Initializer {
	return normalOf("initializer.LeCunNormal", func(in, _ float64) float64 { return scale * math.Sqrt(1/in) })
}

// GlorotNormal is Normal with the standard deviation scale·√(2/(in+out)) (Glorot and Bengio 2010).
// Chainer: initializers.GlorotNormal.
func GlorotNormal(scale float64) Initializer {
	return normalOf("initializer.GlorotNormal", func(in, out float64) float64 { return scale * math.Sqrt(2/(in+out)) })
}

// HeNormal is Normal with the standard deviation scale·√(2/in) (He et al. 2015).
// Chainer: initializers.HeNormal.
func HeNormal(scale float64) Initializer {
	return normalOf("initializer.HeNormal", func(in, _ float64) float64 { return scale * math.Sqrt(2/in) })
}

// LeCunUniform is Uniform from -b to b with b = scale·√(3/in) (LeCun et al. 1998), Caffe's "xavier".
// Chainer: initializers.LeCunUniform.
func LeCunUniform(scale float64) Initializer {
	return uniformOf("initializer.LeCunUniform", func(in, _ float64) float64 { return scale * math.Sqrt(3/in) })
}

// GlorotUniform is Uniform from -b to b with b = scale·√(6/(in+out)) (Glorot and Bengio 2010).
// Chainer: initializers.GlorotUniform.
func GlorotUniform(scale float64) Initializer {
	return uniformOf("initializer.GlorotUniform", func(in, out float64) float64 { return scale * math.Sqrt(6/(in+out)) })
}

// HeUniform is Uniform from -b to b with b = scale·√(6/in) (He et al. 2015).
// Chainer: initializers.HeUniform.
func HeUniform(scale float64) Initializer {
	return uniformOf("initializer.HeUniform", func(in, _ float64) float64 { return scale * math.Sqrt(6/in) })
}

func normalOf(fn nd.Func, sigma func(in, out float64) float64) Initializer {
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		return Normal(sigma(fans(fn, shape)))(rng, shape, like)
	}
}

func uniformOf(fn nd.Func, limit func(in, out float64) float64) Initializer {
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		b := limit(fans(fn, shape))
		return Uniform(-b, b)(rng, shape, like)
	}
}

// fans returns, for a weight of the given shape, the number of inputs per output, at least 1, and the number of
// outputs.
func fans(fn nd.Func, shape []int) (in, out float64) {
	if len(shape) < 2 {
		panic(fn.Errorf(nil, "a parameter of shape %s: want a shape that begins with outputs and inputs", broadcast.FormatShape(shape)))
	}
	return float64(max(1, broadcast.Size(shape[1:]))), float64(shape[0])
}
