package optim

import (
	"cmp"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdaBoundOptions are the options of [NewAdaBound].
type AdaBoundOptions struct {
	LR          float64  // step size α; 0 means 0.001
	Beta1       *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2       *float64 // the fraction of the mean square that is kept; nil means 0.999
	Eps         *float64 // added to the root of the mean square; nil means 1e-8
	FinalLR     float64  // the learning rate that the bounds converge to; 0 means 0.1
	Gamma       float64  // how fast they converge; 0 means 0.001
	WeightDecay float64  // weight decay if the gradients state none; 0 means none
}

// NewAdaBound returns AdaBound (Luo et al. 2019), which changes from Adam to gradient descent: mean and var are Adam's,
// w ← w - min(max(α_t/(√var + eps), lower), upper)·mean with Adam's α_t = α·√(1-β2ᵗ)/(1-β1ᵗ), lower = f·(1 - 1/(γt+1))
// and upper = f·(1 + 1/(γt)). f is final_lr, scaled by the current α relative to its first value.
// NNabla: solvers.AdaBound.
func NewAdaBound(opts ...AdaBoundOptions) *Optimizer {
	const fn nd.Func = "optim.NewAdaBound"
	o := options.Read(fn, opts)
	m := momentsOf(fn, &o.LR, 1e-3, &o.Beta1, &o.Beta2, &o.Eps)
	final, gamma := boundsOf(fn, &o.FinalLR, &o.Gamma)
	return newOptimizer(Rule{Name: "AdaBound", LearningRate: m.alpha, Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"mean", "var"}, Scalars: append([]string{"step", "lower", "upper", "keep1"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			f, grown := final*at.LearningRate/m.alpha, gamma*float64(at.T)
			return m.append(append(scalars, m.step(at, true), f*(1-1/(grown+1)), f*(1+1/grown), m.beta1), m.eps)
		},
		Body: "mean = keep1*mean_old + take1*grad; " + limited + m.updateSquare("var") + "; w = w_old - min(max(step/(sqrt(var) + eps), lower), upper)*mean",
	})
}

// boundsOf sets the options of the bounds to their defaults unless they are given, and returns them.
func boundsOf(fn nd.Func, final, gamma *float64) (float64, float64) {
	checkNonNegative(fn, "FinalLR", *final)
	checkNonNegative(fn, "Gamma", *gamma)
	*final, *gamma = cmp.Or(*final, 0.1), cmp.Or(*gamma, 1e-3)
	return *final, *gamma
}
