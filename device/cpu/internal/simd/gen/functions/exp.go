package functions

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// numbers are constants for float32, for float64, and for float64 that needs only the precision of float32.
type numbers struct{ single, double, rough []float64 }

func (n numbers) of(b *trace.Body, x trace.Value) []float64 {
	switch {
	case b.Rough():
		return n.rough
	case b.Double(x):
		return n.double
	}
	return n.single
}

// inDouble turns a function of float64 into a function of float32 and float64.
func inDouble(f func(b *trace.Body, x trace.Value) trace.Value) func(b *trace.Body, x trace.Value) trace.Value {
	return func(b *trace.Body, x trace.Value) trace.Value {
		if b.Double(x) {
			return f(b, x)
		}
		return b.InDouble(func(widen func(trace.Value) trace.Value) trace.Value { return f(b, widen(x)) })
	}
}

// number returns one of two constants, depending on the type of x.
func number(b *trace.Body, x trace.Value, single, double float64) trace.Value {
	if b.Double(x) {
		return b.Const(double)
	}
	return b.Const(single)
}

// clampExponent clamps x to the range in which e^x is neither 0 nor infinite.
func clampExponent(b *trace.Body, x trace.Value) trace.Value {
	x = b.Max(number(b, x, -104, -746), x)
	return b.Min(number(b, x, 89, 710), x)
}

// reduceByLn2 is x = n·log(2) + r with |r| up to log(2)/2.
func reduceByLn2(b *trace.Body, x trace.Value) (n, r trace.Value) {
	n = b.Nearest(x, 1/math.Ln2)
	r = b.FNMA(n, number(b, x, ln2Single, ln2Double), x)
	return n, b.FNMA(n, number(b, x, ln2SingleRest, ln2DoubleRest), r)
}

// The logarithm of 2 in two parts. The product of the first part and an integer is subtracted exactly.
const (
	ln2Single     = 0x1.62e43p-1
	ln2SingleRest = -0x1.05c61p-29
	ln2Double     = 0x1.62e42fefa39efp-1
	ln2DoubleRest = 0x1.abc9e3b39803fp-56
)

// expTerms are the coefficients of e^r = 1 + r + r²·(…) for |r| up to log(2)/2.
var expTerms = numbers{
	single: []float64{0x1.fffffcp-2, 0x1.555492p-3, 0x1.5558b2p-5, 0x1.12398ep-7, 0x1.6a4b38p-10},
	double: []float64{0x1.000000000000ap-1, 0x1.55555555554fdp-3, 0x1.55555555506a3p-5, 0x1.1111111126ec7p-7,
		0x1.6c16c1847fa4p-10, 0x1.a01a012ede081p-13, 0x1.a0199941cb703p-16, 0x1.71df1b009ef17p-19, 0x1.28ae1bd973547p-22,
		0x1.ad901f22a5db9p-26},
	rough: []float64{0x1.0000003a46e11p-1, 0x1.555554428ec38p-3, 0x1.55548d72ba8f9p-5, 0x1.1112714898f92p-7,
		0x1.6d8d5403d8adfp-10, 0x1.9f08591719e65p-13},
}

// expSmall is e^r.
func expSmall(b *trace.Body, r trace.Value) trace.Value {
	p := b.Polynomial(r, expTerms.of(b, r)...)
	p = b.FMA(p, r, b.Const(1))
	return b.FMA(p, r, b.Const(1))
}

func exp(b *trace.Body, x trace.Value) trace.Value {
	n, r := reduceByLn2(b, clampExponent(b, x))
	return b.Scale(expSmall(b, r), n)
}

// exp2Terms are the coefficients of 2^r = 1 + r·(…) for |r| up to 1/2.
var exp2Terms = numbers{
	single: []float64{0x1.62e43p-1, 0x1.ebfbep-3, 0x1.c6b072p-5, 0x1.3b2a4ap-7, 0x1.5da0f6p-10, 0x1.44227cp-13, 0x1.e5b5bap-17},
	double: []float64{0x1.62e42fefa39efp-1, 0x1.ebfbdff82c58dp-3, 0x1.c6b08d704a182p-5, 0x1.3b2ab6fba53b8p-7,
		0x1.5d87fe7888e01p-10, 0x1.430912f7013c1p-13, 0x1.ffcbfcdb1b2d5p-17, 0x1.62c027b671b72p-20, 0x1.b5242325eb105p-24,
		0x1.e4bbc078582eap-28, 0x1.eafdbc354deafp-32, 0x1.de490accd5261p-36},
	rough: []float64{0x1.62e430af2cdc9p-1, 0x1.ebfbdc3c12a39p-3, 0x1.c6aee8860c9b7p-5, 0x1.3b2d4cffdf102p-7,
		0x1.5f3e576718f73p-10, 0x1.41fbb8d377aap-13},
}

func exp2(b *trace.Body, x trace.Value) trace.Value {
	x = b.Max(number(b, x, -151, -1076), x)
	x = b.Min(number(b, x, 129, 1025), x)
	n := b.Round(vec.Nearest, x)
	r := b.Sub(x, n)
	return b.Scale(b.FMA(b.Polynomial(r, exp2Terms.of(b, r)...), r, b.Const(1)), n)
}

// exp10 computes x·log(10) in two parts.
func exp10(b *trace.Body, x trace.Value) trace.Value {
	if b.Rough() {
		x = b.Min(b.Const(60), b.Max(b.Const(-60), x))
	} else {
		x = b.Min(b.Const(310), b.Max(b.Const(-325), x))
	}
	n := b.Round(vec.Nearest, b.Mul(x, b.Const(math.Ln10/math.Ln2)))
	// 10^x = 2ⁿ·10^r, and r = x - n·log10(2); n times the first part of log10(2) is exact.
	r := b.FNMA(n, b.Const(0x1.34413509f6p-2), x)
	r = b.FNMA(n, b.Const(0x1.9fef311f12b36p-42), r)
	head := b.Mul(r, b.Const(0x1.26bb1bbb55516p+1))
	tail := b.FMA(r, b.Const(-0x1.f48ad494ea3e9p-53), b.FMS(r, b.Const(0x1.26bb1bbb55516p+1), head))
	p := expSmall(b, head)
	return b.Scale(b.FMA(p, tail, p), n)
}

// expm1 is 2ⁿ·(e^r-1) + (2ⁿ-1) for x = n·log(2) + r. It computes half of that and doubles it at the end, because 2ⁿ may
// overflow although the result does not.
func expm1(b *trace.Body, x trace.Value) trace.Value {
	y := b.Min(number(b, x, 89, 710), b.Max(b.Const(-40), x))
	if b.Rough() {
		y = b.Min(b.Const(100), b.Max(b.Const(-40), x))
	}
	n := b.Round(vec.Nearest, b.Mul(y, b.Const(1/math.Ln2)))
	first := b.FNMA(n, b.Const(ln2Double), y)
	r := b.FNMA(n, b.Const(ln2DoubleRest), first)
	p := b.Mul(b.Polynomial(r, expTerms.of(b, r)...), b.Mul(r, r))
	half := b.Power(b.Sub(n, b.Const(1)))
	base := b.Sub(half, b.Const(0.5))
	if b.Rough() {
		z := b.FMA(b.Add(r, p), half, base)
		return b.Or(b.Add(z, z), b.And(x, b.Sign(x)))
	}
	tail := b.Add(p, b.FNMA(n, b.Const(ln2DoubleRest), b.Sub(first, r)))
	grown := b.Add(r, tail)
	tail = b.Sub(tail, b.Sub(grown, r))
	z := b.FMA(grown, half, base)
	z = b.Add(z, b.FMA(tail, half, b.FMA(grown, half, b.Sub(base, z))))
	return b.Select(b.Less(b.Abs(x), b.Const(0x1p-60)), x, b.Add(z, z))
}

// falling is e^-|x|, and 0 if that is negligible compared to 1.
func falling(b *trace.Body, x trace.Value) trace.Value {
	x = b.Max(number(b, x, -80, -700), b.Or(x, b.Sign(x)))
	n, r := reduceByLn2(b, x)
	if b.Wide() {
		return b.Scale(expSmall(b, r), n)
	}
	return b.Mul(expSmall(b, r), b.Power(n))
}

// inverse is 1/x for an x of moderate magnitude, within an ulp.
func inverse(b *trace.Body, x trace.Value) trace.Value {
	if b.Double(x) || !b.Wide() {
		return b.Div(b.Const(1), x)
	}
	rough := b.Reciprocal(x)
	return b.FMA(b.FNMA(x, rough, b.Const(1)), rough, rough)
}

// aboutQuotient is x/y; for float32 only to 12 bits.
func aboutQuotient(b *trace.Body, x, y trace.Value) trace.Value {
	if b.Double(x) {
		return b.Div(x, y)
	}
	return b.Mul(x, b.Reciprocal(y))
}

// sigmoid is 1/(1+e^-x).
func sigmoid(b *trace.Body, x trace.Value) trace.Value {
	if b.Wide() && !b.Double(x) {
		return sigmoidOfPower(b, x)
	}
	return sigmoidInParts(b, x)
}

// sigmoidOfPower is 2ⁿ/(2ⁿ + e^r) for x = n·log(2) - r. The scaling comes last, so that small results keep their
// digits. The rounding error of the sum is corrected too.
func sigmoidOfPower(b *trace.Body, x trace.Value) trace.Value {
	x = b.Min(b.Const(80), b.Max(b.Const(-104), x))
	n := b.Nearest(x, 1/math.Ln2)
	r := b.FMA(n, b.Const(ln2SingleRest), b.FMS(n, b.Const(ln2Single), x))
	slope := b.FMA(b.Polynomial(r, expTerms.single...), r, b.Const(1))
	base := b.Add(b.Scale(b.Const(1), n), b.Const(1))
	sum := b.FMA(slope, r, base)
	sumRest := b.FMA(slope, r, b.Sub(base, sum))
	rough := b.Reciprocal(sum)
	excess := b.FNMA(sumRest, rough, b.FNMA(sum, rough, b.Const(1)))
	return b.Scale(b.FMA(excess, rough, rough), n)
}

// sigmoidInParts computes e^x/(1+e^x) for a negative x. A division of sums in two parts keeps the result within an ulp.
func sigmoidInParts(b *trace.Body, x trace.Value) trace.Value {
	n, r := reduceByLn2(b, clampExponent(b, b.Or(x, b.Sign(x))))
	slope := b.FMA(b.Polynomial(r, expTerms.of(b, r)...), r, b.Const(1))
	power := b.FMA(slope, r, b.Const(1))
	rest := b.FMS(slope, r, b.Sub(power, b.Const(1)))
	e := b.Scale(power, n)
	rest = b.Mul(b.FNMA(rest, r, rest), e) // the first terms of rest·e^-r

	sum := b.Add(e, b.Const(1))
	sumRest := b.Add(b.Add(b.Sub(b.Const(1), sum), e), rest)
	numerator := b.Pick(x, e, b.Const(1))
	y := b.Div(numerator, sum)
	inverse := b.Pick(x, b.Sub(b.Const(1), y), y) // 1/sum, approximately
	excess := b.FNMA(y, sum, numerator)
	excess = b.Add(excess, b.Pick(x, rest, b.Const(0)))
	excess = b.FNMA(y, sumRest, excess)
	return b.FMA(excess, inverse, y)
}

// tanhTerms are the coefficients of tanh(x) = x + x³·(…) in x².
var tanhTerms = numbers{
	single: []float64{-0x1.555554p-2, 0x1.11108ep-3, -0x1.b9fd4p-5, 0x1.64b06p-6, -0x1.1690d6p-7, 0x1.7438bcp-9, -0x1.280fe8p-11},
	double: []float64{-0x1.5555555555552p-2, 0x1.1111111110d01p-3, -0x1.ba1ba1b9e3e32p-5, 0x1.664f4876aa168p-6,
		-0x1.226e33d0ff36bp-7, 0x1.d6d38f05e39c8p-9, -0x1.7d9fafebd3fbcp-10, 0x1.3532d1ebfc8f7p-11, -0x1.f3675d28d2853p-13,
		0x1.8bdbf0d6bd40cp-14, -0x1.233952f3de40cp-15, 0x1.57ace958050d8p-17, -0x1.cb755fc499b49p-20},
}

// tanh is a polynomial for small x, otherwise 1 - 2e/(1+e) with e = e^-2|x|. Wide vectors of float32 look up the
// polynomial, four for each power of two.
func tanh(b *trace.Body, x trace.Value) trace.Value {
	if b.Wide() && !b.Double(x) {
		magnitude := b.Min(b.Const(tanhIsOne), b.Abs(x))
		index := b.Shr(b.Max(b.Const(tanhSmall), magnitude), 21) // its last 5 bits are the piece
		return b.CopySign(piecewise(b, "tanh", index, magnitude, tanhPieces), x)
	}
	magnitude := b.Abs(x)
	square := b.Mul(x, x)
	p := b.Polynomial(square, tanhTerms.of(b, x)...)
	small := b.FMA(b.Mul(p, square), magnitude, magnitude)
	e := falling(b, b.Add(magnitude, magnitude))
	large := b.FNMA(b.Add(e, e), inverse(b, b.Add(e, b.Const(1))), b.Const(1))
	result := b.Select(b.Less(magnitude, number(b, x, 0.8, 0.7)), small, large)
	return b.CopySign(result, x)
}

// Exp is the text of exp, for generators that need it within another loop.
var Exp = unary("exp", exp).Body
