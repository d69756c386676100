//go:build !race && !storm

// The race detector makes sync.Pool drop items, and the GC cycles that the tag storm adds empty it: then scratch memory is allocated anew.

package optim_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// TestSteadyTrainingAllocatesNoArrayData trains a network whose activations and gradients have some 2 MB. It measures
// the allocation of a step after the first steps have filled the pool.
func TestSteadyTrainingAllocatesNoArrayData(t *testing.T) {
	const wide, batch = 320, 100
	x := nn.NewScope().Parameter("x", []int{batch, wide}, initializer.Uniform(-1, 1), false)
	params, tape, solver := nn.NewScope(), grad.NewTape(), optim.NewAdam()
	step := func() {
		p := params.Watch(tape)
		h := ops.ReLU(nn.Affine(p.Sub("1"), x, wide))
		h = ops.Tanh(nn.Affine(p.Sub("2"), h, wide))
		solver.Update(optim.GradientsOf(p, ops.Mean(loss.SquaredError(nn.Affine(p.Sub("3"), h, wide), x))))
		tape.Reset()
	}
	for range 10 {
		step()
	}
	if perStep := leastAllocation(10, step); perStep > 2*batch*wide {
		t.Errorf("a step allocates %d bytes: half of one activation, and more", perStep)
	}
}

// leastAllocation returns the bytes that a call of f allocates, the least of three rounds: GC cycles allocate too, and they
// empty pools.
func leastAllocation(calls int, f func()) int {
	least := math.MaxInt
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range calls {
			f()
		}
		runtime.ReadMemStats(&after)
		least = min(least, int(after.TotalAlloc-before.TotalAlloc)/calls)
	}
	return least
}

// TestSteadyUpdateAllocatesWords measures the allocation of an update of parameters of 720 kB.
func TestSteadyUpdateAllocatesWords(t *testing.T) {
	for k := range references {
		opt, rng := references[k].opt(), nd.NewRand(1)
		s := nn.NewScope()
		s.Parameter("a", []int{300, 300}, initializer.Constant(1), true)
		s.Parameter("b", []int{300, 300}, initializer.Constant(1), true)
		values := map[string]*nd.Array{"a": nd.Full([]int{300, 300}, 0.5).AsType(dtype.Float32), "b": nd.Full([]int{300, 300}, 0.5).AsType(dtype.Float32)}
		update := func() {
			g := optim.NewGradients(s, values)
			g.Scale(0.5)
			g.WeightDecay(0.1)
			g.ClipByGlobalNorm(1)
			g.Lasso(0.01)
			g.Noise(rng, optim.AnnealedNoise(0.01, opt.Updates()))
			g.ClipByRange(-1, 2)
			opt.Update(g)
		}
		for range 3 {
			update()
		}
		if least := leastAllocation(5, update); least > 16<<10 {
			t.Errorf("%s: an update allocates %d bytes", opt.Name(), least)
		}
	}
}
