package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdaGradOptions are the options of [NewAdaGrad].
type AdaGradOptions struct {
	LR          float64  // learning rate; 0 means 0.01
	Eps         *float64 // added to the root of the sum; nil means 1e-8
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewAdaGrad returns AdaGrad (Duchi et al. 2011): v ← v + g², w ← w - lr·g/(√v + eps). By default Chainer's lr is
// 0.001, and PyTorch's eps is 1e-10.
// PyTorch: optim.Adagrad. NNabla: solvers.Adagrad. Chainer: optimizers.AdaGrad.
func NewAdaGrad(opts ...AdaGradOptions) *Optimizer {
	const fn nd.Func = "optim.NewAdaGrad"
	o := options.Read(fn, opts)
	eps := nonNegativeOf(fn, "Eps", &o.Eps, 1e-8)
	return newOptimizer(Rule{Name: "AdaGrad", LearningRate: rateOf(fn, &o.LR, 1e-2), Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"v"}, Scalars: []string{"rate", "eps"},
		Values:  func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, eps) },
		Body:    limited + "most = T(1e150) == inf ? T(3e38) : T(1e308); v = min(v_old + grad*grad, most); w = w_old - rate*grad/(sqrt(v) + eps)",
		chainer: []string{"h"},
	})
}
