package catalogue

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

func floats(shape ...int) *nd.Array {
	return nd.Ones(shape, dtype.Float32)
}

// TestReceivers builds links from constructor arguments, which may include functions and other links by name.
func TestReceivers(t *testing.T) {
	s := nn.NewScope()
	_, err := Call("chainer.links.Classifier", nil, map[string]any{
		"predictor": map[string]any{"link": "chainer.links.Linear", "in_size": 2, "out_size": 3, "use": nil},
		"x":         floats(4, 2), "t": nd.Zeros([]int{4}, dtype.Int32),
	}, CallOptions{Scope: s})
	if err == nil {
		t.Errorf("an argument that the link lacks is not refused")
	}
	for _, predictor := range []any{
		map[string]any{"link": "chainer.links.Linear", "in_size": 2, "out_size": 3},
		link.Linear{OutSize: 3},
	} {
		for _, defaults := range []bool{false, true} {
			s := nn.NewScope()
			_, err := Call("chainer.links.Classifier", nil, map[string]any{
				"predictor": predictor, "lossfun": "chainer.functions.softmax_cross_entropy",
				"x": floats(4, 2), "t": nd.Zeros([]int{4}, dtype.Int32),
			}, CallOptions{Scope: s, Defaults: defaults})
			if err != nil || s.Get("predictor/W") == nil {
				t.Errorf("predictor %v: %v, parameters %q", predictor, err, s.Names())
			}
		}
	}
	for what, predictor := range map[string]any{
		"a text": "chainer.links.Linear", "no link": map[string]any{"link": "cupy.add"}, "one of two inputs": map[string]any{"link": "chainer.links.Bilinear"},
		"an unknown name": map[string]any{"link": "chainer.links.None"},
	} {
		if _, err := Call("chainer.links.Classifier", nil, map[string]any{"predictor": predictor, "x": floats(4, 2), "t": floats(4)}); err == nil {
			t.Errorf("%s as a link is not refused", what)
		}
	}
	for _, f := range []any{"no_function", "cupy.zeros", 3} {
		if _, err := Call("chainer.links.Highway", nil, map[string]any{"in_out_size": 2, "activate": f, "x": floats(4, 2)}); err == nil {
			t.Errorf("%v as an activation is not refused", f)
		}
	}
}

// TestBiasOfNone checks that None omits a bias if it is not the default.
func TestBiasOfNone(t *testing.T) {
	for _, c := range []struct {
		args map[string]any
		bias bool
	}{{map[string]any{}, true}, {map[string]any{"initial_bias": 2}, true}, {map[string]any{"initial_bias": nil}, false}} {
		for _, defaults := range []bool{false, true} {
			s := nn.NewScope()
			c.args["in_size"], c.args["out_size"], c.args["pool_size"], c.args["x"] = 2, 3, 2, floats(1, 2)
			_, err := Call("chainer.links.Maxout", nil, c.args, CallOptions{Scope: s, Defaults: defaults})
			if err != nil || (s.Get("linear/b") != nil) != c.bias {
				t.Errorf("%v: %v, parameters %q", c.args, err, s.Names())
			}
		}
	}
}

// TestViewsOfLinks checks that the arguments test and train select the view of the scope.
func TestViewsOfLinks(t *testing.T) {
	for _, c := range []struct {
		test any
		mean float32
	}{{nil, 0.1}, {false, 0.1}, {true, 0}} {
		s := nn.NewScope()
		args := map[string]any{"size": 1, "x": floats(4, 1), "test": c.test}
		if _, err := Call("chainer.links.BatchNormalization", nil, args, CallOptions{Scope: s}); err != nil {
			t.Fatal(err)
		}
		if got := nd.Value[float32](s.Get("avg_mean")); got < c.mean-1e-6 || got > c.mean+1e-6 {
			t.Errorf("test=%v: the running mean is %v, want %v", c.test, got, c.mean)
		}
	}
}
