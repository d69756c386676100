package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// SGDOptions are the options of [NewSGD].
type SGDOptions struct {
	LR          float64 // learning rate; 0 means 0.001
	WeightDecay float64 // weight decay if the gradients state none; 0 means none
}

// NewSGD returns stochastic gradient descent: w ← w - lr·g. Chainer's lr is 0.01 by default.
// PyTorch: optim.SGD. NNabla: solvers.Sgd. Chainer: optimizers.SGD.
func NewSGD(opts ...SGDOptions) *Optimizer {
	const fn nd.Func = "optim.NewSGD"
	o := options.Read(fn, opts)
	return newOptimizer(Rule{Name: "SGD", LearningRate: rateOf(fn, &o.LR, 1e-3), Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		Scalars: []string{"rate"},
		Values:  func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate) },
		Body:    "w = w_old - rate*grad",
		Complex: true,
	})
}
