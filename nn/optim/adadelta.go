package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdaDeltaOptions are the options of [NewAdaDelta].
type AdaDeltaOptions struct {
	LR          float64  // learning rate; 0 means 1
	Decay       *float64 // the fraction of the mean squares that is kept; nil means 0.95
	Eps         *float64 // added to the mean squares; nil means 1e-6
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewAdaDelta returns AdaDelta (Zeiler 2012), whose steps have the parameter's unit: with e_sqr_grad the running mean
// of g², δ = √((e_sqr_delta + eps)/(e_sqr_grad + eps))·g, then e_sqr_delta the running mean of δ², and w ← w - lr·δ. A
// running mean is x ← decay·x + (1-decay)·y. PyTorch's rho, 0.9 by default, is this decay.
// PyTorch: optim.Adadelta. NNabla: solvers.Adadelta. Chainer: optimizers.AdaDelta.
func NewAdaDelta(opts ...AdaDeltaOptions) *Optimizer {
	const fn nd.Func = "optim.NewAdaDelta"
	o := options.Read(fn, opts)
	keep, eps := fractionOf(fn, "Decay", &o.Decay, 0.95), nonNegativeOf(fn, "Eps", &o.Eps, 1e-6)
	return newOptimizer(Rule{Name: "AdaDelta", LearningRate: rateOf(fn, &o.LR, 1), Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"e_sqr_grad", "e_sqr_delta"}, Scalars: []string{"rate", "keep", "take", "eps"},
		Values: func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, keep, 1-keep, eps) },
		Body: limited + "e_sqr_grad = keep*e_sqr_grad_old + take*grad*grad; " +
			"delta = sqrt((e_sqr_delta_old + eps)/(e_sqr_grad + eps))*grad; " +
			"e_sqr_delta = keep*e_sqr_delta_old + take*delta*delta; w = w_old - rate*delta",
		chainer: []string{"msg", "msdx"},
	})
}
