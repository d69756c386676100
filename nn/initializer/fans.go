package initializer

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// The initializers of this file read from the shape how many numbers come in to an output, and how many outputs there are: of a weight
// (outputs, inputs, kernel…), as links have them, in = inputs·kernel and out = outputs. So Chainer counts, and NNabla in
// [CalcUniformLimGlorot]; torch and Keras multiply both by the kernel.

// LeCunNormal is Normal of the standard deviation scale·√(1/in) (LeCun et al. 1998), the default of links. Keras
// lecun_normal, whose normal distribution is cut off.
func LeCunNormal(scale float64) Initializer {
	return normalOf("initializer.LeCunNormal", func(in, _ float64) float64 { return scale * math.Sqrt(1/in) })
}

// GlorotNormal is Normal of the standard deviation scale·√(2/(in+out)) (Glorot and Bengio 2010). chainer.initializers.GlorotNormal.
func GlorotNormal(scale float64) Initializer {
	return normalOf("initializer.GlorotNormal", func(in, out float64) float64 { return scale * math.Sqrt(2/(in+out)) })
}

// HeNormal is Normal of the standard deviation scale·√(2/in) (He et al. 2015). chainer.initializers.HeNormal.
func HeNormal(scale float64) Initializer {
	return normalOf("initializer.HeNormal", func(in, _ float64) float64 { return scale * math.Sqrt(2/in) })
}

// LeCunUniform is Uniform from -b to b with b = scale·√(3/in) (LeCun et al. 1998), Caffe's "xavier". chainer.initializers.LeCunUniform.
func LeCunUniform(scale float64) Initializer {
	return uniformOf("initializer.LeCunUniform", func(in, _ float64) float64 { return scale * math.Sqrt(3/in) })
}

// GlorotUniform is Uniform from -b to b with b = scale·√(6/(in+out)) (Glorot and Bengio 2010). chainer.initializers.GlorotUniform.
func GlorotUniform(scale float64) Initializer {
	return uniformOf("initializer.GlorotUniform", func(in, out float64) float64 { return scale * math.Sqrt(6/(in+out)) })
}

// HeUniform is Uniform from -b to b with b = scale·√(6/in) (He et al. 2015). chainer.initializers.HeUniform.
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

// fans returns how many numbers come in to an output of a weight of a shape, at least 1, and how many outputs there are.
func fans(fn nd.Func, shape []int) (in, out float64) {
	if len(shape) < 2 {
		panic(fn.Errorf(nil, "a parameter of shape %s: want outputs, inputs, and what else a weight has", broadcast.FormatShape(shape)))
	}
	return float64(max(1, broadcast.Size(shape[1:]))), float64(shape[0])
}
