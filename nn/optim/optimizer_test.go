package optim_test

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
	"github.com/ndgrad/ndgrad/nn/optim"
)

// close32 compares numbers with the precision of float32.
func close32(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 5e-6+1e-5*math.Abs(want[i])) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

// Three steps of NNabla's solvers with scale_grad(1/8), weight_decay(0.01) and clip_grad_by_norm(2) before each.
func TestOptimizersAgainstNNabla(t *testing.T) {
	for _, c := range []struct {
		opt      *optim.Optimizer
		w        []float32
		gradient [3][]float32
		want     [3][]float64
	}{
		{
			opt: optim.NewSGD(optim.SGDOptions{LR: 0.1}),
			w:   []float32{1.4577467, 0.21144003, -0.7901588, 1.1127201, -1.169447},
			gradient: [3][]float32{
				{-6.1920776, 4.1341944, 9.130882, -4.5041776, 16.309883},
				{7.999673, -3.948008, -5.2108603, 3.2836652, 6.864016},
				{2.9258363, 1.3511298, 4.902395, -0.90354073, 5.4476833},
			},
			want: [3][]float64{
				{1.51712, 0.17087272, -0.87877387, 1.1558679, -1.3279233},
				{1.415607, 0.22005194, -0.81275934, 1.1136663, -1.4123956},
				{1.3776184, 0.20294277, -0.8732265, 1.1238469, -1.4790792},
			},
		},
		{
			opt: optim.NewMomentum(optim.MomentumOptions{LR: 0.1}),
			w:   []float32{-0.03477453, -0.2963999, 0.32840365, -0.5856407, 0.2611527},
			gradient: [3][]float32{
				{-6.866692, -17.326435, -1.9623754, 0.77562225, 5.66148},
				{-12.903322, -11.091722, 2.828983, 0.55645525, 4.0611844},
				{1.8850403, -2.7625337, -6.7006645, 6.28231, -0.5578518},
			},
			want: [3][]float64{
				{0.035265084, -0.119501695, 0.34814373, -0.5930711, 0.20321652},
				{0.24374047, 0.16486211, 0.33370197, -0.605497, 0.10510504},
				{0.40756157, 0.45515633, 0.40412897, -0.6946037, 0.023672752},
			},
		},
		{
			opt: optim.NewAdam(optim.AdamOptions{LR: 0.1}),
			w:   []float32{-0.33130252, -0.19873579, -0.41046113, 0.1326382, -0.13742305},
			gradient: [3][]float32{
				{1.7351556, 15.783184, 7.2925186, 2.8411856, -4.563857},
				{6.1236053, 5.022993, 1.2188681, 9.482188, -10.002089},
				{-1.9890864, -2.8747742, 1.7840912, 8.454847, 4.0378847},
			},
			want: [3][]float64{
				{-0.43130237, -0.29873577, -0.5104611, 0.032638304, -0.03742311},
				{-0.51955926, -0.3870674, -0.5899002, -0.05638726, 0.05656968},
				{-0.56476986, -0.44164574, -0.66577995, -0.15022045, 0.102150925},
			},
		},
	} {
		s := nn.NewScope()
		s.Set("w", nd.FromSlice(c.w))
		for i := range c.gradient {
			g := optim.NewGradients(s, map[string]*nd.Array{"w": nd.FromSlice(c.gradient[i])})
			g.Scale(0.125)
			g.WeightDecay(0.01)
			g.ClipByNorm(2)
			c.opt.Update(g)
			close32(t, c.opt.Name(), floats(s.Get("w")), c.want[i])
		}
	}
}

// The formulas, step by step in float64, with every option away from its default and a learning rate that changes.
func TestOptimizersAgainstTheirFormulas(t *testing.T) {
	gradients := []float64{2, -1, 0, 3, 0.5, -4}
	rates := []float64{0.1, 0.05, 0.2, 0, 0.1, 0.3}
	for _, c := range []struct {
		opt  *optim.Optimizer
		step func(g, rate float64, state *[2]float64, t float64) float64
	}{
		{optim.NewSGD(), func(g, rate float64, _ *[2]float64, _ float64) float64 { return rate * g }},
		{optim.NewMomentum(optim.MomentumOptions{Momentum: new(0.0)}), func(g, rate float64, _ *[2]float64, _ float64) float64 { return rate * g }},
		{optim.NewMomentum(optim.MomentumOptions{Momentum: new(0.5)}), func(g, rate float64, s *[2]float64, _ float64) float64 {
			s[0] = 0.5*s[0] + rate*g
			return s[0]
		}},
		{optim.NewAdam(optim.AdamOptions{Beta1: new(0.0), Beta2: new(0.5), Eps: new(0.1)}), func(g, rate float64, s *[2]float64, t float64) float64 {
			s[0], s[1] = g, 0.5*s[1]+0.5*g*g
			return rate * math.Sqrt(1-math.Pow(0.5, t)) * s[0] / (math.Sqrt(s[1]) + 0.1)
		}},
	} {
		scope := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
		w := scope.Parameter("w", []int{1}, initializer.Constant(1), true)
		want, state := 1.0, [2]float64{}
		for i, g := range gradients {
			c.opt.SetLearningRate(rates[i])
			c.opt.Update(optim.NewGradients(scope, map[string]*nd.Array{"w": nd.FromSlice([]float64{g})}))
			want -= c.step(g, rates[i], &state, float64(i+1))
			if got := floats(w)[0]; math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s after %d steps: %v, want %v", c.opt.Name(), i+1, got, want)
			}
		}
		if c.opt.LearningRate() != 0.3 {
			t.Errorf("%s: the learning rate became %v", c.opt.Name(), c.opt.LearningRate())
		}
	}
	for _, opt := range []*optim.Optimizer{optim.NewSGD(), optim.NewMomentum(), optim.NewAdam()} {
		if opt.LearningRate() != 0.001 {
			t.Errorf("%s has the default learning rate %v", opt.Name(), opt.LearningRate())
		}
	}
}

func TestParametersWithoutGradientStay(t *testing.T) {
	s := nn.NewScope()
	s.Parameter("w", []int{2}, initializer.Constant(1), true)
	s.Parameter("b", []int{2}, initializer.Constant(1), true)
	opt := optim.NewAdam()
	for range 3 {
		g := optim.NewGradients(s, map[string]*nd.Array{"w": nd.Ones([]int{2})})
		g.WeightDecay(0.1)
		opt.Update(g)
	}
	if got := floats(s.Get("b")); !cmp.Equal(got, []float64{1, 1}) {
		t.Errorf("b became %v", got)
	}
	var names []string
	for _, state := range opt.State(s) {
		names = append(names, state.Name)
	}
	if want := []string{"w/mean", "w/var", "w/t"}; !cmp.Equal(names, want) {
		t.Errorf("states %q, want %q", names, want)
	}
	if got := nd.Value[int](opt.State(s)[2].Array); got != 3 {
		t.Errorf("%d updates, want 3", got)
	}
	opt.Update(optim.NewGradients(nn.NewScope(), nil))
}

func TestUpdateIsInPlace(t *testing.T) {
	s := nn.NewScope()
	w := s.Parameter("w", []int{3}, initializer.Constant(1), true)
	tape := grad.NewTape()
	model := s.Watch(tape)
	loss := ops.Sum(ops.Multiply(model.Get("w"), model.Get("w")))
	optim.NewSGD(optim.SGDOptions{LR: 0.25}).Update(optim.GradientsOf(model, loss))
	if s.Get("w") != w || !cmp.Equal(floats(w), []float64{0.5, 0.5, 0.5}) {
		t.Errorf("the parameter is %v", s.Get("w"))
	}
	refused(t, "overwritten by SGD.Update", func() { optim.GradientsOf(model, loss) })
}

func TestOptimizersOfSixteenBitParameters(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		s := nn.NewScope(nn.ScopeOptions{DType: dt})
		w := s.Parameter("w", []int{1}, initializer.Constant(1), true)
		opt := optim.NewAdam(optim.AdamOptions{LR: 0.25, Eps: new(0.0)})
		g := optim.NewGradients(s, map[string]*nd.Array{"w": nd.Full([]int{1}, 1e-6).AsType(dtype.Float32)})
		opt.Update(g)
		if got := floats(w)[0]; math.Abs(got-0.75) > 0.01 {
			t.Errorf("%s: %v, want 0.75: small gradients must not be lost", dt, got)
		}
		if state := opt.State(s)[0].Array; state.DType() != dtype.Float32 || w.DType() != dt {
			t.Errorf("the state of a %s parameter is %s", dt, state.DType())
		}
	}
}

func TestComplexParameters(t *testing.T) {
	s := nn.NewScope(nn.ScopeOptions{DType: dtype.Complex128})
	w := s.Parameter("w", []int{1}, nil, true)
	g := optim.NewGradients(s, map[string]*nd.Array{"w": nd.FromSlice([]complex128{3 + 4i})})
	g.ClipByNorm(1)
	optim.NewSGD(optim.SGDOptions{LR: 0.5}).Update(g)
	if got := nd.Value[complex128](w); math.Hypot(real(got)+0.3, imag(got)+0.4) > 1e-12 {
		t.Errorf("%v, want half of the gradient of norm 1", got)
	}
	before := nd.Value[complex128](w)
	refused(t, "complex parameters", func() { optim.NewAdam().Update(g) })
	if nd.Value[complex128](w) != before {
		t.Error("a refused update changed the parameter")
	}
}
