package nn_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

var nearly = cmpopts.EquateApprox(0, 1e-12)

// Reading a whole sequence gives the same as a cell step by step with the same weights.
func TestLSTMIsItsSteps(t *testing.T) {
	const times, batch, inputs, size = 5, 2, 3, 4
	whole, steps := float64s(), float64s()
	x := waves(times, batch, inputs)
	var st, cell nn.State
	y := nn.LSTM(whole, x, &st, size, nn.RecurrentOptions{BInit: initializer.Normal(1)})
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
		s := float64s()
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
		both := float64s()
		if y := layer(both, x, nil, size, nn.RecurrentOptions{Bidirectional: true, WithBias: new(false)}); !cmp.Equal(y.Shape(), []int{times, batch, 2 * size}) {
			t.Errorf("%s: both directions give shape %v", name, y.Shape())
		}
		tape := grad.NewTape()
		model := s.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)})
		g := optim.GradientsOf(model, ops.Sum(layer(model, x, nil, size, nn.RecurrentOptions{Layers: 2, Dropout: 0.5})))
		for path, gw := range g.All() {
			if gw == nil {
				t.Errorf("%s: no gradient of %s", name, path)
			}
		}
		layer(float64s().Watch(tape), x, nil, size, nn.RecurrentOptions{Dropout: 0.5}) // a single layer draws nothing
		refused(t, "want x of shape (times, batch, inputs)", func() { layer(float64s(), waves(2, 3), nil, size) })
		refused(t, "a state of shape (2,): want a state of shape (1, 1, 2, 4)", func() { layer(float64s(), x, &nn.State{H: waves(2)}, size) })
		refused(t, "nonlinearity", func() { layer(float64s(), x, nil, size, nn.RecurrentOptions{Nonlinearity: "sine"}) })
	}
}

// The carried state is detached from the record, outlives the tape, and is released when it is replaced.
func TestStateOutlivesTapesAndFiles(t *testing.T) {
	s, tape := float64s(), grad.NewTape()
	var st nn.State
	var old *nd.Array
	for k := range 3 {
		model := s.Watch(tape)
		y := nn.LSTMCell(model, waves(2, 3), &st, 4)
		optim.GradientsOf(model, ops.Sum(y))
		st.Carry(tape)
		st.Carry(tape) // twice does no harm
		tape.Reset()
		if floats(st.H)[0] == 0 || st.C.IsReleased() {
			t.Fatal("the state did not outlive the tape")
		}
		if k > 0 && !old.IsReleased() {
			t.Error("the previous state was not released")
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
		t.Error("Reset left a state")
	}
	refused(t, "no state", func() { nn.LSTMCell(s, waves(2, 3), nil, 4) })
}
