package optim

import (
	"cmp"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// RMSpropGravesOptions are the options of [NewRMSpropGraves].
type RMSpropGravesOptions struct {
	LR          float64  // learning rate; 0 means 0.0001
	Decay       *float64 // the fraction of the means that is kept; nil means 0.95
	Momentum    *float64 // the fraction of the last step that is kept; nil means 0.9
	Eps         float64  // added to the variance; 0 means 0.0001
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewRMSpropGraves returns RMSprop by the variance, with momentum (Graves 2013): n ← decay·n + (1-decay)·g², g' ←
// decay·g' + (1-decay)·g (the state "g"), d ← momentum·d - lr·g/√(n - g'² + eps), w ← w + d.
// Rounding may make the variance n - g'² negative, which counts as 0.
// NNabla: solvers.RMSpropGraves. Chainer: optimizers.RMSpropGraves.
func NewRMSpropGraves(opts ...RMSpropGravesOptions) *Optimizer {
	const fn nd.Func = "optim.NewRMSpropGraves"
	o := options.Read(fn, opts)
	keep, momentum := fractionOf(fn, "Decay", &o.Decay, 0.95), fractionOf(fn, "Momentum", &o.Momentum, 0.9)
	checkNonNegative(fn, "Eps", o.Eps)
	o.Eps = cmp.Or(o.Eps, 1e-4)
	eps := o.Eps
	return newOptimizer(Rule{Name: "RMSpropGraves", LearningRate: rateOf(fn, &o.LR, 1e-4), Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"n", "g", "d"}, Scalars: []string{"rate", "keep", "take", "momentum", "eps"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate, keep, 1-keep, momentum, eps)
		},
		Body: limited + "n = keep*n_old + take*grad*grad; g = keep*g_old + take*grad; " +
			"d = momentum*d_old - rate*grad/sqrt(max(n - g*g, 0) + eps); w = w_old + d",
		chainer: []string{"n", "g", "delta"},
	})
}
