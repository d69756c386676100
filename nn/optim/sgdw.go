package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// SGDWOptions are the options of [NewSGDW].
type SGDWOptions struct {
	LR          float64  // learning rate; 0 means 0.001
	Momentum    *float64 // the fraction of the last step that is kept; nil means 0.9
	WeightDecay *float64 // weight decay if the gradients state none; nil means 0.0001
}

// NewSGDW returns gradient descent with momentum and decoupled weight decay (Loshchilov and Hutter 2019): m ←
// momentum·m + lr·g, w ← w - m - η·wd·w, where η is the learning rate relative to its first value, so that the decay
// follows a schedule. [Gradients.WeightDecay] replaces wd.
// NNabla: solvers.SgdW.
func NewSGDW(opts ...SGDWOptions) *Optimizer {
	const fn nd.Func = "optim.NewSGDW"
	o := options.Read(fn, opts)
	keep, first := fractionOf(fn, "Momentum", &o.Momentum, 0.9), rateOf(fn, &o.LR, 1e-3)
	return newOptimizer(Rule{Name: "SGDW", LearningRate: first, Decoupled: true, Decay: nonNegativeOf(fn, "WeightDecay", &o.WeightDecay, 1e-4),
		options: func() any { return o },
		States:  []string{"m"}, Scalars: []string{"rate", "keep", "decay"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate, keep, at.Decay*at.LearningRate/first)
		},
		Body:    "m = keep*m_old + rate*grad; w = w_old - m - decay*w_old",
		Complex: true,
	})
}
