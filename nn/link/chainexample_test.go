package link_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// block is a chain: a link made of others, each with its own part of the scope.
type block struct{ Channels int }

func (b block) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := link.Convolution2D{OutChannels: b.Channels, KSize: []int{3}, Pad: []int{1}, NoBias: true}.Apply(s.Sub("conv"), x)
	h = link.BatchNormalization{}.Apply(s.Sub("bn"), h)
	return link.PReLU{Shape: []int{b.Channels}}.Apply(s.Sub("act"), h)
}

// A chain is a Go type with Apply, and can be a child like any link.
func ExampleLayer() {
	net := link.Sequential{block{4}, block{8}, link.Linear{OutSize: 10}}
	params := nn.NewScope()
	y := net.Apply(params, nd.Ones([]int{2, 3, 5, 5}))
	fmt.Println(y.Shape(), params.Size(), "numbers")
	for name, p := range params.Sub("1").All() {
		fmt.Println(name, p.Value().Shape(), p.NeedGrad())
	}
	// Output:
	// [2 10] 2442 numbers
	// conv/W [8 4 3 3] true
	// bn/gamma [8] true
	// bn/beta [8] true
	// bn/avg_mean [8] false
	// bn/avg_var [8] false
	// bn/N [] false
	// act/W [8] true
}

// The running statistics of a trained model are replaced by the statistics of other data, as means over all of the
// data.
func ExampleBatchNormalization_StartFinetuning() {
	params, tape := nn.NewScope(), grad.NewTape()
	l := link.BatchNormalization{Size: []int{1}, Finetune: true}
	train := func(x ...float32) {
		l.Apply(params.Watch(tape), nd.FromSlice(x, len(x), 1))
		tape.Reset()
	}
	train(100, 300)
	l.StartFinetuning(params)
	train(1, 3)
	train(7, 9)
	fmt.Println(params.Get("avg_mean"), params.Get("avg_var"), params.Get("N"))
	fmt.Printf("%.3f\n", l.Apply(params, nd.FromSlice([]float32{5, 8}, 2, 1))) // evaluation
	// Output:
	// [5.] [2.] 2
	// [[0.000]
	//  [2.121]]
}

// A deconvolution restores the size of a convolution's input. If several sizes lead to the same result size, OutSize
// selects one.
func ExampleDeconvolution2D() {
	x := nd.Ones([]int{1, 1, 8, 7})
	down := link.Convolution2D{OutChannels: 2, KSize: []int{3}, Stride: []int{2}, Pad: []int{1}}
	up := link.Deconvolution2D{OutChannels: 1, KSize: []int{3}, Stride: []int{2}, Pad: []int{1}}
	params := nn.NewScope()
	h := down.Apply(params.Sub("down"), x)
	usual := up.Apply(params.Sub("up"), h)
	up.OutSize = []int{8, 7}
	fmt.Println(h.Shape(), usual.Shape(), up.Apply(params.Sub("up"), h).Shape())
	// Output: [1 2 4 4] [1 1 7 7] [1 1 8 7]
}

// Sentences of different lengths in one array: -1 stands for no word.
func ExampleEmbedID() {
	params := nn.NewScope()
	params.Set("W", nd.FromRows([][]float32{{1, 2}, {3, 4}, {5, 6}}))
	words := nd.FromSlice([]int{2, 0, 1, -1}, 2, 2)
	fmt.Println(link.EmbedID{InSize: 3, OutSize: 2, IgnoreLabel: new(-1)}.Apply(params, words))
	// Output:
	// [[[5. 6.]
	//   [1. 2.]]
	//
	//  [[3. 4.]
	//   [0. 0.]]]
}

// Training a classifier: exclusive or, by the largest of linear functions.
func ExampleClassifier() {
	model := link.Classifier{Predictor: link.Sequential{link.Maxout{OutSize: 4, PoolSize: 2}, link.Linear{OutSize: 2}}}
	x := nd.FromRows([][]float32{{0, 0}, {0, 1}, {1, 0}, {1, 1}})
	t := nd.FromSlice([]int{0, 1, 1, 0})
	params, tape, opt := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(2)}), grad.NewTape(), optim.NewAdam(optim.AdamOptions{LR: 0.05})
	for range 100 {
		view := params.Watch(tape)
		opt.Update(optim.GradientsOf(view, model.Loss(view, []*nd.Array{x, t}, nil)))
		tape.Reset()
	}
	fmt.Println(ops.ArgMax(model.Apply(params, x), ops.Over(1)))
	// Output: [0 1 1 0]
}
