package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

// Notes of several rows, about arguments and states.
var (
	onCudnn   = []string{"use_cudnn"}
	stateNote = "the state, an `nn.State`, is an argument; a list x means a sequence of calls"
	drawnNote = "counts and power become the field Sampler; the field Samples replaces draws"
)

// linkRecurrentRows is the chapter of recurrent links and of links that are losses.
var linkRecurrentRows = []Row{
	{Signature: "chainer.links.LSTM(in_size, out_size, lateral_init=None, upward_init=None, bias_init=0, forget_bias_init=0, x, state=None)",
		Func: link.LSTM.Apply, Note: stateNote},
	{Signature: "chainer.links.LSTM.__call__(self, x, state=None)", Func: link.LSTM.Apply},
	{Signature: "chainer.links.LSTM.reset_state(self)", Func: (*nn.State).Reset},
	{Signature: "chainer.links.LSTM.set_state(self, c, h)", Func: func(st *nn.State, c, h *nd.Array) { *st = nn.State{C: c, H: h} },
		Note: "`nn.State{C: c, H: h}`"},
	{Signature: "chainer.links.StatelessLSTM(in_size, out_size, lateral_init=None, upward_init=None, bias_init=0, forget_bias_init=0, c=None, h=None, x)",
		Func: link.StatelessLSTM.Apply},
	{Signature: "chainer.links.StatelessLSTM.__call__(self, c, h, x)", Func: link.StatelessLSTM.Apply},
	{Signature: "chainer.links.StatefulPeepholeLSTM(in_size, out_size, x, state=None)", Func: link.StatefulPeepholeLSTM.Apply, Note: stateNote},
	{Signature: "chainer.links.StatefulPeepholeLSTM.__call__(self, x, state=None)", Func: link.StatefulPeepholeLSTM.Apply},
	{Signature: "chainer.links.StatefulPeepholeLSTM.reset_state(self)", Func: (*nn.State).Reset},
	{Signature: "chainer.links.GRU(n_units, n_inputs=None, init=None, inner_init=None, bias_init=0, h, x)", Func: link.GRU.Apply},
	{Signature: "chainer.links.StatefulGRU(in_size, out_size, init=None, inner_init=None, bias_init=0, x, state=None)",
		Func: link.StatefulGRU.Apply, Note: stateNote},

	{Signature: "chainer.links.NStepLSTM(n_layers, in_size, out_size, dropout, use_cudnn=True, hx=None, cx=None, xs, train=True)",
		Func: link.NStepLSTM.Apply, Ignores: onCudnn},
	{Signature: "chainer.links.NStepBiLSTM(n_layers, in_size, out_size, dropout, use_cudnn=True, hx=None, cx=None, xs, train=True)",
		Func: link.NStepBiLSTM.Apply, Ignores: onCudnn},
	{Signature: "chainer.links.NStepGRU(n_layers, in_size, out_size, dropout, use_cudnn=True, hx=None, xs, train=True)",
		Func: link.NStepGRU.Apply, Ignores: onCudnn},
	{Signature: "chainer.links.NStepRNNTanh(n_layers, in_size, out_size, dropout, use_cudnn=True, hx=None, xs, train=True)",
		Func: link.NStepRNNTanh.Apply, Ignores: onCudnn},
	{Signature: "chainer.links.NStepBiRNNTanh(n_layers, in_size, out_size, dropout, use_cudnn=True, hx=None, xs, train=True)",
		Func: link.NStepBiRNNTanh.Apply, Ignores: onCudnn},
	{Signature: "chainer.links.NStepRNNReLU(n_layers, in_size, out_size, dropout, use_cudnn=True, hx=None, xs, train=True)",
		Func: link.NStepRNNReLU.Apply, Ignores: onCudnn},
	{Signature: "chainer.links.NStepBiRNNReLU(n_layers, in_size, out_size, dropout, use_cudnn=True, hx=None, xs, train=True)",
		Func: link.NStepBiRNNReLU.Apply, Ignores: onCudnn},

	{Signature: "chainer.links.BinaryHierarchicalSoftmax(in_size, tree, x, t)", Func: link.BinaryHierarchicalSoftmax.Apply},
	{Signature: "chainer.links.BinaryHierarchicalSoftmax.__call__(self, x, t)", Func: link.BinaryHierarchicalSoftmax.Apply},
	{Signature: "chainer.links.BinaryHierarchicalSoftmax.create_huffman_tree(word_counts)", Func: link.HuffmanTree, NoGrad: true},
	{Signature: "chainer.links.BlackOut(in_size, counts, sample_size, x, t, samples=None)",
		Func: func(s *nn.Scope, in int, counts *nd.Array, size int, x, t, samples *nd.Array) *nd.Array {
			sampler := random.NewWalkerAlias(counts)
			defer sampler.Release()
			return link.BlackOut{InSize: in, Sampler: sampler, SampleSize: size, Samples: samples}.Apply(s, x, t)
		}, Domain: map[string]Interval{"": {-1, 1}}, Note: drawnNote}, // 1-p cancels if a sample takes nearly all of the probability
	{Signature: "chainer.links.NegativeSampling(in_size, counts, sample_size, power=0.75, x, t, reduce='sum', samples=None)",
		Func: func(s *nn.Scope, in int, counts *nd.Array, size int, power float64, x, t *nd.Array, reduce loss.Reduction, samples *nd.Array) *nd.Array {
			sampler := link.NegativeSampler(counts, power)
			defer sampler.Release()
			return link.NegativeSampling{InSize: in, Sampler: sampler, SampleSize: size, Reduce: reduce, Samples: samples}.Apply(s, x, t)
		}, Note: drawnNote},
	{Signature: "chainer.links.NegativeSampling.__call__(self, x, t, reduce='sum')", Func: link.NegativeSampling.Apply, Ignores: []string{"reduce"},
		Note: "reduce is the field Reduce"},
	{Signature: "chainer.links.NegativeSampling.sampler(counts, power=0.75)", Func: link.NegativeSampler, NoGrad: true},
	{Signature: "chainer.links.CRF1d(n_label, xs, ys, reduce='mean')", Func: link.CRF1d.Apply},
	{Signature: "chainer.links.CRF1d.argmax(n_label, xs)", Func: link.CRF1d.Argmax},

	{Signature: "chainer.utils.WalkerAlias(probs)", Func: random.NewWalkerAlias, NoGrad: true,
		Note: "a sampler; draw from it with `WalkerAlias.Sample`"},
	{Signature: "chainer.utils.WalkerAlias.sample(self, shape)", Func: (*random.WalkerAlias).Sample, NoGrad: true, Random: true},
	{Signature: "chainer.utils.WalkerAlias.to_gpu(self, device=None)", Func: func(self *random.WalkerAlias, dev any) (*random.WalkerAlias, error) {
		on, err := gpuOf(dev)
		if err != nil {
			return nil, err
		}
		return self.To(on), nil
	}, NoGrad: true},
}
