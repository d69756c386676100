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
//
// # How a gradient is made
//
// A function of package ops records its operation: Tape.Record (tape.go) puts that on the list, as a node that
// knows the nodes of its inputs. Tape.Gradient and its like (gradient.go) check their arguments and make one pass:
//
//   - search.go finds the operations through which the results depend on the arrays asked for, the latest first;
//   - pass.go goes through them: each operation's VJP takes the gradients of its results to those of its inputs, which
//     wait at the operations that computed these;
//   - ownership.go says who owns a waiting gradient: how several for one array are added up, and when one is released;
//   - definition.go is for gradients that are recorded: a fused operation is differentiated by its definition;
//   - notes.go is what a pass knows of every node, recycle.go makes passes serve again.
//
// Tape.Summary (summary.go) tells what a tape holds. A tape hears of functions while they run (listen.go), for a [Hook], a [Timer] and
// Tape.Debug; where nobody listens that is a comparison for every call. Tape.Span (span.go) names parts of the record. On top of that,
// custom.go has operations of the user's own and checkpoints, functional.go gradients of Go functions.
package grad
