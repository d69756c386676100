package nn_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// A network of two layers learns the exclusive or of its inputs.
func Example() {
	x := nd.FromSlice([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2)
	t := nd.FromSlice([]int{0, 1, 1, 0}, 4, 1)

	network := func(params *nn.Scope) *nd.Array {
		h := ops.Tanh(nn.Affine(params.Sub("hidden"), x, 8))
		return nn.Affine(params.Sub("output"), h, 2)
	}
	params := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(1)})
	opt := nn.NewAdam(nn.AdamOptions{Alpha: 0.05})
	tape := grad.NewTape()
	for range 100 {
		model := params.Watch(tape)
		loss := ops.Mean(ops.SoftmaxCrossEntropy(network(model), t))
		opt.Update(model.Gradients(loss))
		tape.Reset()
	}
	fmt.Println(params.Names())
	fmt.Println(ops.ArgMax(network(params), ops.Over(1)))
	// Output:
	// [hidden/affine/W hidden/affine/b output/affine/W output/affine/b]
	// [0 1 1 0]
}

// A deep network is trained with the results of one block at a time in memory: going back, each block is computed again.
func ExampleCheckpoint() {
	block := func(s *nn.Scope, x *nd.Array) *nd.Array {
		return ops.Tanh(nn.Affine(s.Sub("b"), ops.Tanh(nn.Affine(s.Sub("a"), x, 8)), 8))
	}
	params, tape := nn.NewScope(), grad.NewTape()
	defer tape.Release()
	model := params.Watch(tape)
	h := nd.Ones([]int{2, 8}, nd.ArrayOptions{DType: params.DType()})
	for k := range 3 {
		h = nn.Checkpoint(model.Sub(fmt.Sprint(k)), block, h)
	}
	g := model.Gradients(ops.Mean(h))
	fmt.Println(len(params.Names()), g.Get("0/a/affine/W").Shape())
	// Output: 12 [8 8]
}
