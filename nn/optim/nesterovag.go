package optim

import (
	"cmp"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// NesterovAGOptions are the options of [NewNesterovAG].
type NesterovAGOptions struct {
	LR          float64  // learning rate; 0 means 0.01
	Momentum    *float64 // what is kept of the last step; nil means 0.9
	WeightDecay float64  // weight decay where the gradients have none; 0 means none
}

// NewNesterovAG returns Nesterov's accelerated gradient as Chainer computes it, which takes the new state where [NewNesterov] takes the
// one before: m ← momentum·m - lr·g, w ← w + momentum²·m - (1 + momentum)·lr·g. chainer.optimizers.NesterovAG.
func NewNesterovAG(opts ...NesterovAGOptions) *Optimizer {
	const fn nd.Func = "optim.NewNesterovAG"
	o := MomentumOptions(options.Read(fn, opts))
	o.LR = cmp.Or(o.LR, 0.01)
	rule := withMomentum(fn, "NesterovAG", o, "m = keep*m_old - rate*grad; w = w_old + keep*keep*m - (rate + keep*rate)*grad")
	rule.chainer = []string{"v"}
	return newOptimizer(rule)
}
