// Command finetune trains an imported classifier further, and prints the loss of each step:
//
//	go run ./testing/onnx/finetune MODEL.onnx DATA.npz STEPS RATE
//
// The archive has the inputs x and the labels t. The script beside it compares the losses with those of PyTorch.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn/onnx"
	"github.com/ndgrad/ndgrad/nn/optim"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: finetune MODEL.onnx DATA.npz STEPS RATE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path, data, count, rate string) error {
	steps, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	lr, err := strconv.ParseFloat(rate, 64)
	if err != nil {
		return err
	}
	m, err := onnx.Load(path)
	if err != nil {
		return err
	}
	arrays, err := nd.LoadNpz(data)
	if err != nil {
		return err
	}
	inputs, labels := map[string]*nd.Array{}, (*nd.Array)(nil)
	for _, a := range arrays {
		if a.Name == "t" {
			labels = a.Array
		} else {
			inputs[a.Name] = a.Array
		}
	}
	return nd.Catch(func() {
		solver, tape := optim.NewSGD(optim.SGDOptions{LR: lr}), grad.NewTape()
		for range steps {
			params := m.Params().Watch(tape)
			l := ops.Mean(loss.SoftmaxCrossEntropy(m.In(params).Call(inputs)[0], labels))
			fmt.Printf("%.9g\n", l.Float())
			solver.Update(optim.GradientsOf(params, l))
			tape.Reset()
		}
	})
}
