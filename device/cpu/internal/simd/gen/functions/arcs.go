package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
)

// asinTerms are the coefficients of asin(x) = x + x³·(…) in x², for |x| up to 1/2.
var asinTerms = numbers{
	single: []float64{0x1.55555ep-3, 0x1.332638p-4, 0x1.70ce26p-5, 0x1.b1164ap-6, 0x1.39fbbcp-5},
	double: []float64{0x1.5555555555556p-3, 0x1.3333333332da2p-4, 0x1.6db6db6e48603p-5, 0x1.f1c71c11deeap-6, 0x1.6e8bb37521acap-6,
		0x1.1c4d112ced71bp-6, 0x1.c9d30ac3ce817p-7, 0x1.78010220106fp-7, 0x1.532a91490f8afp-7, 0x1.5e2915df0d638p-8,
		0x1.220541f4ab3acp-6, -0x1.f58c57c572f98p-7, 0x1.dc181d65cb50ap-6},
}

// arc is asin(a): for a up to 1/2 it is head + tail, beyond that π/2 - 2·(head + tail), where head is √((1-a)/2).
func arc(b *trace.Body, a trace.Value) (small, head, tail trace.Value) {
	small = b.LessEqual(a, b.Const(0.5))
	half := b.Mul(b.Sub(b.Const(1), a), b.Const(0.5))
	root := b.Sqrt(half)
	// The rounding error of the root. If the root is 0, the quotient is almost 0.
	lost := aboutQuotient(b, b.FNMA(root, root, half), b.Max(b.Add(root, root), number(b, a, 0x1p-100, 0x1p-900)))
	head = b.Select(small, a, root)
	square := b.Select(small, b.Mul(a, a), half)
	tail = b.Mul(b.Mul(b.Polynomial(square, asinTerms.of(b, a)...), square), head)
	return small, head, b.Add(tail, b.Select(small, b.Const(0), lost))
}

// asin is NaN beyond 1, because the root is.
func asin(b *trace.Body, x trace.Value) trace.Value {
	small, head, tail := arc(b, b.Abs(x))
	parts := halfPi.of(b, x)
	turned := b.Add(head, b.Sub(tail, b.Const(parts[1]/2)))
	large := b.Sub(b.Const(parts[0]), b.Add(turned, turned))
	return b.CopySign(b.Select(small, b.Add(head, tail), large), x)
}

// acos is π/2 - asin(x) for small x, otherwise twice the arc; for a negative x it is π minus that.
func acos(b *trace.Body, x trace.Value) trace.Value {
	small, head, tail := arc(b, b.Abs(x))
	parts := halfPi.of(b, x)
	sign := b.And(x, b.Sign(x))
	near := b.Sub(b.Const(parts[0]), b.Add(b.Xor(head, sign), b.Sub(b.Xor(tail, sign), b.Const(parts[1]))))
	arc := b.Add(head, tail)
	turned := b.Add(head, b.Sub(tail, b.Const(parts[1])))
	far := b.Pick(x, b.Sub(b.Const(2*parts[0]), b.Add(turned, turned)), b.Add(arc, arc))
	return b.Select(small, near, far)
}

// atan2 is the arctangent of a quotient up to tan(π/8), plus an integral number of eighths of a turn.
func atan2(b *trace.Body, y, x trace.Value) trace.Value {
	rise, run := b.Abs(y), b.Abs(x)
	// Both are scaled down if their sum could overflow.
	shrink := b.Select(b.Less(number(b, x, 0x1p100, 0x1p1000), b.Max(rise, run)), b.Const(0.25), b.Const(1))
	rise, run = b.Mul(rise, shrink), b.Mul(run, shrink)

	steep := b.Sub(run, rise) // its sign tells which is larger
	low, high := b.Min(run, rise), b.Max(rise, run)
	// Two infinities do not count as near: the difference of an infinity with itself is NaN.
	near := b.LessEqual(b.Add(low, b.Sub(low, low)), b.Mul(high, b.Const(math.Sqrt2-1)))
	numerator := b.Select(near, low, b.Select(b.Equal(low, high), b.Const(0), b.Sub(low, high)))
	denominator := b.Select(near, high, b.Add(low, high))
	eighths := b.Select(near, b.Const(0), b.Const(1))
	q := b.Select(b.Equal(numerator, b.Const(0)), b.Const(0), b.Div(numerator, denominator))
	eighths = b.Pick(steep, b.Sub(b.Const(2), eighths), eighths)
	q = b.Xor(q, b.And(b.Xor(steep, x), b.Sign(x)))
	eighths = b.Pick(x, b.Sub(b.Const(4), eighths), eighths)

	square := b.Mul(q, q)
	p := b.Mul(b.Polynomial(square, atanTerms.of(b, x)...), square)
	parts := halfPi.of(b, x)
	rest := b.Add(q, b.FMA(p, q, b.Mul(eighths, b.Const(parts[1]/2))))
	return b.CopySign(b.FMA(eighths, b.Const(parts[0]/2), rest), y)
}
