package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// lstmByHand computes one step for one row; w is (inputs+size, 4, size).
func lstmByHand(x, h, c, w, b []float64) (hNext, cNext []float64) {
	size := len(h)
	gate := func(k, u int) float64 {
		sum := b[k*size+u]
		for j, v := range append(append([]float64{}, x...), h...) {
			sum += v * w[(j*4+k)*size+u]
		}
		return sum
	}
	for u := range size {
		m := sigmoid(gate(2, u))*c[u] + sigmoid(gate(0, u))*math.Tanh(gate(3, u))
		cNext, hNext = append(cNext, m), append(hNext, sigmoid(gate(1, u))*math.Tanh(m))
	}
	return hNext, cNext
}

func TestLSTMCell(t *testing.T) {
	const rows, inputs, size = 3, 2, 4
	s := float64s()
	var st nn.State
	h, c := make([][]float64, rows), make([][]float64, rows)
	for i := range rows {
		h[i], c[i] = make([]float64, size), make([]float64, size)
	}
	for step := range uint64(3) {
		x := normal(step, rows, inputs)
		y := nn.LSTMCell(s, x, &st, size, nn.LSTMCellOptions{BInit: initializer.Normal(1)})
		w, b := floats(s.Get("lstm/affine/W")), floats(s.Get("lstm/affine/b"))
		var wantH, wantC []float64
		for i := range rows {
			h[i], c[i] = lstmByHand(floats(x)[i*inputs:(i+1)*inputs], h[i], c[i], w, b)
			wantH, wantC = append(wantH, h[i]...), append(wantC, c[i]...)
		}
		near(t, "output", y, wantH)
		near(t, "memory", st.C, wantC)
		if y != st.H {
			t.Error("the output is not the state")
		}
	}
	if got := s.Get("lstm/affine/W").Shape(); !cmp.Equal(got, []int{inputs + size, 4, size}) {
		t.Errorf("W has shape %v", got)
	}
	st.Reset()
	if st.C != nil || st.H != nil {
		t.Error("Reset left a state")
	}
}

func TestLSTMCellGradients(t *testing.T) {
	s := float64s()
	nn.LSTMCell(s, normal(1, 2, 3), &nn.State{}, 2, nn.LSTMCellOptions{BInit: initializer.Normal(1)})
	f := func(xs ...*nd.Array) *nd.Array {
		model := s.With(map[string]*nd.Array{"lstm/affine/W": xs[0], "lstm/affine/b": xs[1]})
		st := nn.State{C: xs[2], H: xs[3]}
		first := nn.LSTMCell(model, xs[4], &st, 2)
		return ops.Concatenate([]*nd.Array{first, nn.LSTMCell(model, xs[4], &st, 2), st.C})
	}
	gradcheck.Check(t, f, s.Get("lstm/affine/W"), s.Get("lstm/affine/b"), normal(2, 2, 2), normal(3, 2, 2), normal(4, 2, 3))
}

func TestLSTMCellRefuses(t *testing.T) {
	for want, f := range map[string]func(s *nn.Scope){
		"shape (B, inputs)":       func(s *nn.Scope) { nn.LSTMCell(s, normal(1, 3), &nn.State{}, 2) },
		"-1 units":                func(s *nn.Scope) { nn.LSTMCell(s, normal(1, 3, 2), &nn.State{}, -1) },
		"a state of shape (3, 2)": func(s *nn.Scope) { nn.LSTMCell(s, normal(1, 3, 2), &nn.State{H: normal(1, 2, 2)}, 2) },
		"real numbers":            func(s *nn.Scope) { nn.LSTMCell(s, normal(1, 3, 2).AsType(dtype.Complex128), &nn.State{}, 2) },
	} {
		s := nn.NewScope()
		refused(t, want, func() { f(s) })
		if len(s.Names()) > 0 {
			t.Errorf("%s: refused after %v were created", want, s.Names())
		}
	}
}

// A state outlives the segment of a sequence that it comes from, and memory does not grow.
func TestStateIsCarried(t *testing.T) {
	s, whole := nn.NewScope(), nn.State{}
	x := ramp(8, 2, 3)
	var want []float64
	for k := range 8 {
		want = floats(nn.LSTMCell(s, x.Index(nd.At(k)), &whole, 5))
	}
	tape, st := grad.NewTape(), nn.State{}
	var got []float64
	for k := range 8 {
		model := s.Watch(tape)
		y := nn.LSTMCell(model, x.Index(nd.At(k)), &st, 5)
		got = floats(y)
		if g := optim.GradientsOf(model, ops.Sum(y)).Get("lstm/affine/W"); g == nil {
			t.Error("no gradient")
		}
		carried := []*nd.Array{st.C, st.H}
		if k%3 == 2 {
			st.Carry(tape)
			tape.Reset()
			for _, old := range carried {
				if !old.IsReleased() {
					t.Error("an array of the tape was kept")
				}
			}
			carried = []*nd.Array{st.C, st.H}
			st.Carry(nd.NewArena())
			for _, old := range carried {
				if !old.IsReleased() {
					t.Error("the state carried before is not released")
				}
			}
		}
	}
	if !cmp.Equal(got, want) {
		t.Errorf("in pieces %v, at once %v", got, want)
	}
	st.Carry(tape)
	carried := st.H
	st.Reset()
	if !carried.IsReleased() {
		t.Error("Reset did not release the carried state")
	}
	given := nd.Zeros([]int{2, 5})
	st = nn.State{H: given}
	st.Carry(tape)
	st.Reset()
	if given.IsReleased() {
		t.Error("a state given by the caller was released")
	}
}

// A character model reads a text in segments: gradients flow through one segment, the state through all.
func ExampleState_Carry() {
	params := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(1)})
	opt := optim.NewAdam(optim.AdamOptions{LR: 0.02})
	text := "abcabcabcabcabcabcabcabcabcabcabcabcabcab"
	var state nn.State
	tape := grad.NewTape()
	next := func(model *nn.Scope, at int) *nd.Array {
		x := nn.Embed(model, nd.FromSlice([]int{int(text[at] - 'a')}), 3, 8)
		return nn.Affine(model, nn.LSTMCell(model, x, &state, 16), 3)
	}
	for range 10 {
		state.Reset()
		for from := 0; from+4 < len(text); from += 4 {
			model, sum := params.Watch(tape), nd.Zeros([]int{})
			for at := from; at < from+4; at++ {
				sum = ops.Add(sum, ops.Sum(loss.SoftmaxCrossEntropy(next(model, at), nd.FromSlice([]int{int(text[at+1] - 'a')}, 1, 1))))
			}
			opt.Update(optim.GradientsOf(model, sum))
			state.Carry(tape)
			tape.Reset()
		}
	}
	state.Reset()
	for at := range 6 {
		fmt.Printf("%c", 'a'+int(ops.ArgMax(next(params, at)).Float()))
	}
	// Output: bcabca
}
