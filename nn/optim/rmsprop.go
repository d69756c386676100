package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// RMSpropOptions are the options of [NewRMSprop].
type RMSpropOptions struct {
	LR          float64  // learning rate; 0 means 0.001
	Decay       *float64 // the fraction of the mean square that is kept; nil means 0.9
	Eps         *float64 // added to the root of the mean square; nil means 1e-8
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewRMSprop returns RMSprop (Tieleman and Hinton 2012): v ← decay·v + (1-decay)·g², w ← w - lr·g/(√v + eps). Chainer's
// alpha, 0.99 by default, is this decay, and its lr is 0.01 by default.
// PyTorch: optim.RMSprop. NNabla: solvers.RMSprop. Chainer: optimizers.RMSprop.
func NewRMSprop(opts ...RMSpropOptions) *Optimizer {
	const fn nd.Func = "optim.NewRMSprop"
	o := options.Read(fn, opts)
	keep, eps := fractionOf(fn, "Decay", &o.Decay, 0.9), nonNegativeOf(fn, "Eps", &o.Eps, 1e-8)
	return newOptimizer(Rule{Name: "RMSprop", LearningRate: rateOf(fn, &o.LR, 1e-3), Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"v"}, Scalars: []string{"rate", "keep", "take", "eps"},
		Values:  func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, keep, 1-keep, eps) },
		Body:    limited + "v = keep*v_old + take*grad*grad; w = w_old - rate*grad/(sqrt(v) + eps)",
		chainer: []string{"ms"},
	})
}
