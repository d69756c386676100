package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// write continues a beginning with n characters, each drawn with the model's probabilities. A temperature below 1
// favours probable characters.
func (t *training) write(alphabet []byte, beginning string, n int, temperature float64, rng *nd.Rand) string {
	tx := text{alphabet: alphabet}
	index := tx.indices()
	var chars []int
	for _, c := range []byte(beginning) {
		chars = append(chars, index[c])
	}
	out := []byte(beginning)
	for range n {
		recent := chars[max(0, len(chars)-span):]
		arena := nd.NewArena()
		x := arena.Adopt(nd.FromSliceOn(t.workers[0].text.Device(), recent, len(recent), 1))
		scores := t.net(t.params, x, t.letters, new(nn.State)).Index(nd.At(-1), nd.At(0))
		next := draw(nd.ToSlice[float64](ops.Softmax(ops.Divide(scores, temperature))), rng)
		arena.Release()
		chars, out = append(chars, next), append(out, alphabet[next])
	}
	return string(out)
}

// draw returns a random index, drawn with the given probabilities.
func draw(probabilities []float64, rng *nd.Rand) int {
	const steps = 1 << 30
	left := float64(rng.IntN(steps)) / steps
	for i, p := range probabilities {
		if left -= p; left < 0 {
			return i
		}
	}
	return len(probabilities) - 1
}
