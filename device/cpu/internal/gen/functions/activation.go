package functions

import "github.com/ndgrad/ndgrad/device/cpu/internal/gen/trace"

// Activations are functions of float32 for which programs compute in float64, since a product of float32 numbers would
// lose digits where a factor is below the normal numbers. Here the scale comes last.
var Activations = []Function{
	{Name: "swish", Body: unary(swish)},
	{Name: "gelu", Body: unary(gelu)},
}

// swish is x·sigmoid(x). With e = exp(-|x|) that is x/(1+e), or x·e/(1+e) for negative x; what the dividend's rounding lost
// is divided too.
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

// expSmallWithRest is e^r and what its last rounding lost.
func expSmallWithRest(b *trace.Body, r trace.Value) (power, rest trace.Value) {
	slope := b.FMA(b.Polynomial(r, expTerms.of(b, r)...), r, b.Const(1))
	power = b.FMA(slope, r, b.Const(1))
	return power, b.FMS(slope, r, b.Sub(power, b.Const(1)))
}

// With t = (a-1.5)/(a+1.5), geluTerms are those of (a+1.5)·exp(a²/2)·Φ(-a) for a from 0 to 14.5.
var geluTerms = []float64{0x1.3c1440p-1, -0x1.8f904ep-3, -0x1.d70138p-5, 0x1.2535bap-6, 0x1.210f68p-6, 0x1.0590ep-8, -0x1.40415cp-9,
	-0x1.647f9ep-9, -0x1.0d6024p-10, 0x1.145fbp-12, 0x1.e01674p-12, 0x1.2f0fbcp-13}

// gelu is x·Φ(x), of the normal distribution. With a = |x| and m = a·Φ(-a) that is x-m, or -m for negative x. What the
// roundings of a² and of 1/(a+1.5) lost goes into the exponent.
func gelu(b *trace.Body, x trace.Value) trace.Value {
	a := b.Min(b.Const(14.5), b.Abs(x))
	square := b.Mul(a, a)
	n, r := reduceByLn2(b, b.Mul(square, b.Const(-0.5)))
	r = b.FMA(b.FMS(a, a, square), b.Const(-0.5), r)
	shift := b.Const(1.5)
	sum := b.Add(a, shift)
	inverse := b.Div(b.Const(1), sum)
	lost := b.Sub(a, b.Sub(sum, shift))
	r = b.Add(r, b.FNMA(lost, inverse, b.FNMA(sum, inverse, b.Const(1))))
	t := b.Mul(b.Sub(a, shift), inverse)
	p := b.Polynomial(t, geluTerms...)
	z := b.Mul(a, inverse)
	q := b.Mul(z, p)
	rest := b.FMA(b.FMS(a, inverse, z), p, b.FMS(z, p, q))
	power, powerRest := expSmallWithRest(b, r)
	m := b.Mul(q, power)
	rest = b.FMA(rest, power, b.FMA(q, powerRest, b.FMS(q, power, m)))
	m = b.Scale(b.Add(m, rest), n)
	return b.Pick(x, b.Neg(m), b.Sub(x, m))
}
