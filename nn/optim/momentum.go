package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// MomentumOptions are the options of [NewMomentum].
type MomentumOptions struct {
	LR          float64  // learning rate; 0 means 0.001
	Momentum    *float64 // the fraction of the last step that is kept; nil means 0.9
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewMomentum returns gradient descent with momentum (Ning Qian 1999): m ← momentum·m + lr·g, w ← w - m. The state of
// Chainer's MomentumSGD is -m. PyTorch's SGD with momentum is the same as long as lr does not change.
// PyTorch: optim.SGD (with momentum). NNabla: solvers.Momentum. Chainer: optimizers.MomentumSGD.
func NewMomentum(opts ...MomentumOptions) *Optimizer {
	const fn nd.Func = "optim.NewMomentum"
	o := options.Read(fn, opts)
	rule := withMomentum(fn, "Momentum", &o, "m = keep*m_old + rate*grad; w = w_old - m")
	rule.options = func() any { return o }
	rule.chainer = []string{"-v"}
	return newOptimizer(rule)
}

// withMomentum returns a rule whose state is the last step.
func withMomentum(fn nd.Func, name string, o *MomentumOptions, body string) Rule {
	keep := fractionOf(fn, "Momentum", &o.Momentum, 0.9)
	return Rule{Name: name, LearningRate: rateOf(fn, &o.LR, 1e-3), Decay: rateOfDecay(fn, o.WeightDecay),
		States: []string{"m"}, Scalars: []string{"rate", "keep"},
		Values:  func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, keep) },
		Body:    body,
		Complex: true,
	}
}
