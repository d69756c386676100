package catalogue

import (
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn/link"
)

// linkRecurrentRows is the chapter of recurrent links, and links that are losses.
var linkRecurrentRows = []Row{
	{Signature: "chainer.utils.WalkerAlias(probs)", Func: random.NewWalkerAlias, NoGrad: true,
		Note: "a sampler, which `WalkerAlias.Sample` draws from"},
	{Signature: "chainer.utils.WalkerAlias.sample(self, shape)", Func: (*random.WalkerAlias).Sample, NoGrad: true, Random: true},
	{Signature: "chainer.utils.WalkerAlias.to_gpu(self, device=None)", Func: (*random.WalkerAlias).To, NoGrad: true},
	{Signature: "chainer.links.NegativeSampling.sampler(counts, power=0.75)", Func: link.NegativeSampler, NoGrad: true},
}
