package optim

import (
	"cmp"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// NesterovAGOptions are the options of [NewNesterovAG].
type NesterovAGOptions struct {
	LR          float64  // learning rate; 0 means 0.01
	Momentum    *float64 // the fraction of the last step that is kept; nil means 0.9
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewNesterovAG returns Nesterov's accelerated gradient in Chainer's form, which uses the new state where [NewNesterov]
// uses the old one: m ← momentum·m - lr·g, w ← w + momentum²·m - (1 + momentum)·lr·g.
// Chainer: optimizers.NesterovAG.
func NewNesterovAG(opts ...NesterovAGOptions) *Optimizer {
	const fn nd.Func = "optim.NewNesterovAG"
	o := MomentumOptions(options.Read(fn, opts))
	o.LR = cmp.Or(o.LR, 0.01)
	rule := withMomentum(fn, "NesterovAG", &o, "m = keep*m_old - rate*grad; w = w_old + keep*keep*m - (rate + keep*rate)*grad")
	rule.options = func() any { return NesterovAGOptions(o) }
	rule.chainer = []string{"v"}
	return newOptimizer(rule)
}
