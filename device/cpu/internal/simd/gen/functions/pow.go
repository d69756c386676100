package functions

import (
	"math"

	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// pow computes the power of the magnitude, and then the special cases: powers of 0, infinities and negative numbers.
func pow(k vec.Kind, x, y, t []reg.VecPhysical) {
	if k.Wide && !k.Double {
		powWide(k, x, y, t)
		return
	}
	binary("pow", powText).Body(k, x, y, t)
}

func powText(b *trace.Body, x, y trace.Value) trace.Value {
	magnitude := b.Abs(x)
	if b.Double(x) {
		return powSpecial(b, x, y, powDouble(b, magnitude, y))
	}
	return powSpecial(b, x, y, powSingle(b, magnitude, y))
}

func powSpecial(b *trace.Body, x, y, power trace.Value) trace.Value {
	magnitude := b.Abs(x) // computed again, which is cheaper than keeping it
	power = b.Select(b.Equal(y, b.Const(0)), b.Const(1), power)
	power = b.Select(b.Equal(magnitude, b.Const(1)), b.Const(1), power)
	// Negative numbers: integer powers are negative if the exponent is odd, all other powers are NaN.
	half := b.Mul(y, b.Const(0.5))
	negative := b.Select(b.Equal(b.Round(vec.Truncate, half), half), power, b.Or(power, b.Sign(x)))
	broken := b.Select(b.Less(magnitude, b.Const(math.Inf(1))), b.Const(math.NaN()), power)
	broken = b.Select(b.Equal(magnitude, b.Const(0)), power, broken)
	negative = b.Select(b.Equal(b.Round(vec.Truncate, y), y), negative, broken)
	return b.Pick(x, negative, power)
}

// powSingle computes float32 powers in float64.
func powSingle(b *trace.Body, x, y trace.Value) trace.Value {
	k, f := split(b, x)
	return b.InDouble(func(widen func(trace.Value) trace.Value) trace.Value {
		f := widen(f)
		logarithm := b.FMA(b.Polynomial(f, powLog2Terms...), f, widen(k))
		e := b.Min(b.Const(250), b.Max(b.Const(-250), b.Mul(logarithm, widen(y))))
		n := b.Round(vec.Nearest, e)
		r := b.Sub(e, n)
		return b.Scale(b.FMA(b.Polynomial(r, exp2Terms.of(b, r)...), r, b.Const(1)), n)
	})
}

// powLog2Terms are the coefficients of log2(1+f) = f·(…), to 38 bits.
var powLog2Terms = []float64{0x1.71547652b7c1dp0, -0x1.71547654050acp-1, 0x1.ec709dcb8e57ep-2, -0x1.715473b666001p-2,
	0x1.2776bd09400eep-2, -0x1.ec720c6dbbf82p-3, 0x1.a61ce6bf37c61p-3, -0x1.712f2e98e7cacp-3, 0x1.47869fcf0ef34p-3,
	-0x1.28716de81f54cp-3, 0x1.17bb7daa7d325p-3, -0x1.039cd451ee5ccp-3, 0x1.72e5a076bd6fdp-4, -0x1.088e41e337e89p-5}

// The 16 intervals of the mantissa, from 0.734 to 1.469: for each, the inverse of roughly its centre, and minus the
// logarithm of that inverse in two parts. Around 1 they are 1 and 0.
var (
	powInverse = []float64{0x1.5555555555555p+0, 0x1.47ae147ae147bp+0, 0x1.3b13b13b13b14p+0, 0x1.2f684bda12f68p+0,
		0x1.2492492492492p+0, 0x1.1a7b9611a7b96p+0, 0x1.1111111111111p+0, 0x1.0842108421084p+0,
		0x1.0000000000000p+0, 0x1.e1e1e1e1e1e1ep-1, 0x1.c71c71c71c71cp-1, 0x1.af286bca1af28p-1,
		0x1.999999999999ap-1, 0x1.8618618618618p-1, 0x1.745d1745d1746p-1, 0x1.642c8590b2164p-1}
	powLog = []float64{-0x1.269621134db91p-2, -0x1.f991c6cb3b37ap-3, -0x1.a93ed3c8ad9e5p-3, -0x1.5bf406b543db0p-3,
		-0x1.1178e8227e47ap-3, -0x1.9335e5d594988p-4, -0x1.08598b59e3a06p-4, -0x1.0415d89e74440p-5,
		0x0.0p+0, 0x1.f0a30c01162a8p-5, 0x1.e27076e2af2eap-4, 0x1.5ff3070a793d6p-3,
		0x1.c8ff7c79a9a20p-3, 0x1.1675cababa60fp-2, 0x1.4618bc21c5ec2p-2, 0x1.739d7f6bbd007p-2}
	powLogRest = []float64{-0x1.e0efadd9db02ap-56, -0x1.ecca0cdf30143p-58, -0x1.bcafa9de97202p-57, 0x1.1f5b44c0df7f7p-61,
		0x1.0e63a5f01c693p-58, 0x1.478a85704ccb7p-58, 0x1.dd7009902bf32p-58, -0x1.c05cf1d753621p-59,
		0x0.0p+0, 0x1.85f325c5bbacdp-59, -0x1.61578001e015ap-60, -0x1.bc60efafc6f6cp-58,
		-0x1.4f689f8434011p-57, 0x1.ce63eab883727p-61, -0x1.7a42642661c62p-61, 0x1.ce24c53fad3f0p-58}
	// log(1+r) = r - r²/2 + r³·(…) for |r| up to 1/32.
	powLogTerms = []float64{0x1.5555555555555p-2, -0x1.ffffffffffff7p-3, 0x1.999999999bdecp-3, -0x1.55555555796b2p-3,
		0x1.2492490365319p-3, -0x1.fffffb3c0572fp-4, 0x1.c71dd0057d48ap-4, -0x1.99b6eac682e45p-4, 0x1.72408fb6acc48p-4,
		-0x1.1a331e4d7b222p-4}
)

// powDouble computes the logarithm to about 64 bits, because an exponent may be a thousand.
func powDouble(b *trace.Body, x, y trace.Value) trace.Value {
	subnormal := b.Less(x, b.Const(0x1p-1022))
	grown := b.Select(subnormal, b.Mul(x, b.Const(0x1p54)), x)
	offset := b.Select(subnormal, b.Const(0x1p52+1023+54), b.Const(0x1p52+1023))
	const quarter, width = 1 << 51, 1 << 47 // half a unit, and half an interval
	raised := b.AddInt(grown, b.Bits(quarter+width))
	k := b.Sub(b.Or(b.Shr(raised, 52), b.Const(0x1p52)), offset)
	fraction := b.And(raised, b.Bits(1<<52-1))
	m := b.AddInt(fraction, b.Bits(math.Float64bits(0.75)-width))
	index := b.Shr(fraction, 48)

	// The integral part and the tabled part of the logarithm. The logarithm of 2 has two parts; k times the first is
	// exact.
	table := b.Lookup("powLog", index, powLog)
	units := b.Mul(k, b.Const(0x1.62e42fefa38p-1))
	whole := b.Add(units, table)
	rest := b.Sub(table, b.Sub(whole, units))
	rest = b.FMA(k, b.Const(0x1.ef35793c7673p-45), rest)
	rest = b.Add(rest, b.Lookup("powLogRest", index, powLogRest))

	// m·inverse = 1 + r + low, exactly.
	inverse := b.Lookup("powInverse", index, powInverse)
	product := b.Mul(m, inverse)
	low := b.FMS(m, inverse, product)
	head := b.Sub(product, b.Const(1))
	r := b.Add(head, low)
	low = b.Sub(low, b.Sub(r, head))
	rest = b.Add(rest, b.FNMA(r, low, low))

	square := b.Mul(r, r)
	rest = b.FNMA(b.FMS(r, r, square), b.Const(0.5), rest)
	rest = b.FMA(b.Polynomial(r, powLogTerms...), b.Mul(square, r), rest)
	small := b.FNMA(square, b.Const(0.5), r)
	rest = b.Add(rest, b.FNMA(square, b.Const(0.5), b.Sub(r, small)))
	sum := b.Add(whole, small)
	rest = b.Add(rest, b.Sub(small, b.Sub(sum, whole)))
	logarithm := b.Add(sum, rest)
	rest = b.Sub(rest, b.Sub(logarithm, sum))

	e := b.Mul(y, logarithm)
	eRest := b.FMA(y, rest, b.FMS(y, logarithm, e))
	limit := b.Const(800)
	eRest = b.Select(b.Less(b.Abs(e), limit), eRest, b.Const(0))
	e = b.Min(limit, b.Max(b.Const(-800), e))
	n := b.Round(vec.Nearest, b.Mul(e, b.Const(1/math.Ln2)))
	t := b.FNMA(n, b.Const(ln2Double), e)
	t = b.Add(t, b.FNMA(n, b.Const(ln2DoubleRest), eRest))
	power := b.Scale(expSmall(b, t), n)

	infinite, zero := b.Const(math.Inf(1)), b.Const(0)
	power = b.Select(b.Equal(x, zero), b.Pick(y, infinite, zero), power)
	power = b.Select(b.LessEqual(infinite, x), b.Pick(y, zero, infinite), power)
	power = b.Select(b.IsNaN(y), y, power)
	return b.Select(b.IsNaN(x), x, power)
}
