package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// NesterovOptions are the options of [NewNesterov].
type NesterovOptions struct {
	LR          float64  // learning rate; 0 means 0.001
	Momentum    *float64 // the fraction of the last step that is kept; nil means 0.9
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewNesterov returns Nesterov's accelerated gradient (Nesterov 1983, in the form of Bengio et al. 2012): m' ←
// momentum·m - lr·g, w ← w - momentum·m + (1 + momentum)·m'. PyTorch's SGD with nesterov is the same as long as lr does
// not change. [NewNesterovAG] is Chainer's form.
// PyTorch: optim.SGD (with nesterov). NNabla: solvers.Nesterov.
func NewNesterov(opts ...NesterovOptions) *Optimizer {
	const fn nd.Func = "optim.NewNesterov"
	o := MomentumOptions(options.Read(fn, opts))
	rule := withMomentum(fn, "Nesterov", &o, "m = keep*m_old - rate*grad; w = w_old - keep*m_old + m + keep*m")
	rule.options = func() any { return NesterovOptions(o) }
	return newOptimizer(rule)
}
