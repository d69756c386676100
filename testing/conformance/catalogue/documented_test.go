package catalogue_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestHostRows checks the rows that copy between the host and a device, and the gradient of one.
func TestHostRows(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	cpu := nd.Zeros(nil).Device()
	x := vector(1, 2).To(ref)
	for name, args := range map[string][]any{
		"cupy.asnumpy": {x}, "cupy.ndarray.get": {x}, "cupy.ndarray.__array__": {x}, "chainer.functions.copy": {x, -1},
	} {
		y := called(t, name, args, nil).Values[0]
		expect(t, name, y, dtype.Float64, 1, 2)
		if y.(*nd.Array).Device() != cpu {
			t.Errorf("%s stays on the device", name)
		}
	}
	if _, err := catalogue.Call("chainer.functions.copy", []any{x, 99}, nil); err == nil {
		t.Error("a copy to GPU 99 is no error")
	}
	tape := grad.NewTape()
	defer tape.Release()
	w := tape.Watch(x)
	g := tape.Gradient(called(t, "chainer.functions.copy", []any{w, -1}, nil).Values[0].(*nd.Array), w)[0]
	if g.Device() != ref {
		t.Error("the gradient stays on the host")
	}
	called(t, "cupy.ndarray.set", []any{x, vector(3, 4)}, nil)
	expect(t, "set", x, dtype.Float64, 3, 4)
	if x.Device() != ref {
		t.Error("set moved the array")
	}
}

// TestStateRows checks that rows of optimizers use the parameter, the dictionary and the link that they get.
func TestStateRows(t *testing.T) {
	s := nn.NewScope()
	s.Set("W", vector(1, 2))
	s.Set("b", vector(3))
	g := optim.NewGradients(s, map[string]*nd.Array{"W": vector(1, 1), "b": vector(1)})
	trained := func(init, update string) {
		o := optim.NewMomentum(optim.MomentumOptions{LR: 1})
		states := map[string]*nd.Array{}
		called(t, init, []any{o, s.Param("b"), states}, nil)
		expect(t, "state", states["m"], dtype.Float64, 0)
		if n := len(o.State(s)); n != 2 {
			t.Errorf("%s: %d states, want those of one parameter", init, n)
		}
		before := nd.Value[float64](s.Get("b"))
		called(t, update, []any{o, g, s.Param("b"), states}, nil)
		expect(t, "the parameter", s.Get("b"), dtype.Float64, before-1)
		expect(t, "the other parameter", s.Get("W"), dtype.Float64, 1, 2)
		expect(t, "state", states["m"], dtype.Float64, 1)
		own := map[string]*nd.Array{"m": vector(10)}
		called(t, update, []any{o, g, s.Param("b"), own}, nil)
		expect(t, "another state", own["m"], dtype.Float64, 10)
		before -= 10
		called(t, "chainer.Optimizer.prepare", []any{o, s}, nil)
		expect(t, "the parameter after prepare", s.Get("b"), dtype.Float64, before-1)
		if n := len(o.State(s)); n != 4 {
			t.Errorf("prepare: %d states", n)
		}
		called(t, "chainer.Optimizer.setup", []any{o, s}, nil)
		expect(t, "a state after setup", o.State(s).Get("b/m"), dtype.Float64, 0)
	}
	trained("chainer.Optimizer.init_state", "chainer.GradientMethod.update_one")
	trained("chainer.Optimizer.init_state_cpu", "chainer.GradientMethod.update_one_cpu")
	trained("chainer.Optimizer.init_state_gpu", "chainer.GradientMethod.update_one_gpu")
}

// TestExtensionRows checks that make_extension and Evaluator use their options.
func TestExtensionRows(t *testing.T) {
	finished := false
	e := called(t, "chainer.training.make_extension", []any{func(*train.Trainer) error { return nil }}, map[string]any{
		"trigger": []any{2, "epoch"}, "default_name": "mine", "priority": 7, "invoke_before_training": true,
		"finalizer": func() error { finished = true; return nil },
	}).Values[0].(train.Extension)
	s := e.Settings()
	if s.Name != "mine" || s.Priority != 7 || !s.Before || s.Trigger == nil {
		t.Errorf("settings %+v", s)
	}
	if err := e.Close(); err != nil || !finished {
		t.Errorf("the finalizer is not called: %v", err)
	}
	bare := called(t, "chainer.training.make_extension", []any{func(*train.Trainer) error { return nil }}, nil,
		catalogue.CallOptions{Defaults: true}).Values[0].(train.Extension)
	if s := bare.Settings(); s != (train.Settings{}) || bare.Close() != nil {
		t.Errorf("settings %+v without options", s)
	}

	var hooked []*train.Evaluator[data.Batch]
	batches := data.NewLoader(data.NewSampler(2, 1, data.SamplerOptions{Once: true}), data.Rows(vector(1, 2)))
	loss := train.LossFunc[data.Batch](func(_ *nn.Scope, b data.Batch, _ *report.Reporter) *nd.Array { return b[0] })
	made := called(t, "chainer.training.extensions.Evaluator", []any{data.Batches[data.Batch](batches), nn.NewScope(), loss}, map[string]any{
		"eval_hook": func(e *train.Evaluator[data.Batch]) { hooked = append(hooked, e) },
	}).Values[0].(*train.Evaluator[data.Batch])
	if _, err := made.Evaluate(); err != nil || !slices.Equal(hooked, []*train.Evaluator[data.Batch]{made}) {
		t.Errorf("the hook saw %v: %v", hooked, err)
	}
}
