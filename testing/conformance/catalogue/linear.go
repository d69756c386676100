package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// linearRows is the chapter of softmax and cross entropy.
var linearRows = []Row{
	{Signature: "nnabla.functions.softmax(x, axis=None)", Func: ops.Softmax},
	{Signature: "nnabla.functions.log_softmax(x, axis=None)", Func: ops.LogSoftmax},
	{Signature: "nnabla.functions.softmax_cross_entropy(x, target, axis=None)", Func: loss.SoftmaxCrossEntropy},
	{Signature: "chainer.functions.softmax(x, use_cudnn=True, axis=1)", Func: func(x *nd.Array, axis int) *nd.Array {
		return ops.Softmax(x, ops.Over(axis))
	}, Ignores: []string{"use_cudnn"}},
	{Signature: "chainer.functions.log_softmax(x, use_cudnn=True)", Func: func(x *nd.Array) *nd.Array {
		return ops.LogSoftmax(x, ops.Over(1))
	}, Ignores: []string{"use_cudnn"}},
}
