package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// MomentumOptions are the options of [NewMomentum].
type MomentumOptions struct {
	LR          float64  // learning rate; 0 means 0.001
	Momentum    *float64 // what is kept of the last step; nil means 0.9
	WeightDecay float64  // weight decay where the gradients have none; 0 means none
}

// NewMomentum returns gradient descent with momentum (Ning Qian 1999): m ← momentum·m + lr·g, w ← w - m.
// nnabla.solvers.Momentum; chainer.optimizers.MomentumSGD has the state -m. torch.optim.SGD with momentum is the same while lr
// stays.
func NewMomentum(opts ...MomentumOptions) *Optimizer {
	const fn nd.Func = "optim.NewMomentum"
	o := options.Read(fn, opts)
	rule := withMomentum(fn, "Momentum", o, "m = keep*m_old + rate*grad; w = w_old - m")
	rule.chainer = []string{"-v"}
	return newOptimizer(rule)
}

// withMomentum is a rule whose state is the last step.
func withMomentum(fn nd.Func, name string, o MomentumOptions, body string) Rule {
	keep := fractionOf(fn, "Momentum", o.Momentum, 0.9)
	return Rule{Name: name, LearningRate: rateOf(fn, o.LR, 1e-3), Decay: rateOfDecay(fn, o.WeightDecay),
		States: []string{"m"}, Scalars: []string{"rate", "keep"},
		Values:  func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, keep) },
		Body:    body,
		Complex: true,
	}
}
