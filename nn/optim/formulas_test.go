package optim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// statements are statements about gradients before an update; expect applies them to a reference's gradients.
type statements struct {
	name                     string
	scale, decay, norm, size float64 // 0 means no such statement
}

func (c statements) make(g *optim.Gradients) {
	if c.scale > 0 {
		g.Scale(c.scale)
	}
	if c.decay > 0 {
		g.WeightDecay(c.decay)
	}
	if c.norm > 0 {
		g.ClipByNorm(c.norm)
	}
	if c.size > 0 {
		g.ClipByValue(c.size)
	}
}

func (c statements) expect(r *reference, w, g []float64) (rate float64) {
	if rate = r.decay; c.decay > 0 {
		rate = c.decay
	}
	for i := range g {
		if c.scale > 0 {
			g[i] *= c.scale
		}
		if !r.decoupled {
			g[i] += c.decay * w[i]
		}
	}
	if n := length(g); c.norm > 0 && n > c.norm {
		for i := range g {
			g[i] *= c.norm / n
		}
	}
	for i := range g {
		if c.size > 0 {
			g[i] = max(-c.size, min(c.size, g[i]))
		}
	}
	return rate
}

var manyStatements = []statements{
	{name: "plain"}, {name: "decayed", decay: 0.1}, {name: "all", scale: 0.5, decay: 0.1, norm: 0.75, size: 0.4},
}

// TestRulesAgainstTheirFormulas takes ten steps with every rule, for parameters of several layouts and dtypes.
func TestRulesAgainstTheirFormulas(t *testing.T) {
	for k := range references {
		r := &references[k]
		for _, c := range manyStatements {
			for _, shape := range [][]int{{5}, {}, {0}, {2, 3}} {
				for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32} {
					opt := r.opt()
					name := opt.Name() + " " + c.name
					s := nn.NewScope(nn.ScopeOptions{DType: dt})
					w := s.Parameter("w", shape, initializer.Uniform(-1, 1), true)
					want, state := floats(w), map[string][]float64{}
					for _, n := range []string{"m", "v", "v_hat", "u", "n", "g", "d", "mean", "var", "s_max", "e_sqr_grad", "e_sqr_delta", "mem", "g2"} {
						state[n] = make([]float64, len(want))
					}
					stream := nd.NewRand(uint64(k + 1))
					for step := 1; step <= 10; step++ {
						rate := 0.1 + 0.01*float64(step%3)
						given := gradientOf(stream, shape, step%2 == 0).AsType(dt)
						g := optim.NewGradients(s, map[string]*nd.Array{"w": given})
						c.make(g)
						opt.SetLearningRate(rate)
						opt.Update(g)
						expected := floats(given)
						decay := c.expect(r, want, expected)
						r.step(want, expected, state, float64(step), rate, decay)
						tol := 1e-12
						if dt == dtype.Float32 {
							tol = 2e-4 // for ten steps, some with roots of small differences
						}
						if d := furthest(floats(w), want); !(d <= tol) {
							t.Fatalf("%s %s%v after %d steps: %v, want %v", name, dt, shape, step, floats(w), want)
						}
					}
					for _, n := range opt.State(s) {
						if kind := n.Name[2:]; kind != "t" && furthest(floats(n.Array), state[kind]) > 2e-4 {
							t.Errorf("%s: the state %s is %v, want %v", name, n.Name, n.Array, state[kind])
						}
					}
				}
			}
		}
	}
}

// gradientOf draws a gradient, every other one a view with strides.
func gradientOf(stream *nd.Rand, shape []int, strided bool) *nd.Array {
	draw := initializer.Uniform(-1, 1)
	if strided && len(shape) > 0 {
		long := slices.Clone(shape)
		long[len(long)-1] *= 2
		return draw(stream, long, nd.ArrayOptions{DType: dtype.Float64}).Index(nd.Ellipsis(), nd.All().By(2))
	}
	return draw(stream, shape, nd.ArrayOptions{DType: dtype.Float64})
}

// TestRulesOfSixteenBits compares with float32 parameters, which start at the same values.
func TestRulesOfSixteenBits(t *testing.T) {
	for k := range references {
		for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
			small, wide := nn.NewScope(nn.ScopeOptions{DType: dt}), nn.NewScope()
			w := small.Parameter("w", []int{8}, initializer.Uniform(-1, 1), true)
			wide.Set("w", w.AsType(dtype.Float32))
			a, b := references[k].opt(), references[k].opt()
			g := gradientOf(nd.NewRand(1), []int{8}, false).AsType(dtype.Float32)
			a.Update(optim.NewGradients(small, map[string]*nd.Array{"w": g}))
			b.Update(optim.NewGradients(wide, map[string]*nd.Array{"w": g}))
			if d := furthest(floats(w), floats(wide.Get("w"))); d > 0.01 {
				t.Errorf("%s of %s is %v from float32", a.Name(), dt, d)
			}
			for _, s := range a.State(small) {
				if s.Name != "w/t" && s.Array.DType() != dtype.Float32 {
					t.Errorf("%s: the state %s is %s", a.Name(), s.Name, s.Array.DType())
				}
			}
		}
	}
}

// TestRulesOfNaN checks that a NaN affects its own element only.
func TestRulesOfNaN(t *testing.T) {
	for k := range references {
		opt := references[k].opt()
		if opt.Name() == "Lars" || opt.Name() == "Lamb" { // their norms are of the whole parameter
			continue
		}
		s := nn.NewScope()
		w := s.Parameter("w", []int{2}, initializer.Constant(1), true)
		g := nd.FromSlice([]float32{float32(math.NaN()), 1})
		opt.Update(optim.NewGradients(s, map[string]*nd.Array{"w": g}))
		if got := floats(w); !math.IsNaN(got[0]) || math.IsNaN(got[1]) {
			t.Errorf("%s: %v of a gradient whose first element is NaN", opt.Name(), got)
		}
	}
}

func TestOptionsAreRefused(t *testing.T) {
	nan := math.NaN()
	refused(t, "learning rate -1", func() { optim.NewSGD(optim.SGDOptions{LR: -1}) })
	refused(t, "learning rate NaN", func() { optim.NewSGD().SetLearningRate(nan) })
	refused(t, "learning rate +Inf", func() { optim.NewLion().SetLearningRate(math.Inf(1)) })
	refused(t, "Momentum 1", func() { optim.NewSGDW(optim.SGDWOptions{Momentum: new(1.0)}) })
	refused(t, "Beta1 -0.1", func() { optim.NewAdam(optim.AdamOptions{Beta1: new(-0.1)}) })
	refused(t, "Beta2 1", func() { optim.NewAdamW(optim.AdamWOptions{Beta2: new(1.0)}) })
	refused(t, "Beta2 NaN", func() { optim.NewLamb(optim.LambOptions{Beta2: new(nan)}) })
	refused(t, "Eps -1", func() { optim.NewAdamax(optim.AdamaxOptions{Eps: new(-1.0)}) })
	refused(t, "WeightDecay -1", func() { optim.NewAdaBelief(optim.AdaBeliefOptions{WeightDecay: -1}) })
	refused(t, "Decay 1.5", func() { optim.NewRMSprop(optim.RMSpropOptions{Decay: new(1.5)}) })
	refused(t, "Gamma -1", func() { optim.NewAdaBound(optim.AdaBoundOptions{Gamma: -1}) })
	refused(t, "GammaU -1", func() { optim.NewLamb(optim.LambOptions{GammaU: -1}) })
	refused(t, "Coefficient -1", func() { optim.NewLars(optim.LarsOptions{Coefficient: -1}) })
	opt := optim.NewAdam()
	opt.SetLearningRate(0)
	if opt.LearningRate() != 0 {
		t.Error("a learning rate of 0 was not taken")
	}
}
