// Package release gives back what functions make on the way to their results.
//
// Functions that are made of others release what they make on the way, so that it is used again at once. Where that is one
// array or two, these do it; where it is more, an nd.Temporaries. What a tape has recorded may be released too: the tape holds
// the values that its gradients read.
package release

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Replace releases y, a header made on the way to a result, and returns the result, which may be a view of it, or y itself.
// Nothing else then looks at the memory, so that it can be written to under a tape.
func Replace(y, result *nd.Array) *nd.Array {
	if result != y {
		y.Release()
	}
	return result
}

// Operands releases what was made on the way to y, and returns y.
func Operands(y *nd.Array, made ...*nd.Array) *nd.Array {
	for _, x := range made {
		x.Release()
	}
	return y
}

// Converted releases x, which was made on the way to y, unless it is what was given, and returns y.
func Converted(y, x, given *nd.Array) *nd.Array {
	Unless(x, given)
	return y
}

// Unless releases x, unless it is what was given, or nil.
func Unless(x, given *nd.Array) {
	if x != nil && x != given {
		x.Release()
	}
}

// AllUnless releases those of made that are not what was given at the same position.
func AllUnless(made, given []*nd.Array) {
	for i, x := range made {
		Unless(x, given[i])
	}
}

// Value is the only element of x, which is released.
func Value[T dtype.Element | int](x *nd.Array) T {
	defer x.Release()
	return nd.Value[T](x)
}
