package nn

import (
	"cmp"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdaGradOptions are the options of [NewAdaGrad].
type AdaGradOptions struct {
	LR  float64  // learning rate; 0 means 0.01
	Eps *float64 // added to the root of the sum; nil means 1e-8
}

// NewAdaGrad returns AdaGrad (Duchi et al. 2011): v ← v + g², w ← w - lr·g/(√v + eps). By default Chainer's lr is
// 0.001, and PyTorch's eps is 1e-10.
// PyTorch: optim.Adagrad. NNabla: solvers.Adagrad. Chainer: optimizers.AdaGrad.
func NewAdaGrad(opts ...AdaGradOptions) *Optimizer {
	const fn nd.Func = "nn.NewAdaGrad"
	o := options.Read(fn, opts)
	eps := nonNegativeOf(fn, "Eps", o.Eps, 1e-8)
	return newOptimizer(Rule{Name: "AdaGrad", LearningRate: rateOf(fn, o.LR, 1e-2),
		States: []string{"v"}, Scalars: []string{"rate", "eps"},
		Values:  func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, eps) },
		Body:    "v = v_old + grad*grad; w = w_old - rate*grad/(sqrt(v) + eps)",
		chainer: []string{"h"},
	})
}

// AdaDeltaOptions are the options of [NewAdaDelta].
type AdaDeltaOptions struct {
	LR    float64  // learning rate; 0 means 1
	Decay *float64 // the fraction of the mean squares that is kept; nil means 0.95
	Eps   *float64 // added to the mean squares; nil means 1e-6
}

// NewAdaDelta returns AdaDelta (Zeiler 2012), whose steps have the parameter's unit: with e_sqr_grad the running mean
// of g², δ = √((e_sqr_delta + eps)/(e_sqr_grad + eps))·g, then e_sqr_delta the running mean of δ², and w ← w - lr·δ. A
// running mean is x ← decay·x + (1-decay)·y. PyTorch's rho, 0.9 by default, is this decay.
// PyTorch: optim.Adadelta. NNabla: solvers.Adadelta. Chainer: optimizers.AdaDelta.
func NewAdaDelta(opts ...AdaDeltaOptions) *Optimizer {
	const fn nd.Func = "nn.NewAdaDelta"
	o := options.Read(fn, opts)
	keep, eps := fractionOf(fn, "Decay", o.Decay, 0.95), nonNegativeOf(fn, "Eps", o.Eps, 1e-6)
	return newOptimizer(Rule{Name: "AdaDelta", LearningRate: rateOf(fn, o.LR, 1),
		States: []string{"e_sqr_grad", "e_sqr_delta"}, Scalars: []string{"rate", "keep", "take", "eps"},
		Values: func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, keep, 1-keep, eps) },
		Body: "e_sqr_grad = keep*e_sqr_grad_old + take*grad*grad; " +
			"delta = sqrt((e_sqr_delta_old + eps)/(e_sqr_grad + eps))*grad; " +
			"e_sqr_delta = keep*e_sqr_delta_old + take*delta*delta; w = w_old - rate*delta",
		chainer: []string{"msg", "msdx"},
	})
}

// RMSpropOptions are the options of [NewRMSprop].
type RMSpropOptions struct {
	LR    float64  // learning rate; 0 means 0.001
	Decay *float64 // the fraction of the mean square that is kept; nil means 0.9
	Eps   *float64 // added to the root of the mean square; nil means 1e-8
}

// NewRMSprop returns RMSprop (Tieleman and Hinton 2012): v ← decay·v + (1-decay)·g², w ← w - lr·g/(√v + eps). Chainer's
// alpha, 0.99 by default, is this decay, and its lr is 0.01 by default.
// PyTorch: optim.RMSprop. NNabla: solvers.RMSprop. Chainer: optimizers.RMSprop.
func NewRMSprop(opts ...RMSpropOptions) *Optimizer {
	const fn nd.Func = "nn.NewRMSprop"
	o := options.Read(fn, opts)
	keep, eps := fractionOf(fn, "Decay", o.Decay, 0.9), nonNegativeOf(fn, "Eps", o.Eps, 1e-8)
	return newOptimizer(Rule{Name: "RMSprop", LearningRate: rateOf(fn, o.LR, 1e-3),
		States: []string{"v"}, Scalars: []string{"rate", "keep", "take", "eps"},
		Values:  func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, keep, 1-keep, eps) },
		Body:    "v = keep*v_old + take*grad*grad; w = w_old - rate*grad/(sqrt(v) + eps)",
		chainer: []string{"ms"},
	})
}

// RMSpropGravesOptions are the options of [NewRMSpropGraves].
type RMSpropGravesOptions struct {
	LR       float64  // learning rate; 0 means 0.0001
	Decay    *float64 // the fraction of the means that is kept; nil means 0.95
	Momentum *float64 // the fraction of the last step that is kept; nil means 0.9
	Eps      float64  // added to the variance; 0 means 0.0001
}

// NewRMSpropGraves returns RMSprop by the variance, with momentum (Graves 2013): n ← decay·n + (1-decay)·g², g' ←
// decay·g' + (1-decay)·g (the state "g"), d ← momentum·d - lr·g/√(n - g'² + eps), w ← w + d.
// NNabla: solvers.RMSpropGraves. Chainer: optimizers.RMSpropGraves.
func NewRMSpropGraves(opts ...RMSpropGravesOptions) *Optimizer {
	const fn nd.Func = "nn.NewRMSpropGraves"
	o := options.Read(fn, opts)
	keep, momentum := fractionOf(fn, "Decay", o.Decay, 0.95), fractionOf(fn, "Momentum", o.Momentum, 0.9)
	checkNonNegative(fn, "Eps", o.Eps)
	eps := cmp.Or(o.Eps, 1e-4)
	return newOptimizer(Rule{Name: "RMSpropGraves", LearningRate: rateOf(fn, o.LR, 1e-4),
		States: []string{"n", "g", "d"}, Scalars: []string{"rate", "keep", "take", "momentum", "eps"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate, keep, 1-keep, momentum, eps)
		},
		Body: "n = keep*n_old + take*grad*grad; g = keep*g_old + take*grad; " +
			"d = momentum*d_old - rate*grad/sqrt(n - g*g + eps); w = w_old + d",
		chainer: []string{"n", "g", "delta"},
	})
}

// SMORMS3Options are the options of [NewSMORMS3].
type SMORMS3Options struct {
	LR  float64  // the upper bound of the learning rate; 0 means 0.001
	Eps *float64 // added to the mean square, and to its root; nil means 1e-16
}

// NewSMORMS3 returns SMORMS3 (Funk 2015), an RMSprop that averages over more gradients the more they disagree. Their
// agreement bounds the rate: r = 1/(mem + 1), g' ← (1-r)·g' + r·g (the state "g"), g2 ← (1-r)·g2 + r·g², x = g'²/(g2 +
// eps), w ← w - min(lr, x)·g/(√g2 + eps), mem ← 1 + mem·(1-x), where mem begins at 1.
// Chainer: optimizers.SMORMS3.
func NewSMORMS3(opts ...SMORMS3Options) *Optimizer {
	const fn nd.Func = "nn.NewSMORMS3"
	o := options.Read(fn, opts)
	eps := nonNegativeOf(fn, "Eps", o.Eps, 1e-16)
	return newOptimizer(Rule{Name: "SMORMS3", LearningRate: rateOf(fn, o.LR, 1e-3),
		States: []string{"mem", "g", "g2"}, Initial: map[string]float64{"mem": 1}, Scalars: []string{"rate", "eps"},
		Values: func(scalars []float64, at Step) []float64 { return append(scalars, at.LearningRate, eps) },
		Body: "r = 1/(mem_old + 1); g = (1 - r)*g_old + r*grad; g2 = (1 - r)*g2_old + r*grad*grad; x = g*g/(g2 + eps); " +
			"w = w_old - min(rate, x)*grad/(sqrt(g2) + eps); mem = 1 + mem_old*(1 - x)",
		chainer: []string{"mem", "g", "g2"},
	})
}
