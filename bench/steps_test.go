package bench

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// BenchmarkSteps compares training steps with the same steps in a scope, which joins functions, in turns. The time is that of both; gain
// is the median of the ratios, and the other numbers are those of one step without and with a scope: launches, megabytes that its
// launches read and write, and the largest number of megabytes that its arrays take at a time, with parameters and the optimizer's states.
func BenchmarkSteps(b *testing.B) {
	run := func(name string, solver func() *optim.Optimizer, batch func() (x, t *nd.Array), loss func(p *nn.Scope, x, t *nd.Array) *nd.Array) {
		b.Run(name, func(b *testing.B) {
			x, t := batch()
			plain := step(solver(), func(p *nn.Scope) *nd.Array { return loss(p, x, t) })
			inner := step(solver(), func(p *nn.Scope) *nd.Array { return loss(p, x, t) })
			scoped := func() { nd.TidyAll(func() { inner() }, &x, &t) }
			for range 3 {
				plain()
				scoped()
			}
			before, after := nd.Explain(func() { plain() }), nd.Explain(scoped)
			var gains []float64
			for b.Loop() {
				begin := time.Now()
				plain()
				middle := time.Now()
				scoped()
				gains = append(gains, float64(middle.Sub(begin))/float64(time.Since(middle)))
			}
			slices.Sort(gains)
			b.ReportMetric(gains[len(gains)/2], "gain")
			b.ReportMetric(float64(len(before)), "launches")
			b.ReportMetric(float64(len(after)), "launches-in-scope")
			b.ReportMetric(megabytes(before), "MB")
			b.ReportMetric(megabytes(after), "MB-in-scope")
			b.ReportMetric(peak(solver(), batch, loss, false), "peak-MB")
			b.ReportMetric(peak(solver(), batch, loss, true), "peak-MB-in-scope")
		})
	}
	sgd := func() *optim.Optimizer { return optim.NewSGD(optim.SGDOptions{LR: 0.01}) }
	adam := func() *optim.Optimizer { return optim.NewAdam() }
	sentences := func() (x, t *nd.Array) { return integers(letters, 48, 32), integers(letters, 48, 32) }
	pairs := func() (x, t *nd.Array) { return f32(4096, 256), f32(4096, 256) }
	run("mlp", sgd, func() (x, t *nd.Array) { return f32(100, 784), integers(10, 100) }, func(p *nn.Scope, x, t *nd.Array) *nd.Array {
		return classified(layers(p, x, 1000, 1000, 10), t)
	})
	run("lenet", adam, func() (x, t *nd.Array) { return f32(64, 1, 28, 28), integers(10, 64) }, func(p *nn.Scope, x, t *nd.Array) *nd.Array {
		return classified(lenet(p, x), t)
	})
	run("vae", adam, func() (x, t *nd.Array) { return floats(f32().DType(), 0, 1, 64, 64), nil }, func(p *nn.Scope, x, _ *nd.Array) *nd.Array {
		return autoencoder(p, x)
	})
	run("charlstm", adam, sentences, func(p *nn.Scope, x, t *nd.Array) *nd.Array {
		return characterLoss(p, nn.LSTM(p, nn.Embed(p, x, letters, units), nil, units, nn.RecurrentOptions{Layers: 2, Dropout: 0.1}), t)
	})
	run("transformer", adam, sentences, func(p *nn.Scope, x, t *nd.Array) *nd.Array {
		return characterLoss(p, block(p, nn.Embed(p, x, letters, units)), t)
	})
	run("gelu", sgd, pairs, func(p *nn.Scope, x, t *nd.Array) *nd.Array {
		return misfit(nn.Affine(p.Sub("2"), ops.GELU(nn.Affine(p.Sub("1"), x, 1024)), 256), t)
	})
	run("gelu_by_hand", sgd, pairs, func(p *nn.Scope, x, t *nd.Array) *nd.Array {
		return misfit(nn.Affine(p.Sub("2"), geluByHand(nn.Affine(p.Sub("1"), x, 1024)), 256), t)
	})
	run("waves", sgd, func() (x, t *nd.Array) { return f32(1e6), f32(1e6) }, func(p *nn.Scope, x, t *nd.Array) *nd.Array {
		return misfit(ops.Add(wave(p.Sub("1"), x), wave(p.Sub("2"), x)), t)
	})
}

// peak returns the largest number of megabytes that the arrays of a step take.
func peak(solver *optim.Optimizer, batch func() (x, t *nd.Array), loss func(p *nn.Scope, x, t *nd.Array) *nd.Array, scope bool) float64 {
	dev, err := device.Get("cpu")
	if err != nil {
		panic(err)
	}
	m := &meter{Device: dev}
	On(m)
	defer On(nil)
	x, t := batch()
	train := step(solver, func(p *nn.Scope) *nd.Array { return loss(p, x, t) })
	for range 3 {
		m.most.Store(m.live.Load())
		if scope {
			nd.TidyAll(func() { train() }, &x, &t)
		} else {
			train()
		}
	}
	return float64(m.most.Load()) / 1e6
}

// meter is the CPU as a device of its own, which counts the bytes of all blocks.
type meter struct {
	device.Device
	live, most atomic.Int64
}

func (m *meter) Name() string                      { return "meter" }
func (m *meter) Bytes(device.Memory) []byte        { return nil }
func (m *meter) Wrap([]byte) (device.Memory, bool) { return device.Memory{}, false }
func (m *meter) Flat(*device.Program) device.Flat  { return nil }

func (m *meter) Alloc(bytes int) device.Memory {
	m.most.Store(max(m.most.Load(), m.live.Add(int64(bytes))))
	return m.Device.Alloc(bytes)
}

func (m *meter) Free(block device.Memory) {
	m.live.Add(-int64(block.Size))
	m.Device.Free(block)
}

func megabytes(e nd.Explanation) float64 {
	total := e.Total()
	return float64(total.Read+total.Written) / 1e6
}

func misfit(y, t *nd.Array) *nd.Array { return ops.Mean(ops.Square(ops.Subtract(y, t))) }

// geluByHand is GELU as a program writes it that has no function for it.
func geluByHand(x *nd.Array) *nd.Array {
	u := ops.Add(ops.Multiply(ops.Multiply(ops.Square(x), x), 0.044715), x)
	u = ops.Tanh(ops.Multiply(u, 0.7978845608028654))
	return ops.Multiply(ops.Multiply(ops.Add(u, 1.0), x), 0.5)
}

// wave is a damped wave with three parameters, at 1e6 points.
func wave(p *nn.Scope, x *nd.Array) *nd.Array {
	number := func(name string, first float64) *nd.Array {
		return p.Parameter(name, []int{1}, initializer.Constant(first), true)
	}
	damped := ops.Exp(ops.Negative(ops.Multiply(ops.Square(x), number("damping", 0.3))))
	return ops.Multiply(ops.Multiply(damped, number("amplitude", 1)), ops.Sin(ops.Multiply(x, number("frequency", 2))))
}
