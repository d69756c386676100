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

// TestCheckpointFreesMemory: the tape holds the results of blocks, and neither their intermediate results nor, after the
// backward pass, those that it computed again.
func TestCheckpointFreesMemory(t *testing.T) {
	const elements, blocks = 1000, 10
	const block = 8 * elements
	f := func(in []*nd.Array) []*nd.Array {
		y := in[0]
		for range 5 {
			y = ops.Tanh(y)
		}
		return []*nd.Array{y}
	}
	live := func() int64 { return nd.MemoryByMaker().Total().Bytes }
	for _, checkpoint := range []bool{false, true} {
		for _, recorded := range []bool{false, true} {
			nd.CountMemory(true)
			tape := grad.NewTape()
			x := nd.Ones([]int{elements})
			y := x
			if recorded {
				y = tape.Watch(x)
			} else {
				y = tape.Arena().Adopt(x)
			}
			first := y
			for range blocks {
				if checkpoint {
					y = grad.Checkpoint(f, y)[0]
				} else {
					y = f([]*nd.Array{y})[0]
				}
			}
			want := int64(1+5*blocks) * block
			if checkpoint {
				want = (1 + blocks) * block
			}
			if got := live(); got != want {
				t.Errorf("checkpoint %v, recorded %v: %d bytes are alive, want %d", checkpoint, recorded, got, want)
			}
			if recorded {
				tape.Gradient(y, first)
				if got := live(); got != want+block {
					t.Errorf("checkpoint %v: after the backward pass %d bytes are alive, want %d", checkpoint, got, want+block)
				}
			}
			tape.Release()
			nd.CountMemory(false)
		}
	}
}

// TestCheckpointMakesHeaders: a result that is an array from elsewhere is not itself recorded.
func TestCheckpointMakesHeaders(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x, constant := tape.Watch(vector(1, 2)), vector(3)
	out := grad.Checkpoint(func(in []*nd.Array) []*nd.Array { return []*nd.Array{constant, in[0]} }, x)
	if n, _ := constant.Node(); n != nil {
		t.Error("a constant that the function returned became recorded")
	}
	if out[1] == x || !out[1].SharesMemory(x) {
		t.Error("the argument was returned as itself, or copied")
	}
	near(t, "gradient of the argument", tape.Gradient(ops.Sum(out[1]), x)[0], 1, 1)
}
