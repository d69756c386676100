package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/trace"
)

// split is x = (1+f)·2^k, with f from -1/4 to 1/2, for a positive x. Of 0 k is -Inf and of an infinity +Inf; of a negative
// number or NaN one of both is NaN.
func split(b *trace.Body, x trace.Value) (k, f trace.Value) {
	if b.Wide() {
		m := b.MantissaAroundOne(x)
		return b.Sub(b.Exponent(x), b.Exponent(m)), b.Sub(m, b.Const(1))
	}
	places, half, one, exponents := 23, uint64(1)<<22, uint64(math.Float32bits(0.75)), 0x1p23+127
	if b.Double(x) {
		places, half, one, exponents = 52, 1<<51, math.Float64bits(0.75), 0x1p52+1023
	}
	subnormal := b.Less(x, number(b, x, 0x1p-126, 0x1p-1022))
	grown := b.Select(subnormal, b.Mul(x, number(b, x, 0x1p24, 0x1p54)), x)
	offset := b.Select(subnormal, number(b, x, 0x1p23+127+24, 0x1p52+1023+54), b.Const(exponents))
	raised := b.AddInt(grown, b.Bits(half))
	whole := number(b, x, 0x1p23, 0x1p52)
	k = b.Sub(b.Or(b.Shr(raised, places), whole), offset)
	m := b.AddInt(b.And(raised, b.Bits(1<<places-1)), b.Bits(one))
	f = b.Sub(m, b.Const(1))
	// What is not positive and finite.
	k = b.Select(b.Less(b.Const(0), x), k, b.Sub(b.Sqrt(x), b.Const(math.Inf(1))))
	k = b.Select(b.Less(x, b.Const(math.Inf(1))), k, b.Add(x, x))
	return k, f
}

// logTerms are those of log(1+f) = f + f²·(…).
var logTerms = numbers{
	single: []float64{-0x1p-1, 0x1.5555a6p-2, -0x1.00004ep-2, 0x1.9968eep-3, -0x1.54eb4ep-3, 0x1.28854ap-3, -0x1.0db6p-3,
		0x1.ad4264p-4, -0x1.721d0cp-5},
	double: []float64{-0x1.fffffffffffffp-2, 0x1.5555555555543p-2, -0x1.00000000002b7p-2, 0x1.999999999d7ccp-3, -0x1.55555555185fp-3, 0x1.24924922280dbp-3, -0x1.0000001111505p-3, 0x1.c71c734374a27p-4, -0x1.999995c683617p-4, 0x1.745cd7793bc1dp-4, -0x1.55554e81e8b7bp-4, 0x1.3b198d8ea0503p-4, -0x1.249e1f45c93fep-4, 0x1.10ceab78b5fe1p-4, -0x1.fdd7546326bf6p-5, 0x1.e2b694f9eec7ap-5, -0x1.d9d80e5caf34p-5, 0x1.d031273423ff5p-5, -0x1.828bd64d4cfe3p-5, 0x1.b1f3c65af3ddp-6, -0x1.ccb87d255a755p-8},
}

// The logarithm of 2 in two positive parts.
const (
	ln2SingleBelow     = 0x1.62e42ep-1
	ln2SingleBelowRest = 0x1.efa39ep-25
)

func log(b *trace.Body, x trace.Value) trace.Value {
	k, f := split(b, x)
	p := b.Polynomial(f, logTerms.of(b, x)...)
	rest := b.Mul(b.Mul(p, f), f)
	rest = b.FMA(k, number(b, x, ln2SingleBelowRest, ln2DoubleRest), rest)
	return b.FMA(k, number(b, x, ln2SingleBelow, ln2Double), b.Add(rest, f))
}
