package bench

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// training returns whole training steps: forward, backward, and the update of the parameters.
func training() []Case {
	const linear = 2 * 100 * (784*1000 + 1000*1000 + 1000*10)
	return []Case{
		{Name: "e2e/mlp_784_1000_1000_10_sgd/B100/f32", Flops: 3*linear - 2*100*784*1000, Setup: func() func() *nd.Array {
			x, labels := f32(100, 784), integers(10, 100)
			return step(optim.NewSGD(optim.SGDOptions{LR: 0.01}), func(p *nn.Scope) *nd.Array {
				return classified(layers(p, x, 1000, 1000, 10), labels)
			})
		}},
		{Name: "e2e/mnist_convnet_adam/B64/f32", Setup: func() func() *nd.Array {
			x, labels := f32(64, 1, 28, 28), integers(10, 64)
			return step(optim.NewAdam(), func(p *nn.Scope) *nd.Array {
				h := ops.ReLU(convolution(p.Sub("c1"), x, 32, 3, 0))
				h = ops.ReLU(convolution(p.Sub("c2"), h, 64, 3, 0))
				return classified(layers(p, conv.MaxPooling(h, []int{2, 2}), 128, 10), labels)
			})
		}},
		{Name: "e2e/lenet5_adam/B64/f32", Setup: func() func() *nd.Array { return classic(64) }},
		{Name: "e2e/lenet5_adam/B128/f32", Setup: func() func() *nd.Array { return classic(128) }},
		{Name: "e2e/resnet_basicblock64_sgdm/16x64x56x56/f32", Flops: 6 * 2 * 16 * 64 * 64 * 9 * 56 * 56, Setup: residualBlock},
		{Name: "e2e/transformer_layer256_adam/B8_T128/f32", Setup: transformerLayer},
		{Name: "e2e/charlstm128_adam/T50_B32/f32", Setup: characters},
		{Name: "e2e/tiny_mlp_10_32_1_sgd/B16/f32", Setup: func() func() *nd.Array {
			x, t := f32(16, 10), f32(16, 1)
			return step(optim.NewSGD(optim.SGDOptions{LR: 0.01}), func(p *nn.Scope) *nd.Array {
				return ops.Mean(loss.SquaredError(layers(p, x, 32, 1), t))
			})
		}},
	}
}

// step returns a call that computes a loss and updates the parameters against its gradient. The scope has random
// numbers for dropout.
func step(solver *optim.Optimizer, loss func(p *nn.Scope) *nd.Array) func() *nd.Array {
	params, tape, rng := newScope(nd.NewRand(1)), grad.NewTape(), nd.NewRand(2)
	return func() *nd.Array {
		p := params.Watch(tape, nn.WatchOptions{Rand: rng})
		solver.Update(optim.GradientsOf(p, loss(p)))
		tape.Reset()
		return nil
	}
}

// classic is a step of LeNet-5, with ReLU and max pooling.
func classic(batch int) func() *nd.Array {
	x, labels := f32(batch, 1, 28, 28), integers(10, batch)
	return step(optim.NewAdam(), func(p *nn.Scope) *nd.Array {
		h := conv.MaxPooling(ops.ReLU(convolution(p.Sub("c1"), x, 6, 5, 2)), []int{2, 2})
		h = conv.MaxPooling(ops.ReLU(convolution(p.Sub("c2"), h, 16, 5, 0)), []int{2, 2})
		return classified(layers(p, h, 120, 84, 10), labels)
	})
}

func classified(y, labels *nd.Array) *nd.Array { return ops.Mean(loss.SoftmaxCrossEntropy(y, labels)) }

// layers applies affine layers with ReLU between them.
func layers(p *nn.Scope, x *nd.Array, outputs ...int) *nd.Array {
	for i, n := range outputs {
		if i > 0 {
			x = ops.ReLU(x)
		}
		x = nn.Affine(p.Sub(string(rune('0'+i))), x, n)
	}
	return x
}

// weight creates a parameter whose uniform initial values have the usual bound of 1/√inputs.
func weight(p *nn.Scope, name string, inputs int, shape ...int) *nd.Array {
	bound := 1 / math.Sqrt(float64(inputs))
	return p.Parameter(name, shape, initializer.Uniform(-bound, bound), true)
}

func convolution(p *nn.Scope, x *nd.Array, maps, side, pad int) *nd.Array {
	inputs := x.Dim(1) * side * side
	return conv.Convolution(x, weight(p, "W", inputs, maps, x.Dim(1), side, side), weight(p, "b", inputs, maps),
		conv.ConvolutionOptions{Pad: []int{pad, pad}})
}

func residualBlock() func() *nd.Array {
	x, t := f32(16, 64, 56, 56), f32(16, 64, 56, 56)
	params, tape, solver := newScope(nil), grad.NewTape(), optim.NewMomentum(optim.MomentumOptions{LR: 0.01})
	normalised := func(p *nn.Scope, x *nd.Array) *nd.Array {
		w := weight(p, "W", 64*9, 64, 64, 3, 3)
		mean := p.Parameter("mean", []int{1, 64, 1, 1}, initializer.Constant(0), false)
		variance := p.Parameter("var", []int{1, 64, 1, 1}, initializer.Constant(1), false)
		beta := p.Parameter("beta", []int{1, 64, 1, 1}, initializer.Constant(0), true)
		gamma := p.Parameter("gamma", []int{1, 64, 1, 1}, initializer.Constant(1), true)
		return normalize.BatchNormalization(conv.Convolution(x, w, nil, conv.ConvolutionOptions{Pad: []int{1, 1}}), beta, gamma, mean, variance)
	}
	trained := []string{"1/W", "1/beta", "1/gamma", "2/W", "2/beta", "2/gamma"}
	return func() *nd.Array {
		p, w := params.Watch(tape), tape.Watch(x) // as in torch, x has a gradient too
		h := ops.ReLU(normalised(p.Sub("1"), w))
		y := ops.ReLU(ops.Add(w, normalised(p.Sub("2"), h)))
		l := ops.Mean(loss.SquaredError(y, t))
		at := []*nd.Array{w}
		for _, name := range trained {
			at = append(at, p.Get(name))
		}
		gradients := map[string]*nd.Array{}
		for i, g := range tape.Gradient(l, at...)[1:] {
			gradients[trained[i]] = g
		}
		solver.Update(optim.NewGradients(params, gradients))
		tape.Reset()
		return nil
	}
}

func transformerLayer() func() *nd.Array {
	const batch, steps, width, heads = 8, 128, 256, 4
	x, t := f32(batch, steps, width), f32(batch, steps, width)
	affine := func(p *nn.Scope, x *nd.Array, outputs int) *nd.Array {
		return nn.Affine(p, x, outputs, nn.AffineOptions{BaseAxis: new(2)})
	}
	norm := func(p *nn.Scope, x *nd.Array) *nd.Array {
		beta := p.Parameter("beta", []int{1, 1, width}, initializer.Constant(0), true)
		gamma := p.Parameter("gamma", []int{1, 1, width}, initializer.Constant(1), true)
		return normalize.LayerNormalization(x, beta, gamma, ops.Over(0, 1))
	}
	return step(optim.NewAdam(), func(p *nn.Scope) *nd.Array {
		qkv := affine(p.Sub("in"), x, 3*width).Reshape(batch, steps, 3, heads, width/heads).Transpose(2, 0, 3, 1, 4)
		q, k, v := qkv.Index(nd.At(0)), qkv.Index(nd.At(1)), qkv.Index(nd.At(2))
		h := ops.Attention(q, k, v).SwapAxes(1, 2).Reshape(batch, steps, width)
		y := norm(p.Sub("n1"), ops.Add(x, affine(p.Sub("out"), h, width)))
		f := affine(p.Sub("f2"), ops.ReLU(affine(p.Sub("f1"), y, 4*width)), width)
		return ops.Mean(loss.SquaredError(norm(p.Sub("n2"), ops.Add(y, f)), t))
	})
}

func characters() func() *nd.Array {
	const steps, batch, letters, width, hidden = 50, 32, 100, 64, 128
	x, labels := integers(letters, steps, batch), integers(letters, steps*batch)
	zeros := nd.Zeros([]int{1, 1, batch, hidden}, arrayOptions(x.DType())).AsType(f32().DType())
	return step(optim.NewAdam(), func(p *nn.Scope) *nd.Array {
		table := p.Parameter("E", []int{letters, width}, initializer.Normal(1), true)
		e := ops.Take(table, x, ops.Over(0))
		w, b := weight(p, "W", hidden, 1, 4, hidden, width+hidden), weight(p, "b", hidden, 1, 1, 4, hidden)
		h, _, _ := sequence.LSTM(e, zeros, zeros, w, sequence.LayerOptions{Bias: b})
		return classified(nn.Affine(p.Sub("out"), h.Reshape(steps*batch, hidden), letters), labels)
	})
}
