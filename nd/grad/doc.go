// Package grad computes gradients of any order. A [Tape] records what is computed from the arrays it watches, and goes
// back through the record:
//
//	tape := grad.NewTape()
//	w := tape.Watch(w0)
//	loss := ops.Mean(ops.Square(ops.Subtract(ops.MatMul(x, w), t)))
//	g := tape.Gradient(loss, w)[0]
//	tape.Reset()
//
// A tape is also an arena: everything computed from what it watches belongs to it until Reset. Keep takes an array out.
package grad
