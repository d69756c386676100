package nn

import (
	"cmp"
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// LarsOptions are the options of [NewLars].
type LarsOptions struct {
	LR          float64  // learning rate; 0 means 0.001
	Momentum    *float64 // the fraction of the last step that is kept; nil means 0.9
	Coefficient float64  // the largest change of a parameter relative to its norm; 0 means 0.001
	Eps         *float64 // norms below it count as 0; nil means 1e-6
}

// NewLars returns layer-wise adaptive rate scaling (You et al. 2017): v ← momentum·v + lr·r·(g + wd·w), w ← w - v,
// where r = coefficient·‖w‖/(‖g‖ + wd·‖w‖), with norms of the whole parameter. If ‖w‖ < eps, r is 1; if the divisor is
// below eps, eps is added to it. The rate wd is that of [Gradients.WeightDecay], which leaves g as it is.
// NNabla: solvers.Lars.
func NewLars(opts ...LarsOptions) *Optimizer {
	const fn nd.Func = "nn.NewLars"
	o := options.Read(fn, opts)
	keep, eps := fractionOf(fn, "Momentum", o.Momentum, 0.9), nonNegativeOf(fn, "Eps", o.Eps, 1e-6)
	checkNonNegative(fn, "Coefficient", o.Coefficient)
	coefficient := cmp.Or(o.Coefficient, 1e-3)
	return newOptimizer(Rule{Name: "Lars", LearningRate: rateOf(fn, o.LR, 1e-3), Decoupled: true,
		States: []string{"v"}, Scalars: []string{"rate", "keep", "coefficient", "eps", "decay"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate, keep, coefficient, eps, at.Decay)
		},
		Norms: []Norm{{"norm_w", "y = w_old"}, {"norm_g", "y = grad"}},
		Body: "sum = norm_g + decay*norm_w; divisor = sum < eps ? sum + eps : sum; " +
			"ratio = norm_w < eps ? T(1) : coefficient*norm_w/divisor; " +
			"v = keep*v_old + rate*ratio*(grad + decay*w_old); w = w_old - v",
	})
}

// LambOptions are the options of [NewLamb].
type LambOptions struct {
	Eta            float64  // learning rate; 0 means 0.001
	Beta1          *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2          *float64 // the fraction of the mean square that is kept; nil means 0.999
	GammaL         float64  // the lower bound of the parameter's norm
	GammaU         float64  // the upper bound of the parameter's norm; 0 means 10
	Eps            *float64 // added to the root of the mean square; nil means 1e-6
	BiasCorrection bool     // divides mean by 1-β1ᵗ, and var by 1-β2ᵗ
}

// NewLamb returns LAMB (You et al. 2020), Adam with layer-wise steps: mean and var are Adam's, r = mean/(√var + eps) +
// wd·w, w ← w - eta·min(max(‖w‖, gamma_l), gamma_u)/‖r‖·r, with norms of the whole parameter. If ‖r‖ ≤ eps, the
// quotient is 1. The rate wd is that of [Gradients.WeightDecay], which leaves the gradient as it is.
// NNabla: solvers.Lamb.
func NewLamb(opts ...LambOptions) *Optimizer {
	const fn nd.Func = "nn.NewLamb"
	o := options.Read(fn, opts)
	if o.Eps == nil {
		o.Eps = new(1e-6)
	}
	m := momentsOf(fn, o.Eta, 1e-3, o.Beta1, o.Beta2, o.Eps)
	checkNonNegative(fn, "GammaL", o.GammaL)
	checkNonNegative(fn, "GammaU", o.GammaU)
	least, most := o.GammaL, cmp.Or(o.GammaU, 10)
	const direction = momentBody + "; r = scale1*mean/(scale2*sqrt(var) + eps) + decay*w_old; "
	return newOptimizer(Rule{Name: "Lamb", LearningRate: m.alpha, Decoupled: true,
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
		Body:  direction + "w = w_old - (norm_r > eps ? rate*min(max(norm_w, least), most)/norm_r : rate)*r",
	})
}
