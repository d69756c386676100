package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// angleLimit is the magnitude beyond which the reduction of an angle loses digits.
func angleLimit(k vec.Kind) float64 {
	if k.Double {
		return 1 << 30
	}
	return 1e5
}

var (
	// Half of π in parts, each with the full precision of a number. The product of the first part and an integer is
	// subtracted exactly.
	halfPi = numbers{
		single: []float64{0x1.921fb6p0, -0x1.777a5cp-25, -0x1.ee59dap-50},
		double: []float64{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110},
	}
	// sin(r) = r + r³·(…) and cos(r) = 1 - r²/2 + r⁴·(…) in r², for |r| up to slightly more than π/4.
	sinTerms = numbers{
		single: []float64{-0x1.555556p-3, 0x1.11116p-7, -0x1.a0439cp-13, 0x1.76878cp-19},
		double: []float64{-0x1.5555555555555p-3, 0x1.111111111108fp-7, -0x1.a01a01a007f31p-13, 0x1.71de3a41d9f97p-19,
			-0x1.ae643fd562541p-26, 0x1.61166a89c3311p-33, -0x1.a64997b39210dp-41},
		rough: []float64{-0x1.5555554c0451bp-3, 0x1.1111081b15e75p-7, -0x1.a00f3f72dfa88p-13, 0x1.6cc2c7ebee0c2p-19},
	}
	cosTerms = numbers{
		single: []float64{0x1.555548p-5, -0x1.6c0b08p-10, 0x1.999a6cp-16},
		double: []float64{0x1.5555555555548p-5, -0x1.6c16c16c149a9p-10, 0x1.a01a019befa6bp-16, -0x1.27e4f77ebfeacp-22,
			0x1.1ee98deec25f1p-29, -0x1.8f7e4238c61abp-37},
		rough: []float64{0x1.555549a892a69p-5, -0x1.6c0bf2e01af8fp-10, 0x1.99d8d6c2278e1p-16},
	}
)

// quarters is x = n·π/2 + r + rest with |r| up to π/4, and rest far smaller than r.
func quarters(b *trace.Body, x trace.Value) (n, r, rest trace.Value) {
	parts := halfPi.single
	if b.Double(x) {
		parts = halfPi.double
	}
	n = b.Round(vec.Nearest, b.Mul(x, b.Const(2/math.Pi)))
	first := b.FNMA(n, b.Const(parts[0]), x)
	r = b.FNMA(n, b.Const(parts[1]), first)
	return n, r, b.Mul(n, b.Const(-parts[2]))
}

// sinSmall and cosSmall are the functions of r + rest.
func sinSmall(b *trace.Body, r, rest, square trace.Value) trace.Value {
	p := b.Polynomial(square, sinTerms.of(b, r)...)
	return b.Add(r, b.FMA(b.Mul(p, square), r, rest))
}

func cosSmall(b *trace.Body, r, rest, square trace.Value) trace.Value {
	p := b.Polynomial(square, cosTerms.of(b, r)...)
	p = b.FMA(p, square, b.Const(-0.5))
	return b.FMA(p, square, b.FNMA(r, rest, b.Const(1)))
}

// quadrant is n + shift as an integer, in the low bits of the result.
func quadrant(b *trace.Body, n trace.Value, shift float64) trace.Value {
	return b.Add(n, number(b, n, 0x1.8p23+shift, 0x1.8p52+shift))
}

// top moves a bit of q to the sign bit.
func top(b *trace.Body, q trace.Value, bit int) trace.Value {
	if b.Double(q) {
		return b.Shl(q, 63-bit)
	}
	return b.Shl(q, 31-bit)
}

func sin(b *trace.Body, x trace.Value) trace.Value {
	n, r, rest := quarters(b, b.Abs(x))
	square := b.Mul(r, r)
	s, c := sinSmall(b, r, rest, square), cosSmall(b, r, rest, square)
	q := quadrant(b, n, 0)
	result := b.Pick(top(b, q, 0), c, s)
	sign := b.And(b.Xor(top(b, q, 1), x), b.Sign(x))
	return b.Xor(result, sign)
}

func cos(b *trace.Body, x trace.Value) trace.Value {
	n, r, rest := quarters(b, b.Abs(x))
	square := b.Mul(r, r)
	s, c := sinSmall(b, r, rest, square), cosSmall(b, r, rest, square)
	q := quadrant(b, n, 1)
	result := b.Pick(top(b, q, 0), c, s)
	return b.Xor(result, b.And(top(b, q, 1), b.Sign(x)))
}

// tan is a quotient of sums in two parts.
func tan(b *trace.Body, x trace.Value) trace.Value {
	n, r, rest := quarters(b, b.Abs(x))
	square := b.Mul(r, r)
	tail := b.FMA(b.Mul(b.Polynomial(square, sinTerms.of(b, r)...), square), r, rest)
	s := b.Add(r, tail)
	p := b.FMA(b.Polynomial(square, cosTerms.of(b, r)...), square, b.Const(-0.5))
	if b.Rough() {
		c := b.FMA(p, square, b.Const(1))
		odd := top(b, quadrant(b, n, 0), 0)
		y := b.Div(b.Pick(odd, c, s), b.Pick(odd, s, c))
		return b.Xor(y, b.And(b.Xor(odd, x), b.Sign(x)))
	}
	sRest := b.Sub(tail, b.Sub(s, r))
	rounded := b.Mul(p, square)
	squareRest := b.FMS(r, r, square)
	pRest := b.FMA(b.Const(-0.5), squareRest, b.FNMA(r, rest, b.FMS(p, square, rounded)))
	c := b.Add(b.Const(1), rounded)
	cRest := b.Add(b.Sub(rounded, b.Sub(c, b.Const(1))), pRest)

	odd := top(b, quadrant(b, n, 0), 0)
	numerator, denominator := b.Pick(odd, c, s), b.Pick(odd, s, c)
	numeratorRest, denominatorRest := b.Pick(odd, cRest, sRest), b.Pick(odd, sRest, cRest)
	inverse := b.Div(b.Const(1), denominator)
	y := b.Mul(numerator, inverse)
	excess := b.Add(b.FNMA(y, denominator, numerator), numeratorRest)
	y = b.FMA(b.FNMA(y, denominatorRest, excess), inverse, y)
	return b.Xor(y, b.And(b.Xor(odd, x), b.Sign(x)))
}

// atanTerms are the coefficients of atan(q) = q + q³·(…) in q², for |q| up to tan(π/8).
var atanTerms = numbers{
	single: []float64{-0x1.555554p-2, 0x1.9998b2p-3, -0x1.24758ap-3, 0x1.c39f28p-4, -0x1.5767bep-4, 0x1.768cecp-5},
	double: []float64{-0x1.5555555555554p-2, 0x1.99999999995bfp-3, -0x1.24924924721bep-3, 0x1.c71c71b5f9222p-4,
		-0x1.745d14919c87dp-4, 0x1.3b136b1d32819p-4, -0x1.110c4af140319p-4, 0x1.e16f469adb94bp-5, -0x1.ab6da8afdc02ep-5,
		0x1.70b28ddc87bb1p-5, -0x1.11ba2975588edp-5, 0x1.f0111d718118p-7},
}

// atan is the arctangent of x, (x-1)/(x+1) or -1/x, plus 0, an eighth or a quarter of a turn.
func atan(b *trace.Body, x trace.Value) trace.Value {
	magnitude := b.Abs(x)
	one := b.Const(1)
	beyond := b.Less(b.Const(math.Sqrt2+1), magnitude)
	near := b.Less(magnitude, b.Const(math.Sqrt2-1))
	numerator := b.Select(beyond, b.Const(-1), b.Sub(magnitude, one))
	numerator = b.Select(near, magnitude, numerator)
	denominator := b.Select(beyond, magnitude, b.Add(magnitude, one))
	denominator = b.Select(near, one, denominator)
	q := b.Div(numerator, denominator)
	square := b.Mul(q, q)
	p := b.Mul(b.Polynomial(square, atanTerms.of(b, x)...), square)
	turn := b.Select(beyond, b.Const(math.Pi/2), number(b, x, 0x1.921fb6p-1, math.Pi/4))
	rest := b.Select(beyond, number(b, x, -0x1.777a5cp-25, 0x1.1a62633145c07p-54),
		number(b, x, -0x1.777a5cp-26, 0x1.1a62633145c07p-55))
	turn, rest = b.Select(near, b.Const(0), turn), b.Select(near, b.Const(0), rest)
	y := b.Add(turn, b.Add(q, b.FMA(p, q, rest)))
	return b.CopySign(y, x)
}
