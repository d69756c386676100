package chainerfiles_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// net is the saved network.
type net struct{}

func (net) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := link.Convolution2D{OutChannels: 3, KSize: []int{3}, Pad: []int{1}, NoBias: true}.Apply(s.Sub("block/conv"), x)
	h = ops.ReLU(link.BatchNormalization{Size: []int{3}}.Apply(s.Sub("block/bn"), h))
	h = link.PReLU{}.Apply(s.Sub("act"), link.Linear{OutSize: 5}.Apply(s.Sub("tail/0"), h))
	return link.Linear{OutSize: 2, NoBias: true}.Apply(s.Sub("tail/1"), h)
}

// saved is the record of the network.
type saved struct {
	Entries map[string]values
	Input   values
	Output  values `json:"output_test_mode"`
}

// TestSavedModel loads the saved network and evaluates it.
func TestSavedModel(t *testing.T) {
	want := object[saved](t, recorded(t, "saved", "net.json"))
	for _, name := range []string{"net.npz", "net_uncompressed.npz", "net.h5", "net_gzip9.h5"} {
		var c count
		params := nn.NewScope()
		load(t, recorded(t, "saved", name), params)
		c.same(t, "output", net{}.Apply(params, want.Input.array(t)), want.Output.array(t))
		for entry, v := range want.Entries {
			c.same(t, entry, params.Get(entry), v.array(t))
		}
		c.report(t)
	}
}

// TestSavedOptimizers loads the saved optimizers with their models and makes one more update.
func TestSavedOptimizers(t *testing.T) {
	x := object[saved](t, recorded(t, "saved", "net.json")).Input.array(t)
	for name, newOptimizer := range map[string]func(options map[string]float64) *optim.Optimizer{
		"adam": func(o map[string]float64) *optim.Optimizer { return optim.NewAdam(optim.AdamOptions{LR: o["alpha"]}) },
		"momentum": func(o map[string]float64) *optim.Optimizer {
			return optim.NewMomentum(optim.MomentumOptions{LR: o["lr"]})
		},
		"smorms3": func(o map[string]float64) *optim.Optimizer {
			return optim.NewSMORMS3(optim.SMORMS3Options{LR: o["lr"]})
		},
	} {
		for _, extension := range []string{".npz", ".h5"} {
			t.Run(name+extension, func(t *testing.T) {
				want := object[struct {
					Options map[string]float64
					After   map[string]values `json:"model_entries_after_one_more_update"`
					States  map[string]values `json:"state_entries"`
				}](t, recorded(t, "saved", name+"_state.json"))
				var c count
				params, opt, tape := nn.NewScope(), newOptimizer(want.Options), grad.NewTape()
				load(t, recorded(t, "saved", name+"_model.npz"), params)
				load(t, recorded(t, "saved", name+"_state"+extension), opt.ChainerOf(params))
				m := params.Watch(tape)
				opt.Update(optim.GradientsOf(m, ops.Sum(ops.Square(ops.Tanh(net{}.Apply(m, x))))))
				for entry, v := range want.After {
					c.same(t, entry, params.Get(entry), v.array(t))
				}
				c.report(t)
			})
		}
	}
}
