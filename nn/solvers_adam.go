package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdamOptions are the options of [NewAdam].
type AdamOptions struct {
	Alpha float64  // step size; 0 means 0.001
	Beta1 *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2 *float64 // the fraction of the mean square that is kept; nil means 0.999
	Eps   *float64 // added to the root of the mean square; nil means 1e-8

	// EpsOutside adds Eps to the corrected root √(var/(1-β2ᵗ)), like the algorithm in the paper and PyTorch. Without it
	// Eps is added before the correction, where its weight is larger by 1/√(1-β2ᵗ): 32 times in the first step, twice
	// in step 288.
	EpsOutside bool
}

// NewAdam returns Adam (Kingma and Ba 2015): mean ← β1·mean + (1-β1)·g, var ← β2·var + (1-β2)·g², w ← w -
// α·√(1-β2ᵗ)/(1-β1ᵗ) · mean/(√var + eps), where t counts the parameter's updates. Complex parameters are refused. This
// eps is the paper's "epsilon hat", as in NNabla, Chainer and Keras (whose default is 1e-7). PyTorch's form is
// EpsOutside: w ← w - α/(1-β1ᵗ) · mean/(√(var/(1-β2ᵗ)) + eps).
// PyTorch: optim.Adam (with EpsOutside). NNabla: solvers.Adam. Chainer: optimizers.Adam.
func NewAdam(opts ...AdamOptions) *Optimizer {
	const fn nd.Func = "nn.NewAdam"
	o := options.Read(fn, opts)
	m := momentsOf(fn, o.Alpha, 1e-3, o.Beta1, o.Beta2, o.Eps)
	return newOptimizer(Rule{Name: "Adam", LearningRate: m.alpha,
		States: []string{"mean", "var"}, Scalars: append([]string{"step"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			step, eps := m.corrected(at, o.EpsOutside)
			return m.append(append(scalars, step), eps)
		},
		Body:    momentBody + "; w = w_old - step*mean/(sqrt(var) + eps)",
		chainer: []string{"m", "v"},
	})
}

// AdamWOptions are the options of [NewAdamW].
type AdamWOptions struct {
	Alpha float64  // step size; 0 means 0.001
	Beta1 *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2 *float64 // the fraction of the mean square that is kept; nil means 0.999
	Eps   *float64 // added to the root of the mean square; nil means 1e-8
	WD    *float64 // weight decay if the gradients state none; nil means 0.0001

	EpsOutside bool // as in AdamOptions
}

// NewAdamW returns Adam with decoupled weight decay (Loshchilov and Hutter 2019): the step of [NewAdam], and in
// addition w ← w - η·wd·w, where η is the step size relative to its first value, so that the decay follows a schedule.
// [Gradients.WeightDecay] replaces wd. PyTorch's AdamW is this optimizer with EpsOutside and a wd of α times PyTorch's
// weight_decay. The two differ by rounding and by α·wd·step, because PyTorch decays the parameter before the step.
// PyTorch: optim.AdamW (with EpsOutside). NNabla: solvers.AdamW.
func NewAdamW(opts ...AdamWOptions) *Optimizer {
	const fn nd.Func = "nn.NewAdamW"
	o := options.Read(fn, opts)
	m := momentsOf(fn, o.Alpha, 1e-3, o.Beta1, o.Beta2, o.Eps)
	return newOptimizer(Rule{Name: "AdamW", LearningRate: m.alpha, Decoupled: true, Decay: nonNegativeOf(fn, "WD", o.WD, 1e-4),
		States: []string{"mean", "var"}, Scalars: append([]string{"step", "decay"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			step, eps := m.corrected(at, o.EpsOutside)
			return m.append(append(scalars, step, at.Decay*at.LearningRate/m.alpha), eps)
		},
		Body:    momentBody + "; w = w_old - step*mean/(sqrt(var) + eps) - decay*w_old",
		chainer: []string{"m", "v"},
	})
}

// AdamaxOptions are the options of [NewAdamax].
type AdamaxOptions struct {
	Alpha float64  // step size; 0 means 0.002
	Beta1 *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2 *float64 // the fraction of the largest magnitude that is kept; nil means 0.999
	Eps   *float64 // added to the largest magnitude; nil means 1e-8
}

// NewAdamax returns Adamax (Kingma and Ba 2015), Adam with the norm of the largest element: m ← β1·m + (1-β1)·g, u ←
// max(β2·u, |g|), w ← w - α/(1-β1ᵗ) · m/(u + eps). PyTorch's Adamax has eps inside the maximum.
// PyTorch: optim.Adamax. NNabla: solvers.Adamax.
func NewAdamax(opts ...AdamaxOptions) *Optimizer {
	const fn nd.Func = "nn.NewAdamax"
	o := options.Read(fn, opts)
	m := momentsOf(fn, o.Alpha, 2e-3, o.Beta1, o.Beta2, o.Eps)
	return newOptimizer(Rule{Name: "Adamax", LearningRate: m.alpha,
		States: []string{"m", "u"}, Scalars: []string{"step", "keep1", "take1", "keep2", "eps"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate/(1-m.power1(at.T)), m.beta1, 1-m.beta1, m.beta2, m.eps)
		},
		Body: "m = keep1*m_old + take1*grad; u = max(keep2*u_old, abs(grad)); w = w_old - step*m/(u + eps)",
	})
}

// AMSGRADOptions are the options of [NewAMSGRAD].
type AMSGRADOptions struct {
	Alpha          float64  // step size; 0 means 0.001
	Beta1          *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2          *float64 // the fraction of the mean square that is kept; nil means 0.999
	Eps            *float64 // added to the root of the largest mean square; nil means 1e-8
	BiasCorrection bool     // multiplies the step by √(1-β2ᵗ)/(1-β1ᵗ), like Adam
}

// NewAMSGRAD returns AMSGRAD (Reddi et al. 2018), Adam with steps that do not grow again: m ← β1·m + (1-β1)·g, v ← β2·v
// + (1-β2)·g², v_hat ← max(v_hat, v), w ← w - α·m/(√v_hat + eps).
// NNabla: solvers.AMSGRAD.
func NewAMSGRAD(opts ...AMSGRADOptions) *Optimizer {
	const fn nd.Func = "nn.NewAMSGRAD"
	o := options.Read(fn, opts)
	m := momentsOf(fn, o.Alpha, 1e-3, o.Beta1, o.Beta2, o.Eps)
	return newOptimizer(Rule{Name: "AMSGRAD", LearningRate: m.alpha,
		States: []string{"m", "v", "v_hat"}, Scalars: append([]string{"step"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			return m.append(append(scalars, m.step(at, o.BiasCorrection)), m.eps)
		},
		Body: largestMomentBody + "; w = w_old - step*m/(sqrt(v_hat) + eps)",
	})
}

// LionOptions are the options of [NewLion].
type LionOptions struct {
	LR    float64  // learning rate; 0 means 0.0001
	Beta1 *float64 // the weight of the mean in a step; nil means 0.9
	Beta2 *float64 // the fraction of the mean that is kept; nil means 0.99
}

// NewLion returns Lion (Chen et al. 2023), which takes steps of constant size: w ← w - lr·(sign(β1·m + (1-β1)·g) +
// wd·w), m ← β2·m + (1-β2)·g, where the sign of 0 is 0. The rate wd is that of [Gradients.WeightDecay], which leaves g
// as it is.
// NNabla: solvers.Lion.
func NewLion(opts ...LionOptions) *Optimizer {
	const fn nd.Func = "nn.NewLion"
	o := options.Read(fn, opts)
	beta1, beta2 := fractionOf(fn, "Beta1", o.Beta1, 0.9), fractionOf(fn, "Beta2", o.Beta2, 0.99)
	return newOptimizer(Rule{Name: "Lion", LearningRate: rateOf(fn, o.LR, 1e-4), Decoupled: true,
		States: []string{"m"}, Scalars: []string{"rate", "keep1", "take1", "keep2", "take2", "decay"},
		Values: func(scalars []float64, at Step) []float64 {
			return append(scalars, at.LearningRate, beta1, 1-beta1, beta2, 1-beta2, at.Decay)
		},
		Body: "u = sign(keep1*m_old + take1*grad); m = keep2*m_old + take2*grad; w = w_old - rate*(u + decay*w_old)",
	})
}
