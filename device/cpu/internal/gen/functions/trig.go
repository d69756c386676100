package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

// Beyond this the reduction of an angle loses digits.
func angleLimit(k vec.Kind) float64 {
	if k.Double {
		return 1 << 30
	}
	return 1e5
}

var (
	// Half of π in parts, each of a number's full length. The product of the first with a whole number is subtracted
	// without error.
	halfPi = numbers{
		single: []float64{0x1.921fb6p0, -0x1.777a5cp-25, -0x1.ee59dap-50},
		double: []float64{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110},
	}
	// sin(r) = r + r³·(…) and cos(r) = 1 - r²/2 + r⁴·(…) in r², for |r| up to π/4 and a little more.
	sinTerms = numbers{
		single: []float64{-0x1.555556p-3, 0x1.11116p-7, -0x1.a0439cp-13, 0x1.76878cp-19},
		double: []float64{-0x1.5555555555555p-3, 0x1.111111111108fp-7, -0x1.a01a01a007f31p-13, 0x1.71de3a41d9f97p-19,
			-0x1.ae643fd562541p-26, 0x1.61166a89c3311p-33, -0x1.a64997b39210dp-41},
	}
	cosTerms = numbers{
		single: []float64{0x1.555548p-5, -0x1.6c0b08p-10, 0x1.999a6cp-16},
		double: []float64{0x1.5555555555548p-5, -0x1.6c16c16c149a9p-10, 0x1.a01a019befa6bp-16, -0x1.27e4f77ebfeacp-22,
			0x1.1ee98deec25f1p-29, -0x1.8f7e4238c61abp-37},
	}
)

// quarters is x = n·π/2 + r + rest with |r| up to π/4, rest far less than r.
func quarters(b *trace.Body, x trace.Value) (n, r, rest trace.Value) {
	parts := halfPi.of(b, x)
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

// quadrant is n + shift as the low bits of a number's bits.
func quadrant(b *trace.Body, n trace.Value, shift float64) trace.Value {
	return b.Add(n, number(b, n, 0x1.8p23+shift, 0x1.8p52+shift))
}

// top are the bits of q with bit place in the sign's place.
func top(b *trace.Body, q trace.Value, place int) trace.Value {
	if b.Double(q) {
		return b.Shl(q, 63-place)
	}
	return b.Shl(q, 31-place)
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
