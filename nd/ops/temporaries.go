package ops

import "github.com/ndgrad/ndgrad/nd"

// Functions that consist of other functions release their temporary arrays, so that the memory is reused at once. These
// helpers handle one or two arrays; for more use an nd.Temporaries. Recorded arrays may be released too: the tape holds
// the values that its gradients read.

// instead releases y, a temporary header, and returns the result, which may be a view of y, or y itself. Then the
// result is the only header of the memory, so that it can be written to under a tape.
func instead(y, result *nd.Array) *nd.Array {
	if result != y {
		y.Release()
	}
	return result
}

// releasing releases the temporary arrays made, and returns y.
func releasing(y *nd.Array, made ...*nd.Array) *nd.Array {
	for _, x := range made {
		x.Release()
	}
	return y
}

// releaseUnless releases x, unless it is the given array.
func releaseUnless(x, given *nd.Array) {
	if x != given {
		x.Release()
	}
}

// releaseMade releases the arrays of made that differ from the given array at the same index.
func releaseMade(made, given []*nd.Array) {
	for i, x := range made {
		releaseUnless(x, given[i])
	}
}
