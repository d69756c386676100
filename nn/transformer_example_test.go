package nn_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// Each step sees only the steps before it, so that one text trains the model to continue each of its prefixes.
func ExampleMultiHeadAttention() {
	const text = "abacadabaca"
	ids := make([]int, len(text))
	for k := range text {
		ids[k] = int(text[k] - 'a')
	}
	steps := len(text) - 1
	x, t := nd.FromSlice(ids[:steps], 1, steps), nd.FromSlice(ids[1:], steps, 1) // one example, its steps

	causal := nn.MultiHeadAttentionOptions{NumHeads: 2, BatchFirst: true, Causal: true}
	features := ops.Over(0, 1)
	model := func(params *nn.Scope) *nd.Array {
		letters := params.Parameter("letters", []int{4, 8}, initializer.Normal(1), true)
		positions := params.Parameter("positions", []int{steps, 8}, initializer.Normal(1), true)
		h := ops.Add(ops.Embedding(x, letters), positions)
		q := nn.LayerNormalization(params.Sub("norm"), h, features)
		h = ops.Add(h, nn.MultiHeadAttention(params.Sub("attention"), q, q, q, causal))
		return nn.Affine(params.Sub("out"), h.Reshape(steps, 8), 4)
	}
	params, opt, tape := nn.NewScope(), optim.NewAdam(optim.AdamOptions{LR: 0.03}), grad.NewTape()
	for range 60 {
		watched := params.Watch(tape)
		opt.Update(optim.GradientsOf(watched, ops.Mean(loss.SoftmaxCrossEntropy(model(watched), t))))
		tape.Reset()
	}
	for _, k := range nd.ToSlice[int64](ops.ArgMax(model(params), ops.Over(1))) {
		fmt.Printf("%c", 'a'+k)
	}
	// Output: bacadabaca
}

// The layers of an encoder and a decoder, by default six each.
func ExampleTransformer() {
	src, tgt := nd.Zeros([]int{10, 2, 16}), nd.Zeros([]int{7, 2, 16}) // the steps, then the batch, then the features
	params := nn.NewScope()
	o := nn.TransformerOptions{NumHeads: 4, NumEncoderLayers: new(2), NumDecoderLayers: new(1), DimFeedforward: 32, Causal: true}
	y := nn.Transformer(params, src, tgt, o)
	fmt.Println(y.Shape(), params.Names()[0])
	// Output: [7 2 16] transformer/encoder00/transformer_encode/src_self_attn/multi_head_attention/q_weight
}
