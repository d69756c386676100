package runner

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestOptimizers runs cases of correct and of faulty rows.
func TestOptimizers(t *testing.T) {
	double := func(g, others *optim.Gradients) *optim.Gradients {
		g.Scale(2)
		return g
	}
	nothing := func(g, others *optim.Gradients) *optim.Gradients { return g }
	rows := []catalogue.Row{
		{Signature: "chainer.optimizers.Right(rate)", Func: func(rate float64) *optim.Optimizer {
			return optim.NewMomentum(optim.MomentumOptions{LR: rate, Momentum: new(0.0)})
		}},
		{Signature: "chainer.optimizers.Wrong(rate)", Func: func(rate float64) *optim.Optimizer { return optim.NewMomentum() }},
		{Signature: "chainer.optimizers.Stateless(rate)", Func: func(rate float64) *optim.Optimizer { return optim.NewSGD(optim.SGDOptions{LR: rate}) }},
		{Signature: "chainer.optimizers.None(rate)", Func: func(rate float64) int { return 0 }},
		{Signature: "chainer.optimizer.Twice(self, by)", Func: (*optim.Gradients).Scale},
		{Signature: "chainer.optimizer.Noise(self, eta, t)", Func: func(rng *nd.Rand, self *optim.Gradients, eta float64, t int) { self.Noise(rng, eta) }},
		{Signature: "chainer.Link.right(self, link)", Func: double},
		{Signature: "chainer.Link.wrong(self, link)", Func: nothing},
		{Signature: "chainer.Link.norm(self)", Func: (*optim.Gradients).Norm},
		{Signature: "chainer.Link.copied(link)", Func: func(s, link *nn.Scope) { s.Set("w", link.Get("w")) }},
		{Signature: "chainer.Link.kept(link)", Func: func(s, link *nn.Scope) {}},
	}
	const (
		params = `"params": {"w": {"array": "one"}}, `
		step   = params + `"param_grads": {"w": {"arrays": ["one"]}}`
		twice  = `, "hooks": [{"hook": "chainer.optimizer.Twice", "args": [2]}]`
		state  = `"mutated": {"state.w/v": "minus half"}, `
		once   = params + `"param_grads": {"w": {"array": "one"}}`
		grads  = once + `, "link_grads": {"w": {"array": "one"}}`
		link   = params + `"link_params": {"w": {"array": "half"}}`
	)
	arrays := []nd.Named{{Name: "zero", Array: nd.FromSlice([]float32{0})}, {Name: "one", Array: nd.FromSlice([]float32{1})},
		{Name: "two", Array: nd.FromSlice([]float32{2})}, {Name: "half", Array: nd.FromSlice([]float32{0.5})},
		{Name: "minus half", Array: nd.FromSlice([]float32{-0.5})}, {Name: "number", Array: nd.Full(nil, 1.0)}}
	for _, c := range []struct {
		function, args, more, outputs string
		fails                         string // part of the reason
	}{
		{"optimizers.Right", `"rate": 0.5, ` + step, state, `"half"`, ""},
		{"optimizers.Right", `"rate": 0.25, ` + step + twice, state, `"half"`, ""},
		{"optimizers.Right", `"rate": 0.5, ` + step, state, `"one"`, "w after update 1"},
		{"optimizers.Right", `"rate": 0.5, ` + step, "", `"half"`, "there is a state w/v"},
		{"optimizers.Right", `"rate": 0.5, ` + step, strings.ReplaceAll(state, "minus half", "half"), `"half"`, "state w/v"},
		{"optimizers.Wrong", `"rate": 0.5, ` + step, state, `"half"`, "w after update 1"},
		{"optimizers.Stateless", `"rate": 0.5, ` + step, "", `"half"`, ""},
		{"optimizers.Stateless", `"rate": 0.5, ` + step, state, `"half"`, "state w/v is missing"},
		{"optimizers.Stateless", `"rate": 0.5, "params": {"w": {"array": "one"}}, "param_grads": {"w": [null]}`, "", `"one"`, ""},
		{"optimizers.Stateless", `"rate": 0.5, ` + step + strings.ReplaceAll(twice, "Twice", "Thrice"), "", `"half"`, "no row for"},
		{"optimizers.None", `"rate": 0.5, ` + step, "", `"half"`, "want an optimizer"},
		{"optimizer.Twice", `"by": 2, ` + once, "", `"two"`, ""},
		{"optimizer.Twice", `"by": 3, ` + once, "", `"two"`, "w:"},
		{"optimizer.Twice", `"by": 2, ` + once, "", `"two", "two"`, "1 results, want 2"},
		{"optimizer.Noise", `"eta": 2, "t": 0, "expect": {"std": 2}`, "", "", ""},
		{"optimizer.Noise", `"eta": 2, "t": 0, "expect": {"std": 2.1}`, "", "", "the standard deviation is"},
		{"Link.right", grads, "", `"two"`, ""},
		{"Link.wrong", grads, "", `"two"`, "w:"},
		{"Link.norm", once, "", `"number"`, ""},
		{"Link.copied", link, "", `"half"`, ""},
		{"Link.kept", link, "", `"half"`, "w:"},
	} {
		dir := writeSuiteOf(t, "chainer_training", `{"id": "f-1", "function": "chainer.`+c.function+`", "rtol": 1e-6, "atol": 1e-6, `+c.more+
			`"args": {`+c.args+`}, "outputs": [`+c.outputs+`]}`, arrays...)
		r, err := New(rows)
		if err != nil {
			t.Fatal(err)
		}
		var reason string
		r.Report = func(f *FunctionOutcome) {
			if o := f.Cases[0]; o.Forward != nil {
				reason = o.Forward.Error()
			}
		}
		total, err := r.Run(dir)
		if err != nil || total.Passed+total.Failed != 1 || (total.Passed == 1) != (c.fails == "") || !strings.Contains(reason, c.fails) {
			t.Errorf("chainer.%s with %s, %s: %+v, %v, %s; want %q", c.function, c.args, c.outputs, total, err, reason, c.fails)
		}
	}
}
