package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// SMORMS3Options are the options of [NewSMORMS3].
type SMORMS3Options struct {
	LR          float64  // the upper bound of the learning rate; 0 means 0.001
	Eps         *float64 // added to the mean square, and to its root; nil means 1e-16
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewSMORMS3 returns SMORMS3 (Funk 2015), an RMSprop that averages over more gradients the more they disagree. Their
// agreement bounds the rate: r = 1/(mem + 1), g' ← (1-r)·g' + r·g (the state "g"), g2 ← (1-r)·g2 + r·g², x = g'²/(g2 +
// eps), w ← w - min(lr, x)·g/(√g2 + eps), mem ← 1 + mem·(1-x), where mem begins at 1.
// Chainer: optimizers.SMORMS3.
func NewSMORMS3(opts ...SMORMS3Options) *Optimizer {
	const fn nd.Func = "optim.NewSMORMS3"
	o := options.Read(fn, opts)
	eps := nonNegativeOf(fn, "Eps", &o.Eps, 1e-16)
	return newOptimizer(Rule{Name: "SMORMS3", LearningRate: rateOf(fn, &o.LR, 1e-3), Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"mem", "g", "g2"}, Initial: map[string]float64{"mem": 1}, Scalars: []string{"rate", "eps"},
		Values: func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, eps) },
		Body: limited + "r = 1/(mem_old + 1); g = (1 - r)*g_old + r*grad; g2 = (1 - r)*g2_old + r*grad*grad; x = g*g/(g2 + eps); " +
			"w = w_old - min(rate, x)*grad/(sqrt(g2) + eps); mem = 1 + mem_old*(1 - x)",
		chainer: []string{"mem", "g", "g2"},
	})
}
