package grad_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestResetLeavesNoTrace: an array that outlives a reset, in whatever way, is like any other array: it is not recorded,
// and can be written to.
func TestResetLeavesNoTrace(t *testing.T) {
	for name, survive := range map[string]func(tape *grad.Tape, x *nd.Array) *nd.Array{
		"kept":        func(tape *grad.Tape, x *nd.Array) *nd.Array { return tape.Keep(ops.Square(x)) },
		"a kept view": func(tape *grad.Tape, x *nd.Array) *nd.Array { return tape.Keep(ops.Square(x).Index(nd.All())) },
		"a kept leaf": func(tape *grad.Tape, x *nd.Array) *nd.Array { return tape.Keep(tape.Watch(vector(1, 2, 3))) },
		"a kept gradient": func(tape *grad.Tape, x *nd.Array) *nd.Array {
			return tape.Keep(tape.GradientRecorded(ops.Exp(x), x)[0])
		},
		"of a younger arena": func(tape *grad.Tape, x *nd.Array) *nd.Array {
			return ops.Add(x, nd.NewArena().Adopt(vector(1, 2, 3)))
		},
		"written to": func(tape *grad.Tape, x *nd.Array) *nd.Array {
			y := vector(1, 2, 3)
			y.Assign(ops.Square(x))
			return y
		},
		"written to twice": func(tape *grad.Tape, x *nd.Array) *nd.Array {
			y := vector(1, 2, 3)
			y.Assign(ops.Square(x))
			y.Assign(ops.Exp(x.Index(nd.From(1))), nd.From(1))
			return y
		},
		"an Out": func(tape *grad.Tape, x *nd.Array) *nd.Array {
			y := vector(1, 2, 3)
			return ops.Add(x, x, ops.Into(y))
		},
		"kept over a pass": func(tape *grad.Tape, x *nd.Array) *nd.Array {
			y := tape.Keep(ops.Square(x))
			tape.Gradient(ops.Exp(y), x)
			return y
		},
	} {
		t.Run(name, func(t *testing.T) {
			tape := grad.NewTape()
			x := tape.Watch(vector(1, 2, 3))
			y := survive(tape, x)
			view := tape.Keep(y.Index(nd.All()))
			tape.Reset()
			if y.IsReleased() {
				t.Fatal("it did not survive")
			}
			if n, _ := y.Node(); n != nil {
				t.Fatal("it is still recorded")
			}
			z := tape.Watch(vector(4, 5, 6))
			y.Assign(ops.Square(z)) // y is the only recorded header on the memory
			near(t, "the array", view, 16, 25, 36)
			near(t, "the gradient through it", tape.Gradient(ops.Square(y), z)[0], 4*64, 4*125, 4*216)
			tape.Reset()
			view.Assign(nd.Scalar(0))
			near(t, "the array", y, 0, 0, 0)
		})
	}
}
