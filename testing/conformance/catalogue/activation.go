package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

var (
	inplace  = []string{"inplace"}
	useCuDNN = []string{"use_cudnn"}
)

// activationRows is the chapter of activation functions.
var activationRows = []Row{
	{Signature: "nnabla.functions.sigmoid(x)", Func: ops.Sigmoid},
	{Signature: "nnabla.functions.swish(x)", Func: ops.Swish},
	{Signature: "nnabla.functions.relu(x, inplace=False)", Func: ops.ReLU, Ignores: inplace},
	{Signature: "nnabla.functions.elu(x, alpha=1.0)", Func: ops.ELU},
	{Signature: "nnabla.functions.selu(x, scale=1.05070098735548, alpha=1.673263242354377)", Func: ops.SELU},
	{Signature: "nnabla.functions.crelu(x, axis=1)", Func: ops.CReLU},
	{Signature: "nnabla.functions.celu(x, alpha=1.0, axis=1)", Func: ops.CELU},
	{Signature: "nnabla.functions.gelu(x)", Func: ops.GELU},
	{Signature: "nnabla.functions.mish(x)", Func: ops.Mish},
	{Signature: "nnabla.functions.prelu(x0, x1, base_axis=1)", Func: func(x, w *nd.Array, baseAxis int) *nd.Array {
		return ops.PReLU(x, w, ops.PReLUOptions{BaseAxis: &baseAxis, Kink: ops.KinkRight})
	}, Note: "slope 1 at 0"},
	{Signature: "nnabla.functions.leaky_relu(x, alpha=0.1, inplace=False)", Func: ops.LeakyReLU, Ignores: inplace},
	{Signature: "nnabla.functions.relu6(x)", Func: ops.ReLU6},
	{Signature: "nnabla.functions.hard_sigmoid(x)", Func: ops.HardSigmoid},
	{Signature: "nnabla.functions.hard_tanh(x)", Func: ops.HardTanh},
	{Signature: "nnabla.functions.log_sigmoid(x)", Func: ops.LogSigmoid},
	{Signature: "nnabla.functions.softplus(x, beta=1.0)", Func: ops.Softplus},
	{Signature: "nnabla.functions.softsign(x)", Func: ops.Softsign},
	{Signature: "nnabla.functions.tanh_shrink(x)", Func: ops.TanhShrink},
	{Signature: "nnabla.functions.binary_sigmoid(x)", Func: ops.BinarySigmoid, StraightThrough: true},
	{Signature: "nnabla.functions.binary_tanh(x)", Func: ops.BinaryTanh, StraightThrough: true},

	{Signature: "chainer.functions.sigmoid(x, use_cudnn=True)", Func: ops.Sigmoid, Ignores: useCuDNN},
	{Signature: "chainer.functions.relu(x, use_cudnn=True)", Func: ops.ReLU, Ignores: useCuDNN},
	{Signature: "chainer.functions.leaky_relu(x, slope=0.2)", Func: func(x *nd.Array, slope float64) *nd.Array {
		return ops.LeakyReLU(x, ops.LeakyReLUOptions{Alpha: &slope})
	}},
	{Signature: "chainer.functions.prelu(x, W)", Func: func(x, w *nd.Array) *nd.Array {
		return ops.PReLU(x, w, ops.PReLUOptions{Kink: ops.KinkRight})
	}, Note: "slope 1 at 0"},
	{Signature: "chainer.functions.elu(x, alpha=1.0)", Func: ops.ELU},
	{Signature: "chainer.functions.crelu(x, axis=1)", Func: ops.CReLU},
	{Signature: "chainer.functions.clipped_relu(x, z=20.0)", Func: ops.ClippedReLU},
	{Signature: "chainer.functions.maxout(x, pool_size, axis=1)", Func: func(x *nd.Array, poolSize, axis int) *nd.Array {
		return ops.Maxout(x, poolSize, ops.MaxoutOptions{Axis: ops.Over(axis), Kink: ops.KinkAll})
	}, Note: tiesNote},
	{Signature: "chainer.functions.hard_sigmoid(x)", Func: func(x *nd.Array) *nd.Array {
		return ops.HardSigmoid(x, ops.UfuncOptions{Kink: ops.KinkLeast})
	}, Note: "slope 0 at -2.5 and 2.5"},
	{Signature: "chainer.functions.softplus(x, beta=1.0)", Func: ops.Softplus},

	{Signature: "mxnet.npx.leaky_relu(data, gamma=None, act_type='leaky', slope=0.25, lower_bound=0.125, " +
		"upper_bound=0.333999991, is_train=False)", Func: mxnetLeakyReLU},
}

// mxnetLeakyReLU selects among the functions that MXNet combines under one name.
func mxnetLeakyReLU(data, gamma *nd.Array, actType string, slope, lower, upper float64, train bool, rng *nd.Rand) *nd.Array {
	switch actType {
	case "leaky":
		return ops.LeakyReLU(data, ops.LeakyReLUOptions{Alpha: &slope})
	case "elu":
		return ops.ELU(data, ops.ELUOptions{Alpha: &slope})
	case "selu":
		return ops.SELU(data)
	case "gelu", "gelu_erf":
		return ops.GELUErf(data)
	case "gelu_tanh":
		return ops.GELU(data)
	case "prelu":
		return ops.PReLU(data, gamma)
	case "rrelu":
		o := ops.RReLUOptions{LowerBound: &lower, UpperBound: &upper}
		if train {
			o.Rand = rng
		}
		return ops.RReLU(data, o)
	}
	panic(nd.Func("leaky_relu").Errorf([]*nd.Array{data}, "act_type %q is not documented", actType))
}
