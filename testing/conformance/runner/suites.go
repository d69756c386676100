package runner

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// fileSuite is a suite of files: the function that checks the files of a folder on a device (nil means the CPU), or the
// reason why the suite is open.
type fileSuite struct {
	run  func(dir string, dev device.Device) ([]Outcome, error)
	open string
}

// fileSuites are all suites of files that other systems wrote.
var fileSuites = map[string]fileSuite{
	"files/caffe":       {run: caffeFiles},
	"files/hdf5":        {run: hdf5Files},
	"files/mxnet":       {run: mxnetFiles},
	"files/nnp":         {run: nnpFiles},
	"files/onnx":        {run: onnxFiles},
	"files/safetensors": {run: safetensorsFiles},
	"nnabla_files":      {run: nnablaFiles},

	"chainer_files/caffe":          {run: caffeFiles},
	"chainer_files/cnn":            {open: "the tests of testing/conformance/chainerfiles run it"},
	"chainer_files/graphs":         {open: "the tests of nd/graph run it"},
	"chainer_files/images":         {open: "the tests of nn/data run it"},
	"chainer_files/rnnlm":          {open: "the tests of testing/conformance/chainerfiles run it"},
	"chainer_files/saved":          {open: "the tests of testing/conformance/chainerfiles run it"},
	"chainer_files/train_adam":     {open: "the tests of testing/conformance/chainerfiles run it"},
	"chainer_files/train_momentum": {open: "the tests of testing/conformance/chainerfiles run it"},
	"chainer_files/train_sgd":      {open: "the tests of testing/conformance/chainerfiles run it"},
	"chainer_files/vision":         {open: "the tests of nn/vision run it"},
}

// suite runs one suite.
func (r *Runner) suite(s golden.Suite, report func(*FunctionOutcome)) error {
	switch s.Kind() {
	case golden.Functions:
		return r.caseSuite(s, report, r.function)
	case golden.Trainings:
		return r.caseSuite(s, report, r.trainings)
	case golden.Exercises:
		return r.caseSuite(s, report, r.exercises)
	case golden.Solvers:
		return r.caseSuite(s, report, r.solver)
	case golden.Accuracy:
		return r.accuracySuite(s, report)
	case golden.NpyFiles:
		return r.npySuite(s, report)
	}
	switch files := fileSuites[s.Name]; {
	case files.run == nil && files.open == "":
		return fmt.Errorf("suite %s in %s has no runner, and is not listed as open", s.Name, s.Dir)
	case !r.chosen(s.Name):
	case files.run == nil:
		report(&FunctionOutcome{Name: s.Name, Open: files.open})
	default:
		cases, err := files.run(s.Dir, r.Device)
		if err != nil {
			return err
		}
		report(&FunctionOutcome{Name: s.Name, Cases: cases})
	}
	return nil
}

// readJSON reads a JSON file of a suite.
func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
