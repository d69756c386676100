package ops

import "github.com/ndgrad/ndgrad/nd"

// Functions that are made of others release what they make on the way, so that it is used again at once. Where that is one
// array or two, these do it; where it is more, an nd.Temporaries. What a tape has recorded may be released too: the tape holds
// the values that its gradients read.

// instead releases y, a header made on the way to a result, and returns the result, which may be a view of it, or y itself.
// Nothing else then looks at the memory, so that it can be written to under a tape.
func instead(y, result *nd.Array) *nd.Array {
	if result != y {
		y.Release()
	}
	return result
}

// releasing releases what was made on the way to y, and returns y.
func releasing(y *nd.Array, made ...*nd.Array) *nd.Array {
	for _, x := range made {
		x.Release()
	}
	return y
}

// releaseUnless releases x, unless it is what was given.
func releaseUnless(x, given *nd.Array) {
	if x != given {
		x.Release()
	}
}

// releaseMade releases those of made that are not what was given in the same place.
func releaseMade(made, given []*nd.Array) {
	for i, x := range made {
		releaseUnless(x, given[i])
	}
}
