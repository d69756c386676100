// Package release releases the temporary arrays of functions.
//
// Functions that consist of other functions release their temporary arrays, so that the memory is reused at once. The
// functions of this package handle one or two arrays; for more use an nd.Temporaries. Recorded arrays may be released
// too: the tape holds the values that its gradients read.
package release

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Replace releases y, a temporary header, and returns the result, which may be a view of y, or y itself. Then the
// result is the only header of the memory, so that it can be written to under a tape.
func Replace(y, result *nd.Array) *nd.Array {
	if result != y {
		y.Release()
	}
	return result
}

// Operands releases the temporary arrays made, and returns y.
func Operands(y *nd.Array, made ...*nd.Array) *nd.Array {
	for _, x := range made {
		x.Release()
	}
	return y
}

// Converted returns y and releases x, an intermediate array, unless x is the given one.
func Converted(y, x, given *nd.Array) *nd.Array {
	Unless(x, given)
	return y
}

// Unless releases x, unless it is the given array or nil.
func Unless(x, given *nd.Array) {
	if x != nil && x != given {
		x.Release()
	}
}

// AllUnless releases the arrays of made that differ from the given array at the same index.
func AllUnless(made, given []*nd.Array) {
	for i, x := range made {
		Unless(x, given[i])
	}
}

// Value returns the only element of x, and releases x.
func Value[T dtype.Element | int](x *nd.Array) T {
	defer x.Release()
	return nd.Value[T](x)
}
