package nn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// block is a model with statistics and dropout, a layer that is used twice, and a fixed layer.
func block(s *nn.Scope, x *nd.Array) *nd.Array {
	h := nn.Convolution(s.Sub("c"), x, 2, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}})
	h = nn.Convolution(s.Sub("c"), ops.Tanh(nn.BatchNormalization(s.Sub("c"), h)), 2, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}})
	h = nn.Convolution(s.Sub("f").Fixed(), nn.Dropout(s, h, 0.3), 2, []int{1, 1})
	return nn.MeanSubtraction(s, nn.BatchNormalization(s.Sub("c"), h))
}

type model = func(s *nn.Scope, x *nd.Array) *nd.Array

// checkpointed is block in a checkpoint.
func checkpointed(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Checkpoint(s, block, x) }

// trained returns all numbers of some training steps, of first or second order: values, gradients, parameters, and the
// next draws of the stream.
func trained(f model, second bool) (all [][]float64) {
	params, rng := nn.NewScope(), nd.NewRand(5)
	solver := optim.NewMomentum(optim.MomentumOptions{LR: 1e-4})
	for range 3 {
		tape := grad.NewTape()
		x := tape.Watch(images(2))
		s := params.Watch(tape, nn.WatchOptions{Rand: rng})
		y := nn.Affine(s.Sub("fc"), f(s.Sub("b"), x), 2)
		loss := ops.Sum(ops.Square(y))
		if second {
			loss = ops.Sum(ops.Square(tape.GradientRecorded(loss, x)[0]))
		}
		all = append(all, floats(y))
		if gx := tape.Gradient(loss, x)[0]; gx != nil {
			all = append(all, floats(gx))
		}
		g := optim.GradientsOf(s, loss)
		for _, value := range g.All() {
			if value != nil {
				all = append(all, floats(value))
			}
		}
		solver.Update(g)
		tape.Release()
	}
	for _, p := range params.All() {
		all = append(all, floats(p.Value()))
	}
	return append(all, []float64{float64(rng.Uint64())})
}

// models are pairs of the same model, with and without checkpoints.
var models = map[string][2]model{
	"block": {block, checkpointed},
	"nested": {
		func(s *nn.Scope, x *nd.Array) *nd.Array {
			return ops.Tanh(block(s.Sub("in"), ops.Multiply(x, 0.5)))
		},
		func(s *nn.Scope, x *nd.Array) *nd.Array {
			return nn.Checkpoint(s, func(s *nn.Scope, x *nd.Array) *nd.Array {
				return ops.Tanh(checkpointed(s.Sub("in"), ops.Multiply(x, 0.5)))
			}, x)
		}},
	"fixed": {
		func(s *nn.Scope, x *nd.Array) *nd.Array { return block(s.Fixed(), x) },
		func(s *nn.Scope, x *nd.Array) *nd.Array { return checkpointed(s.Fixed(), x) }},
	"layers that keep what they compute with": {quantized, inCheckpoint(quantized)},
	"no layer":          {func(s *nn.Scope, x *nd.Array) *nd.Array { return x }, inCheckpoint(func(s *nn.Scope, x *nd.Array) *nd.Array { return x })},
	"a parameter alone": {bias, inCheckpoint(bias)},
}

func inCheckpoint(f model) model {
	return func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Checkpoint(s, f, x) }
}

func quantized(s *nn.Scope, x *nd.Array) *nd.Array {
	return quant.BinaryConnectAffine(s, quant.PrunedConvolution(s, x, 3, []int{3, 3}), 4)
}

func bias(s *nn.Scope, x *nd.Array) *nd.Array {
	return s.Parameter("b", []int{2, 3}, initializer.Normal(1), true)
}

func TestCheckpointsComputeWhatPlainCallsDo(t *testing.T) {
	for name, pair := range models {
		if d := cmp.Diff(trained(pair[0], false), trained(pair[1], false)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Gradients of second order, and those of a layer that two checkpoints share, are summed in another order.
func TestCheckpointsInAnotherOrder(t *testing.T) {
	twice := func(f model) model {
		return func(s *nn.Scope, x *nd.Array) *nd.Array { return f(s, f(s, x)) }
	}
	near := cmpopts.EquateApprox(1e-3, 1e-4)
	if d := cmp.Diff(trained(twice(block), false), trained(twice(checkpointed), false), near); d != "" {
		t.Errorf("twice: %s", d)
	}
	for _, name := range []string{"block", "nested"} {
		if d := cmp.Diff(trained(models[name][0], true), trained(models[name][1], true), near); d != "" {
			t.Errorf("%s, second order: %s", name, d)
		}
	}
}

// In evaluation a checkpoint writes nothing, and gradients flow to x.
func TestCheckpointInEvaluation(t *testing.T) {
	params := nn.NewScope()
	block(params, images(2))
	before := fingerprint(params)
	gradient := func(f model) []float64 {
		tape := grad.NewTape()
		defer tape.Release()
		x := tape.Watch(images(2))
		y := f(params, x)
		first, again := tape.Gradient(ops.Sum(y), x)[0], tape.Gradient(ops.Sum(y), x)[0]
		if !cmp.Equal(floats(first), floats(again)) {
			t.Error("a second gradient differs")
		}
		return floats(first)
	}
	if !cmp.Equal(gradient(checkpointed), gradient(block)) || fingerprint(params) != before {
		t.Error("evaluation in a checkpoint differs from a plain one, or changes the parameters")
	}
}

func TestCheckpointForgets(t *testing.T) {
	params := nn.NewScope()
	tape := grad.NewTape()
	defer tape.Release()
	s := params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)})
	checkpointed(s, images(2))
	if n := len(params.Names()) - 3; tape.Len() > n {
		t.Errorf("the tape holds %d operations, want the parameters and the checkpoint alone", tape.Len())
	}
	for name, x := range map[string]*nd.Array{"a constant": images(2), "a watched array": tape.Watch(images(2))} {
		var inside *nd.Array
		nn.Checkpoint(s, func(s *nn.Scope, x *nd.Array) *nd.Array {
			inside = ops.Tanh(x)
			return nn.Affine(s.Sub("fc"), inside, 2)
		}, x)
		if !inside.IsReleased() {
			t.Errorf("of %s: what was computed on the way is kept", name)
		}
	}
	refused(t, "neither x nor a parameter of the scope", func() {
		w := tape.Watch(nd.Ones([]int{5}))
		nn.Checkpoint(s, func(s *nn.Scope, x *nd.Array) *nd.Array { return ops.Multiply(x, w) }, images(2))
	})
	refused(t, "no stream of random numbers", func() { checkpointed(params.Watch(tape), images(2)) })
}
