package grad_test

import (
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestDroppedTapesAreCollected: a loop that drops its tapes and arenas keeps at most the last of them alive, although
// its state moves from one to the next.
func TestDroppedTapesAreCollected(t *testing.T) {
	rate := nd.Scalar(0.001)
	gradient := func(tape *grad.Tape, w *nd.Array) *nd.Array {
		x := tape.Watch(w)
		return tape.Gradient(ops.Sum(ops.Square(x)), x)[0]
	}
	for name, step := range map[string]func(w *nd.Array) *nd.Array{
		"a state": func(w *nd.Array) *nd.Array {
			return ops.Subtract(w, ops.Multiply(gradient(grad.NewTape(), w), rate))
		},
		"a gradient": func(w *nd.Array) *nd.Array { return gradient(grad.NewTape(), w) },
		"a kept state": func(w *nd.Array) *nd.Array {
			tape := grad.NewTape()
			return tape.Keep(ops.Subtract(w, ops.Multiply(gradient(tape, w), rate)))
		},
		"a state in a scope": func(w *nd.Array) *nd.Array {
			nd.TidyAll(func() { w = ops.Subtract(w, ops.Multiply(gradient(grad.NewTape(), w), rate)) }, &w)
			return w
		},
		"of an arena": func(w *nd.Array) *nd.Array { return ops.Square(nd.NewArena().Adopt(w)) },
		"of an arena and a scope": func(w *nd.Array) *nd.Array {
			return nd.Tidy(nd.NewArena().Adopt(w), func(w *nd.Array) *nd.Array { return ops.Square(w) })
		},
	} {
		w := nd.Ones([]int{1000})
		var before, after runtime.MemStats
		for i := range 300 { // each of which makes some dozens of objects
			if i == 20 {
				runtime.GC()
				runtime.ReadMemStats(&before)
			}
			w = step(w)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if after.HeapObjects > before.HeapObjects+1500 {
			t.Errorf("%s: %d objects are held after 300 steps", name, after.HeapObjects-before.HeapObjects)
		}
		runtime.KeepAlive(w)
	}
}
