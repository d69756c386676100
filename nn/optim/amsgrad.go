package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AMSGRADOptions are the options of [NewAMSGRAD].
type AMSGRADOptions struct {
	LR             float64  // step size α; 0 means 0.001
	Beta1          *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2          *float64 // the fraction of the mean square that is kept; nil means 0.999
	Eps            *float64 // added to the root of the largest mean square; nil means 1e-8
	BiasCorrection bool     // multiplies the step by √(1-β2ᵗ)/(1-β1ᵗ), like Adam
	WeightDecay    float64  // weight decay if the gradients state none; 0 means none
}

// NewAMSGRAD returns AMSGRAD (Reddi et al. 2018), Adam with steps that do not grow again: m ← β1·m + (1-β1)·g, v ← β2·v
// + (1-β2)·g², v_hat ← max(v_hat, v), w ← w - α·m/(√v_hat + eps).
// NNabla: solvers.AMSGRAD.
func NewAMSGRAD(opts ...AMSGRADOptions) *Optimizer {
	const fn nd.Func = "optim.NewAMSGRAD"
	o := options.Read(fn, opts)
	m := momentsOf(fn, &o.LR, 1e-3, &o.Beta1, &o.Beta2, &o.Eps)
	return newOptimizer(Rule{Name: "AMSGRAD", LearningRate: m.alpha, Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"m", "v", "v_hat"}, Scalars: append([]string{"step"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			return m.append(append(scalars, m.step(at, o.BiasCorrection)), m.eps)
		},
		Body: m.update("m", "v") + "; v_hat = max(v_hat_old, v); w = w_old - step*m/(sqrt(v_hat) + eps)",
	})
}
