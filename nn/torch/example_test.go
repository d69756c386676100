package torch_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/torch"
)

// A checkpoint with a model and its optimizer is written for PyTorch, and read again.
func Example() {
	dir, err := os.MkdirTemp("", "torch")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "checkpoint.pt")
	model := func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Affine(s.Sub("fc"), x, 2) }

	params, opt := nn.NewScope(), optim.NewAdam(optim.AdamOptions{LR: 0.01, EpsOutside: true})
	model(params, nd.Ones([]int{1, 3}))
	state, err := torch.StateDict(params)
	fmt.Println(state.Names(), state.Get("fc.weight").Shape(), err)
	optimizer, err := torch.OptimizerDict(opt, params)
	fmt.Println(err)
	fmt.Println(nd.SaveTorch(path, nd.TorchDict{{Key: "epoch", Value: 3}, {Key: "model", Value: state}, {Key: "optimizer", Value: optimizer}}))

	again := nn.NewScope()
	model(again, nd.Ones([]int{1, 3})) // creates the parameters
	fmt.Println(torch.Load(path, again, torch.Options{Prefix: "model"}))
	opt, err = torch.LoadOptimizer(path, again, torch.Options{Prefix: "optimizer"})
	fmt.Println(opt.Name(), opt.LearningRate(), err)
	// Output:
	// [fc.weight fc.bias] [2 3] <nil>
	// <nil>
	// <nil>
	// <nil>
	// Adam 0.01 <nil>
}
