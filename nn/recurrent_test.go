package nn_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// float64Scope has parameters that differ from their initial values, biases too.
func float64Scope(seed uint64) *nn.Scope {
	return nn.NewScope(nn.ScopeOptions{DType: dtype.Float64, Rand: nd.NewRand(seed)})
}

// waves are elements that differ, of some shape.
func waves(shape ...int) *nd.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return ops.Sin(nd.Arange(1, float64(n+1), 1)).Reshape(shape...)
}

var nearly = cmpopts.EquateApprox(0, 1e-12)

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func TestLSTMCellFollowsItsFormula(t *testing.T) {
	const batch, inputs, size = 2, 3, 4
	s, x := float64Scope(3), waves(batch, inputs)
	o := nn.LSTMCellOptions{BInit: nn.Uniform(-1, 1)}
	st := nn.State{H: waves(batch, size), C: ops.Cos(waves(batch, size))}
	h, c := floats(st.H), floats(st.C)
	y := nn.LSTMCell(s, x, &st, size, o)
	w, b, xs := floats(s.Get("lstm/affine/W")), floats(s.Get("lstm/affine/b")), floats(x)
	var wantH, wantC []float64
	for i := range batch {
		in := append(append([]float64{}, xs[i*inputs:(i+1)*inputs]...), h[i*size:(i+1)*size]...)
		gate := func(k, j int) float64 {
			sum := b[k*size+j]
			for l, v := range in {
				sum += v * w[(l*4+k)*size+j]
			}
			return sum
		}
		for j := range size {
			next := sigmoid(gate(2, j))*c[i*size+j] + sigmoid(gate(0, j))*math.Tanh(gate(3, j))
			wantC, wantH = append(wantC, next), append(wantH, sigmoid(gate(1, j))*math.Tanh(next))
		}
	}
	if !cmp.Equal(floats(y), wantH, nearly) || !cmp.Equal(floats(st.C), wantC, nearly) || st.H != y {
		t.Errorf("h %v, c %v, want %v, %v", y, st.C, wantH, wantC)
	}
}

// A sequence that is read as a whole gives what a cell gives step by step with the same weights.
func TestLSTMIsItsSteps(t *testing.T) {
	const times, batch, inputs, size = 5, 2, 3, 4
	whole, steps := float64Scope(1), float64Scope(2)
	x := waves(times, batch, inputs)
	var st, cell nn.State
	y := nn.LSTM(whole, x, &st, size, nn.RecurrentOptions{BInit: nn.Normal(1)})
	w := whole.Get("lstm/weight_l0").Reshape(4, size, inputs+size) // gates i, f, g, o
	b := whole.Get("lstm/bias").Reshape(4, size)
	order := nd.FromSlice([]int{0, 3, 1, 2}) // i, o, f, g
	steps.Set("lstm/affine/W", ops.Take(w, order, ops.Over(0)).Transpose(2, 0, 1))
	steps.Set("lstm/affine/b", ops.Take(b, order, ops.Over(0)))
	for k, xk := range ops.Unstack(x) {
		h := nn.LSTMCell(steps, xk, &cell, size)
		if !cmp.Equal(floats(y.Index(nd.At(k))), floats(h), nearly) {
			t.Errorf("at time %d: %v, want %v", k, y.Index(nd.At(k)), h)
		}
	}
	if !cmp.Equal(floats(st.C), floats(cell.C), nearly) || !cmp.Equal(st.H.Shape(), []int{1, 1, batch, size}) {
		t.Errorf("the state is %v of shape %v", st.C, st.H.Shape())
	}
}

func TestRecurrentLayersGoOn(t *testing.T) {
	const times, batch, inputs, size = 6, 2, 3, 4
	x := waves(times, batch, inputs)
	for name, layer := range map[string]func(s *nn.Scope, x *nd.Array, st *nn.State, size int, opts ...nn.RecurrentOptions) *nd.Array{
		"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU,
	} {
		s := float64Scope(1)
		o := nn.RecurrentOptions{Layers: 2}
		want := floats(layer(s, x, nil, size, o))
		var st nn.State
		var got []float64
		for _, part := range []*nd.Array{x.Index(nd.Span(0, 2)), x.Index(nd.From(2))} {
			got = append(got, floats(layer(s, part, &st, size, o))...)
		}
		if !cmp.Equal(got, want, nearly) {
			t.Errorf("%s: in two parts %v, want %v", name, got, want)
		}
		gates := map[string][]int{"rnn": {}, "lstm": {4}, "gru": {3}}[name]
		shape := append(append([]int{1, 1}, gates...), size, 2*size)
		if names := s.Names(); !cmp.Equal(names, []string{name + "/weight_l0", name + "/weight", name + "/bias"}) || !cmp.Equal(s.Get(names[1]).Shape(), shape) {
			t.Errorf("%s: parameters\n%v", name, s)
		}
		both := float64Scope(1)
		if y := layer(both, x, nil, size, nn.RecurrentOptions{Bidirectional: true, WithBias: new(false)}); !cmp.Equal(y.Shape(), []int{times, batch, 2 * size}) {
			t.Errorf("%s: both directions give shape %v", name, y.Shape())
		}
		tape := grad.NewTape()
		model := s.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)})
		g := model.Gradients(ops.Sum(layer(model, x, nil, size, nn.RecurrentOptions{Layers: 2, Dropout: 0.5})))
		for path, gw := range g.All() {
			if gw == nil {
				t.Errorf("%s: no gradient of %s", name, path)
			}
		}
		refused(t, "want x of shape (times, batch, inputs)", func() { layer(float64Scope(1), waves(2, 3), nil, size) })
		refused(t, "the state has shape (2,), want (1, 1, 2, 4)", func() { layer(float64Scope(1), x, &nn.State{H: waves(2)}, size) })
		refused(t, "nonlinearity", func() { layer(float64Scope(1), x, nil, size, nn.RecurrentOptions{Nonlinearity: "sine"}) })
	}
}

// What is carried over is cut off the record, outlives the tape, and is given back when it is replaced.
func TestStateIsCarried(t *testing.T) {
	s, tape := float64Scope(1), grad.NewTape()
	var st nn.State
	var old *nd.Array
	for k := range 3 {
		model := s.Watch(tape)
		y := nn.LSTMCell(model, waves(2, 3), &st, 4)
		model.Gradients(ops.Sum(y))
		st.Carry(tape)
		st.Carry(tape) // twice does no harm
		tape.Reset()
		if floats(st.H)[0] == 0 || st.C.IsReleased() {
			t.Fatal("the state did not outlive the tape")
		}
		if k > 0 && !old.IsReleased() {
			t.Error("the state before was not given back")
		}
		old = st.C
	}
	path := filepath.Join(t.TempDir(), "a.npz")
	var restored nn.State
	if err := archive.Save(path, &st); err != nil {
		t.Fatal(err)
	}
	if err := archive.Load(path, &restored); err != nil || !cmp.Equal(floats(restored.C), floats(st.C)) {
		t.Errorf("restored %v, %v", restored.C, err)
	}
	st.Reset()
	if st.H != nil || !old.IsReleased() {
		t.Error("Reset left something")
	}
	refused(t, "no state", func() { nn.LSTMCell(s, waves(2, 3), nil, 4) })
}

func TestEmbed(t *testing.T) {
	s := nn.NewScope()
	at := nd.FromSlice([]int{2, 0, 2}, 3, 1)
	tape := grad.NewTape()
	model := s.Watch(tape)
	y := nn.Embed(model, at, 3, 2, nn.EmbedOptions{Initializer: nn.Values(nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 3, 2))})
	if !cmp.Equal(floats(y), []float64{5, 6, 1, 2, 5, 6}) || !cmp.Equal(y.Shape(), []int{3, 1, 2}) {
		t.Errorf("%v", y)
	}
	if g := model.Gradients(ops.Sum(y)).Get("embed/W"); !cmp.Equal(floats(g), []float64{1, 1, 0, 0, 2, 2}) {
		t.Errorf("the gradient is %v", g)
	}
	refused(t, "array of integers", func() { nn.Embed(nn.NewScope(), nd.Zeros([]int{2}), 3, 2) })
	refused(t, "at least one input", func() { nn.Embed(nn.NewScope(), at, 0, 2) })
}
