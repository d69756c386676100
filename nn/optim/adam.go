package optim

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// AdamOptions are the options of [NewAdam].
type AdamOptions struct {
	LR          float64  // step size α; 0 means 0.001
	Beta1       *float64 // the fraction of the mean that is kept; nil means 0.9
	Beta2       *float64 // the fraction of the mean square that is kept; nil means 0.999
	Eps         *float64 // added to the root of the mean square; nil means 1e-8
	WeightDecay float64  // weight decay if the gradients state none; 0 means none

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
	const fn nd.Func = "optim.NewAdam"
	o := options.Read(fn, opts)
	m := momentsOf(fn, &o.LR, 1e-3, &o.Beta1, &o.Beta2, &o.Eps)
	return newOptimizer(Rule{Name: "Adam", LearningRate: m.alpha, Decay: rateOfDecay(fn, o.WeightDecay),
		options: func() any { return o },
		States:  []string{"mean", "var"}, Scalars: append([]string{"step"}, momentScalars...),
		Values: func(scalars []float64, at Step) []float64 {
			step, eps := m.corrected(at, o.EpsOutside)
			return m.append(append(scalars, step), eps)
		},
		Body:    m.update("mean", "var") + "; w = w_old - step*mean/(sqrt(var) + eps)",
		chainer: []string{"m", "v"},
	})
}
