package functions

import (
	"math"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Activations are functions of float32 for which programs compute in float64, because a product of float32 numbers
// would lose digits if a factor is subnormal. Here the scaling comes last.
var Activations = []Function{
	unary("swish", swish),
	{Name: "gelu", Body: gelu},
}

// swish is x·sigmoid(x). With e = exp(-|x|) that is x/(1+e), or x·e/(1+e) for negative x. The rounding error of the
// dividend is divided too.
func swish(b *trace.Body, x trace.Value) trace.Value {
	x = b.Max(b.Const(-130), x)
	n, r := reduceByLn2(b, b.Max(b.Const(-130), b.Or(x, b.Sign(x))))
	power, rest := expSmallWithRest(b, r)
	product := b.Mul(x, power)
	lost := b.FMA(x, rest, b.FMS(x, power, product))
	sum := b.Add(b.Scale(power, n), b.Const(1))
	dividend := b.Pick(x, product, x)
	y := b.Div(dividend, sum)
	excess := b.Pick(x, b.Add(b.FNMA(y, sum, dividend), lost), b.Const(0))
	y = b.FMA(excess, b.Reciprocal(sum), y)
	return b.Pick(x, b.Scale(y, n), y)
}

// expSmallWithRest is e^r and the error of its last rounding.
func expSmallWithRest(b *trace.Body, r trace.Value) (power, rest trace.Value) {
	slope := b.FMA(b.Polynomial(r, expTerms.of(b, r)...), r, b.Const(1))
	power = b.FMA(slope, r, b.Const(1))
	return power, b.FMS(slope, r, b.Sub(power, b.Const(1)))
}

// geluTerms are the coefficients of (a+1.5)·geluFactor·exp(a²/2)·Φ(-a) = 1 + t·(…) for a from 0 to 14.5, with t =
// (a-1.5)/(a+1.5).
var geluTerms = []float64{-0x1.439dbcp-2, -0x1.7d7a5cp-4, 0x1.daf49p-6, 0x1.d43bc4p-6, 0x1.a7b26ap-8, -0x1.0361e6p-8,
	-0x1.20bc94p-8, -0x1.b458ecp-10, 0x1.bfaef4p-12, 0x1.84d5ap-11, 0x1.eae9d4p-13}

const geluFactor = 0x1.9eae56p0

// gelu is x·Φ(x), of the normal distribution. With a = |x| and m = a·Φ(-a) that is x-m, or -m for negative x.
func gelu(k vec.Kind, x, t []reg.VecPhysical) {
	if k.Wide {
		geluByPieces(k, x, t)
		return
	}
	unary("gelu", geluByExponential).Body(k, x, t)
}

// geluByPieces looks m up, except for arguments far below 0: there m is small and falls too fast.
func geluByPieces(k vec.Kind, x, t []reg.VecPhysical) {
	const far = 31 * geluWidth
	argument, t := t[:len(x)], t[len(x):]
	for i := range x {
		k.Move(x[i], argument[i])
	}
	trace.Emit(k, func(b *trace.Body, in ...trace.Value) trace.Value {
		x := in[0]
		a := b.Min(b.Const(far), b.Abs(x))
		// The sum has no fraction bits; its last 5 bits are those of the integer.
		index := b.FMA(a, b.Const(1/geluWidth), b.Const(0x1.8p23))
		return b.Sub(b.Max(b.Const(math.Copysign(0, -1)), x), piecewise(b, "gelu", index, a, geluPieces))
	}, t, x)

	common := Label("common")
	build.VBROADCASTSS(k.Const(-far), t[0])
	for i, a := range argument {
		mask := reg.K2
		if i == 0 {
			mask = reg.K1
		}
		build.VCMPPS(operand.U8(vec.Less), t[0], a, mask)
		if i > 0 {
			build.KORW(reg.K1, reg.K2, reg.K1)
		}
	}
	build.KORTESTW(reg.K1, reg.K1)
	build.JZ(operand.LabelRef(common))
	trace.Emit(k, func(b *trace.Body, in ...trace.Value) trace.Value {
		y, x := in[0], in[1]
		return b.Select(b.Less(x, b.Const(-far)), geluByExponential(b, x), y)
	}, t, x, argument)
	build.Label(common)
}

// geluByExponential adds the rounding error of a² to the exponent.
func geluByExponential(b *trace.Body, x trace.Value) trace.Value {
	a := b.Min(b.Const(14.5), b.Abs(x))
	square := b.Mul(a, a)
	half := b.Mul(square, b.Const(-0.5))
	n, r := reduceByLn2(b, half)
	r = b.FMA(b.FMS(a, a, square), b.Const(-0.5), r)
	inverse := inverse(b, b.FMA(a, b.Const(geluFactor), b.Const(1.5*geluFactor)))
	t := b.FNMA(inverse, b.Const(3*geluFactor), b.Const(1))
	z := b.Mul(a, inverse)
	q := b.FMA(b.Mul(z, b.Polynomial(t, geluTerms...)), t, z)
	slope := b.FMA(b.Polynomial(r, expTerms.of(b, r)...), r, b.Const(1))
	m := b.Scale(b.FMA(b.Mul(q, slope), r, q), n)
	return b.Sub(b.Max(b.Const(math.Copysign(0, -1)), x), m)
}
