// Command run runs a model on arrays from a file, and writes its outputs to another file:
//
//	go run ./testing/onnx/run [-repeat N] MODEL.onnx INPUTS OUTPUTS
//
// The files are .npz archives, or JSON where there are texts, sequences or maps. It also prints the time of a call, the least of N. The scripts beside it compare the outputs with those of onnxruntime.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

func main() {
	repeat := flag.Int("repeat", 1, "call the model so many `times`")
	flag.Parse()
	if flag.NArg() != 3 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), flag.Arg(2), *repeat); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path, from, to string, repeat int) error {
	m, err := onnx.Load(path)
	if err != nil {
		return err
	}
	inputs, err := readValues(from)
	if err != nil {
		return err
	}
	var out []model.Value
	least := time.Duration(1<<63 - 1)
	for range max(repeat, 1) {
		start := time.Now()
		if err := nd.Catch(func() { out = m.CallValues(inputs) }); err != nil {
			return err
		}
		least = min(least, time.Since(start))
	}
	fmt.Printf("%.3f ms\n", least.Seconds()*1e3)
	return writeValues(to, m.Outputs(), out)
}
