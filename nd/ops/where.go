package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Where returns a if condition is true (not 0), otherwise b, per element; all three broadcast. An integer out of range of the dtype
// wraps, as in NumPy; arithmetic refuses it. NNabla's where aligns a condition of lower rank with the leading axes: give it trailing
// axes of length 1. For a condition alone, use [Nonzero].
// NumPy: where. Chainer: where.
func Where[A, B nd.Operand](condition *nd.Array, a A, b B) *nd.Array {
	return ufunc.Choose(condition, nd.AsArray(a), nd.AsArray(b))
}
