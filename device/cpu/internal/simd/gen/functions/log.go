package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
)

// split is x = (1+f)·2^k, with f from -1/4 to 1/2, for a positive x. For 0, k is -Inf, for +Inf it is +Inf. For a
// negative number or NaN, k or f is NaN.
func split(b *trace.Body, x trace.Value) (k, f trace.Value) {
	if b.Wide() {
		m := b.MantissaAroundOne(x)
		return b.Sub(b.Exponent(x), b.Exponent(m)), b.Sub(m, b.Const(1))
	}
	bits, half, one, exponents := 23, uint64(1)<<22, uint64(math.Float32bits(0.75)), 0x1p23+127
	if b.Double(x) {
		bits, half, one, exponents = 52, 1<<51, math.Float64bits(0.75), 0x1p52+1023
	}
	subnormal := b.Less(x, number(b, x, 0x1p-126, 0x1p-1022))
	grown := b.Select(subnormal, b.Mul(x, number(b, x, 0x1p24, 0x1p54)), x)
	offset := b.Select(subnormal, number(b, x, 0x1p23+127+24, 0x1p52+1023+54), b.Const(exponents))
	raised := b.AddInt(grown, b.Bits(half))
	whole := number(b, x, 0x1p23, 0x1p52)
	k = b.Sub(b.Or(b.Shr(raised, bits), whole), offset)
	m := b.AddInt(b.And(raised, b.Bits(1<<bits-1)), b.Bits(one))
	f = b.Sub(m, b.Const(1))
	// Arguments that are not positive and finite.
	k = b.Select(b.Less(b.Const(0), x), k, b.Sub(b.Sqrt(x), b.Const(math.Inf(1))))
	k = b.Select(b.Less(x, b.Const(math.Inf(1))), k, b.Add(x, x))
	return k, f
}

// logTerms are the coefficients of log(1+f) = f + f²·(…).
var logTerms = numbers{
	single: []float64{-0x1p-1, 0x1.5555a6p-2, -0x1.00004ep-2, 0x1.9968eep-3, -0x1.54eb4ep-3, 0x1.28854ap-3, -0x1.0db6p-3,
		0x1.ad4264p-4, -0x1.721d0cp-5},
	double: []float64{-0x1.fffffffffffffp-2, 0x1.5555555555543p-2, -0x1.00000000002b7p-2, 0x1.999999999d7ccp-3, -0x1.55555555185fp-3, 0x1.24924922280dbp-3, -0x1.0000001111505p-3, 0x1.c71c734374a27p-4, -0x1.999995c683617p-4, 0x1.745cd7793bc1dp-4, -0x1.55554e81e8b7bp-4, 0x1.3b198d8ea0503p-4, -0x1.249e1f45c93fep-4, 0x1.10ceab78b5fe1p-4, -0x1.fdd7546326bf6p-5, 0x1.e2b694f9eec7ap-5, -0x1.d9d80e5caf34p-5, 0x1.d031273423ff5p-5, -0x1.828bd64d4cfe3p-5, 0x1.b1f3c65af3ddp-6, -0x1.ccb87d255a755p-8},
	rough: []float64{-0x1.ffffffdf4ad91p-2, 0x1.5555531c0fbe3p-2, -0x1.000018f91a79p-2, 0x1.999bd9c06cf6ep-3,
		-0x1.554e051743f23p-3, 0x1.2432c18c66a43p-3, -0x1.fff8673b1f065p-4, 0x1.d32d2507d46c8p-4, -0x1.b16beaa7865c1p-4,
		0x1.47e144ba07ca6p-4, -0x1.0002ccf9478fap-5},
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

// logSmall is log(1+f) in two parts.
func logSmall(b *trace.Body, f trace.Value) (head, tail trace.Value) {
	square := b.Mul(f, f)
	tail = b.Mul(b.Polynomial(f, logTerms.of(b, f)...), square)
	head = b.Add(f, tail)
	return head, b.Sub(tail, b.Sub(head, f))
}

// logIn is the logarithm to another base. factor + factorRest is the logarithm of e to that base, whole + wholeRest
// that of 2. The product of whole and k is exact.
func logIn(b *trace.Body, x trace.Value, factor, factorRest, whole, wholeRest float64) trace.Value {
	k, f := split(b, x)
	if b.Rough() {
		p := b.FMA(b.Polynomial(f, logTerms.of(b, f)...), b.Mul(f, f), f)
		return b.FMA(p, b.Const(factor), b.Mul(k, b.Const(whole+wholeRest)))
	}
	head, tail := logSmall(b, f)
	product := b.Mul(head, b.Const(factor))
	rest := b.FMS(head, b.Const(factor), product)
	rest = b.FMA(tail, b.Const(factor), b.FMA(head, b.Const(factorRest), rest))
	multiple := k
	if whole != 1 {
		multiple = b.Mul(k, b.Const(whole))
		rest = b.FMA(k, b.Const(wholeRest), rest)
	}
	sum := b.Add(multiple, product)
	rest = b.Add(rest, b.Sub(product, b.Sub(sum, multiple)))
	// For 0 and infinity the rest is NaN.
	return b.Select(b.Less(b.Abs(k), b.Const(math.Inf(1))), b.Add(sum, rest), b.Add(k, f))
}

func log2(b *trace.Body, x trace.Value) trace.Value {
	return logIn(b, x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1, 0)
}

func log10(b *trace.Body, x trace.Value) trace.Value {
	return logIn(b, x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f6p-2, 0x1.9fef311f12b36p-42)
}

// log1p is log(u) + e/u, where u + e is 1 + x.
func log1p(b *trace.Body, x trace.Value) trace.Value {
	u, e := exactSum(b, x, b.Const(1))
	k, f := split(b, u)
	y := logOf(b, k, f, e)
	y = b.Select(b.Less(x, b.Const(math.Inf(1))), y, b.Add(x, x))
	y = b.Select(b.LessEqual(x, b.Const(-1)), b.Add(k, f), y)
	return b.Or(y, b.And(x, b.Sign(x)))
}

// logOf is the logarithm of (1+f)·2^k + e, for an e far smaller than the sum.
func logOf(b *trace.Body, k, f, e trace.Value) trace.Value {
	e = b.Mul(e, b.Power(b.Sub(b.Const(0), b.Min(b.Const(1000), k))))
	inverse := b.FMA(b.FMA(f, b.Const(0.75), b.Const(-1)), f, b.Const(1)) // of 1+f, approximately
	p := b.Polynomial(f, logTerms.of(b, f)...)
	rest := b.FMA(b.Mul(p, f), f, b.Mul(e, inverse))
	rest = b.FMA(k, b.Const(ln2DoubleRest), rest)
	return b.FMA(k, b.Const(ln2Double), b.Add(rest, f))
}

// exactSum is x + y and its rounding error.
func exactSum(b *trace.Body, x, y trace.Value) (sum, rest trace.Value) {
	sum = b.Add(x, y)
	added := b.Sub(sum, y)
	return sum, b.Add(b.Sub(x, added), b.Sub(y, b.Sub(sum, added)))
}

// softplusTerms are the coefficients of log(1+e) = e·(…) for e from 0 to 1.
var softplusTerms = numbers{
	single: []float64{0x1p0, -0x1.fffff8p-2, 0x1.5553b4p-2, -0x1.ffc54cp-3, 0x1.9788bcp-3, -0x1.4a67a8p-3,
		0x1.fef2p-4, -0x1.549f0ap-4, 0x1.586bcap-5, -0x1.bf8054p-7, 0x1.1045e4p-9},
	double: []float64{0x1p0, -0x1.ffffffffffffdp-2, 0x1.55555555552bcp-2, -0x1.ffffffffe6b7bp-3, 0x1.99999995aabd2p-3, -0x1.555554f686b4bp-3,
		0x1.24924331e6726p-3, -0x1.ffff789254c28p-4, 0x1.c717fcfb3cc6ap-4, -0x1.997cf21a697cfp-4, 0x1.73cd1bbea6e03p-4, -0x1.5315a0fc1e288p-4,
		0x1.33d14908a7cb4p-4, -0x1.116c2bed12295p-4, 0x1.cead88b897da2p-5, -0x1.68173a7e6b892p-5, 0x1.efcbfa99883abp-6, -0x1.21d2b1a963cf9p-6,
		0x1.136f40453adfdp-7, -0x1.94300d92a8b4cp-9, 0x1.aa5ccbbcc4094p-11, -0x1.1e33e0d396cfep-13, 0x1.6df79459508c1p-17},
}

// softplus is log(1+e^x) = max(x, 0) + log(1+e^-|x|).
func softplus(b *trace.Body, x trace.Value) trace.Value {
	e := exp(b, b.Or(x, b.Sign(x)))
	return b.FMA(b.Polynomial(e, softplusTerms.of(b, x)...), e, b.Max(b.Const(0), x))
}
