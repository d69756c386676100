package grad_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestRepeatedInputs checks that recorded gradients count an array once that is several inputs of one operation with a
// definition.
func TestRepeatedInputs(t *testing.T) {
	x := ops.Sin(nd.Arange(0, 12, 1)).Reshape(1, 3, 4)
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"Attention": func(x *nd.Array) *nd.Array { return ops.Attention(x, x, x) },
		"CDist":     func(x *nd.Array) *nd.Array { return ops.CDist(x, x) },
	} {
		tape := grad.NewTape()
		w := tape.Watch(x)
		y := ops.Sum(ops.Square(f(w)))
		plain, recorded := tape.Gradient(y, w)[0], tape.GradientRecorded(y, w)[0]
		if d := nd.Value[float64](ops.Max(ops.Absolute(ops.Subtract(plain, recorded)))); !(d < 1e-12) || math.IsNaN(d) {
			t.Errorf("%s: the recorded gradient is %v, want %v", name, recorded, plain)
		}
		tape.Release()
	}
}
