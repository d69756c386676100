package quantize_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// rowsOf127 rounds the rows of a matrix to multiples of a 127th of the row's largest absolute value.
func rowsOf127(w [][]float64) (values [][]int, steps []float64) {
	for _, row := range w {
		most := 0.0
		for _, v := range row {
			most = max(most, math.Abs(v))
		}
		rounded := make([]int, len(row))
		for k, v := range row {
			rounded[k] = int(math.RoundToEven(v * 127 / most))
		}
		values, steps = append(values, rounded), append(steps, most/127)
	}
	return values, steps
}

// TestLSTMRounds compares with plain Go that rounds weights and states, and multiplies integers. Without the rounding
// the results would differ by a hundred times the tolerance.
func TestLSTMRounds(t *testing.T) {
	const times, features, units, tolerance = 4, 3, 2, 2e-6
	draw := func(seed uint64, most float64, shape ...int) *nd.Array {
		return random.Uniform(nd.NewRand(seed), -most, most, shape)
	}
	wx, wh := draw(1, 0.8, 4*units, features), draw(2, 0.8, 4*units, units)
	bx, bh := draw(3, 0.3, 4*units), draw(4, 0.3, 4*units)
	state, memory := draw(5, 0.9, 1, 1, units), draw(6, 0.9, 1, 1, units)
	x := quantize.Array{Values: random.Integers(nd.NewRand(7), 0, 256, []int{times, 1, features}).AsType(dtype.Uint8), Scale: 1. / 32, ZeroPoint: 127.5}

	inputs, inputSteps := rowsOf127(nd.ToRows[float64](wx))
	states, stateSteps := rowsOf127(nd.ToRows[float64](wh))
	h, c := nd.ToSlice[float64](state.Ravel()), nd.ToSlice[float64](memory.Ravel())
	var want []float64
	sigma := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	for step := range times {
		rounded := make([]int, units)
		for k, v := range h {
			rounded[k] = int(math.RoundToEven(v * 127))
		}
		gate := func(g, unit int) float64 {
			row := g*units + unit
			z := bx.Float(row) + bh.Float(row)
			for k, w := range inputs[row] {
				z += float64(w) * inputSteps[row] * (x.Values.Float(step, 0, k) - 127.5) / 32
			}
			sum := 0
			for k, w := range states[row] {
				sum += w * rounded[k]
			}
			return z + float64(sum)*stateSteps[row]/127
		}
		for unit := range units {
			c[unit] = sigma(gate(1, unit))*c[unit] + sigma(gate(0, unit))*math.Tanh(gate(2, unit))
			h[unit] = sigma(gate(3, unit)) * math.Tanh(c[unit])
		}
		want = append(want, h...)
	}

	parameters := ops.Concatenate([]*nd.Array{wx.Ravel(), wh.Ravel(), bx, bh})
	y, hn, cn := quantize.LSTM(x, parameters, state, memory)
	floats, _, _ := sequence.Recurrent(x.Dequantize(quantize.DequantizeOptions{DType: dtype.Float64}), parameters, state, "lstm", units,
		sequence.RecurrentOptions{StateCell: memory})
	off := func(a *nd.Array, b []float64) float64 {
		return ops.Max(ops.Absolute(ops.Subtract(a.Ravel(), nd.FromSlice(b)))).Float()
	}
	if d := off(y, want); d > tolerance {
		t.Errorf("results are off by %v: %v, want %v", d, y, want)
	}
	if d := max(off(hn, h), off(cn, c)); d > tolerance {
		t.Errorf("the last states are off by %v", d)
	}
	if d := off(floats, want); d < 100*tolerance {
		t.Errorf("the results of floats are only %v away: they would pass", d)
	}
}
