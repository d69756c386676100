package sequence_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// A layer of four units reads five steps of two sequences, forward and backward.
func ExampleLSTM() {
	on := nd.ArrayOptions{DType: dtype.Float32}
	x := nd.Full([]int{5, 2, 3}, 0.5, on)             // (T, B, I)
	state := nd.Zeros([]int{1, 2, 2, 4}, on)          // (layers, directions, B, H)
	weight := nd.Full([]int{2, 4, 4, 3 + 4}, 0.1, on) // (directions, gates, H, I+H)

	tape := grad.NewTape()
	defer tape.Release()
	w := tape.Watch(weight)
	y, h, c := sequence.LSTM(x, state, state, w, sequence.LayerOptions{Bidirectional: true})
	fmt.Println(y.Shape(), h.Shape(), c.Shape())

	gradient := tape.Gradient(ops.Sum(y), w)[0]
	fmt.Println(gradient.Shape())
	// Output:
	// [5 2 8] [1 2 2 4] [1 2 2 4]
	// [2 4 4 7]
}

// Sequences of lengths 3 and 1, padded with zeros, lose their padding and get it back.
func ExamplePackPadded() {
	padded := nd.FromSlice([]int{1, 2, 3, 4, 0, 0}, 2, 3)
	packed, sizes := sequence.PackPadded(padded, nd.FromSlice([]int{3, 1}), sequence.PackOptions{BatchFirst: true})
	fmt.Println(packed, sizes)
	again, lengths := sequence.PadPacked(packed, sizes, sequence.PadOptions{BatchFirst: true})
	fmt.Println(again, lengths)
	// Output:
	// [1 4 2 3] [2 1 1]
	// [[1 2 3]
	//  [4 0 0]] [3 1]
}
