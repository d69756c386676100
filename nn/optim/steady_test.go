//go:build !race

// The race detector makes sync.Pool drop items.

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
	const steps = 30
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range steps {
		step()
	}
	runtime.ReadMemStats(&after)
	if perStep := int(after.TotalAlloc-before.TotalAlloc) / steps; perStep > 2*batch*wide {
		t.Errorf("a step allocates %d bytes: half of one activation, and more", perStep)
	}
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
		least := math.MaxInt // over some rounds: GC cycles allocate too
		for range 3 {
			const updates = 5
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range updates {
				update()
			}
			runtime.ReadMemStats(&after)
			least = min(least, int(after.TotalAlloc-before.TotalAlloc)/updates)
		}
		if least > 16<<10 {
			t.Errorf("%s: an update allocates %d bytes", opt.Name(), least)
		}
	}
}
