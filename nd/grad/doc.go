// Package grad computes gradients of any order. A [Tape] records the operations on the arrays that it watches, and
// differentiates the record in a backward pass:
//
//	tape := grad.NewTape()
//	w := tape.Watch(w0)
//	loss := ops.Mean(ops.Square(ops.Subtract(ops.MatMul(x, w), t)))
//	g := tape.Gradient(loss, w)[0]
//	tape.Reset()
//
// A tape is also an arena: it owns everything computed from the arrays it watches, until Reset. Keep removes an array
// from the tape.
//
// # How a gradient is computed
//
// A function of package ops records its operation: Tape.Record (tape.go) appends a node that knows the nodes of its
// inputs. Tape.Gradient and similar methods (gradient.go) check their arguments and make one pass:
//
//   - search.go finds the operations through which the results depend on the requested arrays, the latest first;
//   - pass.go visits these operations: the VJP of each converts the gradients of its results to those of its inputs,
//     which wait at the operations that computed these inputs;
//   - ownership.go defines who owns a waiting gradient: how several gradients of one array are added up, and when one
//     is released;
//   - definition.go is for recorded gradients: a fused operation is differentiated through its definition;
//   - notes.go is what a pass knows of every node; recycle.go reuses passes.
//
// Tape.Summary (summary.go) lists what a tape holds. A tape observes functions while they run (listen.go), for a
// [Hook], a [Timer] and Tape.Debug; without observers this costs one comparison per call. Tape.Span (span.go) names
// parts of the record. The rest builds on this: custom.go contains user-defined operations and checkpoints,
// functional.go gradients of Go functions.
package grad
