package quantize

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// LSTMOptions are the options of LSTM.
type LSTMOptions struct {
	// NumLayers is the number L of layers; 0 means 1.
	NumLayers int
	// Bidirectional runs a second cell from the end of each sequence to its beginning in every layer: D is 2 instead of
	// 1.
	Bidirectional bool
	// ClipMin and ClipMax are bounds of the memory at every time step; nil means no bound.
	ClipMin, ClipMax *float64
}

// LSTM is sequence.Recurrent for an LSTM that multiplies integers: the weights of every gate are rounded to int8, with
// a separate step for each output, and so are the states. The input may have a fractional zero point. Biases, memories
// and results are float32, and no gradient flows.
//
// parameters holds, one after the other, the weights of every layer and direction, of the input (4H, I) and of the
// state (4H, H); then all biases in the same order, of the input (4H) and of the state (4H). Gates are in the order i,
// f, g, o.
//
// Shapes: x (T, B, I), state and memory (L·D, B, H); the results (T, B, D·H), (L·D, B, H) and (L·D, B, H).
// MXNet: contrib_quantized_rnn.
func LSTM(x Array, parameters, state, memory *nd.Array, opts ...LSTMOptions) (y, hn, cn *nd.Array) {
	const fn nd.Func = "quantize.LSTM"
	o := options.Read(fn, opts)
	x.check(fn)
	in := []*nd.Array{x.Values, parameters, state, memory}
	fn.Check(in...)
	layers, directions := max(o.NumLayers, 1), 1
	if o.Bidirectional {
		directions = 2
	}
	if x.Values.Rank() != 3 || x.Values.Dim(0) == 0 || state.Rank() != 3 || state.Dim(0) != layers*directions ||
		state.Dim(1) != x.Values.Dim(1) || state.Dim(2) == 0 || !broadcast.Equal(state.Shape(), memory.Shape()) {
		panic(fn.Errorf(in, "want an input (T, B, I) with at least one time step, a state and a memory (%d, B, H)", layers*directions))
	}
	units := state.Dim(2)
	widths, size := make([]int, layers), 0
	for k := range widths {
		if widths[k] = x.Values.Dim(2); k > 0 {
			widths[k] = directions * units
		}
		size += directions * 4 * units * (widths[k] + units + 2)
	}
	if !broadcast.Equal(parameters.Shape(), []int{size}) || parameters.DType().IsComplex() {
		panic(fn.Errorf(in, "want %d real parameters in one axis", size))
	}
	made := fn.Temporaries(&x.Values, &parameters, &state, &memory)
	defer made.Release()
	parameters, state, memory = parameters.Detach().AsType(dtype.Float32), state.Detach().AsType(dtype.Float32), memory.Detach().AsType(dtype.Float32)
	next := func(shape ...int) *nd.Array {
		n := broadcast.Size(shape)
		part := parameters.Index(nd.Until(n)).Reshape(shape...)
		parameters = parameters.Index(nd.From(n))
		return part
	}
	cells := make([]lstmCell, layers*directions)
	for k := range cells {
		cells[k] = lstmCell{fromInput: rowsInSteps(next(4*units, widths[k/directions])), fromState: rowsInSteps(next(4*units, units)),
			h: state.Index(nd.At(k)), c: memory.Index(nd.At(k)), low: o.ClipMin, high: o.ClipMax}
	}
	for k := range cells {
		cells[k].bias = ops.Add(next(4*units), next(4*units))
	}
	hs, cs := make([]*nd.Array, len(cells)), make([]*nd.Array, len(cells))
	for layer := range layers {
		ys := make([]*nd.Array, directions)
		for d := range ys {
			k := layer*directions + d
			ys[d] = cells[k].run(x, d == 1)
			hs[k], cs[k] = cells[k].h, cells[k].c
		}
		y = ops.Concatenate(ys, ops.Over(2))
		x = Symmetric(y)
	}
	return made.Keep(y), made.Keep(ops.Stack(hs)), made.Keep(ops.Stack(cs))
}

// lstmCell is a layer in one direction with its state and memory.
type lstmCell struct {
	fromInput, fromState quantizedRows
	bias, h, c           *nd.Array
	low, high            *float64
}

// quantizedRows holds transposed weights, with a step for each output.
type quantizedRows struct{ values, steps *nd.Array }

// rowsInSteps rounds the rows of a matrix to int8.
func rowsInSteps(w *nd.Array) quantizedRows {
	most := ops.Max(ops.Absolute(w), ops.Over(1).KeepDims())
	steps := ops.Where(ops.Equal(most, 0), 1, ops.Divide(most, 127))
	return quantizedRows{ops.Rint(ops.Divide(w, steps)).AsType(dtype.Int8).T(), steps.Reshape(1, -1)}
}

// product returns the products of rows of x with r, as numbers.
func (r quantizedRows) product(x Array) *nd.Array {
	y := ops.MatMul(x.Values, r.values, ops.ProductOptions{DType: dtype.Int32}).AsType(dtype.Float32)
	if x.ZeroPoint != 0 {
		y = ops.Subtract(y, ops.Multiply(ops.Sum(r.values.AsType(dtype.Float32), ops.Over(0)), x.ZeroPoint))
	}
	return ops.Multiply(y, ops.Multiply(r.steps, x.Scale))
}

// run runs the cell over all time steps, and returns its states.
func (cell *lstmCell) run(x Array, reverse bool) *nd.Array {
	times, units := x.Values.Dim(0), cell.h.Dim(-1)
	inputs := ops.Add(cell.fromInput.product(x), cell.bias)
	largest := math.Max(1, maxAbs("quantize.LSTM", cell.h)) // later states are within ±1
	ys := make([]*nd.Array, times)
	for k := range times {
		t := k
		if reverse {
			t = times - 1 - k
		}
		h := Symmetric(cell.h, SymmetricOptions{Max: largest})
		z := ops.Add(inputs.Index(nd.At(t)), cell.fromState.product(h))
		h.Values.Release()
		gate := func(k int) *nd.Array { return z.Index(nd.All(), nd.Span(k*units, (k+1)*units)) }
		cell.c = ops.Add(ops.Multiply(ops.Sigmoid(gate(1)), cell.c), ops.Multiply(ops.Sigmoid(gate(0)), ops.Tanh(gate(2))))
		if cell.low != nil {
			cell.c = ops.Maximum(*cell.low, cell.c)
		}
		if cell.high != nil {
			cell.c = ops.Minimum(*cell.high, cell.c)
		}
		cell.h = ops.Multiply(ops.Sigmoid(gate(3)), ops.Tanh(cell.c))
		ys[t] = cell.h
	}
	return ops.Stack(ys)
}
