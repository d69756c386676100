package nn_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

func TestWeightNormalization(t *testing.T) {
	w := waves(3, 4)
	for _, c := range []struct {
		dim   int
		parts int
		of    func(k int) int
	}{
		{0, 3, func(k int) int { return k / 4 }},
		{-1, 4, func(k int) int { return k % 4 }},
	} {
		o := nn.WeightNormalizationOptions{Axis: ops.Over(c.dim), Eps: new(1e-3)}
		s := float64s()
		closeTo(t, "at first", nn.WeightNormalization(s, w, o), floats(w), 1e-15)
		if got := s.Get("wn/g").Shape(); len(s.Names()) != 1 || !cmp.Equal(got, []int{c.parts}) {
			t.Errorf("the parameters are %q, of shape %v", s.Names(), got)
		}
		squares := make([]float64, c.parts)
		for k, v := range floats(w) {
			squares[c.of(k)] += v * v
		}
		vary(s)
		g := floats(s.Get("wn/g"))
		want := floats(w)
		for k := range want {
			want[k] *= g[c.of(k)] / math.Sqrt(squares[c.of(k)]+1e-3)
		}
		closeTo(t, "w", nn.WeightNormalization(s, w, o), want, 1e-14)
		checkGradients(t, s, func(s *nn.Scope, xs []*nd.Array) *nd.Array { return nn.WeightNormalization(s, xs[0], o) }, w)
	}

	s := nn.NewScope()
	one := nn.WeightNormalization(s.Sub("one"), w, nn.WeightNormalizationOptions{GInit: initializer.Constant(1)})
	if got := ops.Norm(one, ops.Over(1)); math.Abs(floats(got)[0]-1) > 1e-6 || one.DType() != dtype.Float32 {
		t.Errorf("with g = 1 the lengths are %v, of %s", got, one.DType())
	}
	closeTo(t, "of a vector", nn.WeightNormalization(s.Sub("vector"), nd.FromSlice([]float32{3, -2})), []float64{3, -2}, 1e-6)
	none := nn.NewScope()
	refused(t, "axis", func() { nn.WeightNormalization(none, w, nn.WeightNormalizationOptions{Axis: ops.Over(2)}) })
	refused(t, "real numbers", func() { nn.WeightNormalization(none, w.AsType(dtype.Complex64)) })
	if len(none.Names()) != 0 {
		t.Errorf("refused calls created %q", none.Names())
	}
}

// In training the power iteration continues from call to call until it finds the largest singular value, here 3.
func TestSpectralNorm(t *testing.T) {
	w := nd.FromSlice([]float64{0, 3, 0, 1, 0, 0}, 2, 3)
	for _, dim := range []int{0, 1, -1} {
		o := nn.SpectralNormOptions{Axis: ops.Over(dim), UInit: initializer.Constant(1)}
		s := float64s()
		evaluated := floats(nn.SpectralNorm(s, w, o))
		if got := s.Get("spectral-norm/u"); len(s.Names()) != 1 || !cmp.Equal(got.Shape(), []int{w.Dim(dim)}) || s.Param("spectral-norm/u").NeedGrad() {
			t.Errorf("the parameters are %q, of shape %v", s.Names(), got.Shape())
		}
		before := fingerprint(s)
		closeTo(t, "the second evaluation", nn.SpectralNorm(s, w, o), evaluated, 0)
		if fingerprint(s) != before {
			t.Error("evaluation changed u")
		}
		tape := grad.NewTape()
		closeTo(t, "the first step of training", nn.SpectralNorm(s.Watch(tape), w, o), evaluated, 1e-15)
		if fingerprint(s) == before {
			t.Error("training left u as it was")
		}
		for range 20 {
			nn.SpectralNorm(s.Watch(tape), w, o)
		}
		tape.Release()
		closeTo(t, "after training", nn.SpectralNorm(s, w, o), []float64{0, 1, 0, 1. / 3, 0, 0}, 1e-12)

		several := float64s()
		o.Itr = 30
		closeTo(t, "of many steps", nn.SpectralNorm(several, w, o), []float64{0, 1, 0, 1. / 3, 0, 0}, 1e-12)
		checkGradients(t, several, func(s *nn.Scope, xs []*nd.Array) *nd.Array { return nn.SpectralNorm(s, xs[0], o) }, w)
	}
	a, b := nn.NewScope(), nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(9)})
	if got := nn.SpectralNorm(a, w).DType(); got != dtype.Float32 {
		t.Errorf("a model of float32 computes in %s", got)
	}
	nn.SpectralNorm(b, w)
	if cmp.Equal(floats(a.Get("spectral-norm/u")), floats(b.Get("spectral-norm/u"))) {
		t.Error("u is not drawn")
	}
	none := nn.NewScope()
	refused(t, "axis", func() { nn.SpectralNorm(none, w, nn.SpectralNormOptions{Axis: ops.Over(2)}) })
	refused(t, "Itr -1", func() { nn.SpectralNorm(none, w, nn.SpectralNormOptions{Itr: -1}) })
	refused(t, "want an array", func() { nn.SpectralNorm(none, nd.Scalar(2)) })
	if len(none.Names()) != 0 {
		t.Errorf("refused calls created %q", none.Names())
	}
}
