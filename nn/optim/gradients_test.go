package optim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// One optimizer moves the weights, with weight decay, another the biases.
func ExampleGradients_Where() {
	params := nn.NewScope()
	w := params.Parameter("W", []int{2}, initializer.Constant(1), true)
	b := params.Parameter("b", []int{2}, initializer.Constant(1), true)
	isBias := func(name string) bool { return strings.HasSuffix(name, "b") }
	isWeight := func(name string) bool { return !isBias(name) }
	slow, fast := optim.NewSGD(optim.SGDOptions{LR: 0.125}), optim.NewSGD(optim.SGDOptions{LR: 0.5})

	one := nd.Ones([]int{2})
	g := optim.NewGradients(params, map[string]*nd.Array{"W": one, "b": one})
	g.Where(isWeight).WeightDecay(1)
	slow.Update(g.Where(isWeight))
	fast.Update(g.Where(isBias))
	fmt.Println(w, b)
	// Output: [0.75 0.75] [0.5 0.5]
}

func scopeOf(values map[string][]float32) *nn.Scope {
	s := nn.NewScope()
	for name, v := range values {
		s.Set(name, nd.FromSlice(v))
	}
	return s
}

func TestGradientsChangeInTheOrderOfTheCalls(t *testing.T) {
	s := scopeOf(map[string][]float32{"w": {10, -10}})
	given := nd.FromSlice([]float32{1, 2})
	g := optim.NewGradients(s, map[string]*nd.Array{"w": given})
	g.Scale(4)
	if got, want := floats(g.Get("w")), []float64{4, 8}; !cmp.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	g.Scale(0.5)
	g.WeightDecay(0.5)
	g.Scale(3)
	g.WeightDecay(0.1)
	if got, want := floats(g.Get("w")), []float64{3*(2*1+5) + 1, 3*(2*2-5) - 1}; !cmp.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := floats(given); !cmp.Equal(got, []float64{1, 2}) {
		t.Errorf("the given array became %v", got)
	}
	if first, second := g.Get("w"), g.Get("w"); first != second {
		t.Error("two calls of Get return different arrays")
	}
}

// The gradients of two parameters may be one array, or a broadcast array.
func TestGradientsThatShareMemory(t *testing.T) {
	s := scopeOf(map[string][]float32{"a": {1, 1}, "b": {2, 2}})
	tape := grad.NewTape()
	m := s.Watch(tape)
	g := optim.GradientsOf(m, ops.Sum(ops.Add(m.Get("a"), m.Get("b"))))
	g.Scale(0.5)
	g.WeightDecay(1)
	if a, b := floats(g.Get("a")), floats(g.Get("b")); !cmp.Equal(a, []float64{1.5, 1.5}) || !cmp.Equal(b, []float64{2.5, 2.5}) {
		t.Errorf("gradients %v and %v", a, b)
	}
	g.ClipByNorm(1)
	optim.NewSGD(optim.SGDOptions{LR: 1}).Update(g)
	r := math.Sqrt(0.5)
	close32(t, "a", floats(s.Get("a")), []float64{1 - r, 1 - r})
	close32(t, "b", floats(s.Get("b")), []float64{2 - r, 2 - r})
}

func TestClipByNorm(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		g    []float32
		max  float64
		want []float64
	}{
		{[]float32{3, 4}, 1, []float64{0.6, 0.8}},
		{[]float32{3, 4}, 5, []float64{3, 4}},
		{[]float32{3, 4}, 100, []float64{3, 4}},
		{[]float32{3, 4}, 0, []float64{0, 0}},
		{[]float32{0, 0}, 0, []float64{0, 0}},
		{[]float32{0, 0}, 1, []float64{0, 0}},
		{[]float32{}, 1, []float64{}},
		{[]float32{3, 4}, math.Inf(1), []float64{3, 4}},
	} {
		g := optim.NewGradients(scopeOf(map[string][]float32{"w": make([]float32, len(c.g))}), map[string]*nd.Array{"w": nd.FromSlice(c.g)})
		g.ClipByNorm(c.max)
		close32(t, "clipped", floats(g.Get("w")), c.want)
	}
	g := optim.NewGradients(scopeOf(map[string][]float32{"w": {0}, "v": {0}}), map[string]*nd.Array{"w": nd.FromSlice([]float32{inf})})
	g.ClipByNorm(1)
	if !math.IsNaN(floats(g.Get("w"))[0]) || g.Get("v") != nil {
		t.Errorf("an infinite gradient was clipped to %v", g.Get("w"))
	}
	refused(t, "not negative", func() { g.ClipByNorm(-1) })
	refused(t, "not negative", func() { g.ClipByNorm(math.NaN()) })
}

func TestGradientsThatAreNoNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, c := range []struct {
		g            []float32
		isNaN, isInf bool
	}{
		{[]float32{1, 2}, false, false},
		{[]float32{1, nan}, true, false},
		{[]float32{inf, 2}, false, true},
		{[]float32{inf, nan}, true, true},
		{nil, false, false},
	} {
		s := scopeOf(map[string][]float32{"w": {inf, nan}, "v": {inf}}) // the parameters themselves do not count
		values := map[string]*nd.Array{}
		if c.g != nil {
			values["w"] = nd.FromSlice(c.g)
		}
		g := optim.NewGradients(s, values)
		g.Scale(0.5)
		if g.HasNaN() != c.isNaN || g.HasInf() != c.isInf {
			t.Errorf("%v: HasNaN %v, HasInf %v", c.g, g.HasNaN(), g.HasInf())
		}
	}
}

func TestNewGradientsRefuses(t *testing.T) {
	s := scopeOf(map[string][]float32{"w": {1, 2}, "frozen": {1}})
	s.Param("frozen").SetNeedGrad(false)
	refused(t, "another shape", func() { optim.NewGradients(s, map[string]*nd.Array{"w": nd.Zeros([]int{1})}) })
	refused(t, `"x" is not a trained parameter`, func() { optim.NewGradients(s, map[string]*nd.Array{"x": nd.Zeros([]int{1})}) })
	refused(t, `"frozen" is not a trained parameter`, func() { optim.NewGradients(s, map[string]*nd.Array{"frozen": nd.Zeros([]int{1})}) })
	optim.NewGradients(s, map[string]*nd.Array{"x": nil, "w": nil})
}

// TestOptionOfWeightDecay: an optimizer whose options say the rate makes the same updates as one whose gradients do, after a clip too;
// what gradients say replaces it.
func TestOptionOfWeightDecay(t *testing.T) {
	const rate = 0.1
	for name, c := range map[string]struct{ said, plain *optim.Optimizer }{
		"SGD":    {optim.NewSGD(optim.SGDOptions{LR: 0.1, WeightDecay: rate}), optim.NewSGD(optim.SGDOptions{LR: 0.1})},
		"Adam":   {optim.NewAdam(optim.AdamOptions{WeightDecay: rate}), optim.NewAdam()},
		"AMSG":   {optim.NewAMSGRAD(optim.AMSGRADOptions{WeightDecay: rate}), optim.NewAMSGRAD()},
		"Nest":   {optim.NewNesterov(optim.NesterovOptions{WeightDecay: rate}), optim.NewNesterov()},
		"Lion":   {optim.NewLion(optim.LionOptions{WeightDecay: rate}), optim.NewLion()},
		"Lamb":   {optim.NewLamb(optim.LambOptions{WeightDecay: rate}), optim.NewLamb()},
		"SMORMS": {optim.NewSMORMS3(optim.SMORMS3Options{WeightDecay: rate}), optim.NewSMORMS3()},
	} {
		a, b := scopeOf(map[string][]float32{"w": {1, -2, 3}}), scopeOf(map[string][]float32{"w": {1, -2, 3}})
		for k := range 4 {
			g, h := optim.NewGradients(a, map[string]*nd.Array{"w": nd.FromSlice([]float32{3, 0, -4})}),
				optim.NewGradients(b, map[string]*nd.Array{"w": nd.FromSlice([]float32{3, 0, -4})})
			g.ClipByGlobalNorm(1)
			h.ClipByGlobalNorm(1)
			if k == 3 {
				g.WeightDecay(0.5)
				h.WeightDecay(0.5)
			} else {
				h.WeightDecay(rate)
			}
			c.said.Update(g)
			c.plain.Update(h)
		}
		if got, want := floats(a.Get("w")), floats(b.Get("w")); !cmp.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	refused(t, "WeightDecay -1", func() { optim.NewAdam(optim.AdamOptions{WeightDecay: -1}) })
}

// A loss of several elements is refused: it would train on its sum.
func TestLossOfSeveralElementsIsRefused(t *testing.T) {
	s := scopeOf(map[string][]float32{"w": {1, 2}})
	tape := grad.NewTape()
	defer tape.Release()
	model := s.Watch(tape)
	losses := ops.Square(model.Get("w"))
	refused(t, "optim.GradientsOf: the loss has shape (2,): want one number, such as ops.Mean(loss)", func() { optim.GradientsOf(model, losses) })
	refused(t, "the loss has shape (0,)", func() { optim.GradientsOf(model, losses.Index(nd.Until(0))) })
	refused(t, "nil", func() { optim.GradientsOf(model, nil) })
	for _, one := range []*nd.Array{ops.Mean(losses), ops.Mean(losses, ops.Over(0).KeepDims())} {
		if got := floats(optim.GradientsOf(model, one).Get("w")); !cmp.Equal(got, []float64{1, 2}) {
			t.Errorf("gradient %v", got)
		}
	}
}
