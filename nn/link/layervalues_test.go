package link_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// given returns a scope of float64 with the given parameters.
func given(params map[string]*nd.Array) *nn.Scope {
	s := doubles()
	for name, x := range params {
		s.Set(name, x)
	}
	return s
}

func TestLinear(t *testing.T) {
	s := given(map[string]*nd.Array{"W": nd.FromSlice([]float64{1, 2, 3, 4}).Reshape(2, 2), "b": nd.FromSlice([]float64{10, 20})})
	y := link.Linear{OutSize: 2}.Apply(s, nd.FromSlice([]float64{1, -1}).Reshape(1, 2, 1))
	assert.AllClose(t, y, nd.FromSlice([]float64{9, 19}).Reshape(1, 2), 1e-12, 0)
	fresh := doubles()
	link.Linear{OutSize: 100, Wscale: new(4.0), Bias: 0.5}.Apply(fresh, nd.Ones([]int{1, 400}))
	if std := nd.Value[float64](ops.Std(fresh.Get("W"))); math.Abs(std-0.1) > 0.002 {
		t.Errorf("with Wscale 4 and 400 inputs the weights deviate by %v, want 0.1", std)
	}
	assert.Equal(t, fresh.Get("b"), nd.Full([]int{100}, 0.5))
}

func TestHighway(t *testing.T) {
	s := given(map[string]*nd.Array{"plain/W": nd.Full([]int{1, 1}, 2.0), "transform/W": nd.Full([]int{1, 1}, 0.5)})
	y := link.Highway{NoBias: true}.Apply(s, nd.FromSlice([]float64{3, -1}).Reshape(2, 1))
	a, b := sigma(1.5), sigma(-0.5)
	assert.AllClose(t, y, nd.FromSlice([]float64{6*a + 3*(1-a), 0*b - (1 - b)}).Reshape(2, 1), 1e-12, 0)
}

func TestMaxout(t *testing.T) {
	s := doubles()
	w := nd.FromSlice([]float64{1, -1, 2, 0.5}).Reshape(2, 2, 1)
	y := link.Maxout{OutSize: 2, PoolSize: 2, InitialW: initializer.Values(w), InitialBias: initializer.Values(nd.FromSlice([]float64{0, 0, 0, 1}).Reshape(2, 2))}.
		Apply(s, nd.FromSlice([]float64{1, -2}).Reshape(2, 1))
	assert.AllClose(t, y, nd.FromSlice([]float64{1, 2, 2, 0}).Reshape(2, 2), 1e-12, 0)
	if names := s.Names(); !slices.Equal(names, []string{"linear/W", "linear/b"}) {
		t.Errorf("parameters %q", names)
	}
	odd := link.Maxout{OutSize: 2, PoolSize: 2, InitialW: initializer.Values(nd.Ones([]int{3, 1}))}
	assert.Raises(t, "another shape", func() { odd.Apply(doubles(), nd.Ones([]int{1, 1})) })
}

func TestSimplifiedDropconnect(t *testing.T) {
	l, s, x := link.SimplifiedDropconnect{OutSize: 200, Ratio: new(0.25), NoBias: true}, doubles(), nd.Ones([]int{1, 100})
	s.Set("W", nd.Ones([]int{200, 100}))
	assert.Equal(t, l.Apply(s, x), nd.Full([]int{1, 200}, 100.0)) // evaluation drops nothing
	tape := grad.NewTape()
	defer tape.Release()
	y := l.Apply(s.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)}), x)
	if mean := nd.Value[float64](ops.Mean(y)); math.Abs(mean-100) > 2 {
		t.Errorf("the mean is %v, want 100", mean)
	}
	assert.Raises(t, "stream", func() { l.Apply(s.Watch(tape), x) })
	l.Mask = nd.Ones([]int{1, 200, 100}, dtype.Bool)
	l.Apply(s.Watch(tape), x)
	if kept := s.Param("mask"); kept == nil || kept.NeedGrad() {
		t.Errorf("the mask is not kept in the scope")
	}
}

func TestEmbedID(t *testing.T) {
	s := given(map[string]*nd.Array{"W": nd.FromSlice([]float64{1, 2, 3}).Reshape(3, 1)})
	y := link.EmbedID{InSize: 3, OutSize: 1, IgnoreLabel: new(-1)}.Apply(s, nd.FromSlice([]int{2, -1, 0}))
	assert.Equal(t, y, nd.FromSlice([]float64{3, 0, 1}).Reshape(3, 1))
	for _, at := range []int{3, -1} {
		for _, l := range []link.EmbedID{{InSize: 3, OutSize: 1}, {InSize: 3, OutSize: 1, IgnoreLabel: new(-2)}} {
			fresh := doubles()
			for _, scope := range []*nn.Scope{s, fresh} {
				assert.Raises(t, "labels from", func() { l.Apply(scope, nd.FromSlice([]int{0, at})) })
			}
			if fresh.Names() != nil {
				t.Errorf("row %d: created %q", at, fresh.Names())
			}
		}
	}
}

func TestParameter(t *testing.T) {
	s := nn.NewScope()
	x := nd.FromSlice([]float32{1, 2})
	y := link.Parameter{Array: x}.Apply(s)
	assert.Equal(t, y, x)
	if y.SharesMemory(x) || !s.Param("W").NeedGrad() {
		t.Errorf("W is not a separate parameter")
	}
	assert.Raises(t, "nil", func() { link.Parameter{}.Apply(nn.NewScope()) })
}

// In training the running statistics follow the batches, by Decay or as means over all. Otherwise they are used and
// kept.
func TestBatchNormalization(t *testing.T) {
	s, tape := doubles(), grad.NewTape()
	defer tape.Release()
	l, x := link.BatchNormalization{}, nd.FromSlice([]float64{1, 3}).Reshape(2, 1) // mean 2, biased variance 1, unbiased 2
	assert.AllClose(t, l.Apply(s.Watch(tape), x), nd.FromSlice([]float64{-1, 1}).Reshape(2, 1), 1e-4, 0)
	assert.AllClose(t, s.Get("avg_mean"), nd.FromSlice([]float64{0.2}), 1e-12, 0)
	assert.AllClose(t, s.Get("avg_var"), nd.FromSlice([]float64{0.9*1 + 0.1*2}), 1e-12, 0)
	for _, view := range []*nn.Scope{s, s.Watch(tape, nn.WatchOptions{Test: true})} {
		y := l.Apply(view, nd.FromSlice([]float64{0.2, 1.2}).Reshape(2, 1))
		assert.AllClose(t, y, nd.FromSlice([]float64{0, 1 / math.Sqrt(1.1+2e-5)}).Reshape(2, 1), 1e-12, 1e-12)
	}
	assert.AllClose(t, s.Get("avg_mean"), nd.FromSlice([]float64{0.2}), 1e-12, 0)

	l.Finetune = true
	for k := range 4 {
		if k == 2 {
			l.StartFinetuning(s)
		}
		l.Apply(s.Watch(tape), ops.Add(x, float64(k)))
		l.Apply(s, x)
	}
	assert.Equal(t, s.Get("N"), nd.Full(nil, int64(2)))
	assert.AllClose(t, s.Get("avg_mean"), nd.FromSlice([]float64{4.5}), 1e-12, 0)
	assert.AllClose(t, s.Get("avg_var"), nd.FromSlice([]float64{2}), 1e-12, 0)
	l.Apply(s.Watch(tape), nd.Zeros([]int{0, 1}))
	assert.Equal(t, s.Get("N"), nd.Full(nil, int64(2))) // an empty batch changes nothing
}

func TestLayerNormalization(t *testing.T) {
	y := link.LayerNormalization{Eps: new(1.0), InitialGamma: initializer.Constant(2), InitialBeta: initializer.Constant(3)}.
		Apply(doubles(), nd.FromSlice([]float64{1, 3, 5, 5}).Reshape(2, 2))
	assert.AllClose(t, y, nd.FromSlice([]float64{3 - math.Sqrt2, 3 + math.Sqrt2, 3, 3}).Reshape(2, 2), 1e-12, 0)
}

func TestScaleAndBias(t *testing.T) {
	x := nd.Arange(0, 6, 1).Reshape(1, 3, 2)
	s := given(map[string]*nd.Array{"W": nd.FromSlice([]float64{1, 2, 3}), "bias/b": nd.FromSlice([]float64{10, 20, 30})})
	assert.Equal(t, link.Scale{WShape: []int{3}, BiasTerm: true}.Apply(s, x), nd.FromSlice([]float64{10, 11, 24, 26, 42, 45}).Reshape(1, 3, 2))
	assert.Equal(t, link.Bias{}.Of(doubles(), x, nd.FromSlice([]float64{1, 2, 3})), nd.FromSlice([]float64{1, 2, 4, 5, 7, 8}).Reshape(1, 3, 2))
	assert.Equal(t, link.Bias{Axis: ops.Over(0)}.Of(nn.NewScope(), x, nd.Ones([]int{1})), ops.Add(x, 1).AsType(dtype.Float32))
	assert.Equal(t, link.Bias{Axis: ops.Over(-1)}.Of(nn.NewScope(), x, nd.Ones([]int{2})), ops.Add(x, 1).AsType(dtype.Float32))
	for what, call := range map[string]func(){
		"want a second input, or a parameter": func() { link.Bias{}.Apply(doubles(), x) },
		"2 inputs":                            func() { link.Scale{WShape: []int{3}}.Of(doubles(), x, x) },
		"want a BiasShape":                    func() { link.Scale{BiasTerm: true}.Of(doubles(), x, x) },
		"lengths from axis 2":                 func() { link.Bias{Axis: ops.Over(2), Shape: []int{3}}.Apply(doubles(), x) },
		"axis 3":                              func() { link.Bias{Axis: ops.Over(3), Shape: []int{2}}.Apply(doubles(), x) },
	} {
		assert.Raises(t, what, call)
	}
}

// Invalid hyperparameters are refused before parameters exist.
func TestRefusedLinks(t *testing.T) {
	images, rows := nd.Ones([]int{2, 3, 4, 4}), nd.Ones([]int{2, 3})
	k := []int{3}
	for _, c := range []struct {
		want string
		l    link.Layer
		x    *nd.Array
	}{
		{"want at least one", link.Linear{}, rows},
		{"want 4", link.Linear{InSize: 4, OutSize: 1}, rows},
		{"PoolSize 0", link.Maxout{OutSize: 1}, rows},
		{"out of memory", link.Maxout{OutSize: 1 << 61, PoolSize: 8}, rows},
		{"want 4", link.Highway{InOutSize: 4}, rows},
		{"Ratio 1", link.SimplifiedDropconnect{OutSize: 1, Ratio: new(1.0)}, rows},
		{"InSize 0", link.EmbedID{OutSize: 1}, nd.Zeros([]int{2}, dtype.Int64)},
		{"KSize []", link.Convolution2D{OutChannels: 1}, images},
		{"3 channels, want 4", link.Convolution2D{InChannels: 4, OutChannels: 1, KSize: k}, images},
		{"0 channels of the result", link.Convolution2D{KSize: k}, images},
		{"window spans 5", link.Convolution2D{OutChannels: 1, KSize: []int{5}}, images},
		{"Pad [1 1 1]", link.Convolution2D{OutChannels: 1, KSize: k, Pad: []int{1, 1, 1}}, images},
		{"Stride [0]", link.Convolution2D{OutChannels: 1, KSize: k, Stride: []int{0}}, images},
		{"at least one axis", link.ConvolutionND{OutChannels: 1, KSize: k}, images},
		{"window spans 7", link.DilatedConvolution2D{OutChannels: 1, KSize: k, Dilate: k}, images},
		{"0 channels", link.DepthwiseConvolution2D{KSize: k}, images},
		{"out of memory", link.DepthwiseConvolution2D{ChannelMultiplier: 1 << 61, KSize: k}, images},
		{"OutSize [6 7]", link.Deconvolution2D{OutChannels: 1, KSize: k, OutSize: []int{6, 7}}, images},
		{"2 groups", link.Convolution2D{OutChannels: 2, KSize: k, Groups: 2}, images},
		{"-1 groups", link.DeconvolutionND{Ndim: 2, OutChannels: 3, KSize: k, Groups: -1}, images},
		{"window spans 5", link.ConvolutionND{Ndim: 2, OutChannels: 3, KSize: k, Dilate: []int{2}}, images},
		{"OutSize [5]", link.Deconvolution2D{OutChannels: 1, KSize: k, OutSize: []int{5}}, images},
		{"would have length", link.Deconvolution2D{OutChannels: 1, KSize: k, Pad: []int{4}}, images},
		{"0 channels of a convolution", link.Inception{Out1: 1}, images},
		{"PoolType", link.InceptionBN{Proj3: 1, Out3: 1, Proj33: 1, Out33: 1}, images},
		{"Stride 1 with Out1", link.InceptionBN{Out1: 1, Stride: 2, PoolType: "max"}, images},
		{"0 channels of a convolution", link.InceptionBN{PoolType: "max"}, images},
		{"at least one convolution", link.MLPConvolution2D{KSize: k}, images},
		{"0 channels of a convolution", link.MLPConvolution2D{OutChannels: []int{1, 0}, KSize: k}, images},
		{"Size [4]", link.BatchNormalization{Size: []int{4}}, images},
		{"Size []", link.BatchNormalization{Size: []int{}}, images},
		{"want Size 4", link.LayerNormalization{Size: 4}, rows},
		{"lengths from axis 1", link.PReLU{Shape: []int{4}}, images},
	} {
		s := nn.NewScope()
		assert.Raises(t, c.want, func() { c.l.Apply(s, c.x) })
		if names := s.Names(); names != nil {
			t.Errorf("%T created %q", c.l, names)
		}
	}
}

func TestClassifier(t *testing.T) {
	s := doubles()
	pair := link.Classifier{Predict: func(s *nn.Scope, xs []*nd.Array) *nd.Array { return ops.Add(xs[0], xs[1]) }}
	x, labels := nd.FromSlice([]float64{0, 0, 0, 1}).Reshape(2, 2), nd.FromSlice([]int{0, 0})
	var values report.Values
	loss := pair.Loss(s, []*nd.Array{x, x, labels}, report.New(&values))
	want := (math.Log(2) + math.Log(1+math.Exp(2))) / 2
	assert.AllClose(t, loss, nd.Scalar(want), 1e-12, 0)
	for name, want := range map[string]float64{"loss": want, "accuracy": 0.5} {
		if got, ok := values.Get(name); !ok || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	alone := link.Classifier{Predictor: link.Linear{OutSize: 2}}
	assert.Raises(t, "a Predict for several inputs", func() { alone.Loss(s, []*nd.Array{x, x, labels}, nil) })
	assert.Raises(t, "no Predictor", func() { link.Classifier{}.Loss(s, []*nd.Array{x, labels}, nil) })
	assert.Raises(t, "a batch of 1 arrays", func() { pair.Loss(s, []*nd.Array{labels}, nil) })
}
