package training

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
)

// lenet is the network of examples/lenet. With sync the first normalisation is over the batches of all ranks.
func lenet(sync bool) func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
	return func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		h := nn.Convolution(m.Sub("conv1"), b[0], 16, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}, WithBias: new(false)})
		if sync {
			h = nn.SyncBatchNormalization(m.Sub("conv1"), h)
		} else {
			h = nn.BatchNormalization(m.Sub("conv1"), h)
		}
		h = conv.MaxPooling(ops.ReLU(h), []int{2})
		h = ops.ReLU(nn.Convolution(m.Sub("conv2"), h, 32, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}}))
		h = ops.ReLU(nn.Affine(m.Sub("fc3"), conv.MaxPooling(h, []int{2}), 128))
		h = nn.Affine(m.Sub("fc4"), nn.Dropout(m, h, 0.25), 10)
		l := ops.Mean(loss.SoftmaxCrossEntropy(h, b[1]))
		r.Report("loss", l)
		return l
	}
}

// The transformer of examples/charlm, which learns the next character.
const (
	layers, heads  = 2, 4
	units, wide    = 128, 512
	span, alphabet = 48, 128
)

func transformer(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
	perCharacter := nn.AffineOptions{BaseAxis: new(2)}
	positions := nd.ArangeInt(0, span, 1)
	defer positions.Release()
	norm := func(m *nn.Scope, h *nd.Array) *nd.Array { return nn.LayerNormalization(m, h, ops.Over(0, 1)) }
	h := ops.Add(nn.Embed(m, b[0], alphabet, units), nn.Embed(m.Sub("position"), positions, span, units))
	for i := range layers {
		layer := m.Sub(fmt.Sprint("layer", i))
		h = nn.Dropout(layer, h, 0.1).SwapAxes(0, 1) // attention takes the characters along the first axis
		x := norm(layer.Sub("look"), h)
		h = ops.Add(h, nn.MultiHeadAttention(layer.Sub("look"), x, x, x, nn.MultiHeadAttentionOptions{NumHeads: heads, Causal: true}))
		x = ops.GELU(nn.Affine(layer.Sub("think1"), norm(layer.Sub("think"), h), wide, perCharacter))
		h = ops.Add(h, nn.Dropout(layer, nn.Affine(layer.Sub("think2"), x, units, perCharacter), 0.1)).SwapAxes(0, 1)
	}
	scores := nn.Affine(m.Sub("out"), norm(m.Sub("out"), h), alphabet, perCharacter)
	l := ops.Mean(loss.SoftmaxCrossEntropy(scores, b[1], ops.Over(2)))
	r.Report("loss", l)
	return l
}
