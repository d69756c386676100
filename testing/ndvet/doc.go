// Ndvet looks for mistakes in programs that use ndgrad: loops that leave arrays to the garbage collector, results that are
// ignored, and arrays that are used after release. It is a tool for go vet:
//
//	go install github.com/ndgrad/ndgrad/testing/ndvet@latest
//	go vet -vettool=$(which ndvet) ./...
//
// # Temporaries
//
// An array that a loop creates and needs only in one round is memory that the garbage collector has to find, unless
// it is released or belongs to a scope, an arena or a tape. For the loop
//
//	for range 1000 {
//		v = ops.Add(v, ops.Multiply(force(x), dt))
//		x = ops.Add(x, ops.Multiply(v, dt))
//	}
//
// ndvet reports, once per loop,
//
//	every round of this loop leaves 6 arrays to the garbage collector (force, ops.Sin in force, ops.Multiply, ops.Add)
//
// One change makes the loop as fast as if each array were released:
//
//	for range 1000 {
//		nd.TidyAll(func() {
//			v = ops.Add(v, ops.Multiply(force(x), dt))
//			x = ops.Add(x, ops.Multiply(v, dt))
//		}, &x, &v)
//	}
//
// go vet -fix makes this change, if the statements keep arrays only in variables of the function, and if no other variable can
// still hold an array that TidyAll releases. It passes all array variables that the statements use, and continue becomes return.
//
// Ndvet also counts arrays left by functions of the same package that the loop calls, and reports tapes and arenas that a loop
// does not empty. It ignores loops that certainly have fewer than 100 rounds, arrays with few elements, and test files. It also
// ignores arrays of unknown owner: an array from an unknown caller may belong to that caller's arena or tape, and then so does
// everything that is computed from it.
//
// # Ignored
//
// A function returns a new array and does not change its operands, so that a statement such as
//
//	x.Reshape(2, 3)
//	tape.Gradient(loss, w)
//
// has no effect. Calls with an Out, and the few functions that write to an operand, are not reported; assign unused results to _.
//
// # Released
//
// A use of an array panics at run time if every path to it passes the array's Release, the Release of its arena, the Reset of
// its tape without Keep, or the end of its scope, or if one of these is deferred and the array is returned. Ndvet finds such
// uses before the program runs. It checks one function at a time.
//
// Each kind can be switched off: -temporaries=false, -ignored=false, -released=false.
package main
