package optim_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// pair has parameters a and b of ones, with the given gradients.
func pair(a, b []float32) (*nn.Scope, *optim.Gradients) {
	s := nn.NewScope()
	s.Parameter("a", []int{len(a)}, initializer.Constant(1), true)
	s.Parameter("b", []int{len(b)}, initializer.Constant(1), true)
	return s, optim.NewGradients(s, map[string]*nd.Array{"a": nd.FromSlice(a), "b": nd.FromSlice(b)})
}

func TestClipsOfAllGradients(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		clip func(g *optim.Gradients)
		a, b []float64
	}{
		{"norm", func(g *optim.Gradients) { g.ClipByGlobalNorm(6.5) }, []float64{1.5, -2}, []float64{6}},
		{"norm above", func(g *optim.Gradients) { g.ClipByGlobalNorm(13) }, []float64{3, -4}, []float64{12}},
		{"norm 0", func(g *optim.Gradients) { g.ClipByGlobalNorm(0) }, []float64{0, 0}, []float64{0}},
		{"norm of all", func(g *optim.Gradients) { g.ClipByGlobalNorm(inf) }, []float64{3, -4}, []float64{12}},
		{"norm of some", func(g *optim.Gradients) { g.Where(func(n string) bool { return n == "a" }).ClipByGlobalNorm(1) }, []float64{0.6, -0.8}, []float64{12}},
		{"norm of scaled", func(g *optim.Gradients) { g.Scale(2); g.ClipByGlobalNorm(6.5); g.Scale(2) }, []float64{3, -4}, []float64{12}},
		{"norm twice", func(g *optim.Gradients) { g.ClipByGlobalNorm(6.5); g.ClipByNorm(2.5); g.ClipByGlobalNorm(2.5) },
			[]float64{1.5 / math.Sqrt2, -2 / math.Sqrt2}, []float64{2.5 / math.Sqrt2}},
		{"norm of decayed", func(g *optim.Gradients) {
			g.WeightDecay(1)
			g.ClipByGlobalNorm(math.Sqrt(16 + 9 + 169))
			g.WeightDecay(1)
		}, []float64{5, -2}, []float64{14}},
		{"value", func(g *optim.Gradients) { g.ClipByValue(3.5) }, []float64{3, -3.5}, []float64{3.5}},
		{"value 0", func(g *optim.Gradients) { g.ClipByValue(0) }, []float64{0, 0}, []float64{0}},
		{"range", func(g *optim.Gradients) { g.ClipByRange(-1, 5) }, []float64{3, -1}, []float64{5}},
		{"range above 0", func(g *optim.Gradients) { g.ClipByRange(4, inf) }, []float64{4, 4}, []float64{12}},
		{"lasso", func(g *optim.Gradients) { g.Lasso(0.5); g.Lasso(0.5) }, []float64{4, -3}, []float64{13}},
		{"norm of lasso", func(g *optim.Gradients) { g.Lasso(1); g.ClipByNorm(2.5); g.Lasso(2) }, []float64{4, 0.5}, []float64{4.5}},
		{"no noise", func(g *optim.Gradients) { g.Noise(nd.NewRand(1), 0); g.Scale(2) }, []float64{6, -8}, []float64{24}},
		{"global value", func(g *optim.Gradients) { g.ClipByGlobalValue(6) }, []float64{1.5, -2}, []float64{6}},
		{"global value above", func(g *optim.Gradients) { g.ClipByGlobalValue(12) }, []float64{3, -4}, []float64{12}},
		{"after value", func(g *optim.Gradients) { g.ClipByValue(4); g.Scale(0.5); g.WeightDecay(1) }, []float64{2.5, -1}, []float64{3}},
	} {
		_, g := pair([]float32{3, -4}, []float32{12})
		c.clip(g)
		close32(t, c.name, floats(g.Get("a")), c.a)
		close32(t, c.name, floats(g.Get("b")), c.b)
		s, g := pair([]float32{3, -4}, []float32{12})
		c.clip(g)
		optim.NewSGD(optim.SGDOptions{LR: 1}).Update(g)
		close32(t, c.name+" in an update", floats(s.Get("a")), []float64{1 - c.a[0], 1 - c.a[1]})
		close32(t, c.name+" in an update", floats(s.Get("b")), []float64{1 - c.b[0]})
	}
	_, g := pair([]float32{3, -4}, []float32{12})
	if got := g.Norm(); got != 13 {
		t.Errorf("the norm is %v, want 13", got)
	}
	refused(t, "want limits in order", func() { g.ClipByRange(1, 0) })
	refused(t, "want limits in order", func() { g.ClipByRange(math.NaN(), 0) })
	for _, clip := range []func(float64){g.ClipByGlobalNorm, g.ClipByValue, g.ClipByGlobalValue} {
		refused(t, "not negative", func() { clip(-1) })
		refused(t, "not negative", func() { clip(math.NaN()) })
	}
}

// A rule with decoupled weight decay, and a rule without, read the same gradients.
func TestDecayIsTheRulesOwn(t *testing.T) {
	s, g := pair([]float32{3, -4}, []float32{12})
	g.WeightDecay(1)
	g.ClipByGlobalNorm(6.5)
	if got := floats(g.Get("b")); math.Abs(got[0]-13*6.5/math.Sqrt(16+9+169)) > 1e-5 {
		t.Errorf("the gradient is %v", got)
	}
	isA := func(name string) bool { return name == "a" }
	optim.NewSGDW(optim.SGDWOptions{LR: 1, Momentum: new(0.0)}).Update(g.Where(isA))
	optim.NewSGD(optim.SGDOptions{LR: 1}).Update(g.Where(func(name string) bool { return !isA(name) }))
	close32(t, "decoupled", floats(s.Get("a")), []float64{1 - 1.5 - 1, 1 + 2 - 1})
	close32(t, "coupled", floats(s.Get("b")), []float64{1 - 13*6.5/math.Sqrt(16+9+169)})
}

func TestClipsOfWhatIsNoNumber(t *testing.T) {
	nan := float32(math.NaN())
	for _, clip := range []func(*optim.Gradients){
		func(g *optim.Gradients) { g.ClipByGlobalNorm(1) },
		func(g *optim.Gradients) { g.ClipByValue(1) },
		func(g *optim.Gradients) { g.ClipByRange(-2, 0.75) },
		func(g *optim.Gradients) { g.ClipByGlobalValue(1) },
	} {
		_, g := pair([]float32{nan, 0.5}, []float32{0.5})
		clip(g)
		if a, b := floats(g.Get("a")), floats(g.Get("b")); !math.IsNaN(a[0]) || a[1] != 0.5 || b[0] != 0.5 {
			t.Errorf("gradients %v and %v", a, b)
		}
	}
}

// Parameters of several dtypes, empty ones and ones without gradients are clipped together.
func TestClipOfMixedParameters(t *testing.T) {
	s := nn.NewScope()
	for name, x := range map[string]*nd.Array{
		"half": nd.FromSlice([]float32{3}).AsType(dtype.Float16), "double": nd.FromSlice([]float64{4}),
		"complex": nd.FromSlice([]complex64{12i}), "empty": nd.FromSlice([]float32{}), "none": nd.FromSlice([]float32{7}),
	} {
		s.Set(name, x)
	}
	values := map[string]*nd.Array{}
	for _, name := range []string{"half", "double", "complex", "empty"} {
		values[name] = s.Get(name)
	}
	g := optim.NewGradients(s, values)
	g.ClipByGlobalNorm(6.5)
	if got := floats(g.Get("double"))[0]; math.Abs(got-2) > 1e-12 {
		t.Errorf("double became %v", got)
	}
	if got := floats(g.Get("half"))[0]; got != 1.5 {
		t.Errorf("half became %v", got)
	}
	if got := nd.Value[complex128](g.Get("complex")); got != 6i {
		t.Errorf("complex became %v", got)
	}
	if got := g.Norm(); math.Abs(got-6.5) > 1e-6 {
		t.Errorf("the norm is %v", got)
	}
	refused(t, "no order", func() { g.ClipByValue(1) })
	refused(t, "no sign", func() { g.Lasso(1) })
	refused(t, "noise of complex", func() { g.Noise(nd.NewRand(1), 1) })
	none := g.Where(func(name string) bool { return name == "none" || name == "empty" })
	none.ClipByGlobalNorm(1)
	none.ClipByGlobalValue(1)
	if none.Norm() != 0 || none.HasInfOrNaN() {
		t.Error("nothing has a norm")
	}
}

// Statements that exceed one program are carried out in several programs.
func TestManyStatements(t *testing.T) {
	wide := optim.NewOptimizer(optim.Rule{Name: "Wide", States: []string{"a", "b", "c", "d"}, Norms: []optim.Norm{{Name: "size", Body: "y = w_old"}},
		Body: "a = a_old; b = b_old; c = c_old; d = d_old + size; w = w_old - grad"}) // leaves no room for a factor
	for _, opt := range []*optim.Optimizer{optim.NewSGD(optim.SGDOptions{LR: 1}), optim.NewLamb(), optim.NewAdaBound(), optim.NewSMORMS3(), wide} {
		s, g := pair([]float32{3, -4}, []float32{12})
		want := []float64{3, -4}
		for i := range 20 {
			g.Scale(0.75)
			g.WeightDecay(0.5)
			g.ClipByNorm(3)
			g.ClipByValue(2)
			g.Noise(nd.NewRand(1), 0)
			g.Lasso(0.125)
			for k := range want {
				want[k] = want[k]*0.75 + 0.5
			}
			if n := length(want); n > 3 {
				want[0], want[1] = want[0]*3/n, want[1]*3/n
			}
			for k := range want {
				want[k] = max(-2, min(2, want[k])) + 0.125
			}
			if i%7 == 0 {
				close32(t, "so far", floats(g.Get("a")), want)
			}
		}
		close32(t, "gradient", floats(g.Get("a")), want)
		opt.Update(g)
		if opt.Name() == "SGD" || opt.Name() == "Wide" {
			close32(t, "parameter", floats(s.Get("a")), []float64{1 - want[0], 1 - want[1]})
		}
	}
}

func TestWhereIsAView(t *testing.T) {
	_, g := pair([]float32{3, -4}, []float32{12})
	g.Where(func(name string) bool { return name == "b" }).Scale(2)
	if got := floats(g.Get("b")); !cmp.Equal(got, []float64{24}) {
		t.Errorf("b became %v", got)
	}
	if got := floats(g.Get("a")); !cmp.Equal(got, []float64{3, -4}) {
		t.Errorf("a became %v", got)
	}
}

func TestFillMissing(t *testing.T) {
	s := scopeOf(map[string][]float32{"w": {1, 2}, "v": {1}})
	opt := optim.NewMomentum(optim.MomentumOptions{LR: 1, Momentum: new(0.5)})
	opt.Update(optim.NewGradients(s, map[string]*nd.Array{"w": nd.FromSlice([]float32{1, 1}), "v": nd.FromSlice([]float32{1})}))
	g := optim.NewGradients(s, nil)
	g.WeightDecay(10)
	g.FillMissing()
	g.WeightDecay(1)
	opt.Update(g)
	close32(t, "w", floats(s.Get("w")), []float64{0 - 0.5 - 0, 1 - 0.5 - 1})
	close32(t, "v", floats(s.Get("v")), []float64{0 - 0.5})
}
