package runner

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// coins is a sampler of 0 and 1.
type coins struct{ ones float64 }

func (c coins) Sample(rng *nd.Rand, shape []int) *nd.Array {
	return nd.Func("coins").Coins(rng, 1-c.ones, shape, nil)
}

func TestPlain(t *testing.T) {
	ones := nd.FromSlice([]float32{1, 1})
	for _, c := range []struct {
		name, signature string
		f               any
		args, outputs   string
		passes          bool
	}{
		{"a number", "f(x)", func(x float64) float64 { return x + 1 }, `"x": 2, "expect": 3`, ``, true},
		{"another number", "f(x)", func(x float64) float64 { return x }, `"x": 2, "expect": 3`, ``, false},
		{"a list", "f(x)", func(x int) []int { return []int{x, x} }, `"x": 2, "expect": [2, 2]`, ``, true},
		{"an object", "f()", func() map[string]any { return map[string]any{"a": 1, "b": []int{2}} }, `"expect": {"a": 1, "b": [2]}`, ``, true},
		{"a refusal", "f()", func() int { panic(nd.Func("f").Errorf(nil, "no")) }, `"expect": {"error": true}`, ``, true},
		{"no refusal", "f()", func() int { return 1 }, `"expect": {"error": true}`, ``, false},
		{"a fault", "f()", func() int { panic("fault") }, `"expect": {"error": true}`, ``, false},
		{"a value of an initializer", "f(v)", initializer.Constant, `"v": 1, "shape": [2], "fan_in": 2, "fan_out": 2`, `"ones"`, true},
		{"another value", "f(v)", initializer.Constant, `"v": 2, "shape": [2]`, `"ones"`, false},
		{"an initializer that refuses", "f(scale)", initializer.HeNormal, `"scale": 1, "shape": [], "expect": {"error": true}`, ``, true},
		{"a deviation", "f(sigma)", initializer.Normal, `"sigma": 2, "shape": [30, 40], "expect": {"std": 2}`, ``, true},
		{"another deviation", "f(sigma)", initializer.Normal, `"sigma": 2, "shape": [30, 40], "expect": {"std": 1.7}`, ``, false},
		{"a limit", "f(a, b)", initializer.Uniform, `"a": -3, "b": 3, "shape": [30, 40], "expect": {"limit": 3}`, ``, true},
		{"another limit", "f(a, b)", initializer.Uniform, `"a": -3, "b": 3, "shape": [30, 40], "expect": {"limit": 3.3}`, ``, false},
		{"no uniform draws", "f(sigma)", initializer.Normal, `"sigma": 1, "shape": [30, 40], "expect": {"limit": 1.7320508}`, ``, false},
		{"orthogonal rows", "f(shape)", func(shape []int) *nd.Array { return nd.Eye(shape[0], shape[1], 0) }, `"shape": [2, 3], "expect": {"gram_diagonal": 1}`, ``, true},
		{"other rows", "f(shape)", func(shape []int) *nd.Array { return nd.Ones(shape) }, `"shape": [2, 3], "expect": {"gram_diagonal": 3}`, ``, false},
		{"samples", "f(p)", func(p float64) coins { return coins{p} }, `"p": 0.25, "expect": {"probabilities": [0.75, 0.25]}`, ``, true},
		{"other samples", "f(p)", func(p float64) coins { return coins{p} }, `"p": 0.25, "expect": {"probabilities": [0.7, 0.3]}`, ``, false},
		{"an array that is written", "f(x)", func(x *nd.Array) { x.Assign(nd.Scalar(1)) }, `"x_shape": [2]`, `"ones"`, true},
		{"an argument that no row has", "f()", func() int { return 1 }, `"y": 1, "expect": 1`, ``, false},
	} {
		dir := writeSuiteOf(t, "chainer_training", `{"id": "f-1", "function": "f", "rtol": 1e-6, "atol": 1e-6, "args": {`+c.args+`}, "outputs": [`+c.outputs+`]}`,
			nd.Named{Name: "ones", Array: ones})
		row := catalogue.Row{Signature: c.signature, Func: c.f}
		if c.signature == "f(x)" && c.outputs != "" {
			row.Writes = []string{"x"}
		}
		r, err := New([]catalogue.Row{row})
		if err != nil {
			t.Fatal(err)
		}
		total, err := r.Run(dir)
		if err != nil || total.Passed+total.Failed != 1 || (total.Passed == 1) != c.passes {
			t.Errorf("%s: %+v, %v, want it to pass: %v", c.name, total, err, c.passes)
		}
	}
}
