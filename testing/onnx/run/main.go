// Command run runs a model on values from a file, and writes its outputs to another file:
//
//	go run ./testing/onnx/run [-repeat N] [-each INPUT [-carry OUTPUT=INPUT]] MODEL.onnx INPUTS OUTPUTS
//
// The files are .npz archives, or JSON where there are texts, sequences or maps. With -each the model is called for each index of
// the first axis of an input, and the outputs get such an axis; -carry gives an output of each call to the next one. The command
// also prints the time of a call, the least of N. The scripts beside it compare the outputs with those of others.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

// settings are the flags.
type settings struct {
	repeat      int
	each, carry string
}

func main() {
	var s settings
	flag.IntVar(&s.repeat, "repeat", 1, "call the model so many `times`")
	flag.StringVar(&s.each, "each", "", "call the model for each index of the first axis of this `input`")
	flag.StringVar(&s.carry, "carry", "", "with -each, `output=input`: what one call gives to the next")
	flag.Parse()
	if flag.NArg() != 3 {
		flag.Usage()
		os.Exit(2)
	}
	if err := s.run(flag.Arg(0), flag.Arg(1), flag.Arg(2)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (s settings) run(path, from, to string) error {
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
	err = nd.Catch(func() {
		if s.each != "" {
			out, least = s.steps(m, inputs)
			return
		}
		for range max(s.repeat, 1) {
			start := time.Now()
			out = m.CallValues(inputs)
			least = min(least, time.Since(start))
		}
	})
	if err != nil {
		return err
	}
	fmt.Printf("%.3f ms\n", least.Seconds()*1e3)
	return writeValues(to, m.Outputs(), out)
}

// steps calls the model for each index of an input.
func (s settings) steps(m *model.Model, inputs map[string]model.Value) (out []model.Value, least time.Duration) {
	all := inputs[s.each].(*nd.Array)
	output, input, _ := strings.Cut(s.carry, "=")
	carried := slices.Index(m.Outputs(), output)
	results := make([][]*nd.Array, len(m.Outputs()))
	least = 1<<63 - 1
	for i := range all.Dim(0) {
		inputs[s.each] = all.Index(nd.At(i))
		start := time.Now()
		values := m.CallValues(inputs)
		least = min(least, time.Since(start))
		for k, v := range values {
			results[k] = append(results[k], v.(*nd.Array))
		}
		if carried >= 0 {
			inputs[input] = values[carried]
		}
	}
	for _, xs := range results {
		out = append(out, ops.Stack(xs))
	}
	return out, least
}
