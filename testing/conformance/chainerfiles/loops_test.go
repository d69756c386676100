package chainerfiles_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// languageModel is the tutorial's language model.
type languageModel struct{ words, embedded, units int }

func (l languageModel) step(s *nn.Scope, x *nd.Array, st *nn.State) *nd.Array {
	h := link.EmbedID{InSize: l.words, OutSize: l.embedded}.Apply(s.Sub("embed"), x)
	h = link.LSTM{OutSize: l.units}.Apply(s.Sub("mid"), h, st)
	return link.Linear{OutSize: l.words}.Apply(s.Sub("out"), h)
}

// TestLanguageModel trains the recorded language model by truncated backpropagation. Losses, norms, the state and the
// parameters must be Chainer's.
func TestLanguageModel(t *testing.T) {
	run := object[struct {
		Words, Offsets []int
		Vocabulary     int
		Losses         []float64
		BatchSize      int       `json:"batch_size"`
		Length         int       `json:"bptt_length"`
		Norms          []float64 `json:"gradient_norms_before_clipping"`
		Clipping       float64   `json:"gradient_clipping"`
		Optimizer      struct{ LR float64 }
		State          map[string]values `json:"final_state"`
		Parameters     map[string]values `json:"final_parameters"`
	}](t, recorded(t, "rnnlm", "run.json"))
	var c count
	params := nn.NewScope()
	load(t, recorded(t, "rnnlm", "initial.npz"), params)
	model, opt, tape, st := languageModel{run.Vocabulary, 5, 6}, optim.NewSGD(optim.SGDOptions{LR: run.Optimizer.LR}), grad.NewTape(), &nn.State{}
	word := func(at int) *nd.Array {
		words := make([]int, run.BatchSize)
		for b, offset := range run.Offsets {
			words[b] = run.Words[(offset+at)%len(run.Words)]
		}
		return nd.FromSlice(words)
	}
	at := 0
	for update, want := range run.Losses {
		m := params.Watch(tape)
		var total *nd.Array
		for range run.Length {
			one := ops.Mean(loss.SoftmaxCrossEntropy(model.step(m.Sub("predictor"), word(at), st), word(at+1)))
			at++
			if total == nil {
				total = one
			} else {
				total = ops.Add(total, one)
			}
		}
		g := optim.GradientsOf(m, total)
		if v := total.Float(); !near(v, want) {
			t.Errorf("update %d: the loss is %v, want %v", update, v, want)
		}
		if v := g.Norm(); !near(v, run.Norms[update]) {
			t.Errorf("update %d: the norm is %v, want %v", update, v, run.Norms[update])
		}
		c += 2
		g.ClipByGlobalNorm(run.Clipping)
		opt.Update(g)
		st.Carry(tape)
		tape.Reset()
	}
	c.same(t, "c", st.C, run.State["c"].array(t))
	c.same(t, "h", st.H, run.State["h"].array(t))
	for name, want := range run.Parameters {
		c.same(t, name, params.Get(name), want.array(t))
	}
	c.parameters(t, params, npz(t, recorded(t, "rnnlm", "final.npz")))
	c.report(t)
}

// convnet is the recorded convolutional network.
type convnet struct{}

func (convnet) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := link.Convolution2D{OutChannels: 4, KSize: []int{3}, NoBias: true}.Apply(s.Sub("conv1"), x)
	h = ops.ReLU(link.BatchNormalization{Size: []int{4}}.Apply(s.Sub("bn1"), h))
	h = conv.MaxPooling(h, []int{2, 2}, conv.PoolingOptions{CoverAll: true})
	h = link.Convolution2D{OutChannels: 5, KSize: []int{2}, Pad: []int{1}}.Apply(s.Sub("conv2"), h)
	h = conv.AveragePooling(ops.LeakyReLU(h, ops.LeakyReLUOptions{Alpha: new(0.2)}), []int{2, 2}, conv.AveragePoolingOptions{Stride: []int{1, 1}})
	return link.Linear{OutSize: 3}.Apply(s.Sub("fc"), h)
}

// TestConvolutionalNetworks trains the recorded networks and compares losses, parameters with statistics, and outputs
// of an evaluation.
func TestConvolutionalNetworks(t *testing.T) {
	for name, opt := range map[string]*optim.Optimizer{
		"cnn_adam": optim.NewAdam(), "cnn_adadelta": optim.NewAdaDelta(),
		"cnn_rmsprop": optim.NewRMSprop(optim.RMSpropOptions{LR: 0.01, Decay: new(0.99)}),
	} {
		t.Run(name, func(t *testing.T) {
			run := object[struct {
				Optimizer map[string]any
				X, T      values
				Losses    []float64
				Outputs   values `json:"test_mode_output_of_first_4"`
				Final     map[string]values
			}](t, recorded(t, "cnn", name+".json"))
			if lr, ok := run.Optimizer["lr"].(float64); ok {
				opt.SetLearningRate(lr)
			}
			var c count
			params, tape := nn.NewScope(), grad.NewTape()
			load(t, recorded(t, "cnn", name+"_initial.npz"), params)
			x, labels := run.X.array(t), run.T.array(t)
			for i, want := range run.Losses {
				at := i * 5 % x.Dim(0)
				m := params.Watch(tape)
				l := ops.Mean(loss.SoftmaxCrossEntropy(convnet{}.Apply(m, x.Index(nd.Span(at, at+5))), labels.Index(nd.Span(at, at+5))))
				if v := l.Float(); !near(v, want) {
					t.Errorf("update %d: the loss is %v, want %v", i, v, want)
				}
				c++
				opt.Update(optim.GradientsOf(m, l))
				tape.Reset()
			}
			for name, want := range run.Final {
				c.same(t, name, params.Get(name), want.array(t))
			}
			c.parameters(t, params, npz(t, recorded(t, "cnn", name+"_final.npz")))
			c.same(t, "output", convnet{}.Apply(params, x.Index(nd.Until(4))), run.Outputs.array(t))
			c.report(t)
		})
	}
}
