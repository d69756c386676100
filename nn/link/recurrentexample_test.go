package link_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// A character model: gradients flow through segments of four characters, the state through all.
func ExampleLSTM() {
	params := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(1)})
	opt, tape := optim.NewAdam(optim.AdamOptions{LR: 0.05}), grad.NewTape()
	text := "hello hello hello hello hello hello hello hello hello "
	var state nn.State
	next := func(model *nn.Scope, at int) *nd.Array { // scores of the next character
		x := ops.OneHot(nd.FromSlice([]int{int(text[at]) % 32}, 1, 1), []int{32})
		h := link.LSTM{OutSize: 16}.Apply(model.Sub("lstm"), x, &state)
		return link.Linear{OutSize: 32}.Apply(model.Sub("out"), h)
	}
	for range 12 {
		state.Reset()
		for from := 0; from+4 < len(text); from += 4 {
			model, losses := params.Watch(tape), []*nd.Array{}
			for at := from; at < from+4; at++ {
				losses = append(losses, loss.SoftmaxCrossEntropy(next(model, at), nd.FromSlice([]int{int(text[at+1]) % 32})))
			}
			opt.Update(optim.GradientsOf(model, ops.Sum(ops.Concatenate(losses))))
			state.Carry(tape)
			tape.Reset()
		}
	}
	state.Reset()
	for at := range 6 {
		fmt.Printf("%c", "_abcdefghijklmnopqrstuvwxyz"[int(ops.ArgMax(next(params, at)).Float())%27])
	}
	// Output: ello_h
}

// Sentences of different lengths, in any order.
func ExampleNStepBiLSTM() {
	params := nn.NewScope()
	sentences := []*nd.Array{nd.Ones([]int{2, 5}), nd.Ones([]int{7, 5}), nd.Ones([]int{3, 5})}
	encoder := link.NStepBiLSTM{NLayers: 2, OutSize: 4}
	h, _, outputs := encoder.Apply(params, nil, nil, sentences)
	fmt.Println("states", h.Shape())
	for _, y := range outputs {
		fmt.Println("outputs", y.Shape())
	}
	// Output:
	// states [4 3 4]
	// outputs [2 8]
	// outputs [7 8]
	// outputs [3 8]
}

// Frequent words are near the root, so that they need few products.
func ExampleHuffmanTree() {
	tree := link.HuffmanTree(map[int]float64{0: 8, 1: 5, 2: 6, 3: 4, 4: 40})
	fmt.Println(tree)
	loss := link.BinaryHierarchicalSoftmax{Tree: tree}.Apply(nn.NewScope(), nd.Zeros([]int{1, 3}), nd.FromSlice([]int{4}))
	fmt.Printf("%.3f\n", loss.Float())
	// Output:
	// (((3, 1), (2, 0)), 4)
	// 0.693
}

// Noise words are drawn by their number of occurrences.
func ExampleNegativeSampling() {
	counts := nd.FromSlice([]int{90, 5, 3, 2})
	loss := link.NegativeSampling{Sampler: link.NegativeSampler(counts, 0.75), SampleSize: 5}
	params, tape := nn.NewScope(), grad.NewTape()
	model := params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)})
	y := loss.Apply(model, nd.Ones([]int{2, 3}), nd.FromSlice([]int{0, 2}))
	fmt.Printf("%.3f, weights %v\n", y.Float(), params.Get("W").Shape())
	// Output: 8.318, weights [4 3]
}

// Tagging: the best tags of a sentence of three words.
func ExampleCRF1d_Argmax() {
	params := nn.NewScope()
	params.Set("cost", nd.FromRows([][]float32{{0, 5}, {5, 0}})) // tags alternate
	words := []*nd.Array{nd.FromRows([][]float32{{1, 0}}), nd.FromRows([][]float32{{1, 0}}), nd.FromRows([][]float32{{1, 0}})}
	score, tags := link.CRF1d{NLabel: 2}.Argmax(params, words)
	fmt.Println(score.Float(), tags[0].Float(), tags[1].Float(), tags[2].Float())
	// Output: 12 0 1 0
}

// A node of a parse tree, with two leaves.
func ExampleNaryTreeLSTM() {
	params, l := nn.NewScope(), link.NaryTreeLSTM{InSize: 3, OutSize: 4}
	none := []*nd.Array{nil, nil}
	c1, h1 := l.Apply(params, none, none, nd.Ones([]int{1, 3}))
	c2, h2 := l.Apply(params, none, none, nd.Zeros([]int{1, 3}))
	_, h := l.Apply(params, []*nd.Array{c1, c2}, []*nd.Array{h1, h2}, nil)
	fmt.Println(h.Shape(), params.Names())
	// Output: [1 4] [W_x/W W_x/b W_h1/W W_h2/W]
}

// The sampler's time does not depend on the number of words.
func ExampleBlackOut() {
	counts := nd.FromSlice([]int{5, 1, 1, 7, 2, 3})
	loss := link.BlackOut{Sampler: random.NewWalkerAlias(counts), SampleSize: 3}
	model := nn.NewScope().Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(1)})
	y := loss.Apply(model, nd.Zeros([]int{2, 4}), nd.FromSlice([]int{0, 3}))
	fmt.Printf("%.3f\n", y.Float())
	// Output: 2.249
}
