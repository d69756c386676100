package sequence_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// TestWholeLayersAgreeWithSteps compares layers that are one operation with the same layers step by step, as sequences of stated
// lengths are computed: outputs, states, and gradients.
func TestWholeLayersAgreeWithSteps(t *testing.T) {
	const times, batch, features = 4, 3, 5
	for mode, gates := range map[sequence.RecurrentMode]int{sequence.RecurrentGRU: 3, sequence.RecurrentLSTM: 4} {
		for _, units := range []int{1, 6, 64, 128} {
			rows := gates * units
			x, h := normal(1, times, batch, features), normal(2, 2, batch, units)
			p := ops.Multiply(normal(3, 2*rows*(features+units+2)), 0.3)
			run := func(o sequence.RecurrentOptions) []*nd.Array {
				tape := grad.NewTape()
				X, P, H := tape.Watch(x), tape.Watch(p), tape.Watch(h)
				o.Bidirectional = true
				if mode == sequence.RecurrentLSTM {
					o.StateCell = H
				}
				y, hn, _ := sequence.Recurrent(X, P, H, mode, units, o)
				loss := ops.Add(ops.Sum(ops.Square(y)), ops.Sum(ops.Sin(hn)))
				return append(tape.Gradient(loss, X, P, H), y.Detach(), hn.Detach())
			}
			whole, steps := run(sequence.RecurrentOptions{}), run(sequence.RecurrentOptions{SequenceLength: nd.Full([]int{batch}, times)})
			for k, what := range []string{"the gradient of x", "the gradient of the parameters", "the gradient of the state", "the output", "the last state"} {
				near(t, string(mode)+": "+what, whole[k], steps[k])
			}
		}
	}
}
