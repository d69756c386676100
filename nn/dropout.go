package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Dropout sets elements of x to 0 with probability p in training and divides the others by 1 - p. It draws from the
// stream that [Scope.Watch] was given. In evaluation it returns x. See ops.Dropout.
func Dropout(scope *Scope, x *nd.Array, p float64) *nd.Array {
	const fn nd.Func = "nn.Dropout"
	if fn.Check(x); !(p >= 0 && p <= 1) {
		panic(fn.Errorf([]*nd.Array{x}, "probability %v: want a number from 0 to 1", p))
	}
	if !scope.Training() {
		return x
	}
	return ops.Dropout(x, p, scope.Rand())
}
