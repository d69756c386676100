package grad_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestCheckpointOfSeveralResults: some results get no gradient, some do not depend on the arguments, and some are
// arguments.
func TestCheckpointOfSeveralResults(t *testing.T) {
	f := func(in []*nd.Array) []*nd.Array {
		return []*nd.Array{ops.Multiply(in[0], in[1]), ops.ArgMax(in[0]), ops.Exp(in[0]), nd.Ones([]int{3}), in[1], ops.Square(in[1])}
	}
	gradients := func(used []int, checkpoint, second bool) []float64 {
		tape := grad.NewTape()
		defer tape.Release()
		x, y := tape.Watch(vector(1, 2, 3)), tape.Watch(vector(-0.5, 0.25, 1.5))
		out := f([]*nd.Array{x, y})
		if checkpoint {
			out = grad.Checkpoint(f, x, y)
		}
		sum := ops.Sum(ops.Add(ops.Square(x), ops.Square(y)))
		for _, i := range used {
			sum = ops.Add(sum, ops.Sum(ops.Square(out[i])))
		}
		if second {
			first := tape.GradientRecorded(sum, x, y)
			sum = ops.Add(ops.Sum(ops.Square(first[0])), ops.Sum(ops.Square(first[1])))
		}
		gs := tape.Gradient(sum, x, y)
		return append(nd.ToSlice[float64](gs[0]), nd.ToSlice[float64](gs[1])...)
	}
	for _, used := range [][]int{{0}, {2}, {0, 2}, {0, 3}, {3, 5}, {4}, {0, 4, 5}, {4, 4}} {
		for _, second := range []bool{false, true} {
			want := gradients(used, false, second)
			for i, g := range gradients(used, true, second) {
				if !(g-want[i] <= 1e-12*(1+want[i]*want[i]) && want[i]-g <= 1e-12*(1+want[i]*want[i])) {
					t.Errorf("results %v, second order %v: gradient %d is %v, want %v", used, second, i, g, want[i])
				}
			}
		}
	}
}
