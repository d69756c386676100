package grad_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestOnFinal: each gradient is reported once, with its final value, as soon as the last operation that adds to it was
// differentiated; and arrays without a gradient first.
func TestOnFinal(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	a, b, c, unused := tape.Watch(vector(2)), tape.Watch(vector(3)), tape.Watch(vector(5)), tape.Watch(vector(7))
	h := ops.Multiply(a, b) // the last to be differentiated
	y := ops.Add(ops.Multiply(h, c), ops.Multiply(b, b))
	names := map[*nd.Array]string{a: "a", b: "b", c: "c", h: "h", y: "y", unused: "unused"}
	var events []string
	values := map[string]float64{}
	tape.Hook = grad.Hook{
		OnBack: func(n *nd.Node, gy []*nd.Array) { events = append(events, string(n.Func)) },
		OnFinal: func(x, g *nd.Array) {
			events = append(events, names[x])
			if g != nil {
				values[names[x]] = nd.Value[float64](ops.Sum(g))
			}
		},
	}
	gs := tape.Gradient(y, a, b, c, h, y, unused, c)
	if want := []string{"y", "unused", "ops.Add", "ops.Multiply", "ops.Multiply", "h", "c", "c", "ops.Multiply", "a", "b"}; !slices.Equal(events, want) {
		t.Errorf("%q, want %q", events, want)
	}
	for i, name := range []string{"a", "b", "c", "h", "y"} {
		if got := nd.Value[float64](ops.Sum(gs[i])); got != values[name] {
			t.Errorf("the gradient of %s is %v, and was reported as %v", name, got, values[name])
		}
	}
	if values["a"] != 15 || values["b"] != 16 || values["c"] != 6 || values["h"] != 5 || values["y"] != 1 {
		t.Errorf("gradients %v", values)
	}

	events = nil
	tape.Hook = tape.Hook.Of("Tape.Watch")
	tape.Gradient(y, a, h)
	if !slices.Equal(events, []string{"a"}) {
		t.Errorf("a hook of watched arrays was called for %q", events)
	}
}
