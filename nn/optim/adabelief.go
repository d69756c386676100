package optim

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdaBeliefOptions are the options of [NewAdaBelief].
type AdaBeliefOptions struct {
	LR          float64  // step size α; 0 means 0.001
	Beta1       *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2       *float64 // the fraction of the variance that is kept; nil means 0.999
	Eps         *float64 // added to the variance, and to its root; nil means 1e-8
	WeightDecay float64  // weight decay if the gradients state none; 0 means none

	AMSGrad        bool // divides by the root of the largest variance so far, the state "s_max"
	WeightDecouple bool // decays the parameter directly, not through its gradient
	FixedDecay     bool // with WeightDecouple, makes the decay the rate itself, not α times the rate
	Rectify        bool // delays the division until the variance is known well enough, like RAdam
}

// NewAdaBelief returns AdaBelief (Zhuang et al. 2020), Adam by the variance: mean ← β1·mean + (1-β1)·g, var ← β2·var +
// (1-β2)·(g - mean)² + eps, w ← w - α/(1-β1ᵗ) · mean/(√(var/(1-β2ᵗ)) + eps). With AMSGrad, s_max ← max(s_max, var) +
// eps, without eps in var, replaces var in the step.
//
// With Rectify (Liu et al. 2020) let ρ = ρ∞ - 2t·β2ᵗ/(1-β2ᵗ) and ρ∞ = 2/(1-β2) - 1: while ρ ≤ 4 the step is α·mean,
// then it is multiplied by √((ρ-4)(ρ-2)ρ∞/((ρ∞-4)(ρ∞-2)ρ)). With WeightDecouple the parameter first becomes w - α·wd·w,
// and [Gradients.WeightDecay] replaces wd. NNabla ignores wd without WeightDecouple.
// NNabla: solvers.AdaBelief.
func NewAdaBelief(opts ...AdaBeliefOptions) *Optimizer {
	const fn nd.Func = "optim.NewAdaBelief"
	o := options.Read(fn, opts)
	m := momentsOf(fn, &o.LR, 1e-3, &o.Beta1, &o.Beta2, &o.Eps)
	moved := limited + running(m.beta1, "mean", "take1", "grad") + "; d = grad - mean; " + running(m.beta2, "var", "take2", "d*d")
	rule := Rule{Name: "AdaBelief", LearningRate: m.alpha, Decoupled: o.WeightDecouple, Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"mean", "var"}, Scalars: append([]string{"step", "root", "added", "decay"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			step, root, added := m.belief(at, o.Rectify)
			decay := at.Decay
			if !o.FixedDecay {
				decay *= at.LearningRate
			}
			return m.append(append(scalars, step, root, added, decay), m.eps)
		},
		Body: moved + " + eps; w = w_old - decay*w_old - step*mean/(root*sqrt(var) + added)",
	}
	if o.AMSGrad {
		rule.States = append(rule.States, "s_max")
		rule.Body = moved + "; s_max = max(s_max_old, var) + eps; w = w_old - decay*w_old - step*mean/(root*sqrt(s_max) + added)"
	}
	return newOptimizer(rule)
}

// belief returns the step of AdaBelief, and the numbers that the root of the variance is multiplied by and added to.
func (m *moments) belief(at Step, rectify bool) (step, root, added float64) {
	power2 := m.power2(at.T)
	step, root, added = at.LearningRate/(1-m.power1(at.T)), 1/math.Sqrt(1-power2), m.eps
	if !rectify {
		return step, root, added
	}
	most := 2/(1-m.beta2) - 1
	rho := most - 2*float64(at.T)*power2/(1-power2)
	if rho <= 4 {
		return at.LearningRate, 0, 1
	}
	return step * math.Sqrt((rho-4)*(rho-2)*most/((most-4)*(most-2)*rho)), root, added
}
