package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// LionOptions are the options of [NewLion].
type LionOptions struct {
	LR          float64  // learning rate; 0 means 0.0001
	Beta1       *float64 // the weight of the mean in a step; nil means 0.9
	Beta2       *float64 // the fraction of the mean that is kept; nil means 0.99
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewLion returns Lion (Chen et al. 2023), which takes steps of constant size: w ← w - lr·(sign(β1·m + (1-β1)·g) +
// wd·w), m ← β2·m + (1-β2)·g, where the sign of 0 is 0. [Gradients.WeightDecay], which leaves g as it is, replaces wd.
// NNabla: solvers.Lion.
func NewLion(opts ...LionOptions) *Optimizer {
	const fn nd.Func = "optim.NewLion"
	o := options.Read(fn, opts)
	beta1, beta2 := fractionOf(fn, "Beta1", &o.Beta1, 0.9), fractionOf(fn, "Beta2", &o.Beta2, 0.99)
	return newOptimizer(Rule{Name: "Lion", LearningRate: rateOf(fn, &o.LR, 1e-4), Decay: rateOfDecay(fn, o.WeightDecay), Decoupled: true,
		options: func() any { return o },
		States:  []string{"m"}, Scalars: []string{"rate", "keep1", "take1", "keep2", "take2", "decay"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate, beta1, 1-beta1, beta2, 1-beta2, at.Decay)
		},
		Body: "u = sign(keep1*m_old + take1*grad); m = keep2*m_old + take2*grad; w = w_old - rate*(u + decay*w_old)",
	})
}
