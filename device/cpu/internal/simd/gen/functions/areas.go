package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
)

// The inverse hyperbolic functions are logarithms of numbers in two parts, u + rest, because much cancels if u is near
// 1. For float32 computed in float64 the cancellation does no harm.

func asinh(b *trace.Body, x trace.Value) trace.Value {
	a := b.Abs(x)
	if b.Rough() {
		u := b.Add(a, b.Sqrt(b.FMA(a, a, b.Const(1))))
		small := b.FMA(b.Mul(a, a), b.Mul(a, b.Const(-1.0/6)), a)
		return b.CopySign(b.Select(b.Less(a, b.Const(0x1p-10)), small, log(b, u)), x)
	}
	square, squareRest := exactSquare(b, a)
	sum, sumRest := exactSum(b, square, b.Const(1))
	root, rootRest := rootOfParts(b, sum, b.Add(sumRest, squareRest))
	u, rest := exactSum(b, a, root)
	y := areaOf(b, a, u, b.Add(rest, rootRest))
	return b.CopySign(b.Select(b.Less(a, b.Const(0x1p-28)), a, y), x)
}

// acosh is NaN below 1.
func acosh(b *trace.Body, x trace.Value) trace.Value {
	if b.Rough() {
		root := b.Sqrt(b.FMS(x, x, b.Const(1)))
		return log(b, b.Select(b.LessEqual(b.Const(1), x), b.Add(x, root), b.Const(math.NaN())))
	}
	square, squareRest := exactSquare(b, x)
	difference, differenceRest := exactSum(b, square, b.Const(-1))
	root, rootRest := rootOfParts(b, difference, b.Add(differenceRest, squareRest))
	u, rest := exactSum(b, x, root)
	y := areaOf(b, x, u, b.Add(rest, rootRest))
	return b.Select(b.LessEqual(b.Const(1), x), y, b.Const(math.NaN()))
}

// areaOf is log(u + rest), where u + rest is the sum of x and a root. For a large x it is log(2x).
func areaOf(b *trace.Body, x, u, rest trace.Value) trace.Value {
	large := b.Less(b.Const(0x1p28), x)
	k, f := split(b, b.Select(large, x, u))
	k = b.Add(k, b.Select(large, b.Const(1), b.Const(0)))
	y := logOf(b, k, f, b.Select(large, b.Const(0), rest))
	return b.Select(b.Less(x, b.Const(math.Inf(1))), y, b.Add(x, x))
}

// atanh is half the logarithm of (1+a)/(1-a).
func atanh(b *trace.Body, x trace.Value) trace.Value {
	a := b.Abs(x)
	if b.Rough() {
		y := b.Mul(log(b, b.Div(b.Add(a, b.Const(1)), b.Sub(b.Const(1), a))), b.Const(0.5))
		small := b.FMA(b.Mul(a, a), b.Mul(a, b.Const(1.0/3)), a)
		return b.CopySign(b.Select(b.Less(a, b.Const(0x1p-10)), small, y), x)
	}
	above, aboveRest := exactSum(b, b.Const(1), a)
	below, belowRest := exactSum(b, b.Const(1), b.Neg(a))
	inverse := b.Div(b.Const(1), below)
	u := b.Mul(above, inverse)
	rest := b.Add(b.FNMA(u, below, above), b.FNMA(u, belowRest, aboveRest))
	k, f := split(b, u)
	y := b.Mul(logOf(b, k, f, b.Mul(rest, inverse)), b.Const(0.5))
	y = b.Select(b.Equal(a, b.Const(1)), b.Const(math.Inf(1)), y)
	return b.CopySign(b.Select(b.Less(a, b.Const(0x1p-28)), a, y), x)
}

// rootOfParts is √(x + rest) in two parts, (0, 0) for 0.
func rootOfParts(b *trace.Body, x, rest trace.Value) (root, rootRest trace.Value) {
	root = b.Sqrt(x)
	excess := b.Add(b.FNMA(root, root, x), rest)
	return root, b.Div(excess, b.Max(b.Const(0x1p-600), b.Add(root, root)))
}
