package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Where returns a where condition is true (not 0), else b; all three broadcast. numpy.where, chainer where. NNabla's where
// aligns a condition of lower rank with the leading axes: give it trailing axes of length 1. The form with a condition
// alone is NonZero. An integer immediate out of range of the dtype wraps, as in NumPy.
func Where(condition, a, b *nd.Array) *nd.Array {
	return ufunc.Choose(condition, a, b)
}
