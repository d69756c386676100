package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// initializerRows is the chapter of initial values. Besides the arguments of the constructor, cases give the shape of
// the array that the initializer is called for.
var initializerRows = []Row{
	{Signature: "nnabla.initializer.BaseInitializer.__call__(self, shape)", Func: initialValue, Random: true},
	{Signature: "nnabla.initializer.ConstantInitializer(value=0, shape=())",
		Func: func(rng *nd.Rand, value float64, shape []int) *nd.Array {
			return initialValue(rng, initializer.Constant(value), shape)
		}},
	{Signature: "nnabla.initializer.NormalInitializer(sigma=1.0, rng=None, shape=())",
		Func: func(rng *nd.Rand, sigma float64, shape []int) *nd.Array {
			return initialValue(rng, initializer.Normal(sigma), shape)
		}, Ignores: ownStream, Random: true},
	{Signature: "nnabla.initializer.UniformInitializer(lim=(-1, 1), rng=None, shape=())",
		Func: func(rng *nd.Rand, lim [2]float64, shape []int) *nd.Array {
			return initialValue(rng, initializer.Uniform(lim[0], lim[1]), shape)
		}, Ignores: ownStream, Random: true},
	{Signature: "nnabla.initializer.calc_normal_std_he_forward(inmaps, outmaps, kernel=(1, 1))", Func: initializer.CalcNormalStdHeForward},
	{Signature: "nnabla.initializer.calc_normal_std_he_backward(inmaps, outmaps, kernel=(1, 1))", Func: initializer.CalcNormalStdHeBackward},
	{Signature: "nnabla.initializer.calc_normal_std_glorot(inmaps, outmaps, kernel=(1, 1))", Func: initializer.CalcNormalStdGlorot},
	{Signature: "nnabla.initializer.calc_uniform_lim_glorot(inmaps, outmaps, kernel=(1, 1))", Func: func(in, out int, kernel []int) *nd.Array {
		low, high := initializer.CalcUniformLimGlorot(in, out, kernel...)
		return nd.FromSlice([]float64{low, high})
	}},
}

// initialValue returns the values of an initializer, as for a float32 parameter.
func initialValue(rng *nd.Rand, self initializer.Initializer, shape []int) *nd.Array {
	return self(rng, shape, nd.ArrayOptions{DType: dtype.Float32})
}
