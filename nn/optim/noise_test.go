package optim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// Lasso moves parameters with little effect to 0, and noise leads out of a local minimum.
func ExampleGradients_Noise() {
	params, opt, rng := nn.NewScope(), optim.NewMomentum(), nd.NewRand(1)
	w := params.Parameter("w", []int{3}, initializer.Constant(1), true)
	for range 10 {
		g := optim.NewGradients(params, map[string]*nd.Array{"w": nd.FromSlice([]float32{-2, 0, 2})})
		g.Lasso(0.1)
		g.ClipByGlobalNorm(5)
		g.Noise(rng, optim.AnnealedNoise(0.01, opt.Updates()))
		opt.Update(g)
	}
	fmt.Println(opt.Updates(), w.Shape())
	// Output: 10 [3]
}

func TestNoise(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32, dtype.BFloat16} {
		s := nn.NewScope(nn.ScopeOptions{DType: dt})
		s.Parameter("a", []int{100, 100}, nil, true)
		s.Parameter("b", []int{100, 100}, nil, true)
		s.Parameter("c", nil, nil, true)
		s.Parameter("d", []int{0}, nil, true)
		draw := func(seed uint64) *optim.Gradients {
			g := optim.NewGradients(s, nil)
			g.FillMissing()
			g.Noise(nd.NewRand(seed), 0.5)
			return g
		}
		g := draw(1)
		a, b := floats(g.Get("a")), floats(g.Get("b"))
		const n = 1e4
		for name, x := range map[string][]float64{"a": a, "b": b} {
			sum := 0.0
			for _, v := range x {
				sum += v
			}
			if std := length(x) / math.Sqrt(n); math.Abs(sum/n) > 5*0.5/math.Sqrt(n) || math.Abs(std-0.5) > 5*0.5/math.Sqrt(2*n) {
				t.Errorf("%s: the noise of %s has mean %v and deviation %v, want 0 and 0.5", dt, name, sum/n, std)
			}
		}
		if cmp.Equal(a, b) || cmp.Equal(a, floats(draw(2).Get("a"))) || !cmp.Equal(b, floats(draw(1).Get("b"))) {
			t.Errorf("%s: noise must follow from the stream, and be another of each parameter", dt)
		}
		// All reads of a gradient see the same noise: before a clip, and in the update.
		g.ClipByGlobalNorm(1)
		clipped := floats(g.Get("a"))
		optim.NewSGD(optim.SGDOptions{LR: 1}).Update(g)
		near := 1e-6
		if dt == dtype.BFloat16 {
			near = 1e-3
		}
		if norm := g.Norm(); math.Abs(norm-1) > near {
			t.Errorf("%s: the norm is %v, want 1", dt, norm)
		}
		for i, w := range floats(s.Get("a")) {
			if math.Abs(w+clipped[i]) > near {
				t.Fatalf("%s: element %d is %v after an update by %v", dt, i, w, clipped[i])
			}
		}
	}
}

func TestAnnealedNoise(t *testing.T) {
	for _, c := range []struct {
		eta  float64
		t    int
		want float64
	}{{0.01, 0, 0.1}, {0.3, 1, 0.452665481910383}, {1, 9, 0.5308844442309884}, {0, 5, 0}} {
		if got := optim.AnnealedNoise(c.eta, c.t); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v after %d updates: %v, want %v", c.eta, c.t, got, c.want)
		}
	}
	refused(t, "after -1 updates", func() { optim.AnnealedNoise(1, -1) })
	refused(t, "eta -1", func() { optim.AnnealedNoise(-1, 1) })
	_, g := pair([]float32{1}, []float32{1})
	refused(t, "a standard deviation of -1", func() { g.Noise(nd.NewRand(1), -1) })
	refused(t, "a standard deviation of NaN", func() { g.Noise(nd.NewRand(1), math.NaN()) })
	refused(t, "no stream", func() { g.Noise(nil, 1) })
}
