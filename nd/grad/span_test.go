package grad_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// pathOf writes the spans of an operation as a path.
func pathOf(tape *grad.Tape, n *nd.Node) string {
	var names []string
	for _, s := range tape.Spans(n) {
		names = append(names, s.Name)
	}
	return strings.Join(names, "/")
}

// TestSpans: operations belong to the innermost span that is open when they are recorded, and spans with the same name
// are separate.
func TestSpans(t *testing.T) {
	tape := grad.NewTape()
	var nodes []*nd.Node
	tape.OnRecord = func(n *nd.Node) { nodes = append(nodes, n) }
	for range 2 { // the second time on memory that Reset has left
		nodes = nodes[:0]
		x := tape.Watch(vector(1, 2))
		square := func(x *nd.Array) *nd.Array {
			defer tape.Span("square", x, nil)()
			return ops.Multiply(x, x)
		}
		y := square(x)
		end := tape.Span("outer")
		y = ops.Exp(y)
		tape.Span("empty")()
		y = square(square(y))
		y = ops.Sin(y)
		end()
		ops.Cos(y)
		var paths []string
		for _, n := range nodes {
			paths = append(paths, pathOf(tape, n))
		}
		if want := []string{"square", "outer", "outer/square", "outer/square", "outer", ""}; !slices.Equal(paths, want) {
			t.Errorf("spans %q, want %q", paths, want)
		}
		first, second, third := tape.Spans(nodes[0]), tape.Spans(nodes[2]), tape.Spans(nodes[3])
		if len(first[0].Inputs) != 1 || first[0].Inputs[0] != x || second[0].Inputs != nil || second[1].ID == third[1].ID {
			t.Errorf("spans %v, %v and %v", first, second, third)
		}
		tape.Reset()
	}
}

// TestSpanEndsAfterReset: closing a span that the tape has forgotten does nothing.
func TestSpanEndsAfterReset(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	end := tape.Span("forgotten")
	tape.Reset()
	end()
	y := ops.Exp(tape.Watch(vector(1)))
	if n, _ := y.Node(); len(tape.Spans(n)) != 0 {
		t.Errorf("spans %v after a reset", tape.Spans(n))
	}
}

// TestSpanOfAPanic: the deferred end closes the span, so that later operations are not in it.
func TestSpanOfAPanic(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1))
	refused(t, func() {
		defer tape.Span("refused")()
		ops.MatMul(x, vector(1, 2, 3))
	}, "ops.MatMul")
	y := ops.Exp(x)
	if n, _ := y.Node(); len(tape.Spans(n)) != 0 {
		t.Errorf("spans %v after a panic", tape.Spans(n))
	}
}

// TestSpansTakeNoMemory: in a steady step a span allocates nothing.
func TestSpansTakeNoMemory(t *testing.T) {
	tape := grad.NewTape()
	x := vector(1, 2)
	step := func() {
		end := tape.Span("outer", x)
		tape.Span("inner", x, x)()
		end()
		tape.Reset()
	}
	step()
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations per step", n)
	}
}

// TestSourcesOfInputs: an unrecorded input has the number of its memory, and its offset, whether the gradient reads it or not.
func TestSourcesOfInputs(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	c, other := vector(1, 2, 3, 4), vector(1, 2)
	x := tape.Watch(vector(5, 6))
	half := c.Index(nd.From(2))
	for _, y := range []*nd.Array{ops.Add(x, half), ops.Multiply(x, half)} {
		n, _ := y.Node()
		if block, offset := n.Source(1); block == 0 || block != c.BlockNumber() || offset != 2 {
			t.Errorf("%v: source %d at %d, want %d at 2", n, block, offset, c.BlockNumber())
		}
		if block, _ := n.Source(0); block != 0 {
			t.Errorf("%v: the recorded input has source %d", n, block)
		}
	}
	if c.BlockNumber() == other.BlockNumber() || nd.Scalar(1).BlockNumber() != 0 {
		t.Error("two blocks have one number, or a Scalar has one")
	}
}

// TestBlocksHaveOneNumber: concurrent first requests get the same number.
func TestBlocksHaveOneNumber(t *testing.T) {
	x := vector(1, 2)
	numbers := make(chan uint32)
	for range 8 {
		go func() { numbers <- x.BlockNumber() }()
	}
	first := <-numbers
	for range 7 {
		if n := <-numbers; n != first {
			t.Errorf("numbers %d and %d", first, n)
		}
	}
}
