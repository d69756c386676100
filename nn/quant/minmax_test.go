package quant_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/quant"
)

func TestMinMax(t *testing.T) {
	x := nd.FromSlice([]float64{-3, -0.9, 0.2, 0.74, 4}, 1, 5)
	o := quant.MinMaxOptions{QLMin: new(-2.), QLMax: new(2.), QRMinInit: initializer.Constant(-1), QRMaxInit: initializer.Constant(1)}
	const low, high = "min_max_quantize/qr_min", "min_max_quantize/qr_max"

	t.Run("trained range", func(t *testing.T) {
		s := float64s()
		want := []float64{-1, -1, 0, 0.5, 1}
		near(t, "in evaluation", quant.MinMax(s, x, o), want)
		if got := s.Names(); !cmp.Equal(got, []string{"min_max_quantize/ql_min", "min_max_quantize/ql_max", low, high}) {
			t.Errorf("the parameters are %q", got)
		}
		tape := grad.NewTape()
		defer tape.Release()
		model, watched := s.Watch(tape), tape.Watch(x)
		y := quant.MinMax(model, watched, o)
		near(t, "in training", y, want)
		weights := nd.FromSlice([]float64{1, 10, 100, 1000, 10000}, 1, 5)
		loss := ops.Sum(ops.Multiply(y, weights))
		g := optim.GradientsOf(model, loss)
		near(t, "the gradient of x", tape.Gradient(loss, watched)[0], []float64{0, 10, 100, 1000, 0})
		near(t, "the gradient of the least", g.Get(low), []float64{1})
		near(t, "the gradient of the most", g.Get(high), []float64{10000})
	})
	t.Run("range of x", func(t *testing.T) {
		s := float64s()
		o := o
		o.XMinMax = true
		step := 7. / 4 // from -3 to 4, moved so that 0 is a level
		want := []float64{-2 * step, -step, 0, 0, 2 * step}
		near(t, "in evaluation", quant.MinMax(s, x, o), want)
		near(t, "the least after an evaluation", s.Get(low), []float64{-1})
		near(t, "in training", quant.MinMax(s.Watch(grad.NewTape()), x, o), want)
		near(t, "the least", s.Get(low), []float64{-3})
		near(t, "the most", s.Get(high), []float64{4})
	})
	t.Run("moving average", func(t *testing.T) {
		s := float64s()
		o := o
		o.XMinMax, o.EMA, o.Decay = true, true, new(0.5)
		near(t, "before training", quant.MinMax(s, x, o), []float64{-1, -1, 0, 0.5, 1})
		quant.MinMax(s.Watch(grad.NewTape()), x, o)
		near(t, "the least", s.Get(low), []float64{-2})
		near(t, "the most", s.Get(high), []float64{2.5})
		if s.Param(low).NeedGrad() {
			t.Error("a moving average is trained")
		}
		before := fingerprint(s)
		quant.MinMax(s, x, o)
		if fingerprint(s) != before {
			t.Error("evaluation moved the average")
		}
	})
	t.Run("narrow range", func(t *testing.T) {
		s := float64s()
		o := o
		o.QRMinInit, o.QRMaxInit, o.Eps = initializer.Constant(0), initializer.Constant(0), new(0.5)
		quant.MinMax(s, x, o)
		near(t, "the most after an evaluation", s.Get(high), []float64{0})
		quant.MinMax(s.Watch(grad.NewTape()), x, o)
		near(t, "the most", s.Get(high), []float64{0.5})
	})
}

func TestMinMaxAffineNamesItsRanges(t *testing.T) {
	s := nn.NewScope()
	quant.MinMaxAffine(s, ramp(2, 3), 4)
	const w, b = "min_max_quantize_w/min_max_quantize/", "min_max_quantize_b/min_max_quantize/"
	s = s.Sub("min_max_quantized_affine")
	want := []string{"W", "W_q", w + "ql_min", w + "ql_max", w + "qr_min", w + "qr_max",
		"b", "b_q", b + "ql_min", b + "ql_max", b + "qr_min", b + "qr_max"}
	if got := s.Names(); !cmp.Equal(got, want) {
		t.Errorf("the parameters are %q, want %q", got, want)
	}
	if lw, hb := s.Get(w+"qr_min"), s.Get(b+"qr_max"); lw.Float() != -2 || hb.Float() != 6 || lw.Rank() != 2 || hb.Rank() != 1 {
		t.Errorf("the ranges are %v and %v", lw, hb)
	}
}

func TestQuantizedLayersRefuse(t *testing.T) {
	s, x := nn.NewScope(), ramp(2, 3)
	refused(t, "N 1", func() {
		quant.FixedPointAffine(s, x, 2, quant.FixedPointAffineOptions{W: quantize.FixedPointOptions{N: 1}})
	})
	refused(t, "leaves no bit", func() { quant.Pow2Affine(s, x, 2, quant.Pow2AffineOptions{B: quantize.Pow2Options{N: 1}}) })
	refused(t, "Rate 2", func() {
		quant.PrunedAffine(s, x, 2, quant.PrunedAffineOptions{B: quantize.PruneOptions{Rate: new(2.)}})
	})
	refused(t, "levels from 300 to 255", func() {
		quant.MinMaxAffine(s, x, 2, quant.MinMaxAffineOptions{B: quant.MinMaxOptions{QLMin: new(300.)}})
	})
	refused(t, "levels from 0 to -1", func() { quant.MinMax(s, x, quant.MinMaxOptions{QLMax: new(-1.)}) })
	refused(t, "BaseAxis 7", func() {
		quant.BinaryWeightAffine(s, x, 2, quant.BinaryAffineOptions{AffineOptions: nn.AffineOptions{BaseAxis: new(7)}})
	})
	refused(t, "kernel [3]", func() { quant.BinaryConnectConvolution(s, x, 2, []int{3}) })
	refused(t, "kernel [3]", func() { quant.PrunedConvolution(s, x, 2, []int{3}) })
	if len(s.Names()) != 0 {
		t.Errorf("refused calls created %q", s.Names())
	}
}
