package link_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// Sequences in any order give the same results as each alone.
func TestNStepInTheOrderOfTheCaller(t *testing.T) {
	xs := []*nd.Array{normals(1, 2, 3), normals(2, 5, 3), normals(3, 1, 3), normals(4, 5, 3), normals(5, 3, 3)}
	const units = 2
	deep := link.NStepLSTM{NLayers: 2, OutSize: units, Dropout: 0.5}
	withoutC := func(apply func(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array)) func(s *nn.Scope, hx, cx *nd.Array, xs []*nd.Array) (hy, cy *nd.Array, ys []*nd.Array) {
		return func(s *nn.Scope, hx, cx *nd.Array, xs []*nd.Array) (hy, cy *nd.Array, ys []*nd.Array) {
			hy, ys = apply(s, hx, xs)
			return hy, cx, ys
		}
	}
	for name, l := range map[string]struct {
		directions int
		apply      func(s *nn.Scope, hx, cx *nd.Array, xs []*nd.Array) (hy, cy *nd.Array, ys []*nd.Array)
	}{
		"NStepLSTM": {1, deep.Apply}, "NStepBiLSTM": {2, link.NStepBiLSTM(deep).Apply},
		"NStepGRU": {1, withoutC(link.NStepGRU(deep).Apply)}, "NStepBiGRU": {2, withoutC(link.NStepBiGRU(deep).Apply)},
		"NStepRNNTanh": {1, withoutC(link.NStepRNNTanh(deep).Apply)}, "NStepBiRNNTanh": {2, withoutC(link.NStepBiRNNTanh(deep).Apply)},
		"NStepRNNReLU": {1, withoutC(link.NStepRNNReLU(deep).Apply)}, "NStepBiRNNReLU": {2, withoutC(link.NStepBiRNNReLU(deep).Apply)},
	} {
		s := doubles()
		l.apply(s, nil, nil, xs)
		varied(s)
		hx, cx := normals(8, 2*l.directions, len(xs), units), normals(9, 2*l.directions, len(xs), units)
		hy, cy, ys := l.apply(s, hx, cx, xs)
		for b, x := range xs {
			of := func(x *nd.Array) *nd.Array { return x.Index(nd.All(), nd.Span(b, b+1)) }
			h, c, y := l.apply(s, of(hx), of(cx), []*nd.Array{x})
			ok := assert.AllClose(t, of(hy), h, 1e-12, 1e-12) && assert.AllClose(t, of(cy), c, 1e-12, 1e-12)
			if !assert.AllClose(t, ys[b], y[0], 1e-12, 1e-12) || !ok || ys[b].Dim(1) != l.directions*units {
				t.Errorf("%s: sequence %d", name, b)
			}
		}
		hy, _, _ = l.apply(s, nil, nil, xs)
		fromZeros, _, _ := l.apply(s, nd.ZerosLike(hx), nd.ZerosLike(cx), xs)
		if !assert.Equal(t, hy, fromZeros) {
			t.Errorf("%s: nil is not zeros", name)
		}
	}
}

func TestNStepRNNAgainstLoops(t *testing.T) {
	s, l := doubles(), link.NStepRNNTanh{NLayers: 1, InSize: 2, OutSize: 3}
	x := normals(1, 4, 2)
	l.Apply(s, nil, []*nd.Array{x})
	varied(s)
	_, ys := l.Apply(s, nil, []*nd.Array{x})
	h := make([]float64, 3)
	for step := range 4 {
		next := make([]float64, 3)
		for u := range next {
			sum := s.Get("0/b0").Float(u) + s.Get("0/b1").Float(u)
			for i, v := range rowOf(x, step) {
				sum += s.Get("0/w0").Float(u, i) * v
			}
			for i, v := range h {
				sum += s.Get("0/w1").Float(u, i) * v
			}
			next[u] = math.Tanh(sum)
		}
		h = next
		sameRow(t, "output", ys[0], step, h)
	}
}

// Dropout applies between layers, in training.
func TestNStepDropout(t *testing.T) {
	x := []*nd.Array{normals(1, 3, 4)}
	l := link.NStepGRU{NLayers: 2, OutSize: 8, Dropout: 0.5}
	s := nn.NewScope()
	want, _ := l.Apply(s, nil, x)
	draw := func(o nn.WatchOptions) *nd.Array {
		hy, _ := l.Apply(s.Watch(grad.NewTape(), o), nil, x)
		return hy.Detach()
	}
	first, again, other := draw(nn.WatchOptions{Rand: nd.NewRand(1)}), draw(nn.WatchOptions{Rand: nd.NewRand(1)}), draw(nn.WatchOptions{Rand: nd.NewRand(2)})
	assert.Equal(t, first, again)
	if ops.ArrayEqual(first, other) || !ops.ArrayEqual(first.Index(nd.At(0)), want.Index(nd.At(0))) {
		t.Error("dropout is not drawn, or concerns the first layer")
	}
	assert.Equal(t, draw(nn.WatchOptions{Test: true}), want)
	assert.Raises(t, "no stream of random numbers", func() { draw(nn.WatchOptions{}) })
	l.NLayers = 1
	s = nn.NewScope()
	draw(nn.WatchOptions{})
}

func TestNStepRefuses(t *testing.T) {
	good := link.NStepLSTM{NLayers: 1, OutSize: 2}
	x := normals(1, 3, 4)
	for want, call := range map[string]func(s *nn.Scope){
		"0 layers": func(s *nn.Scope) { link.NStepLSTM{OutSize: 2}.Apply(s, nil, nil, []*nd.Array{x}) },
		"0 units":  func(s *nn.Scope) { link.NStepLSTM{NLayers: 2}.Apply(s, nil, nil, []*nd.Array{x}) },
		"dropout 2": func(s *nn.Scope) {
			link.NStepLSTM{NLayers: 1, OutSize: 2, Dropout: 2}.Apply(s, nil, nil, []*nd.Array{x})
		},
		"0 sequences":                     func(s *nn.Scope) { good.Apply(s, nil, nil, nil) },
		"sequence 1: want shape":          func(s *nn.Scope) { good.Apply(s, nil, nil, []*nd.Array{x, normals(1, 0, 4)}) },
		"want shape (times, 4)":           func(s *nn.Scope) { good.Apply(s, nil, nil, []*nd.Array{x, normals(1, 3, 5)}) },
		"want shape (times, 7)":           func(s *nn.Scope) { link.NStepGRU{NLayers: 1, OutSize: 2, InSize: 7}.Apply(s, nil, []*nd.Array{x}) },
		"want a state of shape (1, 1, 2)": func(s *nn.Scope) { good.Apply(s, normals(1, 1, 2, 2), nil, []*nd.Array{x}) },
		"want a state of shape (2, 1, 2)": func(s *nn.Scope) {
			link.NStepBiLSTM(good).Apply(s, normals(1, 1, 1, 2), nil, []*nd.Array{x})
		},
		"real numbers": func(s *nn.Scope) { good.Apply(s, nil, nil, []*nd.Array{x.AsType(dtype.Complex128)}) },
	} {
		s := nn.NewScope()
		assert.Raises(t, want, func() { call(s) })
		if s.Names() != nil {
			t.Errorf("%s: created %q", want, s.Names())
		}
	}
}
