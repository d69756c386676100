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

// BatchNormalization normalises each channel over the batch and all positions, and scales and shifts it:
//
//	y = (x - μ)/√(σ² + Eps)·gamma + beta
//
// In training μ and σ² are those of the batch, and the running statistics follow them: avg_mean = Decay·avg_mean + (1 -
// Decay)·μ, and avg_var with the unbiased variance. If the scope is not in training, μ and σ² are the running
// statistics, which stay as they are.
//
// The parameters gamma, initially ones, and beta, initially zeros, have the shape Size. So have avg_mean, initially
// zeros, and avg_var, initially ones. N, one int64, counts the batches of fine-tuning.
// PyTorch: nn.BatchNorm1d, nn.BatchNorm2d. Chainer: links.BatchNormalization.
type BatchNormalization struct {
	// Size holds the lengths of the channel axes, the first axes of an example; nil means one axis, with the length of
	// the first input.
	Size []int
	// Axis holds the axes over which means and variances are taken; nil means the batch and the positions. Size then holds
	// the lengths of all other axes, in their order; nil means those of the first input.
	Axis ops.Axes
	// Decay is the fraction of the running statistics that each call in training keeps; nil means 0.9.
	Decay *float64
	// Eps is added to the variance; nil means 2e-5.
	Eps *float64
	// UseGamma and UseBeta control scaling and shifting; nil means yes.
	UseGamma, UseBeta *bool
	// InitialGamma and InitialBeta make the initial gamma and beta; nil means ones and zeros.
	InitialGamma, InitialBeta initializer.Initializer
	// Finetune makes the running statistics the mean over all batches since [BatchNormalization.StartFinetuning]: in
	// training N counts them, and 1 - 1/N replaces Decay. A call waits for N.
	Finetune bool
}

// Apply returns x (B, Size…, positions…) normalised.
// Chainer: links.BatchNormalization.__call__.
func (l BatchNormalization) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "BatchNormalization.Apply"
	defer s.Span("BatchNormalization", x)()
	kept, size := l.size(fn, s, x)
	s = s.Precise()
	n := layer.BatchNormalization{X: x}
	if valueOr(l.UseGamma, true) {
		n.Gamma = s.Parameter("gamma", size, orDefault(l.InitialGamma, initializer.Constant(1)), true)
	}
	if valueOr(l.UseBeta, true) {
		n.Beta = s.Parameter("beta", size, l.InitialBeta, true)
	}
	n.Mean = s.Parameter("avg_mean", size, nil, false)
	n.Variance = s.Parameter("avg_var", size, initializer.Constant(1), false)
	n.Like = n.Mean
	decay := l.decay(s, x)
	n.Shape = broadcast.Ones(x.Rank())
	for k, axis := range kept {
		n.Shape[axis] = size[k]
	}
	n.Options = normalize.BatchNormalizationOptions{Axes: kept, DecayRate: &decay, Eps: new(valueOr(l.Eps, 2e-5)), BatchStat: new(s.Training())}
	return n.Apply(fn)
}

// decay returns the fraction of the running statistics that this call keeps.
func (l BatchNormalization) decay(s *nn.Scope, x *nd.Array) float64 {
	none := zero()
	defer none.Release()
	n := s.Value("N", none)
	if !l.Finetune || !s.Training() || x.Size() == 0 {
		return valueOr(l.Decay, 0.9)
	}
	count := nd.Value[int64](n) + 1
	n.Assign(nd.Scalar(count))
	return 1 - 1/float64(count)
}

// StartFinetuning resets the batch count of Finetune.
// Chainer: links.BatchNormalization.start_finetuning.
func (l BatchNormalization) StartFinetuning(s *nn.Scope) {
	none := zero()
	defer none.Release()
	s.Value("N", none).Assign(none)
}

// zero returns the initial number of batches.
func zero() *nd.Array { return nd.Full(nil, 0, dtype.Int64) }

// size checks the input, and returns the axes that the parameters have, and their shape.
func (l BatchNormalization) size(fn nd.Func, s *nn.Scope, x *nd.Array) (kept ops.Axes, size []int) {
	layer.WantReal(fn, s.DType(), x)
	if l.Axis != nil {
		return l.without(fn, x)
	}
	if x.Rank() < 1+max(len(l.Size), 1) || l.Size != nil && (len(l.Size) == 0 || !broadcast.Equal(x.Shape()[1:1+len(l.Size)], l.Size)) {
		panic(fn.Errorf([]*nd.Array{x}, "want examples that begin with the axes of Size %v", l.Size))
	}
	if size = l.Size; size == nil {
		size = []int{x.Dim(1)}
	}
	return broadcast.AllAxes(1 + len(size))[1:], size
}

// without returns the axes that Axis leaves, and their lengths.
func (l BatchNormalization) without(fn nd.Func, x *nd.Array) (kept ops.Axes, size []int) {
	over, err := broadcast.Axes(l.Axis, x.Rank())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "Axis: %v", err))
	}
	for axis, n := range x.Shape() {
		if !slices.Contains(over, axis) {
			kept, size = append(kept, axis), append(size, n)
		}
	}
	if len(kept) == 0 || l.Size != nil && !broadcast.Equal(size, l.Size) {
		panic(fn.Errorf([]*nd.Array{x}, "the axes besides Axis %v have the lengths %v: want those of Size %v, and at least one", l.Axis, size, l.Size))
	}
	return kept, size
}
