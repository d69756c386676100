package random

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"gonum.org/v1/gonum/stat/distuv"
)

// TestSamplersFollowGonum draws with every branch of the samplers what gonum's draw from the same stream, number by number.
func TestSamplersFollowGonum(t *testing.T) {
	ours, theirs := newSource("test", nd.NewRand(7)), newSource("test", nd.NewRand(7))
	same := func(what string, a, b float64, draw func() float64, want func() float64) {
		t.Helper()
		for i := range 300 {
			if x, y := draw(), want(); x != y {
				t.Fatalf("%s(%v, %v): draw %d is %v, want %v", what, a, b, i, x, y)
			}
		}
	}
	for _, k := range []float64{1e-3, 0.1, 0.2, 0.7, 1, 1.5, 40} {
		same("gamma", k, 1, func() float64 { return ours.gamma(k) }, distuv.Gamma{Alpha: k, Beta: 1, Src: theirs}.Rand)
	}
	for _, rate := range []float64{0.3, 9.9, 10, 33, 1e5} {
		same("poisson", rate, 0, func() float64 { return ours.poisson(rate) }, distuv.Poisson{Lambda: rate, Src: theirs}.Rand)
	}
	for _, n := range []float64{1, 24, 25, 60, 1e4} {
		for _, p := range []float64{1e-3, 0.01, 0.3, 0.5, 0.6, 0.995} {
			same("binomial", n, p, func() float64 { return ours.binomial(n, p) }, distuv.Binomial{N: n, P: p, Src: theirs}.Rand)
		}
	}
}
