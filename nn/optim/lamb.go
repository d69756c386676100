package optim

import (
	"cmp"
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// LambOptions are the options of [NewLamb].
type LambOptions struct {
	LR             float64  // learning rate eta; 0 means 0.001
	Beta1          *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2          *float64 // the fraction of the mean square that is kept; nil means 0.999
	GammaL         float64  // the lower bound of the parameter's norm
	GammaU         float64  // the upper bound of the parameter's norm; 0 means 10
	Eps            *float64 // added to the root of the mean square; nil means 1e-6
	BiasCorrection bool     // divides mean by 1-β1ᵗ, and var by 1-β2ᵗ
	WeightDecay    float64  // weight decay if the gradients state none; 0 means none
	KeepZeros      bool     // never moves a parameter of zeros, as NNabla
}

// NewLamb returns LAMB (You et al. 2020), Adam with layer-wise steps: mean and var are Adam's, r = mean/(√var + eps) +
// wd·w, w ← w - eta·min(max(‖w‖, gamma_l), gamma_u)/‖r‖·r, with norms of the whole parameter. The quotient is 1 if ‖r‖ ≤
// eps, and, unless KeepZeros is set, if its numerator is 0, so that a parameter of zeros, such as a new bias, can move.
// [Gradients.WeightDecay], which leaves the gradient as it is, replaces wd.
// NNabla: solvers.Lamb.
func NewLamb(opts ...LambOptions) *Optimizer {
	const fn nd.Func = "optim.NewLamb"
	o := options.Read(fn, opts)
	if o.Eps == nil {
		o.Eps = new(1e-6)
	}
	m := momentsOf(fn, &o.LR, 1e-3, &o.Beta1, &o.Beta2, &o.Eps)
	checkNonNegative(fn, "GammaL", o.GammaL)
	checkNonNegative(fn, "GammaU", o.GammaU)
	o.GammaU = cmp.Or(o.GammaU, 10)
	least, most := o.GammaL, o.GammaU
	scaled := "norm_r > eps && size != 0"
	if o.KeepZeros {
		scaled = "norm_r > eps"
	}
	direction := m.update("mean", "var") + "; r = scale1*mean/(scale2*sqrt(var) + eps) + decay*w_old; "
	return newOptimizer(Rule{Name: "Lamb", LearningRate: m.alpha, Decay: rateOfDecay(fn, o.WeightDecay), Decoupled: true,
		options: func() any { return o },
		States:  []string{"mean", "var"},
		Scalars: append([]string{"rate", "scale1", "scale2", "decay", "least", "most"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			scale1, scale2 := 1.0, 1.0
			if o.BiasCorrection {
				scale1, scale2 = 1/(1-m.power1(at.T)), 1/math.Sqrt(1-m.power2(at.T))
			}
			return m.append(append(scalars, at.LearningRate, scale1, scale2, at.Decay, least, most), m.eps)
		},
		Norms: []Norm{{"norm_w", "y = w_old"}, {"norm_r", direction + "y = r"}},
		Body:  direction + "size = min(max(norm_w, least), most); w = w_old - (" + scaled + " ? rate*size/norm_r : rate)*r",
	})
}
