package catalogue

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// fanRows is the chapter of initial values that depend on the numbers of inputs and outputs. A parameter has its
// scope's dtype.
var fanRows = []Row{
	{Signature: "chainer.initializer.Initializer(function, dtype=None)", Func: func(function initializer.Initializer) initializer.Initializer { return function },
		Ignores: noDType, Note: "any function of the type initializer.Initializer is one"},
	{Signature: "chainer.initializer.Initializer.__call__(self, array)", Func: func(rng *nd.Rand, self initializer.Initializer, array *nd.Array) {
		initWeight(rng, array, self, 1)
	}, Writes: []string{"array"}, Random: true},
	{Signature: "chainer.initializers.Constant(fill_value, dtype=None)", Func: func(fill *nd.Array) initializer.Initializer {
		return func(_ *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
			return fill.BroadcastTo(shape...).AsType(like.DType)
		}
	}, Ignores: noDType, Note: "initializer.Constant takes numbers, initializer.Values arrays of the parameter's shape"},
	{Signature: "chainer.initializers.Zero(dtype=None)", Func: func() initializer.Initializer { return initializer.Constant(0) }, Ignores: noDType},
	{Signature: "chainer.initializers.One(dtype=None)", Func: func() initializer.Initializer { return initializer.Constant(1) }, Ignores: noDType},
	{Signature: "chainer.initializers.Identity(scale=1.0, dtype=None)", Func: func(scale float64) initializer.Initializer {
		return ofMatrices("Identity", initializer.Identity(scale), "square", func(rows, columns int) bool { return rows == columns })
	}, Ignores: noDType, Note: "initializer.Identity takes any matrices and kernels"},
	{Signature: "chainer.initializers.Orthogonal(scale=1.1, dtype=None)", Func: func(scale float64) initializer.Initializer {
		return ofRows("Orthogonal", initializer.Orthogonal(scale), "no more rows than columns", func(rows, columns int) bool { return rows <= columns })
	}, Ignores: noDType, Note: "initializer.Orthogonal takes more rows too, and makes the columns orthogonal then"},
	{Signature: "chainer.initializers.Normal(scale=0.05, dtype=None)", Func: initializer.Normal, Ignores: noDType},
	{Signature: "chainer.initializers.GlorotNormal(scale=1.0, dtype=None)", Func: initializer.GlorotNormal, Ignores: noDType},
	{Signature: "chainer.initializers.HeNormal(scale=1.0, dtype=None)", Func: initializer.HeNormal, Ignores: noDType},
	{Signature: "chainer.initializers.Uniform(scale=0.05, dtype=None)", Func: func(scale float64) initializer.Initializer {
		return initializer.Uniform(-scale, scale)
	}, Ignores: noDType},
	{Signature: "chainer.initializers.LeCunUniform(scale=1.0, dtype=None)", Func: initializer.LeCunUniform, Ignores: noDType},
	{Signature: "chainer.initializers.GlorotUniform(scale=1.0, dtype=None)", Func: initializer.GlorotUniform, Ignores: noDType},
	{Signature: "chainer.initializers.HeUniform(scale=1.0, dtype=None)", Func: initializer.HeUniform, Ignores: noDType},
	{Signature: "chainer.init_weight(weights, initializer, scale=1.0)", Func: initWeight, Writes: []string{"weights"}, Random: true},
}

var noDType = []string{"dtype"}

// ofRows returns an initializer that checks the shape: the first axis gives the rows, all other axes are joined into
// columns.
func ofRows(name nd.Func, initial initializer.Initializer, want string, fits func(rows, columns int) bool) initializer.Initializer {
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		if len(shape) == 0 || !fits(shape[0], broadcast.Size(shape[1:])) {
			panic(name.Errorf(nil, "a parameter of shape %s: want %s", broadcast.FormatShape(shape), want))
		}
		return initial(rng, shape, like)
	}
}

// ofMatrices returns an initializer that checks the shape and accepts matrices only.
func ofMatrices(name nd.Func, initial initializer.Initializer, want string, fits func(rows, columns int) bool) initializer.Initializer {
	only := ofRows(name, initial, want, fits)
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		if len(shape) != 2 {
			panic(name.Errorf(nil, "a parameter of shape %s: want a matrix", broadcast.FormatShape(shape)))
		}
		return only(rng, shape, like)
	}
}

// initWeight writes initial values times scale. Without an initializer it uses HeNormal with half the variance.
func initWeight(rng *nd.Rand, weights *nd.Array, initial initializer.Initializer, scale float64) {
	if initial == nil {
		initial = initializer.HeNormal(math.Sqrt(0.5))
	}
	x := initial(rng, weights.Shape(), nd.ArrayOptions{DType: weights.DType(), Device: weights.Device()})
	weights.Assign(ops.Multiply(x, scale))
}
