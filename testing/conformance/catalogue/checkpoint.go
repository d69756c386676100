package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// checkpointRows is the chapter of computing again instead of keeping.
var checkpointRows = []Row{
	{Signature: "chainer.functions.forget(func, *xs)", Func: func(name string, xs ...*nd.Array) []*nd.Array {
		f, ok := forgettable[name]
		if !ok {
			panic(nd.Func("forget").Errorf(xs, "function %q: want one of the cases'", name))
		}
		return grad.Checkpoint(f, xs...)
	}},
}

// forgettable are the functions that cases of forget name.
var forgettable = map[string]func(xs []*nd.Array) []*nd.Array{
	"chainer.functions.square": func(xs []*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(xs[0])} },
	"chainer.functions.softmax": func(xs []*nd.Array) []*nd.Array {
		return []*nd.Array{ops.Softmax(xs[0], ops.Over(1))}
	},
	"chainer.functions.maximum": func(xs []*nd.Array) []*nd.Array { return []*nd.Array{ops.Maximum(xs[0], xs[1])} },
	"chainer.functions.matmul":  func(xs []*nd.Array) []*nd.Array { return []*nd.Array{ops.MatMul(xs[0], xs[1])} },
	"chainer.functions.linear": func(xs []*nd.Array) []*nd.Array {
		return []*nd.Array{ops.Affine(xs[0], xs[1].T(), ops.AffineOptions{Bias: xs[2]})}
	},
	"chainer.functions.convolution_2d": func(xs []*nd.Array) []*nd.Array { return []*nd.Array{ops.Convolution(xs[0], xs[1], xs[2])} },
	"chainer.functions.lstm": func(xs []*nd.Array) []*nd.Array {
		c, h := sequence.LSTMGates(xs[0], xs[1])
		return []*nd.Array{c, h}
	},
}
