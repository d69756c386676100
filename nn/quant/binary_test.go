package quant_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// Each output has one scale, which is a constant for gradients.
func TestBinaryWeightsAgainstLoops(t *testing.T) {
	x := waves(2, 4, 5)
	for _, c := range []struct {
		scope string
		conv  bool
		layer func(s *nn.Scope) *nd.Array
	}{
		{"bwn_affine/", false, func(s *nn.Scope) *nd.Array {
			return quant.BinaryWeightAffine(s, x, 3, quant.BinaryAffineOptions{AffineOptions: nn.AffineOptions{BInit: wide}})
		}},
		{"bwn_conv/", true, func(s *nn.Scope) *nd.Array {
			return quant.BinaryWeightConvolution(s, x, 4, []int{2}, quant.BinaryConvolutionOptions{
				ConvolutionOptions: nn.ConvolutionOptions{Group: 2, Pad: []int{1}, BInit: wide}})
		}},
	} {
		d := derived{conv: c.conv}
		s := float64s()
		y := c.layer(s)
		w, b := floats(s.Get(c.scope+"W")), floats(s.Get(c.scope+"b"))
		of := func(i int) int { return i % 3 } // the output of a weight
		if c.conv {
			of = func(i int) int { return i / 4 }
		}
		alpha, signs, scaled := make([]float64, len(b)), make([]float64, len(w)), make([]float64, len(w))
		for i, v := range w {
			alpha[of(i)] += math.Abs(v) / float64(len(w)/len(b))
			signs[i] = math.Copysign(1, v)
		}
		for i := range w {
			scaled[i] = alpha[of(i)] * signs[i]
		}
		want, gw := d.results(floats(x), scaled, b)
		near(t, c.scope+" in evaluation", y, want)
		if got := floats(s.Get(c.scope + "alpha")); sumOf(got) != 0 || len(got) != len(b) {
			t.Errorf("%salpha is %v after an evaluation", c.scope, got)
		}
		tape := grad.NewTape()
		model := s.Watch(tape)
		y = c.layer(model)
		near(t, c.scope+" in training", y, want)
		near(t, c.scope+"alpha", s.Get(c.scope+"alpha"), alpha)
		near(t, c.scope+"Wb", s.Get(c.scope+"Wb"), signs)
		near(t, c.scope+" gradient", optim.GradientsOf(model, ops.Sum(y)).Get(c.scope+"W"), gw)
		tape.Release()
	}
}

func TestBinaryLayersTakeASignForZero(t *testing.T) {
	x := nd.Ones([]int{1, 2})
	zeros := nn.AffineOptions{WInit: initializer.Constant(0)}
	for sign, option := range map[float64]*float64{1: nil, -1: new(-1.)} {
		y := quant.BinaryConnectAffine(nn.NewScope(), x, 3, quant.BinaryAffineOptions{AffineOptions: zeros, QuantizeZeroTo: option})
		if got := floats(y); !cmp.Equal(got, []float64{2 * sign, 2 * sign, 2 * sign}) {
			t.Errorf("with %v for the sign of 0: %v", sign, got)
		}
	}
	s := nn.NewScope()
	quant.BinaryWeightAffine(s, x, 3, quant.BinaryAffineOptions{WbInit: initializer.Constant(0.5)})
	if got := s.Names(); !cmp.Equal(got, []string{"bwn_affine/W", "bwn_affine/Wb", "bwn_affine/alpha", "bwn_affine/b"}) {
		t.Errorf("the parameters are %q", got)
	}
	if got := floats(s.Get("bwn_affine/Wb")); got[0] != 0.5 {
		t.Errorf("Wb began as %v", got)
	}
}
