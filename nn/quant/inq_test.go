package quant_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// nudge adds a number to all weights, as an optimizer may.
func nudge(s *nn.Scope, name string, by float64) {
	s.Set(name, ops.Add(s.Get(name), by))
}

func TestINQFixesWeightsStepByStep(t *testing.T) {
	x := nd.Eye(4, 4, 0)
	s, state := nn.NewScope(), quant.NewINQ(quantize.INQOptions{Iterations: []int{1, 2}})
	start := nd.FromSlice([]float32{1, -0.3, 0.45, 0.02}, 4, 1)
	o := quant.INQAffineOptions{AffineOptions: nn.AffineOptions{WInit: initializer.Values(start), WithBias: new(false)}}
	layer := func(s *nn.Scope) *nd.Array { return quant.INQAffine(s, x, 1, state, o) }
	const w, i = "inq_affine/W", "inq_affine/I"

	check := func(what string, y *nd.Array, want, marks []float64) {
		t.Helper()
		for k, v := range floats(y) {
			if math.Abs(v-want[k]) > 1e-6 {
				t.Errorf("%s: the weights are %v, want %v", what, floats(y), want)
				break
			}
		}
		if got := floats(s.Get(i)); !cmp.Equal(got, marks) {
			t.Errorf("%s: I is %v, want %v", what, got, marks)
		}
	}
	tape := grad.NewTape()
	step := func() *nd.Array { return layer(s.Watch(tape)) }
	check("evaluation first", layer(s), []float64{1, -0.3, 0.45, 0.02}, []float64{0, 0, 0, 0})
	check("step 0", step(), []float64{1, -0.3, 0.45, 0.02}, []float64{0, 0, 0, 0})
	check("step 1 fixes the two largest", step(), []float64{1, -0.3, 0.5, 0.02}, []float64{1, 0, 1, 0})
	nudge(s, w, 0.1)
	before := fingerprint(s)
	check("evaluation restores them", layer(s), []float64{1, -0.2, 0.5, 0.12}, []float64{1, 0, 1, 0})
	if fingerprint(s) != before || state.Steps() != 2 {
		t.Errorf("evaluation wrote, or made step %d", state.Steps())
	}
	model := s.Watch(tape)
	y := layer(model)
	check("step 2 fixes all", y, []float64{1, -0.25, 0.5, 0.125}, []float64{1, 1, 1, 1})
	check("W", s.Get(w), []float64{1, -0.25, 0.5, 0.125}, []float64{1, 1, 1, 1})
	if got := floats(optim.GradientsOf(model, ops.Sum(y)).Get(w)); !cmp.Equal(got, []float64{1, 1, 1, 1}) {
		t.Errorf("the gradient is %v, want ones for fixed weights, too", got)
	}
	nudge(s, w, 3)
	check("step 3", step(), []float64{1, -0.25, 0.5, 0.125}, []float64{1, 1, 1, 1})
}

func TestINQConvolutionInGoroutines(t *testing.T) {
	x := waves(2, 4, 5).AsType(nn.NewScope().DType())
	s, state := nn.NewScope(), quant.NewINQ(quantize.INQOptions{Iterations: []int{0}})
	marked := quant.INQConvolutionOptions{ConvolutionOptions: nn.ConvolutionOptions{Group: 2}, IInit: initializer.Constant(1)}
	layer := func(s *nn.Scope) *nd.Array { return quant.INQConvolution(s, x, 4, []int{2}, state, marked) }
	want := floats(layer(s)) // powers of two, as I says
	w := s.Get("inq_conv/W").Copy()
	before := fingerprint(s)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if got := floats(layer(s)); !cmp.Equal(got, want) {
				t.Error("evaluations differ")
			}
		})
	}
	wait.Wait()
	if fingerprint(s) != before || state.Steps() != 0 {
		t.Error("evaluation wrote")
	}
	if got := floats(layer(s.Watch(grad.NewTape()))); !cmp.Equal(got, want) {
		t.Error("the first step and evaluation have different results")
	}
	for k, v := range floats(s.Get("inq_conv/W")) {
		e := math.Log2(math.Abs(v))
		if old := floats(w)[k]; v != 0 && (e != math.Trunc(e) || v*old < 0) {
			t.Errorf("weight %v became %v, want a power of two", old, v)
		}
	}
	refused(t, "no state", func() { quant.INQAffine(s, x, 4, nil) })
	refused(t, "SelectionAlgorithm random: give it a Rand", func() { quant.NewINQ(quantize.INQOptions{SelectionAlgorithm: "random"}) })
	refused(t, "an INQ is of one layer", func() { quant.INQAffine(nn.NewScope(), x, 4, state) })
}

// A training that was saved after any step continues as if it had not been saved, with the same draws.
func TestINQResumes(t *testing.T) {
	x := waves(2, 6)
	o := quant.INQAffineOptions{AffineOptions: nn.AffineOptions{WithBias: new(false)}}
	begin := func() (*nn.Scope, *quant.INQ) {
		return float64s(), quant.NewINQ(quantize.INQOptions{Iterations: []int{1, 2, 4}, SelectionAlgorithm: "random", Rand: nd.NewRand(3)})
	}
	step := func(s *nn.Scope, state *quant.INQ, results *[]float64) {
		*results = append(*results, floats(quant.INQAffine(s.Watch(grad.NewTape()), x, 5, state, o))...)
		nudge(s, "inq_affine/W", 0.05)
	}
	const steps = 6
	var want []float64
	s, state := begin()
	for range steps {
		step(s, state, &want)
	}
	end := fingerprint(s)
	for saved := range steps {
		var got []float64
		s, state := begin()
		for range saved {
			step(s, state, &got)
		}
		path := filepath.Join(t.TempDir(), "inq.npz")
		if err := archive.Save(path, state); err != nil {
			t.Fatal(err)
		}
		_, later := begin()
		if err := archive.Load(path, later); err != nil {
			t.Fatal(err)
		}
		for range steps - saved {
			step(s, later, &got)
		}
		if !cmp.Equal(got, want) || fingerprint(s) != end || later.Steps() != steps {
			t.Errorf("saved after %d steps it continues differently", saved)
		}
	}
	there, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64, Device: there, Rand: nd.NewRand(5)})
	_, moved := begin()
	resumed := filepath.Join(t.TempDir(), "inq.npz")
	if err := errors.Join(archive.Save(resumed, state), archive.Load(resumed, moved)); err != nil {
		t.Fatal(err)
	}
	y := quant.INQAffine(elsewhere, x.To(there), 5, moved, o)
	near(t, "on another device", y, floats(quant.INQAffine(s, x, 5, state, o)))
	quant.INQAffine(elsewhere.Watch(grad.NewTape()), x.To(there), 5, moved, o)

	path := filepath.Join(t.TempDir(), "bad.npz")
	bad := archive.Func(func(a *archive.Archive) {
		steps, w := 2, waves(3)
		a.Int("steps", &steps)
		a.NewArray("w", &w)
		a.Object("rng", archive.Stream(nd.NewRand(1)))
	})
	if err := archive.Save(path, bad); err != nil {
		t.Fatal(err)
	}
	if err := archive.Load(path, state); err == nil || !strings.Contains(err.Error(), "both arrays or none") || state.Steps() != steps {
		t.Errorf("a file without its fixed weights: %v", err)
	}
}
