package optim_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

func TestMean(t *testing.T) {
	s := scopeOf(map[string][]float32{"w": {1, 2}, "v": {1}, "u": {1}})
	for _, n := range []int{1, 2, 10, 11, 25} {
		var gs []*optim.Gradients
		sum, some := 0.0, 0.0
		for i := range n {
			values := map[string]*nd.Array{"w": nd.FromSlice([]float32{float32(i), 1})}
			if i%2 == 0 {
				values["v"] = nd.FromSlice([]float32{1})
				some++
			}
			g := optim.NewGradients(s, values)
			if i%3 == 0 {
				g.Scale(2)
				sum += float64(i)
			}
			sum += float64(i)
			gs = append(gs, g)
		}
		mean := optim.Mean(gs...)
		if got := floats(mean.Get("w"))[0]; got-sum/float64(n) > 1e-5 || sum/float64(n)-got > 1e-5 {
			t.Errorf("the mean of %d is %v, want %v", n, got, sum/float64(n))
		}
		if mean.Get("u") != nil || mean.Get("v") == nil {
			t.Errorf("the mean of %d has other parameters than its gradients", n)
		}
		if got := floats(gs[0].Get("w")); got[1] != 2 {
			t.Errorf("the first of %d became %v", n, got)
		}
	}
	g := optim.NewGradients(s, nil)
	refused(t, "no gradients", func() { optim.Mean() })
	refused(t, "of other parameters", func() {
		optim.Mean(g, optim.NewGradients(scopeOf(map[string][]float32{"w": {1}, "v": {1}, "u": {1}}), nil))
	})
	refused(t, "want 3 as the first", func() { optim.Mean(g, g.Where(func(name string) bool { return name == "w" })) })
}

func TestMeanOfSixteenBitsIsFloat32(t *testing.T) {
	s := nn.NewScope(nn.ScopeOptions{DType: dtype.Float16})
	w := s.Parameter("w", []int{1}, nil, true)
	big := nd.Full([]int{1}, 60000).AsType(dtype.Float16)
	g := func() *optim.Gradients { return optim.NewGradients(s, map[string]*nd.Array{"w": big}) }
	optim.NewSGD(optim.SGDOptions{LR: 1}).Update(optim.Mean(g(), g(), g()))
	if got := floats(w)[0]; got != -60000 {
		t.Errorf("w became %v: the sum was rounded to float16", got)
	}
}

func TestAccumulator(t *testing.T) {
	s := scopeOf(map[string][]float32{"w": {1, 2}, "v": {1}, "u": {1}})
	sums := optim.NewAccumulator()
	for round := range 3 {
		if sums.Count() != 0 {
			t.Errorf("%d gradients at first", sums.Count())
		}
		for i := range 4 {
			given := nd.FromSlice([]float32{float32(i), 1})
			values := map[string]*nd.Array{"w": given}
			if i == 1 && round < 2 {
				values["v"] = nd.FromSlice([]float32{8})
			}
			g := optim.NewGradients(s, values)
			g.Scale(2)
			sums.Add(g)
			given.Release() // as a tape does when it is reset
		}
		mean := sums.Mean()
		close32(t, "the mean", floats(mean.Get("w")), []float64{2 * 6 / 4.0, 2})
		close32(t, "the sum", floats(sums.Sum().Get("w")), []float64{12, 8})
		if round < 2 {
			close32(t, "the mean of one", floats(mean.Get("v")), []float64{4})
		} else if mean.Get("v") != nil {
			t.Error("a sum outlived Reset")
		}
		if mean.Get("u") != nil {
			t.Error("u has a gradient")
		}
		optim.NewSGD().Update(mean)
		sums.Reset()
	}
	if g := optim.NewAccumulator().Mean(); g.Norm() != 0 {
		t.Error("the mean of nothing is something")
	}
}
