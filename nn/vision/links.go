package vision

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// The links that the nets are made of beside link.Linear. They compute in the dtype of the parameters.

// convolution has the parameters W (out, in, kernel, kernel) and b (out).
type convolution struct {
	in, out, kernel, stride int
	noBias                  bool
	initial                 nn.Initializer // of W; b is 0 at first
}

// Apply returns the cross-correlation of x (B, in, H, W), with padding of half the kernel.
func (l convolution) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "vision.convolution"
	w := s.Parameter("W", []int{l.out, l.in, l.kernel, l.kernel}, l.initial, true)
	var b *nd.Array
	if !l.noBias {
		b = s.Parameter("b", []int{l.out}, nil, true)
	}
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	half := l.kernel / 2
	return made.Keep(ops.Convolution(x.AsType(w.DType()), w, b, ops.ConvolutionOptions{Stride: []int{l.stride, l.stride}, Pad: []int{half, half}}))
}

// batchNormalization has the parameters gamma and beta, and the statistics avg_mean and avg_var, all (channels), and N, which counts
// batches of fine-tuning, and stays what it is.
type batchNormalization struct{ channels int }

// Apply normalises the channels of x (B, channels, H, W): in training by the statistics of the batch, which the others follow.
func (l batchNormalization) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "vision.batchNormalization"
	vector := []int{l.channels}
	gamma := s.Parameter("gamma", vector, nn.Constant(1), true)
	beta := s.Parameter("beta", vector, nil, true)
	mean := s.Parameter("avg_mean", vector, nil, false)
	variance := s.Parameter("avg_var", vector, nn.Constant(1), false) // no document says; 0 would have an untrained net overflow
	n := nd.Zeros(nil, nd.ArrayOptions{DType: dtype.Int64})
	s.Value("N", n)
	n.Release()
	made := fn.Temporaries(&x, &gamma, &beta, &mean, &variance)
	defer made.Release()
	onChannels := func(v *nd.Array) *nd.Array { return v.Reshape(1, l.channels, 1, 1) }
	return made.Keep(ops.BatchNormalization(x.AsType(gamma.DType()), onChannels(beta), onChannels(gamma), onChannels(mean), onChannels(variance),
		ops.BatchNormalizationOptions{Eps: new(2e-5), BatchStat: new(s.Training())}))
}

// inception joins the results of convolutions of 1 × 1, 3 × 3 and 5 × 5 places and of max pooling, each but the first with a
// projection of 1 × 1 before, or after, it.
type inception struct {
	in, out1, proj3, out3, proj5, out5, projPool int
	initial                                      nn.Initializer
}

// Apply returns max(0, …) of the parts, joined along the channels.
func (l inception) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	convolved := func(name string, in, out, kernel int) step {
		return at(name, convolution{in: in, out: out, kernel: kernel, stride: 1, initial: l.initial})
	}
	parts := []*nd.Array{
		convolved("conv1", l.in, l.out1, 1)(s, x),
		steps{convolved("proj3", l.in, l.proj3, 1), relu, convolved("conv3", l.proj3, l.out3, 3)}.apply(s, x),
		steps{convolved("proj5", l.in, l.proj5, 1), relu, convolved("conv5", l.proj5, l.out5, 5)}.apply(s, x),
		steps{maximumOf3, convolved("projp", l.in, l.projPool, 1)}.apply(s, x),
	}
	joined := ops.Concatenate(parts, ops.Over(1))
	for _, part := range parts {
		part.Release()
	}
	y := ops.ReLU(joined)
	joined.Release()
	return y
}

// maximumOf3 is the largest of 3 × 3 places around each.
func maximumOf3(_ *nn.Scope, x *nd.Array) *nd.Array {
	return ops.MaxPooling(x, []int{3, 3}, ops.PoolingOptions{Stride: []int{1, 1}, Pad: []int{1, 1}, CoverAll: true})
}
