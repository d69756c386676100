package functions

import (
	"math"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// powWide is pow for wide vectors of float32. It skips the special cases if no lane needs them.
func powWide(k vec.Kind, x, y, t []reg.VecPhysical) {
	n := len(x)
	base, exponent, t := t[:n], t[n:2*n], t[2*n:]
	for i := range x {
		k.Move(x[i], base[i])
		k.Move(y[i], exponent[i])
	}
	trace.Emit(k, func(b *trace.Body, in ...trace.Value) trace.Value { return powOfMagnitude(b, in[0], in[1]) }, t, x, y)

	common := Label("common")
	const nan, zero, infinite, negative = 0x81, 0x06, 0x18, 0x40
	for i := range x {
		class := reg.K2
		if i == 0 {
			class = reg.K1
		}
		build.VFPCLASSPSZ(operand.U8(nan|zero|infinite|negative), base[i], class)
		if i > 0 {
			build.KORW(reg.K1, reg.K2, reg.K1)
		}
		build.VFPCLASSPSZ(operand.U8(nan), exponent[i], reg.K3)
		build.KORW(reg.K1, reg.K3, reg.K1)
	}
	build.KORTESTW(reg.K1, reg.K1)
	build.JZ(operand.LabelRef(common))
	trace.Emit(k, func(b *trace.Body, in ...trace.Value) trace.Value {
		power, x, y := in[0], in[1], in[2]
		magnitude, infinity, zero := b.Abs(x), b.Const(math.Inf(1)), b.Const(0)
		power = b.Select(b.Equal(magnitude, zero), b.Pick(y, infinity, zero), power)
		power = b.Select(b.Equal(magnitude, infinity), b.Pick(y, zero, infinity), power)
		power = b.Select(b.IsNaN(y), y, power)
		return powSpecial(b, x, y, power)
	}, t, x, base, exponent)
	build.Label(common)
}

// powOfMagnitude is |x|^y for an x that is neither 0 nor infinite. It uses a logarithm to about 32 bits.
//
// With x = m·2^k, m in [1, 2), and c the inverse of m to 6 or 7 bits, log2(x) = k - log2(c) + log2(1+r), r = m·c-1. c,
// k - log2(c) without its rest, and r are exact. Around 1 both c and log2(c) are powers of two and 0.
func powOfMagnitude(b *trace.Body, x, y trace.Value) trace.Value {
	k, m := b.Exponent(x), b.MantissaOfMagnitude(x)
	index := b.Shr(m, 18) // its last 5 bits are the interval
	r := b.FMS(m, b.Lookup("powInverse", index, powInverseSingle), b.Const(1))
	whole := b.Add(k, b.Lookup("powLog", index, powLogSingle))
	half := b.Mul(r, b.Const(0.5))
	small := b.FNMA(half, r, r) // r - r²/2
	lost := b.FNMA(half, r, b.Sub(r, small))
	product := b.Mul(small, b.Const(log2E))
	logarithm := b.Add(whole, product)
	rest := b.FMA(small, b.Const(log2ERest), b.FMS(small, b.Const(log2E), product))
	rest = b.FMA(lost, b.Const(log2E), rest)
	cube := b.Mul(b.Mul(r, r), r)
	rest = b.FMA(cube, b.Polynomial(r, powLog2SingleTerms...), rest)
	rest = b.Add(rest, b.Lookup("powLogRest", index, powLogSingleRest))
	rest = b.Add(rest, b.Sub(product, b.Sub(logarithm, whole)))

	y = b.Min(b.Const(0x1p40), b.Max(b.Const(-0x1p40), y))
	e := b.Mul(y, logarithm)
	eRest := b.FMA(y, rest, b.FMS(y, logarithm, e))
	n := b.Round(vec.Nearest, b.Add(e, eRest))
	r = b.Add(b.Sub(e, n), eRest)
	r = b.Min(b.Const(1), b.Max(r, b.Const(-1))) // r is arbitrary if the power is 0 or infinite
	return b.Scale(b.FMA(b.Polynomial(r, exp2Terms.of(b, r)...), r, b.Const(1)), n)
}

// The logarithm of e to base 2 in two parts.
const (
	log2E     = 0x1.715476p0
	log2ERest = 0x1.4ae0cp-26
)

// powLog2SingleTerms are the coefficients of log2(1+r) = (r-r²/2)·log2(e) + r³·(…) for |r| up to 1/32.
var powLog2SingleTerms = []float64{0x1.ec709cp-2, -0x1.71547p-2, 0x1.27ac2cp-2, -0x1.ed0074p-3}

// The inverses of roughly the centres of 32 intervals from 1 to 2, except 1 and 1/2 at the ends, and minus their
// logarithms to base 2 in two parts.
var (
	powInverseSingle = []float64{0x1p0, 0x1.e8p-1, 0x1.d8p-1, 0x1.dp-1, 0x1.cp-1, 0x1.b4p-1, 0x1.a8p-1, 0x1.ap-1,
		0x1.94p-1, 0x1.8cp-1, 0x1.8p-1, 0x1.78p-1, 0x1.7p-1, 0x1.68p-1, 0x1.6p-1, 0x1.58p-1,
		0x1.5p-1, 0x1.4cp-1, 0x1.44p-1, 0x1.4p-1, 0x1.38p-1, 0x1.34p-1, 0x1.2cp-1, 0x1.28p-1,
		0x1.2p-1, 0x1.1cp-1, 0x1.18p-1, 0x1.14p-1, 0x1.1p-1, 0x1.0cp-1, 0x1.08p-1, 0x1p-1}
	powLogSingle = []float64{0x0p0, 0x1.1bcp-4, 0x1.e0cp-4, 0x1.22ep-3, 0x1.8a8p-3, 0x1.dacp-3, 0x1.16ap-2, 0x1.32cp-2,
		0x1.5ep-2, 0x1.7b9p-2, 0x1.a9p-2, 0x1.c82p-2, 0x1.e7ep-2, 0x1.0428p-1, 0x1.14c8p-1, 0x1.25cp-1,
		0x1.372p-1, 0x1.3ff8p-1, 0x1.52p-1, 0x1.5b3p-1, 0x1.6dep-1, 0x1.7768p-1, 0x1.8ad8p-1, 0x1.94cp-1,
		0x1.a9p-1, 0x1.b358p-1, 0x1.bddp-1, 0x1.c87p-1, 0x1.d338p-1, 0x1.de28p-1, 0x1.e948p-1, 0x1p0}
	powLogSingleRest = []float64{0x0p0, -0x1.9ab4p-17, -0x1.ca2e1ap-17, -0x1.48f554p-17, 0x1.30158p-16, 0x1.169f22p-18, -0x1.fd64ep-17, -0x1.1c8f12p-22,
		-0x1.18708ap-17, -0x1.83f4c4p-16, -0x1.a39fbep-20, -0x1.88f4aep-16, -0x1.40358ep-19, 0x1.ea5cd4p-16, -0x1.4f80ccp-16, 0x1.408c78p-18,
		0x1.15db84p-16, 0x1.6a73a8p-16, -0x1.a39fbep-18, -0x1.e12f34p-16, -0x1.eac382p-20, -0x1.f6b4c2p-20, 0x1.1b3cdap-19, 0x1.43a496p-16,
		-0x1.a39fbep-19, -0x1.d3c4f2p-16, -0x1.62336ap-17, -0x1.0902b6p-18, 0x1.20a6dep-21, 0x1.8ec0bap-17, -0x1.69bac8p-16, 0x0p0}
)
