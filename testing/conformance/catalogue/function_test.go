package catalogue_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestForgetAnyFunction checks that a documented function, with one result or several, gives the same inside forget as
// alone.
func TestForgetAnyFunction(t *testing.T) {
	matrix := func(k float64) *nd.Array {
		return ops.Add(ops.Sin(nd.ArangeInt(0, 32, 1).Reshape(4, 8)), k)
	}
	half := func(k float64) *nd.Array { return matrix(k).Index(nd.All(), nd.Until(2)).Copy() }
	for name, xs := range map[string][]*nd.Array{
		"tanh": {matrix(0)}, "sigmoid": {matrix(0)}, "log_softmax": {matrix(0)}, "sum": {matrix(0)}, "relu": {matrix(0)}, "matmul": {matrix(0), matrix(1).T()},
		"lstm": {half(0), matrix(0)}, "slstm": {half(0), half(1), matrix(0), matrix(1)}, "max": {matrix(0)}, "gaussian_kl_divergence": {matrix(0), matrix(1)},
		"batch_l2_norm_squared": {matrix(0)}, "dropout": {matrix(0)}, "maximum": {matrix(0), matrix(0.5)}, "logsumexp": {matrix(0)},
	} {
		name = "chainer.functions." + name
		f, err := catalogue.Lookup(name)
		if err != nil {
			t.Error(err)
			continue
		}
		var plain []any
		named := map[string]any{"func": name, "xs": xs}
		var watched, items []string
		for i, x := range xs {
			plain, watched, items = append(plain, x), append(watched, f.Params[i].Name), append(items, fmt.Sprintf("xs[%d]", i))
		}
		want, err := catalogue.Call(name, plain, nil, catalogue.CallOptions{Gradients: watched, Rand: nd.NewRand(1)})
		got, err2 := catalogue.Call("chainer.functions.forget", nil, named, catalogue.CallOptions{Gradients: items})
		if err != nil || err2 != nil {
			t.Errorf("%s: %v, behind forget %v", name, err, err2)
			continue
		}
		if a, b := fmt.Sprint(want.Values...), fmt.Sprint(got.Values...); a != b {
			t.Errorf("%s gives %s, inside forget %s", name, a, b)
		}
		for i := range xs {
			if a, b := fmt.Sprint(want.Gradients[watched[i]]), fmt.Sprint(got.Gradients[items[i]]); a != b {
				t.Errorf("%s: gradient %d is %s, inside forget %s", name, i, a, b)
			}
		}
	}
	for _, named := range []map[string]any{{"func": "chainer.functions.nothing", "xs": []*nd.Array{matrix(0)}}, {"func": 3, "xs": []*nd.Array{matrix(0)}},
		{"func": "chainer.functions.square", "xs": []*nd.Array{matrix(0), matrix(0)}}, {"func": "chainer.functions.lstm", "xs": []*nd.Array{matrix(0)}}} {
		var refusal *catalogue.Refusal
		if _, err := catalogue.Call("chainer.functions.forget", nil, named); !errors.As(err, &refusal) {
			t.Errorf("%v: %v, want a refusal", named, err)
		}
	}
}
