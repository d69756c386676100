package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

var (
	// sinh(r) = r + r³·(…) and cosh(r) = 1 + r²/2 + r⁴·(…) in r², for |r| up to log(2)/2.
	sinhTerms = numbers{
		double: []float64{0x1.5555555555555p-3, 0x1.111111111130bp-7, 0x1.a01a019f12f44p-13, 0x1.71de3e3a4d80bp-19,
			0x1.ae568c0d71d36p-26, 0x1.73e17d46d38fcp-33},
		rough: []float64{0x1.5555557370f35p-3, 0x1.1110b1e199c87p-7, 0x1.a16fd0f503434p-13},
	}
	coshTerms = numbers{
		double: []float64{0x1.5555555555555p-5, 0x1.6c16c16c16f3ap-10, 0x1.a01a019eb96d2p-16, 0x1.27e5000c2e1fbp-22,
			0x1.1edef545fae1cp-29, 0x1.b7c3477a8942fp-37},
		rough: []float64{0x1.555555698ba9ep-5, 0x1.6c165d8de3413p-10, 0x1.a14bd42f2190ep-16},
	}
)

// hyperbolic returns sinh(r), cosh(r)-1, and half of the cosh and sinh of n·log(2), for a magnitude n·log(2) + r.
func hyperbolic(b *trace.Body, x trace.Value) (s, c, up, down trace.Value) {
	if b.Rough() {
		x = b.Min(b.Const(120), x)
	} else {
		x = b.Min(b.Const(710.5), x)
	}
	n := b.Round(vec.Nearest, b.Mul(x, b.Const(1/math.Ln2)))
	first := b.FNMA(n, b.Const(ln2Double), x)
	r := b.FNMA(n, b.Const(ln2DoubleRest), first)
	square := b.Mul(r, r)
	s = b.Mul(b.Polynomial(square, sinhTerms.of(b, x)...), b.Mul(square, r))
	c = b.FMA(b.Polynomial(square, coshTerms.of(b, x)...), square, b.Const(0.5))
	if !b.Rough() {
		rest := b.FNMA(n, b.Const(ln2DoubleRest), b.Sub(first, r))
		s = b.Add(s, rest)
	}
	s, c = b.Add(s, r), b.Mul(c, square)
	// A quarter of e^x, because e^x overflows before its half does.
	rising := b.Power(b.Sub(n, b.Const(2)))
	sinking := b.Power(b.Sub(b.Const(-2), b.Min(n, b.Const(1000))))
	return s, c, b.Add(rising, sinking), b.Sub(rising, sinking)
}

func sinh(b *trace.Body, x trace.Value) trace.Value {
	magnitude := b.Abs(x)
	s, c, up, down := hyperbolic(b, magnitude)
	y := b.Add(down, b.FMA(down, c, b.Mul(up, s)))
	y = b.Add(y, y)
	if !b.Rough() {
		y = b.Select(b.Less(magnitude, b.Const(0x1p-30)), magnitude, y)
	}
	return b.CopySign(y, x)
}

func cosh(b *trace.Body, x trace.Value) trace.Value {
	s, c, up, down := hyperbolic(b, b.Abs(x))
	y := b.Add(up, b.FMA(up, c, b.Mul(down, s)))
	return b.Add(y, y)
}
