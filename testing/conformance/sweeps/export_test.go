package sweeps

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/onnx"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
)

// TestSweepExport exports every function as an ONNX model. Either the file gives the function's results, or the export is
// refused, with the name of the operation.
func TestSweepExport(t *testing.T) {
	swept := map[string]bool{} // Go functions
	exported, refused := 0, map[string]int{}
	sweep(t, func(s *subject) error {
		if swept[s.functionName()] {
			return nil
		}
		inputs, f := s.exportable()
		if inputs == nil {
			return nil
		}
		swept[s.functionName()] = true
		var file bytes.Buffer
		err := onnx.Export(&file, f, inputs)
		switch {
		case err == nil:
			exported++
			return nil
		case strings.Contains(err.Error(), "the file") || !strings.Contains(err.Error(), "."):
			return err
		}
		refused[err.Error()]++
		return nil
	})
	t.Logf("exported %d functions, refused %d", exported, len(swept)-exported)
	if testing.Verbose() {
		var all []string
		for why := range refused {
			all = append(all, why)
		}
		slices.Sort(all)
		t.Log(strings.Join(all, "\n"))
	}
	if *sweepOnly == "" && exported < 300 {
		t.Errorf("exported only %d functions", exported)
	}
}

// exportable returns the array arguments of a case, and the call with other ones. It returns nil for a case without arrays
// among its arguments or results.
func (s *subject) exportable() (inputs []*nd.Array, f func(*nn.Scope, []*nd.Array) []*nd.Array) {
	var paths []string
	for _, path := range s.plain.paths {
		if x := s.plain.args[path]; x != nil && !x.IsReleased() && !x.IsScalar() && !slices.Contains(paths, path) && !s.fn.Row.MayWrite(path) && onnx.ElementTypeOf(x.DType()) != 0 {
			paths, inputs = append(paths, path), append(inputs, x)
		}
	}
	if !slices.ContainsFunc(s.plain.results, isArray) {
		return nil, nil
	}
	return inputs, func(_ *nn.Scope, in []*nd.Array) []*nd.Array {
		named, err := runner.Arguments(s.f, s.fn, runner.WithMode(s.fn, s.c), func(path string, x *nd.Array) *nd.Array {
			if k := slices.Index(paths, path); k >= 0 {
				return in[k]
			}
			return x
		})
		if err != nil {
			panic(nd.Func("catalogue.Call").Errorf(nil, "%v", err))
		}
		o := outcome{args: map[string]*nd.Array{}}
		view, err := s.enter(setting{}, &o)
		if err != nil {
			panic(nd.Func("catalogue.Call").Errorf(nil, "%v", err))
		}
		result, err := s.fn.Call(nil, named, catalogue.CallOptions{Scope: view, Evaluation: true})
		if err != nil {
			panic(nd.Func("catalogue.Call").Errorf(nil, "%v", fmt.Errorf("%w", err)))
		}
		var arrays []*nd.Array
		for _, v := range result.Values {
			if isArray(v) {
				arrays = append(arrays, v.(*nd.Array))
			}
		}
		return arrays
	}
}

func isArray(v any) bool {
	x, ok := v.(*nd.Array)
	return ok && x != nil && !x.IsScalar()
}
