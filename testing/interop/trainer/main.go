// Trainer is this library's side of chainer.sh: it trains a small classifier for five epochs, from initial parameters
// that it creates or from a snapshot.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/train"
)

const (
	examples = 26
	batch    = 6
	epochs   = 5
)

func main() {
	dir := flag.String("dir", ".", "`folder` for all files")
	optimizer := flag.String("optimizer", "sgd", "`name` of the optimizer")
	start := flag.Bool("init", false, "only create initial.npz and data.npz")
	resume := flag.String("resume", "", "`snapshot` in the folder to continue from")
	out := flag.String("out", "", "`folder` in the folder for results")
	flag.Parse()
	if err := run(*dir, *optimizer, *start, *resume, *out); err != nil {
		log.Fatal(err)
	}
}

func run(dir, optimizer string, start bool, resume, out string) error {
	model, params := link.Classifier{Predictor: mlp{}}, nn.NewScope()
	if start {
		rng := nd.NewRand(4)
		x := random.Normal(rng, 0, 1, []int{examples, 6}, dtype.Float32)
		model.Apply(params, x)
		labels := random.Integers(rng, 0, 4, []int{examples}).AsType(dtype.Int32)
		if err := archive.Save(filepath.Join(dir, "initial.npz"), params); err != nil {
			return err
		}
		return nd.SaveNpz(filepath.Join(dir, "data.npz"), []nd.Named{{Name: "x", Array: x}, {Name: "t", Array: labels}}, false)
	}
	arrays, err := nd.LoadNpz(filepath.Join(dir, "data.npz"))
	if err != nil {
		return err
	}
	if err := archive.Load(filepath.Join(dir, "initial.npz"), params); err != nil {
		return err
	}
	opt, err := optimizerOf(optimizer)
	if err != nil {
		return err
	}
	set := nd.NamedArrays(arrays)
	batches := data.NewLoader(data.NewSampler(examples, batch), data.Rows(set.Get("x"), set.Get("t")))
	trainer := train.New(train.NewUpdater(batches, params, opt, model.Loss), train.Every(epochs, train.Epoch), filepath.Join(dir, out))
	trainer.Extend(train.NewLogReport())
	trainer.Extend(train.NewSnapshot(), train.Settings{Trigger: train.Every(2, train.Epoch)})
	if resume != "" {
		if err := archive.Load(filepath.Join(dir, resume), trainer); err != nil {
			return err
		}
	}
	if err := trainer.Run(context.Background()); err != nil {
		return err
	}
	return archive.Save(filepath.Join(dir, out, "final.npz"), params)
}

type mlp struct{}

func (mlp) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := ops.ReLU(link.Linear{OutSize: 8}.Apply(s.Sub("l1"), x))
	return link.Linear{OutSize: 4}.Apply(s.Sub("l2"), h)
}

func optimizerOf(name string) (*optim.Optimizer, error) {
	switch name {
	case "sgd":
		return optim.NewSGD(optim.SGDOptions{LR: 0.1}), nil
	case "momentum":
		return optim.NewMomentum(optim.MomentumOptions{LR: 0.05}), nil
	case "adam":
		return optim.NewAdam(optim.AdamOptions{LR: 0.02}), nil
	case "adagrad":
		return optim.NewAdaGrad(optim.AdaGradOptions{LR: 0.05}), nil
	case "rmsprop":
		return optim.NewRMSprop(optim.RMSpropOptions{LR: 0.01, Decay: new(0.99)}), nil
	case "smorms3":
		return optim.NewSMORMS3(optim.SMORMS3Options{LR: 0.05}), nil
	}
	return nil, fmt.Errorf("-optimizer %s: want sgd, momentum, adam, adagrad, rmsprop or smorms3", name)
}
