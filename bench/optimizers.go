package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// optimizers returns updates of 10⁷ parameters, in one array and in a hundred, and steps of the programs in examples.
func optimizers() []Case {
	var all []Case
	for _, arrays := range []int{1, 100} {
		for _, o := range []struct {
			name    string
			make    func() *optim.Optimizer
			clip    bool
			streams float64 // number of arrays that an update reads and writes
		}{
			{name: "sgd", make: func() *optim.Optimizer { return optim.NewSGD() }, streams: 3},
			{name: "momentum", make: func() *optim.Optimizer { return optim.NewMomentum() }, streams: 5},
			{name: "adam", make: func() *optim.Optimizer { return optim.NewAdam() }, streams: 7},
			{name: "adamw", make: func() *optim.Optimizer { return optim.NewAdamW() }, streams: 7},
			{name: "lamb", make: func() *optim.Optimizer { return optim.NewLamb() }, streams: 10},
			{name: "adam_clipped", make: func() *optim.Optimizer { return optim.NewAdam() }, clip: true, streams: 8},
		} {
			all = append(all, Case{Name: fmt.Sprintf("update/%s/%dx%d/f32", o.name, arrays, updated/arrays), Bytes: 4 * o.streams * updated,
				Setup: func() func() *nd.Array { return update(o.make(), arrays, o.clip) }})
		}
	}
	return append(all, programs()...)
}

// updated is the number of parameters that an update changes.
const updated = 10_000_000

// update returns a call that updates parameters with given gradients.
func update(solver *optim.Optimizer, arrays int, clip bool) func() *nd.Array {
	params, gradients := newScope(nil), map[string]*nd.Array{}
	for k := range arrays {
		name := fmt.Sprint("w", k)
		params.Set(name, f32(updated/arrays))
		gradients[name] = f32(updated / arrays)
	}
	return func() *nd.Array {
		g := optim.NewGradients(params, gradients)
		if clip {
			g.ClipByGlobalNorm(1)
		}
		solver.Update(g)
		return nil
	}
}

// programs returns training steps of the programs in examples: the same networks, batches and optimizers.
func programs() []Case {
	images := func(side int) func() func() *nd.Array {
		return func() func() *nd.Array {
			x, labels := f32(64, 1, side, side), integers(10, 64)
			return step(optim.NewAdam(), func(p *nn.Scope) *nd.Array { return classified(lenet(p, x), labels) })
		}
	}
	return []Case{
		{Name: "e2e/examples_lenet8/B64/f32", Setup: images(8)},
		{Name: "e2e/examples_lenet28/B64/f32", Setup: images(28)},
		{Name: "e2e/examples_vae/B64/f32", Setup: func() func() *nd.Array {
			x := floats(f32().DType(), 0, 1, 64, 64)
			return step(optim.NewAdam(), func(p *nn.Scope) *nd.Array { return autoencoder(p, x) })
		}},
		{Name: "e2e/examples_charlm_lstm/T48_B32/f32", Setup: func() func() *nd.Array {
			x, labels := integers(letters, 48, 32), integers(letters, 48, 32)
			return step(optim.NewAdam(), func(p *nn.Scope) *nd.Array {
				h := nn.LSTM(p, nn.Embed(p, x, letters, units), nil, units, nn.RecurrentOptions{Layers: 2, Dropout: 0.1})
				return characterLoss(p, nn.Dropout(p, h, 0.1), labels)
			})
		}},
		{Name: "e2e/examples_charlm_transformer/T48_B32/f32", Setup: func() func() *nd.Array {
			x, labels, positions := integers(letters, 48, 32), integers(letters, 48, 32), nd.ArangeInt(0, 48, 1, arrayOptions(dtype.Int64))
			return step(optim.NewAdam(), func(p *nn.Scope) *nd.Array {
				h := ops.Add(nn.Embed(p, x, letters, units), nn.Embed(p.Sub("position"), positions, 48, units).ExpandDims(1))
				for l := range 2 {
					h = block(p.Sub(fmt.Sprint(l)), nn.Dropout(p, h, 0.1))
				}
				return characterLoss(p, normalized(p, h), labels)
			})
		}},
	}
}

const letters, units = 93, 128

func lenet(p *nn.Scope, x *nd.Array) *nd.Array {
	h := nn.Convolution(p.Sub("1"), x, 16, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}, WithBias: new(false)})
	h = conv.MaxPooling(ops.ReLU(nn.BatchNormalization(p.Sub("1"), h)), []int{2, 2})
	h = ops.ReLU(nn.Convolution(p.Sub("2"), h, 32, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}}))
	h = ops.ReLU(nn.Affine(p.Sub("3"), conv.MaxPooling(h, []int{2, 2}), 128))
	return nn.Affine(p.Sub("4"), nn.Dropout(p, h, 0.25), 10)
}

func autoencoder(p *nn.Scope, x *nd.Array) *nd.Array {
	h := ops.ReLU(nn.Affine(p.Sub("1"), x, 256))
	mean, lnVar := nn.Affine(p.Sub("mean"), h, 8), nn.Affine(p.Sub("lnvar"), h, 8)
	noise := random.Normal(p.Rand(), 0, 1, mean.Shape(), arrayOptions(mean.DType()))
	defer noise.Release()
	z := ops.Add(mean, ops.Multiply(noise, ops.Exp(ops.Multiply(lnVar, float32(0.5)))))
	y := nn.Affine(p.Sub("4"), ops.ReLU(nn.Affine(p.Sub("3"), z, 256)), 64)
	l := ops.Add(ops.Sum(loss.SigmoidCrossEntropy(y, x)), ops.Sum(loss.GaussianKLDivergence(mean, lnVar)))
	return ops.Divide(l, float32(64))
}

var eachOne = nn.AffineOptions{BaseAxis: new(2)}

func characterLoss(p *nn.Scope, h, labels *nd.Array) *nd.Array {
	return ops.Mean(loss.SoftmaxCrossEntropy(nn.Affine(p.Sub("out"), h, letters, eachOne), labels, ops.Over(2)))
}

func block(p *nn.Scope, h *nd.Array) *nd.Array {
	x := normalized(p.Sub("look"), h)
	h = ops.Add(h, nn.MultiHeadAttention(p, x, x, x, nn.MultiHeadAttentionOptions{NumHeads: 4, Causal: true}))
	x = ops.GELU(nn.Affine(p.Sub("1"), normalized(p.Sub("think"), h), 4*units, eachOne))
	return ops.Add(h, nn.Dropout(p, nn.Affine(p.Sub("2"), x, units, eachOne), 0.1))
}

func normalized(p *nn.Scope, h *nd.Array) *nd.Array {
	return nn.LayerNormalization(p, h, ops.Over(0, 1))
}
