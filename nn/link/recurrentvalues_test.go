package link_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// The results of links for one row, by loops.

func sigma(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// rowOf is row b of a matrix.
func rowOf(x *nd.Array, b int) []float64 { return nd.ToSlice[float64](x.Index(nd.At(b)).Contiguous()) }

// linear is W·x + b with the parameters below a name; b may be missing.
func linear(s *nn.Scope, name string, x []float64) []float64 {
	w, b := s.Get(name+"/W"), s.Get(name+"/b")
	y := make([]float64, w.Dim(0))
	for k := range y {
		if b != nil {
			y[k] = b.Float(k)
		}
		for i, v := range x {
			y[k] += w.Float(k, i) * v
		}
	}
	return y
}

// plus adds rows.
func plus(a, b []float64) []float64 {
	y := make([]float64, len(a))
	for k := range a {
		y[k] = a[k] + b[k]
	}
	return y
}

// lstmOf returns the memory and the output of an LSTM from its gates.
func lstmOf(gates, c []float64) (cNext, h []float64) {
	for u := range c {
		g := gates[4*u : 4*u+4]
		m := math.Tanh(g[0])*sigma(g[1]) + c[u]*sigma(g[2])
		cNext, h = append(cNext, m), append(h, math.Tanh(m)*sigma(g[3]))
	}
	return cNext, h
}

// sameRow compares a row of results.
func sameRow(t *testing.T, what string, got *nd.Array, b int, want []float64) {
	t.Helper()
	if !assert.AllClose(t, got.Index(nd.At(b)), nd.FromSlice(want), 1e-12, 1e-12) {
		t.Errorf("%s, row %d", what, b)
	}
}

func TestLSTMOfSequencesThatEnd(t *testing.T) {
	const in, units = 2, 3
	s, l, st := doubles(), link.LSTM{OutSize: units}, new(nn.State)
	l.Apply(s, normals(1, 1, in), new(nn.State))
	varied(s)
	var h, c [4][]float64
	for b := range h {
		h[b], c[b] = make([]float64, units), make([]float64, units)
	}
	for step, batch := range []int{4, 2, 2, 0, 1} {
		x := normals(uint64(step), batch, in)
		y := l.Apply(s, x, st)
		if y.Dim(0) != batch || st.C.Dim(0) != 4 || st.H.Dim(0) != 4 {
			t.Fatalf("step %d: outputs %v, memory %v, state %v", step, y.Shape(), st.C.Shape(), st.H.Shape())
		}
		for b := range batch {
			c[b], h[b] = lstmOf(plus(linear(s, "upward", rowOf(x, b)), linear(s, "lateral", h[b])), c[b])
			sameRow(t, "output", y, b, h[b])
		}
		for b := range h {
			sameRow(t, "memory", st.C, b, c[b])
			sameRow(t, "state", st.H, b, h[b])
		}
	}
	assert.Raises(t, "a state of shape (4, 3): want a state of shape (5, 3)", func() { l.Apply(s, normals(1, 5, in), st) })
	st.Reset()
	given := nn.State{C: normals(7, 3, units)}
	l.Apply(s, normals(1, 2, in), &given)
	sameRow(t, "state that was not given", given.H, 2, make([]float64, units))
}

// The rows of weights are drawn in four blocks, and the biases interleave like the gates.
func TestLSTMInitialValues(t *testing.T) {
	s := doubles()
	block := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	l := link.StatelessLSTM{InSize: 2, OutSize: 2, UpwardInit: initializer.Values(block), LateralInit: initializer.Constant(0.5),
		BiasInit: initializer.Values(nd.FromSlice([]float64{5, 6})), ForgetBiasInit: initializer.Constant(1)}
	l.Apply(s, nil, nil, normals(1, 1, 2))
	assert.Equal(t, s.Get("upward/W"), ops.Concatenate([]*nd.Array{block, block, block, block}))
	assert.Equal(t, s.Get("lateral/W"), nd.Full([]int{8, 2}, 0.5))
	assert.Equal(t, s.Get("upward/b"), nd.FromSlice([]float64{5, 5, 1, 5, 6, 6, 1, 6}))
}

func TestStatefulPeepholeLSTM(t *testing.T) {
	const in, units, batch = 2, 3, 2
	s, l, st := doubles(), link.StatefulPeepholeLSTM{OutSize: units}, new(nn.State)
	l.Apply(s, normals(1, 1, in), new(nn.State))
	varied(s)
	h, c := [batch][]float64{make([]float64, units), make([]float64, units)}, [batch][]float64{make([]float64, units), make([]float64, units)}
	for step := range uint64(3) {
		x := normals(step, batch, in)
		y := l.Apply(s, x, st)
		for b := range batch {
			g := plus(linear(s, "upward", rowOf(x, b)), linear(s, "lateral", h[b]))
			i, f := linear(s, "peep_i", c[b]), linear(s, "peep_f", c[b])
			for u := range units {
				c[b][u] = math.Tanh(g[4*u])*sigma(g[4*u+1]+i[u]) + sigma(g[4*u+2]+f[u])*c[b][u]
			}
			o := linear(s, "peep_o", c[b])
			for u := range units {
				h[b][u] = sigma(g[4*u+3]+o[u]) * math.Tanh(c[b][u])
			}
			sameRow(t, "output", y, b, h[b])
			sameRow(t, "memory", st.C, b, c[b])
		}
	}
}

func TestStatefulZoneoutLSTM(t *testing.T) {
	const in, units, batch = 2, 3, 40
	s := doubles()
	x, old := normals(1, batch, in), nn.State{C: normals(2, batch, units), H: normals(3, batch, units)}
	lstm := old
	link.LSTM{OutSize: units}.Apply(s, x, &lstm)
	l := link.StatefulZoneoutLSTM{OutSize: units, CRatio: new(0.25), HRatio: new(0.75)}
	st := old
	l.Apply(s, x, &st)
	expect := func(old, next *nd.Array, keep float64) *nd.Array {
		return ops.Add(ops.Multiply(old, keep), ops.Multiply(next, 1-keep))
	}
	assert.AllClose(t, st.C, expect(old.C, lstm.C, 0.25), 1e-12, 1e-12)
	assert.AllClose(t, st.H, expect(old.H, lstm.H, 0.75), 1e-12, 1e-12)

	model := s.Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(1)})
	st = old
	l.Apply(model, x, &st)
	kept := func(got, old, next *nd.Array) float64 {
		stays, moves := ops.Equal(got, old), ops.IsClose(got, next)
		if ops.CountNonzero(ops.LogicalXor(stays, moves)).Float() != batch*units {
			t.Error("an element is neither old nor new")
		}
		return ops.CountNonzero(stays).Float() / (batch * units)
	}
	if c, h := kept(st.C, old.C, lstm.C), kept(st.H, old.H, lstm.H); math.Abs(c-0.25) > 0.15 || math.Abs(h-0.75) > 0.15 {
		t.Errorf("%v of the memory and %v of the outputs stay, want about 0.25 and 0.75", c, h)
	}
	plain := s.Watch(grad.NewTape())
	assert.Raises(t, "no stream of random numbers", func() { l.Apply(plain, x, new(nn.State)) })
	st = old
	link.StatefulZoneoutLSTM{OutSize: units, CRatio: new(0.), HRatio: new(0.)}.Apply(plain, x, &st)
	assert.AllClose(t, st.H, lstm.H, 1e-12, 1e-12)
	for _, ratio := range []float64{-0.1, 1.1, math.NaN()} {
		assert.Raises(t, "want probabilities from 0 to 1", func() {
			link.StatefulZoneoutLSTM{OutSize: units, HRatio: &ratio}.Apply(s, x, new(nn.State))
		})
	}
}

func TestGRU(t *testing.T) {
	const in, units, batch = 2, 3, 2
	s := doubles()
	l, st := link.StatefulGRU{OutSize: units}, new(nn.State)
	l.Apply(s, normals(1, 1, in), new(nn.State))
	varied(s)
	var h [batch][]float64
	for step := range uint64(3) {
		x := normals(step, batch, in)
		before := st.H
		y := l.Apply(s, x, st)
		if step > 0 {
			assert.Equal(t, link.GRU{NUnits: units}.Apply(s, before, x), y)
		}
		for b := range batch {
			x := rowOf(x, b)
			r, z, n := linear(s, "W_r", x), linear(s, "W_z", x), linear(s, "W", x)
			old := make([]float64, units)
			if h[b] != nil {
				copy(old, h[b])
				r, z = plus(r, linear(s, "U_r", old)), plus(z, linear(s, "U_z", old))
				reset := make([]float64, units)
				for u := range units {
					reset[u] = sigma(r[u]) * old[u]
				}
				n = plus(n, linear(s, "U", reset))
			}
			h[b] = make([]float64, units)
			for u := range units {
				h[b][u] = (1-sigma(z[u]))*old[u] + sigma(z[u])*math.Tanh(n[u])
			}
			sameRow(t, "output", y, b, h[b])
		}
	}
	assert.Raises(t, "nil", func() { link.GRU{NUnits: units}.Apply(s, nil, normals(1, 1, in)) })
	assert.Raises(t, "examples of 2 numbers, want 5", func() { link.GRU{NUnits: units, NInputs: 5}.Apply(s, normals(1, 1, units), normals(1, 1, in)) })
}

func TestTreeLSTMs(t *testing.T) {
	const in, units = 2, 3
	c1, c2, h1, h2, x := normals(1, 1, units), normals(2, 1, units), normals(3, 1, units), normals(4, 1, units), normals(5, 1, in)
	// node returns memory and output from the gates, in blocks, and the children's memories.
	node := func(gates []float64, cs ...*nd.Array) (c, h []float64) {
		for u := range units {
			m := math.Tanh(gates[u]) * sigma(gates[units+u])
			for k, c := range cs {
				m += sigma(gates[(3+k)*units+u]) * c.Float(0, u)
			}
			c, h = append(c, m), append(h, sigma(gates[2*units+u])*math.Tanh(m))
		}
		return c, h
	}
	compare := func(what string, c, h *nd.Array, wantC, wantH []float64) {
		t.Helper()
		sameRow(t, what+": memory", c, 0, wantC)
		sameRow(t, what+": output", h, 0, wantH)
	}

	s, l := doubles(), link.ChildSumTreeLSTM{InSize: in, OutSize: units}
	l.Apply(s, nil, nil, x)
	varied(s)
	childSum := func(x []float64, hs ...*nd.Array) []float64 {
		own, sum := linear(s, "W_x", x), make([]float64, units)
		gates := own[:3*units]
		for _, h := range hs {
			sum = plus(sum, rowOf(h, 0))
		}
		gates = plus(gates, linear(s, "W_h_aio", sum))
		for _, h := range hs {
			gates = append(gates, plus(own[3*units:], linear(s, "W_h_f", rowOf(h, 0)))...)
		}
		return gates
	}
	c, h := l.Apply(s, []*nd.Array{c1, c2}, []*nd.Array{h1, h2}, x)
	wantC, wantH := node(childSum(rowOf(x, 0), h1, h2), c1, c2)
	compare("two children", c, h, wantC, wantH)
	c, h = l.Apply(s, []*nd.Array{c2, c1}, []*nd.Array{h2, h1}, x)
	compare("in another order", c, h, wantC, wantH)
	c, h = l.Apply(s, nil, nil, x)
	wantC, wantH = node(childSum(rowOf(x, 0)))
	compare("a leaf", c, h, wantC, wantH)
	c, h = l.Apply(s, []*nd.Array{c1}, []*nd.Array{h1}, nil)
	wantC, wantH = node(childSum(make([]float64, in), h1), c1)
	compare("without input", c, h, wantC, wantH)

	s = doubles()
	nary := link.NaryTreeLSTM{InSize: in, OutSize: units}
	nary.Apply(s, []*nd.Array{nil, nil}, []*nd.Array{nil, nil}, x)
	varied(s)
	c, h = nary.Apply(s, []*nd.Array{c1, c2}, []*nd.Array{h1, h2}, x)
	gates := plus(linear(s, "W_x", rowOf(x, 0)), linear(s, "W_h1", rowOf(h1, 0)))
	wantC, wantH = node(plus(gates, linear(s, "W_h2", rowOf(h2, 0))), c1, c2)
	compare("an ordered pair", c, h, wantC, wantH)
	c, h = nary.Apply(s, []*nd.Array{c1, nil}, []*nd.Array{nil, h2}, nil)
	wantC, wantH = node(plus(linear(s, "W_x", make([]float64, in)), linear(s, "W_h2", rowOf(h2, 0))), c1, nd.Zeros([]int{1, units}))
	compare("an ordered pair with gaps", c, h, wantC, wantH)

	none := []*nd.Array{nil, nil}
	assert.Raises(t, "want 2", func() { nary.Apply(s, none[:1], none[:1], x) })
	assert.Raises(t, "want at least one of them", func() { nary.Apply(s, none, none, nil) })
	assert.Raises(t, "at least one input", func() { link.NaryTreeLSTM{OutSize: units}.Apply(s, none, []*nd.Array{h1, nil}, nil) })
	assert.Raises(t, "want equal numbers", func() { l.Apply(s, none, none[:1], x) })
	assert.Raises(t, "want a state of shape (1, 3)", func() { l.Apply(s, none, []*nd.Array{nil, normals(1, 2, units)}, x) })
}

// Sizes whose weights would overflow or not fit memory are refused before parameters exist.
func TestRecurrentLinksRefuseHugeSizes(t *testing.T) {
	x := normals(1, 1, 2)
	for _, n := range []int{1 << 40, 1 << 62, math.MaxInt} {
		for name, call := range map[string]func(s *nn.Scope){
			"LSTM.Apply":             func(s *nn.Scope) { link.LSTM{OutSize: n}.Apply(s, x, new(nn.State)) },
			"GRU.Apply":              func(s *nn.Scope) { link.GRU{NUnits: n}.Apply(s, x, x) },
			"StatefulGRU.Apply":      func(s *nn.Scope) { link.StatefulGRU{OutSize: n}.Apply(s, x, new(nn.State)) },
			"ChildSumTreeLSTM.Apply": func(s *nn.Scope) { link.ChildSumTreeLSTM{OutSize: n}.Apply(s, nil, nil, x) },
			"NStepGRU.Apply":         func(s *nn.Scope) { link.NStepGRU{NLayers: n, OutSize: 2}.Apply(s, nil, []*nd.Array{x}) },
			"NStepBiLSTM.Apply":      func(s *nn.Scope) { link.NStepBiLSTM{NLayers: 1, OutSize: n}.Apply(s, nil, nil, []*nd.Array{x}) },
		} {
			s := nn.NewScope()
			assert.Raises(t, name, func() { call(s) })
			if s.Names() != nil {
				t.Errorf("%s of %d: created %q", name, n, s.Names())
			}
		}
	}
}
