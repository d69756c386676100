package nn

import (
	"cmp"
	"math"
)

// SgdOptions are the options of [NewSgd].
type SgdOptions struct {
	LR float64 // learning rate; 0 means 0.001
}

// NewSgd returns stochastic gradient descent: w ← w - lr·g. nnabla.solvers.Sgd.
func NewSgd(opts ...SgdOptions) *Optimizer {
	return newOptimizer(&sgd, cmp.Or(firstOf(opts).LR, 1e-3), func(rate float64, _ int) []float64 { return []float64{rate} })
}

var sgd = rule{name: "Sgd", scalars: []string{"rate"}, complex: true, body: "w = w_old - rate*g"}

// MomentumOptions are the options of [NewMomentum].
type MomentumOptions struct {
	LR       float64  // learning rate; 0 means 0.001
	Momentum *float64 // what is kept of the last step; nil means 0.9
}

// NewMomentum returns gradient descent with momentum (Ning Qian 1999): m ← momentum·m + lr·g, w ← w - m.
// nnabla.solvers.Momentum.
func NewMomentum(opts ...MomentumOptions) *Optimizer {
	o := firstOf(opts)
	keep := deref(o.Momentum, 0.9)
	return newOptimizer(&momentum, cmp.Or(o.LR, 1e-3), func(rate float64, _ int) []float64 { return []float64{rate, keep} })
}

var momentum = rule{name: "Momentum", states: []string{"m"}, scalars: []string{"rate", "keep"}, complex: true,
	body: "m = keep*m_old + rate*g; w = w_old - m"}

// AdamOptions are the options of [NewAdam].
type AdamOptions struct {
	Alpha float64  // step size; 0 means 0.001
	Beta1 *float64 // what is kept of the mean; nil means 0.9
	Beta2 *float64 // what is kept of the mean square; nil means 0.999
	Eps   *float64 // added to the root of the mean square; nil means 1e-8
}

// NewAdam returns Adam (Kingma and Ba 2015): mean ← β1·mean + (1-β1)·g, var ← β2·var + (1-β2)·g²,
// w ← w - α·√(1-β2ᵗ)/(1-β1ᵗ) · mean/(√var + eps), where t counts the parameter's updates. Complex parameters are refused.
// nnabla.solvers.Adam, chainer.optimizers.Adam.
func NewAdam(opts ...AdamOptions) *Optimizer {
	o := firstOf(opts)
	beta1, beta2, eps := deref(o.Beta1, 0.9), deref(o.Beta2, 0.999), deref(o.Eps, 1e-8)
	return newOptimizer(&adam, cmp.Or(o.Alpha, 1e-3), func(rate float64, t int) []float64 {
		step := rate * math.Sqrt(1-math.Pow(beta2, float64(t))) / (1 - math.Pow(beta1, float64(t)))
		return []float64{step, beta1, 1 - beta1, beta2, 1 - beta2, eps}
	})
}

var adam = rule{name: "Adam", states: []string{"mean", "var"},
	scalars: []string{"step", "keep1", "take1", "keep2", "take2", "eps"},
	body:    "mean = keep1*mean_old + take1*g; var = keep2*var_old + take2*g*g; w = w_old - step*mean/(sqrt(var) + eps)"}

// deref returns *p, or the default of a nil pointer.
func deref(p *float64, def float64) float64 {
	if p == nil {
		return def
	}
	return *p
}
