// Ndvet looks for mistakes in programs that use ndgrad: loops that leave arrays to the garbage collector, results that are
// ignored, and arrays that are used after they were released. It is a tool for go vet:
//
//	go install github.com/ndgrad/ndgrad/testing/ndvet@latest
//	go vet -vettool=$(which ndvet) ./...
//
// # Temporaries
//
// An array that is made in a loop and needed no more after the round is memory that the garbage collector has to find, unless
// it is released, or belongs to a scope, an arena or a tape. Of
//
//	for range 1000 {
//		v = ops.Add(v, ops.Multiply(force(x), dt))
//		x = ops.Add(x, ops.Multiply(v, dt))
//	}
//
// ndvet says, once for the loop,
//
//	every round of this loop leaves 6 arrays to the garbage collector (force, ops.Sin in force, ops.Multiply, ops.Add)
//
// and one line makes it as fast as if each were released:
//
//	for range 1000 {
//		nd.TidyAll(func() {
//			v = ops.Add(v, ops.Multiply(force(x), dt))
//			x = ops.Add(x, ops.Multiply(v, dt))
//		}, &x, &v)
//	}
//
// It counts what the loop's functions of the same package leave, too, and reports tapes and arenas that a loop does not empty.
// It says nothing of loops of fewer than 100 rounds for certain, of arrays with a few elements, of test files, and where it
// cannot know: an array that was handed in by an unknown caller may be of that caller's arena or tape, and then so is all that
// is computed from it.
//
// # Ignored
//
// A function returns a new array and leaves its operands as they are, so that a statement such as
//
//	x.Reshape(2, 3)
//	tape.Gradient(loss, w)
//
// does nothing. Calls with an Out, and the few functions that write an operand, are fine; assign to _ what is not wanted.
//
// # Released
//
// A use of an array that follows its Release on every way there, the Release of its arena or the Reset of its tape without Keep,
// the end of its scope, or a deferred one of these when it is returned, panics when it runs. Ndvet finds it before, in one
// function at a time.
//
// Each kind can be switched off: -temporaries=false, -ignored=false, -released=false.
package main
