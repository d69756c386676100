package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// lossRows is the chapter of losses.
var lossRows = []Row{
	{Signature: "nnabla.functions.squared_error(x0, x1)", Func: loss.SquaredError},
	{Signature: "nnabla.functions.absolute_error(x0, x1)", Func: loss.AbsoluteError},
	{Signature: "nnabla.functions.huber_loss(x0, x1, delta=1.0)", Func: loss.HuberLoss},
	{Signature: "nnabla.functions.epsilon_insensitive_loss(x0, x1, epsilon)", Func: loss.EpsilonInsensitiveLoss},
	{Signature: "nnabla.functions.binary_cross_entropy(x, target)", Func: loss.BinaryCrossEntropy, Domain: map[string]Interval{"x": {0, 1}}},
	{Signature: "nnabla.functions.sigmoid_cross_entropy(x, target)", Func: loss.SigmoidCrossEntropy},

	{Signature: "chainer.functions.squared_difference(x1, x2)", Func: loss.SquaredError},
	{Signature: "chainer.functions.huber_loss(x, t, delta, reduce='sum_along_second_axis')", Func: chainerHuberLoss},
	{Signature: "chainer.functions.sigmoid_cross_entropy(x, t, use_cudnn=True, normalize=True, reduce='mean')",
		Func: func(x, t *nd.Array, normalize bool, reduce string) *nd.Array {
			return loss.SigmoidCrossEntropy(x, t, loss.SigmoidCrossEntropyOptions{Ignore: new(-1), Reduction: chainerReduction(reduce, normalize)})
		}, Ignores: useCuDNN},
	{Signature: "chainer.functions.gaussian_kl_divergence(mean, ln_var, reduce='sum')", Func: summed(loss.GaussianKLDivergence)},
	{Signature: "chainer.functions.cross_covariance(y, z, reduce='half_squared_sum')", Func: chainerCrossCovariance},
}

// summed reduces the losses of the elements as Chainer does.
func summed(loss func(a, b *nd.Array) *nd.Array) func(a, b *nd.Array, reduce string) *nd.Array {
	return func(a, b *nd.Array, reduce string) *nd.Array {
		switch reduce {
		case "sum":
			return ops.Sum(loss(a, b))
		case "no":
			return loss(a, b)
		}
		panic(nd.Func("reduce").Errorf([]*nd.Array{a, b}, "%q: want sum or no", reduce))
	}
}

// chainerCrossCovariance reduces the matrix to a penalty.
func chainerCrossCovariance(y, z *nd.Array, reduce string) *nd.Array {
	covariance := loss.CrossCovariance(y, z)
	switch reduce {
	case "half_squared_sum":
		return ops.Multiply(ops.Sum(ops.Square(covariance)), 0.5)
	case "no":
		return covariance
	}
	panic(nd.Func("cross_covariance").Errorf([]*nd.Array{y, z}, "reduce %q: want half_squared_sum or no", reduce))
}

// chainerHuberLoss is half of NNabla's Huber loss, summed over the classes.
func chainerHuberLoss(x, t *nd.Array, delta float64, reduce string) *nd.Array {
	l := ops.Multiply(loss.HuberLoss(x, t, loss.HuberLossOptions{Delta: &delta}), 0.5)
	switch reduce {
	case "sum_along_second_axis":
		return ops.Sum(l, ops.Over(1))
	case "no":
		return l
	}
	panic(nd.Func("huber_loss").Errorf([]*nd.Array{x, t}, "reduce %q: want sum_along_second_axis or no", reduce))
}
