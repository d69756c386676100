package onnx

import (
	"archive/zip"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/optim"
)

var gradientModels = flag.String("models", "../../testing/conformance/testdata/files/onnx/models.zip", "an archive or a folder of models whose gradients are checked")

// TestGradientsOfModels compares the gradients of a random projection of each model's outputs with central differences, along a
// random direction of each input of floats, and of three parameters. Everything is computed in float64. With
//
//	go test ./nn/onnx -run GradientsOfModels -models MODELS.zip
//
// it checks all models of an archive; testing/onnx/gradients.sh makes a folder of real ones.
func TestGradientsOfModels(t *testing.T) {
	models := os.DirFS(*gradientModels)
	if info, err := os.Stat(*gradientModels); err != nil || !info.IsDir() {
		archive, err := zip.OpenReader(*gradientModels)
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		models = archive
	}
	read := func(name string) []byte {
		data, err := fs.ReadFile(models, name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var records []struct{ Name string }
	if err := json.Unmarshal(read("index.json"), &records); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, r := range records {
		t.Run(r.Name, func(t *testing.T) {
			f, err := Read(read(path.Join(r.Name, "model.onnx")))
			if err != nil {
				t.Fatal(err)
			}
			inputs := map[string]model.Value{}
			for i, info := range f.Inputs() {
				v, err := info.Type.Read(read(fmt.Sprintf("%s/test_data_set_0/input_%d.pb", r.Name, i)))
				if err != nil {
					t.Fatal(err)
				}
				inputs[info.Name] = v
			}
			for _, in := range f.message.Graph.Input {
				if of := in.Type.TensorType; of != nil && of.ElemType == Float {
					of.ElemType = Double
				}
			}
			visit(f.message.Graph.Node, func(n *nodeMessage) {
				for _, a := range n.Attribute {
					if n.OpType == "Cast" && a.Name == "to" && a.I == int64(Float) {
						a.I = int64(Double)
					}
				}
			}, func(*graphMessage) {})
			m, err := f.Model()
			if err != nil {
				t.Fatal(err)
			}
			checked += checkGradients(t, m, inputs)
		})
	}
	t.Logf("%d gradients of %d models", checked, len(records))
	if checked < len(records) {
		t.Errorf("only %d gradients of %d models", checked, len(records))
	}
}

// checkGradients returns how many gradients of the model it has compared.
func checkGradients(t *testing.T, m *model.Model, inputs map[string]model.Value) int {
	rng := nd.NewRand(35)
	targets := map[string]*nd.Array{} // inputs, and parameters with a "/" in front
	params := nn.NewScope()
	for name, p := range m.Params().All() {
		params.Set(name, p.Value().AsType(dtype.Float64))
		params.Param(name).SetNeedGrad(p.NeedGrad())
	}
	m = m.In(params)
	for name, p := range params.Trained() {
		if p.Value().Size() > 0 && len(targets) < 3 {
			targets["/"+name] = p.Value()
		}
	}
	for name, v := range inputs {
		if x, ok := v.(*nd.Array); ok && x.DType() == dtype.Float32 && x.Size() > 0 {
			x = x.AsType(dtype.Float64)
			inputs[name], targets[name] = x, x
		}
	}
	var weights []*nd.Array
	project := func(m *model.Model, inputs map[string]model.Value) *nd.Array {
		sum := nd.Scalar(0.0)
		for i, v := range m.CallValues(inputs) {
			y, ok := v.(*nd.Array)
			if i == len(weights) {
				weights = append(weights, nil)
				if ok {
					weights[i] = random.Normal(rng, 0, 1/math.Sqrt(float64(max(y.Size(), 1))), y.Shape(), dtype.Float64)
				}
			}
			if ok && y.DType() == dtype.Float64 || ok && y.DType() == dtype.Float32 {
				sum = ops.Add(sum, ops.Sum(ops.Multiply(y, weights[i])))
			}
		}
		return sum
	}
	tape := grad.NewTape()
	defer tape.Reset()
	given := map[string]model.Value{}
	for name, v := range inputs {
		if given[name] = v; targets[name] != nil {
			given[name] = tape.Watch(targets[name])
		}
	}
	watched := params.Watch(tape, nn.WatchOptions{Test: true})
	sum := project(m.In(watched), given)
	if len(targets) == 0 {
		return 0
	}
	byParam := optim.GradientsOf(watched, sum)
	gradients := map[string]*nd.Array{}
	for name := range targets {
		if path, ok := strings.CutPrefix(name, "/"); ok {
			gradients[name] = byParam.Get(path)
		} else {
			gradients[name] = tape.Gradient(sum, given[name].(*nd.Array))[0]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		isParam, g := strings.HasPrefix(name, "/"), gradients[name]
		x := targets[name]
		d := random.Normal(rng, 0, 1/math.Sqrt(float64(x.Size())), x.Shape(), dtype.Float64)
		at := func(h float64) float64 {
			moved := ops.Add(x, ops.Multiply(d, nd.Scalar(h)))
			if !isParam {
				others := maps.Clone(inputs)
				others[name] = moved
				return project(m, others).Float()
			}
			before := x.Copy()
			x.Assign(moved)
			defer x.Assign(before)
			return project(m, inputs).Float()
		}
		got := 0.0
		if g != nil {
			got = ops.Sum(ops.Multiply(g, d)).Float()
		}
		// Some unit of the larger networks may pass a kink on one side. The shorter step passes fewer kinks, but the rounding of sums shows.
		agrees, before := false, at(0)
		for _, try := range []struct{ step, tolerance float64 }{{1e-7, 1e-5}, {1e-8, 1e-4}} {
			right, left := (at(try.step)-before)/try.step, (before-at(-try.step))/try.step
			for _, want := range []float64{(left + right) / 2, left, right} {
				isClose := math.Abs(got-want) <= try.tolerance*max(math.Abs(want), 1e-2)
				agrees = agrees || isClose || math.IsNaN(got) && math.IsNaN(want) // the root of a negative number
			}
			if agrees {
				break
			}
			if try.step == 1e-8 {
				t.Errorf("the gradient by %s is %g along a direction, and the differences to both sides %g and %g", name, got, left, right)
			}
		}
	}
	return len(targets)
}
