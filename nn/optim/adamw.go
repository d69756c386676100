package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdamWOptions are the options of [NewAdamW].
type AdamWOptions struct {
	LR          float64  // step size α; 0 means 0.001
	Beta1       *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2       *float64 // the fraction of the mean square that is kept; nil means 0.999
	Eps         *float64 // added to the root of the mean square; nil means 1e-8
	WeightDecay *float64 // weight decay if the gradients state none; nil means 0.0001

	EpsOutside bool // as in AdamOptions
}

// NewAdamW returns Adam with decoupled weight decay (Loshchilov and Hutter 2019): the step of [NewAdam], and in
// addition w ← w - η·wd·w, where η is the step size relative to its first value, so that the decay follows a schedule.
// [Gradients.WeightDecay] replaces wd. PyTorch's AdamW is this optimizer with EpsOutside and a wd of α times PyTorch's
// weight_decay. The two differ by rounding and by α·wd·step, because PyTorch decays the parameter before the step.
// PyTorch: optim.AdamW (with EpsOutside). NNabla: solvers.AdamW.
func NewAdamW(opts ...AdamWOptions) *Optimizer {
	const fn nd.Func = "optim.NewAdamW"
	o := options.Read(fn, opts)
	m := momentsOf(fn, &o.LR, 1e-3, &o.Beta1, &o.Beta2, &o.Eps)
	return newOptimizer(Rule{Name: "AdamW", LearningRate: m.alpha, Decoupled: true, Decay: nonNegativeOf(fn, "WeightDecay", &o.WeightDecay, 1e-4),
		options: func() any { return o },
		States:  []string{"mean", "var"}, Scalars: append([]string{"step", "decay"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			step, eps := m.corrected(at, o.EpsOutside)
			return m.append(append(scalars, step, at.Decay*at.LearningRate/m.alpha), eps)
		},
		Body:    m.update("mean", "var") + "; w = w_old - step*mean/(sqrt(var) + eps) - decay*w_old",
		chainer: []string{"m", "v"},
	})
}
