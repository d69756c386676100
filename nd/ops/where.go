package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Where returns a where condition is true (not 0), else b; all three broadcast. numpy.where, chainer where. NNabla's where
// aligns a condition of lower rank with the leading axes: give it trailing axes of length 1. The form with a condition
// alone is NonZero. An integer that the dtype does not hold is refused, as in arithmetic.
func Where[A, B nd.Operand](condition *nd.Array, a A, b B) *nd.Array {
	return chosenBy(condition, nd.AsArray(a), nd.AsArray(b))
}

func chosenBy(condition, a, b *nd.Array) *nd.Array {
	fn := ufunc.Where.Fn
	fn.Check(condition, a, b)
	t := ufunc.CommonType([]*nd.Array{a, b})
	for _, x := range []*nd.Array{a, b} {
		if !x.Fits(t) {
			panic(fn.Errorf([]*nd.Array{condition, a, b}, "an integer is out of bounds for %s", t))
		}
	}
	return ufunc.Choose(condition, a, b)
}
