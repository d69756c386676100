package named_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// shaped returns an array of float64.
func shaped(shape []int, values ...float64) *nd.Array { return vector(values...).Reshape(shape...) }

// row returns a batch of one example, column a batch of examples with one element.
func row(values ...float64) *nd.Array    { return shaped([]int{1, len(values)}, values...) }
func column(values ...float64) *nd.Array { return shaped([]int{len(values), 1}, values...) }

func labels(values ...int) *nd.Array { return nd.FromSlice(values) }

// parameters are those of a link by their names.
type parameters map[string]*nd.Array

func (p parameters) scope() *nn.Scope {
	s := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
	for name, x := range p {
		s.Set(name, x)
	}
	return s
}

// Results of elementary functions.
func sigma(x float64) float64    { return 1 / (1 + math.Exp(-x)) }
func softplus(x float64) float64 { return math.Log1p(math.Exp(x)) }

// TestChainerLinksCalled calls links with given parameters; the results are computed by hand.
func TestChainerLinksCalled(t *testing.T) {
	nine := shaped([]int{1, 1, 3, 3}, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	pixel := shaped([]int{1, 1, 1, 1}, 2)
	filled := func(value float64, shape ...int) *nd.Array { return nd.Full(shape, value) }
	mask := shaped([]int{1, 1, 2}, 1, 0)
	k := 1 / math.Sqrt(1+2e-5) // what a BatchNormalization with its initial statistics multiplies with
	noEps := 0.0
	for _, c := range []struct {
		name   string
		link   any
		params parameters
		args   []any
		want   []float64
	}{
		{"chainer.links.Linear.__call__", link.Linear{OutSize: 2}, parameters{"W": shaped([]int{2, 2}, 1, 2, 3, 4), "b": vector(10, 20)},
			[]any{row(1, 1)}, []float64{13, 27}},
		{"chainer.links.Bilinear.__call__", link.Bilinear{OutSize: 1}, parameters{"W": shaped([]int{1, 1, 1}, 2), "V1": row(3), "V2": row(4), "b": vector(5)},
			[]any{row(2), row(3)}, []float64{2*2*3 + 3*2 + 4*3 + 5}},
		{"chainer.links.Highway.__call__", link.Highway{},
			parameters{"plain/W": row(2), "plain/b": vector(1), "transform/W": row(0), "transform/b": vector(0)},
			[]any{column(3, -2)}, []float64{0.5*7 + 0.5*3, 0.5*0 - 0.5*2}},
		{"chainer.links.Maxout.__call__", link.Maxout{OutSize: 1, PoolSize: 2}, parameters{"linear/W": column(1, -1), "linear/b": vector(0, 1)},
			[]any{column(3, -3)}, []float64{3, 4}},
		{"chainer.links.SimplifiedDropconnect.__call__", link.SimplifiedDropconnect{OutSize: 1, Mask: mask}, parameters{"W": row(2, 3), "b": vector(1)},
			[]any{row(5, 7), with{"train": false}}, []float64{2*5 + 3*7 + 1}},
		{"chainer.links.EmbedID.__call__", link.EmbedID{InSize: 3, OutSize: 2, IgnoreLabel: new(-1)}, parameters{"W": shaped([]int{3, 2}, 1, 2, 3, 4, 5, 6)},
			[]any{labels(2, -1, 0)}, []float64{5, 6, 0, 0, 1, 2}},
		{"chainer.links.Parameter.__call__", link.Parameter{Array: vector(1, 2)}, nil, nil, []float64{1, 2}},

		{"chainer.links.Convolution2D.__call__", link.Convolution2D{OutChannels: 1, KSize: []int{2}}, parameters{"W": filled(1, 1, 1, 2, 2), "b": vector(1)},
			[]any{nine}, []float64{9, 13, 21, 25}},
		{"chainer.links.ConvolutionND.__call__", link.ConvolutionND{Ndim: 1, OutChannels: 1, KSize: []int{2}}, parameters{"W": shaped([]int{1, 1, 2}, 1, 2)},
			[]any{shaped([]int{1, 1, 3}, 1, 2, 3)}, []float64{5, 8}},
		{"chainer.links.DilatedConvolution2D.__call__", link.DilatedConvolution2D{OutChannels: 1, KSize: []int{2}, Dilate: []int{2}},
			parameters{"W": filled(1, 1, 1, 2, 2), "b": vector(1)}, []any{nine}, []float64{0 + 2 + 6 + 8 + 1}},
		{"chainer.links.Inception.__call__", link.Inception{Out1: 1, Proj3: 1, Out3: 1, Proj5: 1, Out5: 1, ProjPool: 1},
			parameters{"conv1/W": filled(3, 1, 1, 1, 1), "proj3/W": filled(2, 1, 1, 1, 1), "conv3/W": filled(1, 1, 1, 3, 3), "proj5/W": filled(-1, 1, 1, 1, 1),
				"conv5/W": filled(1, 1, 1, 5, 5), "conv5/b": vector(0.5), "projp/W": filled(-1, 1, 1, 1, 1)},
			[]any{pixel}, []float64{6, 4, 0.5, 0}},
		{"chainer.links.InceptionBN.__call__", link.InceptionBN{Out1: 1, Proj3: 1, Out3: 1, Proj33: 1, Out33: 1, PoolType: link.PoolMax, ProjPool: 1},
			parameters{"conv1/W": filled(3, 1, 1, 1, 1), "proj3/W": filled(2, 1, 1, 1, 1), "conv3/W": filled(1, 1, 1, 3, 3), "proj33/W": filled(1, 1, 1, 1, 1),
				"conv33a/W": filled(1, 1, 1, 3, 3), "conv33b/W": filled(1, 1, 1, 3, 3), "poolp/W": filled(-1, 1, 1, 1, 1)},
			[]any{pixel, with{"test": true}}, []float64{6 * k, 4 * k * k, 2 * k * k * k, 0}},

		{"chainer.links.BatchNormalization.__call__", link.BatchNormalization{Eps: &noEps},
			parameters{"avg_mean": vector(1), "avg_var": vector(4), "gamma": vector(2), "beta": vector(3)},
			[]any{column(3, 5), with{"test": true}}, []float64{5, 7}},
		{"chainer.links.LayerNormalization.__call__", link.LayerNormalization{Eps: &noEps}, parameters{"gamma": vector(2, 3), "beta": vector(1, 0)},
			[]any{row(1, 3)}, []float64{-1, 3}},
		{"chainer.links.Bias.__call__", link.Bias{Shape: []int{2}}, parameters{"b": vector(10, 20)}, []any{row(1, 2)}, []float64{11, 22}},
		{"chainer.links.Bias.__call__", link.Bias{}, nil, []any{row(1, 2), vector(5, 6)}, []float64{6, 8}},
		{"chainer.links.Scale.__call__", link.Scale{WShape: []int{2}, BiasTerm: true}, parameters{"W": vector(2, 3), "bias/b": vector(1, -1)},
			[]any{row(1, 2)}, []float64{3, 5}},
		{"chainer.links.Scale.__call__", link.Scale{}, nil, []any{row(1, 2), vector(5, 6)}, []float64{5, 12}},
		{"chainer.links.PReLU.__call__", link.PReLU{}, parameters{"W": vector(0.5).Reshape()}, []any{row(-4, 4)}, []float64{-2, 4}},

		{"chainer.links.Classifier.__call__", link.Classifier{Predictor: link.Func(func(x *nd.Array) *nd.Array { return x })}, nil,
			[]any{shaped([]int{2, 2}, 0, 0, 1, 3), labels(0, 1)}, []float64{(math.Ln2 + softplus(-2)) / 2}},
		{"chainer.links.BinaryHierarchicalSoftmax.__call__", link.BinaryHierarchicalSoftmax{Tree: link.Branch(link.Leaf(0), link.Leaf(1))},
			parameters{"W": row(1, 2)}, []any{shaped([]int{3, 2}, 1, 1, 1, 1, 0, 1), labels(0, 1, 1)}, []float64{softplus(-3) + softplus(3) + softplus(2)}},
		{"chainer.links.NegativeSampling.__call__", link.NegativeSampling{Sampler: link.NegativeSampler(vector(1, 1, 1), 0.75), SampleSize: 2,
			Samples: nd.FromSlice([]int{0, 1}, 1, 2)}, parameters{"W": column(0, 1, 3)}, []any{row(2), labels(2)}, []float64{softplus(-6) + softplus(0) + softplus(2)}},
	} {
		args := append([]any{c.link}, c.args...)
		near(t, c.name, one[*nd.Array](t, c.name, append(args, in(c.params.scope()))...), c.want...)
	}
}

// TestChainerLinksInTraining calls links whose results differ in training.
func TestChainerLinksInTraining(t *testing.T) {
	s := parameters{"W": row(2, 3), "b": vector(1)}.scope()
	dropped := link.SimplifiedDropconnect{OutSize: 1, Mask: shaped([]int{1, 1, 2}, 1, 0)}
	near(t, "half of the weights, doubled", one[*nd.Array](t, "chainer.links.SimplifiedDropconnect.__call__", dropped, row(5, 7), catalogue.CallOptions{Scope: s}), 2*2*5+1)

	norm, s := link.BatchNormalization{Eps: new(0.0), Finetune: true}, parameters{}.scope()
	x := column(1, 3)
	train := catalogue.CallOptions{Scope: s}
	near(t, "normalised by the batch", one[*nd.Array](t, "chainer.links.BatchNormalization.__call__", norm, x, train), -1, 1)
	near(t, "the mean over one batch", s.Get("avg_mean"), 2)
	near(t, "the unbiased variance", s.Get("avg_var"), 2)
	one[*nd.Array](t, "chainer.links.BatchNormalization.__call__", norm, column(5, 7), train)
	near(t, "the mean over two batches", s.Get("avg_mean"), 4)
	equal(t, "the number of batches", s.Get("N"), []int64{2})
	call(t, "chainer.links.BatchNormalization.start_finetuning", norm, in(s))
	equal(t, "the number of batches", s.Get("N"), []int64{0})
	norm.Finetune = false
	one[*nd.Array](t, "chainer.links.BatchNormalization.__call__", norm, column(13, 15), train)
	near(t, "the running mean", s.Get("avg_mean"), 0.9*4+0.1*14)
}

// TestChainerLSTM checks gates that are open or closed: a = 1, i = ∞, f = -∞, o = ∞, and weights of zero.
func TestChainerLSTM(t *testing.T) {
	zeros := nd.Zeros([]int{4, 1}, dtype.Float64)
	gates := parameters{"upward/W": zeros, "upward/b": vector(1, 100, -100, 100), "lateral/W": zeros}
	st := &nn.State{}
	call(t, "chainer.links.LSTM.set_state", st, row(2), row(3))
	near(t, "the memory", st.C, 2)
	near(t, "the output", st.H, 3)
	h := one[*nd.Array](t, "chainer.links.LSTM.__call__", link.LSTM{OutSize: 1}, row(1), st, in(gates.scope()))
	near(t, "the new output", h, math.Tanh(math.Tanh(1)))
	near(t, "the new memory", st.C, math.Tanh(1))
	call(t, "chainer.links.LSTM.reset_state", st)
	equal(t, "the state after a reset", st.C == nil && st.H == nil, true)

	half := parameters{"upward/W": zeros, "upward/b": vector(0, 0, 0, 0), "lateral/W": zeros}
	both := call(t, "chainer.links.StatelessLSTM.__call__", link.StatelessLSTM{OutSize: 1}, row(2), row(3), row(1), in(half.scope())).Values
	near(t, "the memory", both[0], 1)
	near(t, "the output", both[1], 0.5*math.Tanh(1))

	// The forget gate sees the memory 2, the output gate the new memory 2·σ(2).
	peeps := parameters{"upward/W": zeros, "upward/b": vector(0, 0, 0, 0), "lateral/W": zeros, "peep_i/W": row(0), "peep_f/W": row(1), "peep_o/W": row(1)}
	st = &nn.State{C: row(2), H: row(3)}
	h = one[*nd.Array](t, "chainer.links.StatefulPeepholeLSTM.__call__", link.StatefulPeepholeLSTM{OutSize: 1}, row(1), st, in(peeps.scope()))
	c := 2 * sigma(2)
	near(t, "the memory", st.C, c)
	near(t, "the output", h, sigma(c)*math.Tanh(c))
	call(t, "chainer.links.StatefulPeepholeLSTM.reset_state", st)
	equal(t, "the state after a reset", st.C == nil && st.H == nil, true)
}

// TestChainerCRFArgmax finds the best labels of two sequences: a step from label 1 to label 0 costs 10.
func TestChainerCRFArgmax(t *testing.T) {
	cost := parameters{"cost": shaped([]int{2, 2}, 0, 0, -10, 0)}
	xs := []*nd.Array{shaped([]int{2, 2}, 0, 1, 5, 0), row(3, 0)} // the second sequence has one step
	r := call(t, "chainer.links.CRF1d.argmax", 2, xs, in(cost.scope())).Values
	near(t, "the score", r[0], 3, 5)
	equal(t, "labels of the first step", r[1].(*nd.Array), []int{0, 0})
	equal(t, "labels of the second step", r[2].(*nd.Array), []int{0})
}
