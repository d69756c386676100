package link

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// BatchNormalization normalises each channel over the batch and all places, and scales and moves it:
//
//	y = (x - μ)/√(σ² + Eps)·gamma + beta
//
// In training μ and σ² are those of the batch, and the running statistics follow them:
// avg_mean = Decay·avg_mean + (1 - Decay)·μ, and avg_var with the unbiased variance. Where the scope is not in training, the running
// statistics are μ and σ², and stay as they are.
//
// The parameters gamma, ones at first, and beta, zeros, have the shape Size, and so have avg_mean, zeros at first, and avg_var, ones;
// N, one int64, counts the batches of fine-tuning. chainer.links.BatchNormalization, torch.nn.BatchNorm1d, torch.nn.BatchNorm2d.
type BatchNormalization struct {
	// Size is the lengths of the axes of channels, the first ones of an example; nil means one axis, as long as the first input's.
	Size []int
	// Decay is how much of the running statistics remains at each call in training; nil means 0.9.
	Decay *float64
	// Eps is added to the variance; nil means 2e-5.
	Eps *float64
	// UseGamma and UseBeta say whether it scales and moves; nil means yes.
	UseGamma, UseBeta *bool
	// InitialGamma and InitialBeta make the initial gamma and beta; nil means ones and zeros.
	InitialGamma, InitialBeta initializer.Initializer
	// Finetune has the running statistics become the mean over all batches since [BatchNormalization.StartFinetuning]: in training
	// N counts them, and 1 - 1/N takes the place of Decay. A call waits for N.
	Finetune bool
}

// Apply returns x (B, Size…, places…) normalised. chainer.links.BatchNormalization.__call__.
func (l BatchNormalization) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "BatchNormalization.Apply"
	defer s.Span("BatchNormalization", x)()
	size := l.size(fn, s, x)
	n := layer.BatchNormalization{X: x}
	if value(l.UseGamma, true) {
		n.Gamma = s.Parameter("gamma", size, or(l.InitialGamma, initializer.Constant(1)), true)
	}
	if value(l.UseBeta, true) {
		n.Beta = s.Parameter("beta", size, l.InitialBeta, true)
	}
	n.Mean = s.Parameter("avg_mean", size, nil, false)
	n.Variance = s.Parameter("avg_var", size, initializer.Constant(1), false)
	n.Like = n.Mean
	decay := l.decay(s, x)
	n.Shape = slices.Concat([]int{1}, size, slices.Repeat([]int{1}, x.Rank()-1-len(size)))
	axes := make(ops.Axes, len(size))
	for k := range axes {
		axes[k] = 1 + k
	}
	n.Options = normalize.BatchNormalizationOptions{Axes: axes, DecayRate: &decay, Eps: new(value(l.Eps, 2e-5)), BatchStat: new(s.Training())}
	return n.Apply(fn)
}

// decay is how much of the running statistics remains at a call.
func (l BatchNormalization) decay(s *nn.Scope, x *nd.Array) float64 {
	none := zero()
	defer none.Release()
	n := s.Value("N", none)
	if !l.Finetune || !s.Training() || x.Size() == 0 {
		return value(l.Decay, 0.9)
	}
	count := nd.Value[int64](n) + 1
	n.Assign(nd.Scalar(count))
	return 1 - 1/float64(count)
}

// StartFinetuning begins to count the batches of Finetune anew. chainer.links.BatchNormalization.start_finetuning.
func (l BatchNormalization) StartFinetuning(s *nn.Scope) {
	none := zero()
	defer none.Release()
	s.Value("N", none).Assign(none)
}

// zero is the number of batches at first.
func zero() *nd.Array { return nd.Full(nil, 0, nd.ArrayOptions{DType: dtype.Int64}) }

// size checks the input, and returns the shape of the parameters.
func (l BatchNormalization) size(fn nd.Func, s *nn.Scope, x *nd.Array) []int {
	layer.WantReal(fn, s.DType(), x)
	if x.Rank() < 1+max(len(l.Size), 1) || l.Size != nil && (len(l.Size) == 0 || !broadcast.Equal(x.Shape()[1:1+len(l.Size)], l.Size)) {
		panic(fn.Errorf([]*nd.Array{x}, "want examples that begin with the axes of Size %v", l.Size))
	}
	if l.Size == nil {
		return []int{x.Dim(1)}
	}
	return l.Size
}
