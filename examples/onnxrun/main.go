// Command onnxrun looks into an ONNX model, and runs it on random numbers:
//
//	go run ./examples/onnxrun [-shape NAME=1,3,224,224] [-calls N] [-summary] [-profile] MODEL.onnx
//
// It prints the inputs and outputs, the operators, and the time of a call. Lengths that the model leaves open are 1 unless
// -shape, which may be given several times, says otherwise; NAME= is a single number.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

// options are the flags.
type options struct {
	shapes           map[string][]int
	calls            int
	summary, profile bool
}

func main() {
	o := options{shapes: map[string][]int{}}
	flag.Func("shape", "the `NAME=LENGTHS` of an input", func(s string) error { return o.shape(s) })
	flag.IntVar(&o.calls, "calls", 5, "the `number` of calls that are timed")
	flag.BoolVar(&o.summary, "summary", false, "print the operations, their parameters and multiplications")
	flag.BoolVar(&o.profile, "profile", false, "print the time by operation")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (o *options) shape(s string) error {
	name, lengths, ok := strings.Cut(s, "=")
	if !ok {
		return errors.New("want NAME=LENGTHS")
	}
	o.shapes[name] = []int{}
	if lengths == "" {
		return nil
	}
	for part := range strings.SplitSeq(lengths, ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return err
		}
		o.shapes[name] = append(o.shapes[name], n)
	}
	return nil
}

func run(w io.Writer, path string, o options) error {
	f, err := onnx.Open(path)
	if err != nil {
		return err
	}
	m, err := f.Model()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: opset %d, written by %s\n", path, f.Opset(""), f.Producer())
	inputs := map[string]*nd.Array{}
	rng := nd.NewRand(1)
	for _, in := range f.Inputs() {
		shape := o.shapes[in.Name]
		fmt.Fprintf(w, "input   %s  %s\n", in.Name, in.Type)
		if inputs[in.Name], err = filled(rng, in, shape); err != nil {
			return err
		}
	}
	for _, out := range f.Outputs() {
		fmt.Fprintf(w, "output  %s  %s\n", out.Name, out.Type)
	}
	fmt.Fprintf(w, "%d parameters, %d operations: %s\n", m.Params().Size(), len(m.Nodes()), operators(m))
	m = m.In(m.Params().WithRand(rng))
	if err := nd.Catch(func() { call(w, m, inputs, o) }); err != nil {
		return err
	}
	return nil
}

// call calls the model and prints what the options want.
func call(w io.Writer, m *model.Model, inputs map[string]*nd.Array, o options) {
	names := m.Outputs()
	times := make([]time.Duration, 0, o.calls)
	for range max(o.calls, 1) {
		start := time.Now()
		out := m.CallValues(values(inputs))
		times = append(times, time.Since(start))
		if len(times) == 1 {
			for i, v := range out {
				if x, ok := v.(*nd.Array); ok {
					fmt.Fprintf(w, "%s is %s%v\n", names[i], x.DType(), x.Shape())
				}
			}
		}
	}
	slices.Sort(times)
	fmt.Fprintf(w, "a call takes %v (the least of %d; the median is %v)\n", times[0].Round(time.Microsecond), len(times), times[len(times)/2].Round(time.Microsecond))
	if o.summary {
		fmt.Fprint(w, m.Summary(inputs))
	}
	if o.profile {
		fmt.Fprint(w, m.Profile(inputs, max(o.calls, 1)))
	}
}

func values(inputs map[string]*nd.Array) map[string]model.Value {
	all := map[string]model.Value{}
	for name, x := range inputs {
		all[name] = x
	}
	return all
}

// filled returns random numbers for an input.
func filled(rng *nd.Rand, in onnx.Info, shape []int) (*nd.Array, error) {
	t := in.Type.Element.DType()
	if in.Type.Kind != onnx.TensorKind || !t.Valid() {
		return nil, fmt.Errorf("the input %s of type %s cannot be filled with random numbers", in.Name, in.Type)
	}
	if shape == nil {
		for _, n := range in.Type.Shape {
			shape = append(shape, max(n, 1))
		}
	}
	if t.IsInexact() {
		return random.Normal(rng, 0, 1, shape, dtype.Float32).AsType(t), nil
	}
	return random.Uniform(rng, 0, 2, shape, dtype.Float32).AsType(t), nil // 0 and 1
}

// operators counts the operators of the model.
func operators(m *model.Model) string {
	counts := map[string]int{}
	for _, n := range m.Nodes() {
		counts[n.Type]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[name], name))
	}
	return strings.Join(parts, ", ")
}
