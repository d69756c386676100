package sequence_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// normal draws float64 numbers.
func normal(seed uint64, shape ...int) *nd.Array {
	return random.Normal(nd.NewRand(seed), 0, 0.7, shape)
}

// near compares two arrays of float64.
func near(t *testing.T, what string, got, want *nd.Array) {
	t.Helper()
	if fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		t.Fatalf("%s has shape %v, want %v", what, got.Shape(), want.Shape())
	}
	if d := nd.Value[float64](ops.Max(ops.Absolute(ops.Subtract(got, want)))); !(d <= 1e-12) {
		t.Errorf("%s differs by %v:\ngot  %v\nwant %v", what, d, got, want)
	}
}

// refuses reports an error unless f panics with an *nd.Error whose message contains the text.
func refuses(t *testing.T, text string, f func()) {
	t.Helper()
	if err := nd.Catch(f); err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("refused with %v, want an error that says %q", err, text)
	}
}

func TestLSTMStepByHand(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	x, h, c := nd.Full([]int{1, 1, 1}, 0.5), nd.Full([]int{1, 1, 1, 1}, -0.25), nd.Full([]int{1, 1, 1, 1}, 2.0)
	w := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6, 7, 8}, 1, 4, 1, 2)
	b := nd.FromSlice([]float64{0.1, 0.2, 0.3, 0.4}, 1, 1, 4, 1)
	y, hn, cn := sequence.LSTM(x, h, c, w, sequence.LayerOptions{Bias: b})
	gate := func(k float64) float64 { return (2*k+1)*0.5 - (2*k+2)*0.25 + 0.1*(k+1) }
	memory := sigmoid(gate(1))*2 + sigmoid(gate(0))*math.Tanh(gate(2))
	near(t, "memory", cn.Reshape(), nd.Full(nil, memory))
	near(t, "output", y.Reshape(), nd.Full(nil, sigmoid(gate(3))*math.Tanh(memory)))
	near(t, "state", hn.Reshape(), y.Reshape())
}

// TestLayoutsAgree checks that the three layouts of weights give the same network.
func TestLayoutsAgree(t *testing.T) {
	const times, batch, features, units = 3, 2, 3, 2
	x, h, c := normal(1, times, batch, features), normal(2, 1, 2, batch, units), normal(3, 1, 2, batch, units)
	w, b := normal(4, 2, 4, units, features+units), normal(5, 1, 2, 4, units)
	y, hn, cn := sequence.LSTM(x, h, c, w, sequence.LayerOptions{Bias: b, Bidirectional: true})

	var ws, bs [][]*nd.Array
	var parameters, biases []*nd.Array
	for d := range 2 {
		rows := w.Index(nd.At(d)).Reshape(-1, features+units)
		fromInput, fromState := rows.Index(nd.All(), nd.Until(features)), rows.Index(nd.All(), nd.From(features))
		parameters = append(parameters, fromInput.Ravel(), fromState.Ravel())
		bias := b.Index(nd.At(0), nd.At(d)).Ravel()
		biases = append(biases, bias, nd.ZerosLike(bias))
		ws = append(ws, append(ops.Split(fromInput, 4), ops.Split(fromState, 4)...))
		bs = append(bs, append(ops.Split(bias, 4), ops.Split(nd.ZerosLike(bias), 4)...))
	}
	flat := h.Reshape(2, batch, units)
	memory := c.Reshape(2, batch, units)
	hn2, cn2, ys := sequence.NStepLSTM(flat, memory, ws, bs, ops.Unstack(x), sequence.NStepOptions{Bidirectional: true})
	near(t, "outputs of NStepLSTM", ops.Stack(ys), y)
	near(t, "states of NStepLSTM", hn2, hn.Reshape(2, batch, units))
	near(t, "memories of NStepLSTM", cn2, cn.Reshape(2, batch, units))

	y3, hn3, cn3 := sequence.Recurrent(x, ops.Concatenate(append(parameters, biases...)), flat, "lstm", units,
		sequence.RecurrentOptions{StateCell: memory, Bidirectional: true})
	near(t, "outputs of Recurrent", y3, y)
	near(t, "states of Recurrent", hn3, hn2)
	near(t, "memories of Recurrent", cn3, cn2)
}

// TestLengths checks that a sequence's outputs do not depend on longer sequences in the batch, given by sizes or by
// lengths.
func TestLengths(t *testing.T) {
	const units, features = 2, 3
	w := func(seed uint64) []*nd.Array {
		var ws []*nd.Array
		for k := range uint64(6) {
			width := units
			if k < 3 {
				width = features
			}
			ws = append(ws, normal(seed+k, units, width))
		}
		return ws
	}
	biases := func(seed uint64) []*nd.Array { return ops.Unstack(normal(seed, 6, units)) }
	ws, bs := [][]*nd.Array{w(1), w(11)}, [][]*nd.Array{biases(21), biases(22)}
	both := sequence.NStepOptions{Bidirectional: true}
	x, hx := normal(31, 4, 2, features), normal(32, 2, 2, units)
	short := x.Index(nd.Until(2), nd.From(1))
	xs := append(ops.Unstack(x.Index(nd.Until(2))), ops.Unstack(x.Index(nd.From(2), nd.Until(1)))...)
	hy, ys := sequence.NStepGRU(hx, ws, bs, xs, both)
	alone, ysAlone := sequence.NStepGRU(hx.Index(nd.All(), nd.From(1)), ws, bs, ops.Unstack(short), both)
	near(t, "the state of the shorter sequence", hy.Index(nd.All(), nd.From(1)), alone)
	for k, y := range ysAlone {
		near(t, "an output of the shorter sequence", ys[k].Index(nd.From(1)), y)
	}

	var parameters []*nd.Array
	for _, list := range ws {
		parameters = append(parameters, ops.Concatenate(list[:3]).Ravel(), ops.Concatenate(list[3:]).Ravel())
	}
	for _, list := range bs {
		parameters = append(parameters, list...)
	}
	y, hn, _ := sequence.Recurrent(x, ops.Concatenate(parameters), hx, "gru", units,
		sequence.RecurrentOptions{Bidirectional: true, SequenceLength: nd.FromSlice([]int{4, 2})})
	near(t, "the states by lengths", hn, hy)
	for k := range ys {
		near(t, "an output by lengths", y.Index(nd.At(k), nd.Until(ys[k].Dim(0))), ys[k])
	}
	near(t, "outputs beyond the length", y.Index(nd.From(2), nd.At(1)), nd.Zeros([]int{2, 2 * units}))
}

func TestRecurrentGradients(t *testing.T) {
	x, h := normal(1, 2, 2, 2), normal(2, 2, 1, 2, 2)
	check := func(name string, f gradcheck.Function, xs ...*nd.Array) {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, f, xs...)
			gradcheck.CheckSecondOrder(t, f, xs...)
		})
	}
	check("RNN", func(xs ...*nd.Array) *nd.Array {
		y, hn := sequence.RNN(xs[0], xs[1], xs[2], sequence.RNNOptions{NumLayers: 2, Weight: xs[3], Bias: xs[4]})
		return ops.Add(ops.Sum(y), ops.Sum(ops.Square(hn)))
	}, x, h, normal(3, 1, 2, 4), normal(4, 1, 1, 2, 4), normal(5, 2, 1, 2))
	check("LSTM", func(xs ...*nd.Array) *nd.Array {
		y, hn, cn := sequence.LSTM(xs[0], xs[1], xs[2], xs[3], sequence.LayerOptions{NumLayers: 2, Weight: xs[4]})
		return ops.AddN(ops.Sum(ops.Square(y)), ops.Sum(hn), ops.Sum(cn))
	}, x, h, normal(6, 2, 1, 2, 2), normal(7, 1, 4, 2, 4), normal(8, 1, 1, 4, 2, 4))
	check("GRU", func(xs ...*nd.Array) *nd.Array {
		y, hn := sequence.GRU(xs[0], xs[1], xs[2], sequence.LayerOptions{Bidirectional: true, Bias: xs[3]})
		return ops.Add(ops.Sum(ops.Square(y)), ops.Sum(hn))
	}, x, normal(9, 1, 2, 2, 2), normal(10, 2, 3, 2, 4), normal(11, 1, 2, 4, 2))
	check("LSTMGates", func(xs ...*nd.Array) *nd.Array {
		c, h := sequence.LSTMGates(xs[0], xs[1])
		return ops.Add(ops.Sum(c), ops.Sum(ops.Square(h)))
	}, normal(12, 3, 2), normal(13, 2, 8))
	lengths := nd.FromSlice([]int{2, 1})
	check("masks", func(xs ...*nd.Array) *nd.Array {
		packed, _ := sequence.PackPadded(xs[0], lengths)
		return ops.AddN(ops.Sum(ops.Square(sequence.Mask(xs[0], lengths))), ops.Sum(ops.Exp(sequence.Last(xs[0], lengths))),
			ops.Sum(ops.Multiply(sequence.Reverse(xs[0], lengths), ops.Square(xs[0]))), ops.Sum(ops.Sin(packed)))
	}, x)
}

func TestMasks(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2)
	lengths := nd.FromSlice([]int{2, 3})
	near(t, "Mask", sequence.Mask(x, lengths, sequence.MaskOptions{Value: -1}), nd.FromSlice([]float64{1, 2, 3, 4, -1, 6}, 3, 2))
	near(t, "Last", sequence.Last(x, lengths), nd.FromSlice([]float64{3, 6}))
	near(t, "Reverse", sequence.Reverse(x, lengths), nd.FromSlice([]float64{3, 6, 1, 4, 5, 2}, 3, 2))
	along := ops.Over(1)
	near(t, "Mask along axis 1", sequence.Mask(x.T(), lengths, sequence.MaskOptions{Axis: ops.Over(1)}), nd.FromSlice([]float64{1, 3, 0, 2, 4, 6}, 2, 3))
	near(t, "Last along axis 1", sequence.Last(x.T(), lengths, along), nd.FromSlice([]float64{3, 6}))
	near(t, "Reverse along axis 1", sequence.Reverse(x.T(), lengths, along), sequence.Reverse(x, lengths).T())
}

func TestPacking(t *testing.T) {
	x := normal(1, 4, 3, 2)
	lengths := nd.FromSlice([]int{3, 3, 1})
	packed, sizes := sequence.PackPadded(x, lengths)
	y, again := sequence.PadPacked(packed, sizes, sequence.PadOptions{PaddingValue: 7, TotalLength: 4})
	near(t, "padded again", y, sequence.Mask(x, lengths, sequence.MaskOptions{Value: 7}))
	if !ops.ArrayEqual(again, lengths) {
		t.Errorf("lengths %v, want %v", again, lengths)
	}
	xs := []*nd.Array{normal(2, 3, 2), normal(3, 1, 2), normal(4, 0, 2)}
	for k, x := range sequence.Transpose(sequence.Transpose(xs[:2])) {
		near(t, "transposed twice", x, xs[k])
	}
	if ys := sequence.Transpose(xs); len(ys) != 3 || ys[0].Dim(0) != 2 {
		t.Errorf("with an empty sequence there are %d time steps, want 3", len(ys))
	}
	if ys := sequence.Transpose(nil); len(ys) != 0 {
		t.Errorf("no sequences have %d time steps", len(ys))
	}
}

func TestDropoutBetweenLayers(t *testing.T) {
	x, h := normal(1, 2, 2, 2), nd.Zeros([]int{2, 1, 2, 2})
	w, upper := normal(3, 1, 2, 4), normal(4, 1, 1, 2, 4)
	run := func(o sequence.RNNOptions) *nd.Array {
		o.NumLayers, o.Weight = 2, upper
		y, _ := sequence.RNN(x, h, w, o)
		return y
	}
	plain := run(sequence.RNNOptions{})
	near(t, "inference", run(sequence.RNNOptions{Dropout: 0.5, Training: new(false)}), plain)
	y := run(sequence.RNNOptions{Dropout: 1, Rand: nd.NewRand(1)})
	near(t, "nothing reaches the second layer", y, nd.Zeros([]int{2, 2, 2}))
	refuses(t, "want a Rand", func() { run(sequence.RNNOptions{Dropout: 0.5}) })
	refuses(t, "probability", func() { run(sequence.RNNOptions{Dropout: 1.5}) })
}

func TestMemoryBounds(t *testing.T) {
	x, h, c := normal(1, 2, 1, 1), nd.Zeros([]int{1, 1, 1}), nd.Full([]int{1, 1, 1}, math.NaN())
	o := sequence.RecurrentOptions{StateCell: c, LSTMStateClipMin: new(-0.25), LSTMStateClipMax: new(0.25), LSTMStateClipNaN: true}
	_, _, cn := sequence.Recurrent(x, nd.Ones([]int{16}), h, "lstm", 1, o)
	if v := nd.Value[float64](cn); !(v >= -0.25 && v <= 0.25) {
		t.Errorf("the memory is %v", v)
	}
}

func TestRefusals(t *testing.T) {
	x, h, w := normal(1, 2, 2, 3), normal(2, 1, 1, 2, 2), normal(3, 1, 4, 2, 5)
	refuses(t, "second weight", func() {
		sequence.LSTM(x, normal(4, 2, 1, 2, 2), normal(4, 2, 1, 2, 2), w, sequence.LayerOptions{NumLayers: 2})
	})
	refuses(t, "first layer", func() { sequence.GRU(x, h, w) })
	refuses(t, "memory", func() { sequence.LSTM(x, h, normal(4, 1, 1, 3, 2), w) })
	refuses(t, "at least one time", func() { sequence.LSTM(nd.Zeros([]int{0, 2, 3}), h, h, w) })
	refuses(t, "bias", func() { sequence.LSTM(x, h, h, w, sequence.LayerOptions{Bias: normal(5, 1, 1, 3, 2)}) })
	refuses(t, "tanh or relu", func() { sequence.RNN(x, h, normal(6, 1, 2, 5), sequence.RNNOptions{Nonlinearity: "sine"}) })
	refuses(t, "first layer", func() { sequence.RNN(x, h, normal(6, 2)) })

	flat := normal(7, 1, 2, 2)
	refuses(t, "mode", func() { sequence.Recurrent(x, normal(8, 24), flat, "elman", 2) })
	refuses(t, "parameters", func() { sequence.Recurrent(x, normal(8, 24), flat, "rnn_tanh", 2) })
	refuses(t, "both bounds", func() {
		sequence.Recurrent(x, normal(8, 24), flat, "lstm", 2, sequence.RecurrentOptions{LSTMStateClipMin: new(1.0)})
	})
	refuses(t, "only an LSTM", func() {
		sequence.Recurrent(x, normal(8, 24), flat, "gru", 2, sequence.RecurrentOptions{ProjectionSize: 1})
	})
	refuses(t, "needs a StateCell", func() { sequence.Recurrent(x, normal(8, 24), flat, "lstm", 2) })

	list := [][]*nd.Array{{normal(9, 2, 3), normal(9, 2, 2)}}
	biases := [][]*nd.Array{{normal(9, 2), normal(9, 2)}}
	refuses(t, "without the finished ones", func() { sequence.NStepRNN(flat, list, biases, []*nd.Array{normal(1, 1, 3), normal(1, 2, 3)}) })
	refuses(t, "each of the", func() { sequence.NStepRNN(flat, nil, nil, ops.Unstack(x)) })
	refuses(t, "for a cell", func() { sequence.NStepGRU(flat, list, biases, ops.Unstack(x)) })
	refuses(t, "at least one time", func() { sequence.NStepRNN(flat, list, biases, nil) })
	refuses(t, "at every time", func() { sequence.NStepRNN(flat, list, biases, []*nd.Array{normal(1, 2, 3), normal(1, 2, 4)}) })
	refuses(t, "at every time", func() { sequence.NStepRNN(flat, list, biases, []*nd.Array{normal(1, 2, 3), normal(1, 2, 3, 1)}) })
	refuses(t, "weight 0", func() { sequence.NStepRNN(flat, list, biases, []*nd.Array{normal(1, 2, 4)}) })

	refuses(t, "four gates", func() { sequence.LSTMGates(normal(1, 2, 3), normal(1, 2, 11)) })
	refuses(t, "one shape", func() { sequence.SLSTMGates(normal(1, 2, 3), normal(1, 1, 3), normal(1, 2, 12), normal(1, 2, 12)) })
	refuses(t, "do not grow", func() { sequence.PackPadded(normal(1, 3, 2), nd.FromSlice([]int{1, 2})) })
	refuses(t, "a length from 1 to 3", func() { sequence.PackPadded(normal(1, 3, 2), nd.FromSlice([]int{4, 2})) })
	refuses(t, "as many rows", func() { sequence.PadPacked(normal(1, 3, 2), nd.FromSlice([]int{1, 1})) })
	refuses(t, "longest first", func() { sequence.Transpose([]*nd.Array{normal(1, 1), normal(1, 2)}) })
	refuses(t, "a length for each", func() { sequence.Mask(normal(1, 3, 2), nd.FromSlice([]int{1})) })
	refuses(t, "axis 0 or 1", func() { sequence.Last(normal(1, 3, 2), nd.FromSlice([]int{1, 1}), ops.Over(2)) })
}
