package nn_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

func TestLayerNormalizationAgainstLoops(t *testing.T) {
	s, x := float64s(), waves(3, 2, 4)
	o := nn.LayerNormalizationOptions{BatchAxis: ops.Over(0, -2), Eps: new(1e-3)}
	nn.LayerNormalization(s, x, o)
	if got, want := s.Names(), []string{"layer_normalization/beta", "layer_normalization/gamma"}; !cmp.Equal(got, want) {
		t.Fatalf("parameters %q, want %q", got, want)
	}
	if got, want := s.Get("layer_normalization/beta").Shape(), []int{1, 1, 4}; !cmp.Equal(got, want) {
		t.Fatalf("beta has shape %v, want %v", got, want)
	}
	vary(s)
	y, mean, variance := nn.LayerNormalizationWithStat(s, x, o)
	gamma, beta := floats(s.Get("layer_normalization/gamma")), floats(s.Get("layer_normalization/beta"))
	var want, means, variances []float64
	for v := floats(x); len(v) > 0; v = v[4:] {
		m, q := 0.0, 0.0
		for _, e := range v[:4] {
			m += e / 4
		}
		for _, e := range v[:4] {
			q += (e - m) * (e - m) / 4
		}
		means, variances = append(means, m), append(variances, q)
		for k, e := range v[:4] {
			want = append(want, (e-m)/math.Sqrt(q+1e-3)*gamma[k]+beta[k])
		}
	}
	closeTo(t, "y", y, want, 1e-12)
	closeTo(t, "the mean", mean, means, 1e-12)
	closeTo(t, "the variance", variance, variances, 1e-12)
	closeTo(t, "y alone", nn.LayerNormalization(s, x, o), want, 1e-12)
	checkGradients(t, s, func(s *nn.Scope, xs []*nd.Array) *nd.Array { return nn.LayerNormalization(s, xs[0], o) }, x)
}

func TestLayerNormalizationOptions(t *testing.T) {
	x := waves(2, 3)
	plain := nn.NewScope()
	y := nn.LayerNormalization(plain, x, nn.LayerNormalizationOptions{NoScale: true, NoBias: true})
	if len(plain.Names()) != 0 || y.DType() != dtype.Float64 {
		t.Errorf("without parameters %q, %s", plain.Names(), y.DType())
	}
	twice := nn.NewScope()
	initial := map[string]initializer.Initializer{"gamma": initializer.Constant(2)}
	z := nn.LayerNormalization(twice, x, nn.LayerNormalizationOptions{NoBias: true, ParamInit: initial})
	if !cmp.Equal(twice.Names(), []string{"layer_normalization/gamma"}) || z.DType() != dtype.Float32 {
		t.Errorf("without bias %q, %s", twice.Names(), z.DType())
	}
	want := floats(y)
	for k := range want {
		want[k] *= 2
	}
	closeTo(t, "of gamma 2", z, want, 1e-6)
	if got := nn.LayerNormalization(nn.NewScope(), nd.Zeros([]int{0, 3})).Shape(); !cmp.Equal(got, []int{0, 3}) {
		t.Errorf("an empty batch has the shape %v", got)
	}

	s := nn.NewScope()
	refused(t, "axis", func() { nn.LayerNormalization(s, x, ops.Over(2)) })
	refused(t, "twice", func() { nn.LayerNormalization(s, x, ops.Over(0, -2)) })
	refused(t, `ParamInit of "mean"`, func() {
		nn.LayerNormalization(s, x, nn.LayerNormalizationOptions{ParamInit: map[string]initializer.Initializer{"mean": nil}})
	})
	refused(t, "real numbers", func() { nn.LayerNormalization(s, x.AsType(dtype.Complex64)) })
	refused(t, "want an array", func() { nn.LayerNormalization(s, nd.Scalar(1)) })
	if len(s.Names()) != 0 {
		t.Errorf("refused calls created %q", s.Names())
	}
}
