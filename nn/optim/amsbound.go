package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AMSBoundOptions are the options of [NewAMSBound].
type AMSBoundOptions struct {
	LR             float64  // step size α; 0 means 0.001
	Beta1          *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2          *float64 // the fraction of the mean square that is kept; nil means 0.999
	Eps            *float64 // added to the root of the largest mean square; nil means 1e-8
	FinalLR        float64  // the learning rate of the bounds; 0 means 0.1
	Gamma          float64  // how fast they move; 0 means 0.001
	BiasCorrection bool     // multiplies the step by √(1-β2ᵗ)/(1-β1ᵗ), like Adam
	WeightDecay    float64  // weight decay if the gradients state none; 0 means none
}

// NewAMSBound returns AMSBound (Luo et al. 2019): m, v and v_hat are AMSGRAD's, w ← w - min(max(α/(√v_hat + eps),
// lower), upper)·m with lower = f·(1 - 1/(γt+1)) and upper = f·(1 + t/γ). f is final_lr, scaled by the current α
// relative to its first value. The upper bound is NNabla's; the paper has f·(1 + 1/(γt)), like [NewAdaBound].
// NNabla: solvers.AMSBound.
func NewAMSBound(opts ...AMSBoundOptions) *Optimizer {
	const fn nd.Func = "optim.NewAMSBound"
	o := options.Read(fn, opts)
	m := momentsOf(fn, &o.LR, 1e-3, &o.Beta1, &o.Beta2, &o.Eps)
	final, gamma := boundsOf(fn, &o.FinalLR, &o.Gamma)
	return newOptimizer(Rule{Name: "AMSBound", LearningRate: m.alpha, Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"m", "v", "v_hat"}, Scalars: append([]string{"step", "lower", "upper", "keep1"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			f, t := final*at.LearningRate/m.alpha, float64(at.T)
			return m.append(append(scalars, m.step(at, o.BiasCorrection), f*(1-1/(gamma*t+1)), f*(1+t/gamma), m.beta1), m.eps)
		},
		Body: "m = keep1*m_old + take1*grad; " + limited + m.updateSquare("v") + "; v_hat = max(v_hat_old, v); " +
			"w = w_old - min(max(step/(sqrt(v_hat) + eps), lower), upper)*m",
	})
}
