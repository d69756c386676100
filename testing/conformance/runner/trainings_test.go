package runner

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// trainingRows are those of y = W·x + b and of gradient descent.
var trainingRows = []catalogue.Row{
	{Signature: "nnabla.parametric_functions.affine(inp, n_outmaps, name=None)", Func: func(s *nn.Scope, x *nd.Array, n int) *nd.Array { return nn.Affine(s, x, n) }},
	{Signature: "nnabla.solvers.Sgd(lr=0.001)", Func: optim.NewSGD},
	{Signature: "nnabla.solvers.Broken()", Func: func() int { return 1 }},
}

// runTraining trains y = w·x + b to reproduce x = 1 and then x = 2, from w = 0.5 and b = 0 on, at the rate 0.1: the errors are -0.5
// and -0.7, and w and b become 0.6 and 0.1, then 0.88 and 0.24. Edits are pairs of texts of the case, the old and the new.
func runTraining(t *testing.T, edits ...string) Outcome {
	t.Helper()
	const text = `{"id": "f-1", "function": "nnabla.training.line", "rtol": 1e-12, "atol": 0, "args": {
		"net": [{"f": "PF.affine", "name": "l", "n_outmaps": 1}], "loss": "squared_error", "x": {"array": "x"}, "batch_size": 1, "steps": 2,
		"solver": "Sgd", "options": {"lr": 0.1}, "params": {"l/affine/W": {"array": "W"}, "l/affine/b": {"array": "b"}}},
		"outputs": ["losses", "before", "after"], "mutated": {"params.l/affine/W": "W2", "params.l/affine/b": "b2"},
		"registered": [{"path": "l/affine/W", "shape": [1, 1], "need_grad": true}, {"path": "l/affine/b", "shape": [1], "need_grad": true}]}`
	r, err := New(trainingRows)
	if err != nil {
		t.Fatal(err)
	}
	var got *FunctionOutcome
	r.Report = func(f *FunctionOutcome) { got = f }
	column := func(name string, v ...float64) nd.Named {
		return nd.Named{Name: name, Array: nd.FromSlice(v, len(v), 1)}
	}
	list := func(name string, v ...float64) nd.Named { return nd.Named{Name: name, Array: nd.FromSlice(v)} }
	dir := writeSuiteOf(t, "nnabla_training", strings.NewReplacer(edits...).Replace(text), column("x", 1, 2), column("W", 0.5), list("b", 0),
		list("losses", 0.25, 0.49), column("before", 0.5), column("after", 1.12, 2), column("W2", 0.88), list("b2", 0.24))
	if _, err := r.Run(dir); err != nil {
		t.Fatal(err)
	}
	return got.Cases[0]
}

func TestTrainings(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		fails          string // part of the message; "" where the case passes
	}{
		{"passes", "", "", ""},
		{"learning rates", `"options": {"lr": 0.1}`, `"options": {}, "learning_rates": [0.1, 0.1]`, ""},
		{"other losses", `["losses"`, `["x"`, "the losses: shape"},
		{"other before", `"before"`, `"W2"`, "before: element"},
		{"other after", `"after"]`, `"x"]`, "after: element"},
		{"other parameter", `"W2"`, `"W"`, "params.l/affine/W after: element"},
		{"no such parameter", `"params.l/affine/b":`, `"params.l/affine/c":`, "params.l/affine/c after: got nothing"},
		{"other parameters", `"path": "l/affine/b"`, `"path": "l/b"`, `created the parameters ["l/affine/W" "l/affine/b"], want`},
		{"other rate", `"lr": 0.1`, `"lr": 0.2`, "the losses: element [1]"},
		{"decay counts", `"options"`, `"weight_decay": 0.5, "options"`, "the losses: element [1]"},
		{"clipping counts", `"options"`, `"clip_grad_by_norm": 0.5, "options"`, "the losses: element [1]"},
		{"too few rates", `"options"`, `"learning_rates": [1], "options"`, "1 learning rates for 2 steps"},
		{"no examples", `"x":`, `"z":`, "want examples x"},
		{"unknown loss", `"squared_error"`, `"hinge"`, `unknown loss "hinge"`},
		{"no labels", `"squared_error"`, `"softmax_cross_entropy"`, "unknown loss"},
		{"no net", `[{"f": "PF.affine", "name": "l", "n_outmaps": 1}]`, "null", "want a known net"},
		{"no function", `"f": "PF.affine"`, `"g": "PF.affine"`, "layer 0 of the net has no function"},
		{"unknown argument", `"n_outmaps": 1`, `"outs": 1`, "argument outs is unknown"},
		{"no solver", `"Sgd"`, `"Broken"`, "returns a int, want an *optim.Optimizer"},
		{"one output", `, "before", "after"]`, `]`, "1 outputs, want the losses"},
	} {
		edits := []string{c.old, c.new}
		if c.name == "no solver" {
			edits = append(edits, `{"lr": 0.1}`, `{}`)
		}
		o := runTraining(t, edits...)
		expectFailure(t, c.name, o.Forward, c.fails)
		if o.Skipped != "" {
			t.Errorf("%s: skipped: %s", c.name, o.Skipped)
		}
	}
}

func TestTrainingsSkipped(t *testing.T) {
	for _, c := range []struct{ old, new, missing string }{
		{`"Sgd"`, `"New"`, "nnabla.solvers.New"},
		{"PF.affine", "F.new", "nnabla.functions.new"},
		{"PF.affine", "PF.new", "nnabla.parametric_functions.new"},
	} {
		if o := runTraining(t, c.old, c.new); o.Skipped != "no catalogue row for "+c.missing {
			t.Errorf("%s: skipped %q (%v), want it to name %s", c.new, o.Skipped, o.Forward, c.missing)
		}
	}
}
