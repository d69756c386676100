package catalogue

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestQuantizedRNNRounds derives a step of contrib_quantized_rnn by hand. The recorded cases follow from floats, with
// tolerances that an LSTM of floats would meet too. Here an LSTM of floats gives 0: the weight 0.3 beside 1 is 38 of
// 127 steps, and the state 0.5 is 64 of 127.
func TestQuantizedRNNRounds(t *testing.T) {
	const name = "mxnet.npx.contrib_quantized_rnn"
	for what, test := range map[string]struct {
		weights [2]float32 // of the cell's input: the other gates have none, so that they are 1/2
		state   float32    // the weight of the state, which is 0.5
		bias    float32
		z       float64
	}{
		"weights": {[2]float32{1, 0.3}, 0, -32, 2 + 100*38./127 - 32},
		"states":  {[2]float32{0, 0}, 100, -50, 100*64./127 - 50},
	} {
		parameters := make([]float32, 4*2+4+4+4)
		copy(parameters[2*2:], test.weights[:])
		parameters[8+2], parameters[12+2] = test.state, test.bias
		ys, err := callRow(name, passed{"data": nd.FromSlice([]uint8{7, 203}, 1, 1, 2), "parameters": nd.FromSlice(parameters),
			"state": nd.Full([]int{1, 1, 1}, float32(0.5)), "state_cell": nd.Zeros([]int{1, 1, 1}, dtype.Float32),
			"data_scale": nd.FromSlice([]float32{2}), "data_shift": nd.FromSlice([]float32{3}), "state_size": 1, "num_layers": 1, "mode": "lstm"})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		want := math.Tanh(math.Tanh(test.z)/2) / 2
		if got := ys[0].Float(0, 0, 0); math.Abs(got-want) > 1e-6 || math.Abs(want) < 1e-2 {
			t.Errorf("rounded %s give %v, want %v", what, got, want)
		}
	}
}
