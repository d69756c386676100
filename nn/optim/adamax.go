package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdamaxOptions are the options of [NewAdamax].
type AdamaxOptions struct {
	LR          float64  // step size α; 0 means 0.002
	Beta1       *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2       *float64 // the fraction of the largest magnitude that is kept; nil means 0.999
	Eps         *float64 // added to the largest magnitude; nil means 1e-8
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewAdamax returns Adamax (Kingma and Ba 2015), Adam with the norm of the largest element: m ← β1·m + (1-β1)·g, u ←
// max(β2·u, |g|), w ← w - α/(1-β1ᵗ) · m/(u + eps). PyTorch's Adamax has eps inside the maximum.
// PyTorch: optim.Adamax. NNabla: solvers.Adamax.
func NewAdamax(opts ...AdamaxOptions) *Optimizer {
	const fn nd.Func = "optim.NewAdamax"
	o := options.Read(fn, opts)
	m := momentsOf(fn, &o.LR, 2e-3, &o.Beta1, &o.Beta2, &o.Eps)
	return newOptimizer(Rule{Name: "Adamax", LearningRate: m.alpha, Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"m", "u"}, Scalars: []string{"step", "keep1", "take1", "keep2", "eps"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate/(1-m.power1(at.T)), m.beta1, 1-m.beta1, m.beta2, m.eps)
		},
		Body: "m = keep1*m_old + take1*grad; u = max(keep2*u_old, abs(grad)); w = w_old - step*m/(u + eps)",
	})
}
