package nn_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// TestComputeDType: layers compute in the view's dtype, norms and quantised layers in the parameters' dtype, and
// gradients arrive in the parameters' dtype, near those of float32.
func TestComputeDType(t *testing.T) {
	flat, image := random.Normal(nd.NewRand(1), 0, 1, []int{6, 8}, dtype.Float32), images(2)
	steps := random.Normal(nd.NewRand(2), 0, 1, []int{3, 2, 8}, dtype.Float32)
	for name, c := range map[string]struct {
		x       *nd.Array
		layer   func(s *nn.Scope, x *nd.Array) *nd.Array
		precise bool // the result has the parameters' dtype
	}{
		"Affine": {flat, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Affine(s, x, 4) }, false},
		"two layers": {flat, func(s *nn.Scope, x *nd.Array) *nd.Array {
			return nn.Affine(s.Sub("b"), ops.Tanh(nn.Affine(s, x, 4)), 3)
		}, false},
		"shared":        {flat, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Affine(s, ops.Tanh(nn.Affine(s, x, 8)), 8) }, false},
		"Convolution":   {image, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Convolution(s, x, 3, []int{3, 3}) }, false},
		"Deconvolution": {image, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Deconvolution(s, x, 3, []int{2, 2}) }, false},
		"PReLU":         {flat, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.PReLU(s, x) }, false},
		"LSTM": {steps, func(s *nn.Scope, x *nd.Array) *nd.Array {
			return nn.LSTM(s, x, nil, 4)
		}, false},
		"LSTMCell": {flat, func(s *nn.Scope, x *nd.Array) *nd.Array {
			var st nn.State
			nn.LSTMCell(s, x, &st, 4)
			return nn.LSTMCell(s, x, &st, 4)
		}, false},
		"MultiHeadAttention": {steps, func(s *nn.Scope, x *nd.Array) *nd.Array {
			return nn.MultiHeadAttention(s, x, x, x, nn.MultiHeadAttentionOptions{NumHeads: 2})
		}, false},
		"Transformer layer":  {steps, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.TransformerEncode(s, x, 2) }, true},
		"BatchNormalization": {image, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.BatchNormalization(s, x) }, true},
		"LayerNormalization": {flat, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.LayerNormalization(s, x) }, true},
		"LayerNormalization without parameters": {flat, func(s *nn.Scope, x *nd.Array) *nd.Array {
			return nn.LayerNormalization(s, nn.Affine(s, x, 4), nn.LayerNormalizationOptions{NoScale: true, NoBias: true})
		}, true},
		"GroupNormalization":      {image, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.GroupNormalization(s, x, 1) }, true},
		"InstanceNormalization":   {image, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.InstanceNormalization(s, x) }, true},
		"convolved, normalised":   {image, block, true},
		"BinaryConnectAffine":     {flat, func(s *nn.Scope, x *nd.Array) *nd.Array { return quant.BinaryConnectAffine(s, x, 4) }, true},
		"link.Linear":             {flat, link.Linear{OutSize: 4}.Apply, false},
		"link.BatchNormalization": {image, link.BatchNormalization{}.Apply, true},
		"link.LayerNormalization": {flat, link.LayerNormalization{}.Apply, true},
		"Checkpoint":              {image, checkpointed, true},
	} {
		var want map[string][]float64
		for _, compute := range []dtype.DType{dtype.Unspecified, dtype.Float32, dtype.BFloat16, dtype.Float16} {
			params, tape := nn.NewScope(), grad.NewTape()
			s := params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(3), Compute: compute})
			x := tape.Watch(c.x)
			if compute.Valid() {
				x = tape.Watch(c.x.AsType(compute))
			}
			y := c.layer(s, x)
			in := s.ComputeDType()
			if c.precise {
				in = dtype.Float32
			}
			if y.DType() != in {
				t.Errorf("%s in %s: the result is %s", name, s.ComputeDType(), y.DType())
			}
			got := map[string][]float64{"": floats(y)}
			seed := random.Normal(nd.NewRand(4), 0, 1, y.Shape(), dtype.Float32)
			g := optim.GradientsOf(s, ops.Sum(ops.Multiply(y.AsType(params.DType()), seed)))
			for p, value := range g.All() {
				if value == nil {
					continue
				}
				if value.DType() != dtype.Float32 || params.Get(p).DType() != dtype.Float32 {
					t.Errorf("%s in %s: the gradient of %s is %s, the parameter %s", name, compute, p, value.DType(), params.Get(p).DType())
				}
				got[p] = floats(value)
			}
			tape.Release()
			if want == nil {
				want = got
			}
			if name == "BinaryConnectAffine" && compute.Size() == 2 {
				continue // the signs of the weights are the same, and the input is rounded
			}
			for p, values := range want {
				if strings.HasSuffix(p, "k_bias") {
					continue // its gradient is 0: softmax does not depend on it
				}
				if d := distance(got[p], values); d > map[int]float64{0: 0, 4: 0, 2: 0.06}[compute.Size()] {
					t.Errorf("%s in %s: %q differs by %.2g of its norm", name, compute, p, d)
				}
			}
		}
	}
}

// distance returns the norm of the difference of two lists of numbers, relative to that of the second.
func distance(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	var d, n float64
	for i := range want {
		d += (got[i] - want[i]) * (got[i] - want[i])
		n += want[i] * want[i]
	}
	if d == 0 {
		return 0
	}
	return math.Sqrt(d / n)
}

// TestComputeGradient: the gradient is that of a product in 16 bits, converted to float32.
func TestComputeGradient(t *testing.T) {
	params, tape := nn.NewScope(), grad.NewTape()
	defer tape.Release()
	x := random.Normal(nd.NewRand(1), 0, 1, []int{5, 3}, dtype.Float32)
	nn.Affine(params, x, 2)
	s := params.Watch(tape, nn.WatchOptions{Compute: dtype.BFloat16})
	y := nn.Affine(s, x, 2)
	narrow := x.AsType(dtype.BFloat16)
	want := ops.Affine(narrow, params.Get("affine/W").AsType(dtype.BFloat16), ops.AffineOptions{Bias: params.Get("affine/b").AsType(dtype.BFloat16)})
	if !ops.ArrayEqual(y, want) {
		t.Errorf("%v, want %v", y, want)
	}
	g := optim.GradientsOf(s, ops.Sum(y.AsType(dtype.Float32))).Get("affine/W")
	if want := ops.MatMul(narrow.T(), nd.Ones([]int{5, 2}, dtype.BFloat16)).AsType(dtype.Float32); !ops.ArrayEqual(g, want) {
		t.Errorf("gradient %v, want %v", g, want)
	}
}

// TestComputeConvertsOnce: a parameter that is used twice is converted once, and again if it was changed.
func TestComputeConvertsOnce(t *testing.T) {
	params, tape := nn.NewScope(), grad.NewTape()
	defer tape.Release()
	w := func(s *nn.Scope) *nd.Array { return s.Parameter("w", []int{2}, initializer.Constant(1), true) }
	s := params.Watch(tape, nn.WatchOptions{Compute: dtype.Float16})
	first := w(s)
	if first != w(s) || first.DType() != dtype.Float16 || tape.Len() != 2 {
		t.Errorf("%d operations, %v", tape.Len(), first)
	}
	params.Set("w", nd.FromSlice([]float32{3, 4}))
	if got := floats(w(s)); !cmp.Equal(got, []float64{3, 4}) {
		t.Errorf("after a write: %v", got)
	}
	if again := w(s.Precise()); again != s.Get("w") || again.DType() != dtype.Float32 || s.Precise().ComputeDType() != dtype.Float32 {
		t.Errorf("Precise gives %s", again.DType())
	}
	if fixed := w(s.Fixed()); fixed.DType() != dtype.Float16 || !cmp.Equal(floats(fixed), []float64{3, 4}) {
		t.Errorf("of a fixed scope: %v", fixed)
	} else if n, _ := fixed.Node(); n != nil {
		t.Error("a constant is recorded")
	}
	params.Param("w").SetNeedGrad(false)
	if frozen := w(params.Watch(tape, nn.WatchOptions{Compute: dtype.Float16})); frozen.DType() != dtype.Float16 {
		t.Errorf("a frozen parameter is %s", frozen.DType())
	}
	with := s.With(map[string]*nd.Array{"w": nd.FromSlice([]float32{5, 6})})
	if got := w(with); got.DType() != dtype.Float16 || !cmp.Equal(floats(got), []float64{5, 6}) {
		t.Errorf("With: %v", got)
	}
	if s.Parameter("statistic", []int{1}, nil, false).DType() != dtype.Float32 {
		t.Error("a statistic is converted")
	}
	complexes := nn.NewScope(nn.ScopeOptions{DType: dtype.Complex64}).Watch(tape, nn.WatchOptions{Compute: dtype.BFloat16})
	if w(complexes).DType() != dtype.Complex64 {
		t.Error("a complex parameter is converted")
	}
	refused(t, "Scope.Watch: Compute is int8: want a real float dtype", func() { params.Watch(tape, nn.WatchOptions{Compute: dtype.Int8}) })
	refused(t, "want a real float dtype", func() { params.Watch(tape, nn.WatchOptions{Compute: dtype.Complex64}) })
}

// TestComputeLoss: a loss in the 16 bits in which layers compute is refused. Losses of links are float32.
func TestComputeLoss(t *testing.T) {
	params, tape := nn.NewScope(), grad.NewTape()
	defer tape.Release()
	x, labels := random.Normal(nd.NewRand(1), 0, 1, []int{6, 8}, dtype.Float32), nd.FromSlice([]int{0, 1, 2, 0, 1, 2})
	s := params.Watch(tape, nn.WatchOptions{Compute: dtype.BFloat16})
	y := nn.Affine(s, x, 3)
	refused(t, "optim.GradientsOf: the loss is bfloat16, the dtype in which the layers compute: compute it from scores in float32", func() {
		optim.GradientsOf(s, ops.Mean(loss.SoftmaxCrossEntropy(y, labels)))
	})
	l := link.Classifier{Predictor: link.Linear{OutSize: 3}}.Loss(s, []*nd.Array{x, labels}, nil)
	if l.DType() != dtype.Float32 || optim.GradientsOf(s, l).Get("predictor/W") == nil {
		t.Errorf("the classifier's loss is %s", l.DType())
	}
}

// TestMasterWeights: updates far smaller than the spacing of 16-bit floats add up in the parameters.
func TestMasterWeights(t *testing.T) {
	for _, compute := range []dtype.DType{dtype.BFloat16, dtype.Float16} {
		params, tape := nn.NewScope(), grad.NewTape()
		params.Set("w", nd.Ones([]int{1}, dtype.Float32))
		opt := optim.NewSGD(optim.SGDOptions{LR: 1})
		for range 1 << 10 {
			s := params.Watch(tape, nn.WatchOptions{Compute: compute})
			w := s.Parameter("w", []int{1}, nil, true)
			opt.Update(optim.GradientsOf(s, ops.Multiply(ops.Sum(w.AsType(dtype.Float32)), 1.0/(1<<14))))
			tape.Reset()
		}
		if got := params.Get("w").Float(); got != 1-1.0/16 {
			t.Errorf("%s: the parameter is %v, want %v", compute, got, 1-1.0/16)
		}
	}
}

// TestComputeScaledLoss: gradients below the range of float16 arrive if the loss is scaled.
func TestComputeScaledLoss(t *testing.T) {
	const small = 1.0 / (1 << 26)
	for compute, want := range map[dtype.DType][2]float64{dtype.Float16: {0, small}, dtype.BFloat16: {small, small}} {
		params, tape := nn.NewScope(), grad.NewTape()
		params.Set("w", nd.Ones([]int{1}, dtype.Float32))
		s := params.Watch(tape, nn.WatchOptions{Compute: compute})
		l := ops.Multiply(ops.Sum(s.Parameter("w", []int{1}, nil, true).AsType(dtype.Float32)), small)
		scaler := optim.NewLossScaler(optim.LossScalerOptions{Scale: 1 << 12})
		g := optim.GradientsOf(s, scaler.Up(l))
		if !scaler.Down(g) {
			t.Fatal("not finite")
		}
		if got := [2]float64{optim.GradientsOf(s, l).Get("w").Float(), g.Get("w").Float()}; got != want {
			t.Errorf("%s: gradients without and with scale %v, want %v", compute, got, want)
		}
		tape.Release()
	}
}
