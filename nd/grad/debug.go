package grad

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// checkResults implements [Tape.Debug] for the results of an operation.
func (t *Tape) checkResults(n *nd.Node, in, out []*nd.Array, infinite bool) {
	for k, y := range out {
		if what := checkNumbers(y, infinite, in); what != "" {
			panic(n.Func.Errorf(in, "its result %d has %s", k, what))
		}
	}
}

// checkGradients implements [Tape.Debug] for the gradients of the inputs of an operation.
func (t *Tape) checkGradients(n *nd.Node, gy, gx []*nd.Array) {
	for i, g := range gx {
		if what := checkNumbers(g, false, gy); what != "" {
			panic(n.Func.Errorf(gy, "its gradient of input %d has %s", i, what))
		}
	}
}

// checkNumbers says what is wrong with the numbers of y, which was computed from the arrays from: NaN, or an infinity although
// none of these arrays has one. It is empty if nothing is wrong.
func checkNumbers(y *nd.Array, infinite bool, from []*nd.Array) string {
	switch {
	case y == nil || !y.DType().IsInexact():
		return ""
	case has(ops.IsNaN, y):
		return "NaN"
	case !infinite && has(ops.IsInf, y) && !slices.ContainsFunc(from, func(x *nd.Array) bool {
		return infiniteScalar(x) || x != nil && !x.IsScalar() && x.DType().IsInexact() && has(ops.IsInf, x)
	}):
		return "an infinity, and its arguments have none"
	}
	return ""
}

// has reports whether a test holds for some element of an array.
func has(test func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array, x *nd.Array) bool {
	x = x.Detach()
	defer x.Release()
	each := test(x)
	defer each.Release()
	found := ops.Any(each)
	defer found.Release()
	return nd.Value[bool](found)
}

// infiniteScalar reports whether x is an infinite Scalar.
func infiniteScalar(x *nd.Array) bool {
	if x == nil || !x.IsScalar() {
		return false
	}
	if x.DType().IsComplex() {
		return cmplx.IsInf(nd.Value[complex128](x))
	}
	return math.IsInf(nd.Value[float64](x), 0)
}
