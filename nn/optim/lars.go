package optim

import (
	"cmp"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// LarsOptions are the options of [NewLars].
type LarsOptions struct {
	LR          float64  // learning rate; 0 means 0.001
	Momentum    *float64 // the fraction of the last step that is kept; nil means 0.9
	Coefficient float64  // the largest change of a parameter relative to its norm; 0 means 0.001
	Eps         *float64 // norms below it count as 0; nil means 1e-6
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewLars returns layer-wise adaptive rate scaling (You et al. 2017): v ← momentum·v + lr·r·(g + wd·w), w ← w - v,
// where r = coefficient·‖w‖/(‖g‖ + wd·‖w‖), with norms of the whole parameter. If ‖w‖ < eps, r is 1; if the divisor is
// below eps, eps is added to it. [Gradients.WeightDecay], which leaves g as it is, replaces wd.
// NNabla: solvers.Lars.
func NewLars(opts ...LarsOptions) *Optimizer {
	const fn nd.Func = "optim.NewLars"
	o := options.Read(fn, opts)
	keep, eps := fractionOf(fn, "Momentum", &o.Momentum, 0.9), nonNegativeOf(fn, "Eps", &o.Eps, 1e-6)
	checkNonNegative(fn, "Coefficient", o.Coefficient)
	o.Coefficient = cmp.Or(o.Coefficient, 1e-3)
	coefficient := o.Coefficient
	return newOptimizer(Rule{Name: "Lars", LearningRate: rateOf(fn, &o.LR, 1e-3), Decay: rateOfDecay(fn, o.WeightDecay), Decoupled: true,
		options: func() any { return o },
		States:  []string{"v"}, Scalars: []string{"rate", "keep", "coefficient", "eps", "decay"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate, keep, coefficient, eps, at.Decay)
		},
		Norms: []Norm{{"norm_w", "y = w_old"}, {"norm_g", "y = grad"}},
		Body: "sum = norm_g + decay*norm_w; divisor = sum < eps ? sum + eps : sum; " +
			"ratio = norm_w < eps ? T(1) : coefficient*norm_w/divisor; " +
			"v = keep*v_old + rate*ratio*(grad + decay*w_old); w = w_old - v",
	})
}
