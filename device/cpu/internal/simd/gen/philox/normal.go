package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Minimax polynomials, from the highest power down. The logarithm is that of 1+f, for f from √½-1 to √2-1: f - f²/2 +
// f³·p(f) in single precision, and f - (f²/2 - s·(f²/2 + s²·p(s²))) with s = f/(2+f) in double precision. Sines are
// r·p(r²) and cosines 1 + r²·p(r²), with |r| up to an eighth of a turn: in single precision r is in quarters of a turn,
// in double precision in radians.
var (
	logarithm32 = []float64{0.069682524949188221984, -0.11479854846047224365, 0.11686602172488373567, -0.1242573915058579177,
		0.14248955274858429743, -0.16667797588304118025, 0.20000718343575198223, -0.24999997025607039648, 0.33333331170218918524}
	sine32   = []float64{-0.0046021492128141759311, 0.079680217647755413373, -0.6459634776648117955, 1.5707963219532366854}
	cosine32 = []float64{0.00090673989840326650869, -0.020861528342199968579, 0.25366941035710849881, -1.2337005493742193572}

	logarithm64 = []float64{0.14617037548791650146, 0.15331674030167861852, 0.18182890556695603528, 0.22222211115144161503,
		0.28571428626095891537, 0.39999999999899238978, 0.66666666666666696955}
	sine64 = []float64{1.5918072489575098727e-10, -2.5051131056386214455e-8, 2.7557316098767806919e-6, -0.00019841269836751276631,
		0.0083333333333309436608, -0.16666666666666664619, 1}
	cosine64 = []float64{-1.1382596888621110426e-11, 2.0876145775054407007e-9, -2.7557317269362196361e-7, 0.000024801587298761122678,
		-0.0013888888888887394218, 0.041666666666666665386, -0.5}
)

// reduced describes the normal number of a Philox block: √(-2·log(2^exponent·(1+f)))·cos(turn + r), where the lowest
// bits of turn count quarters.
type reduced struct{ f, exponent, r, turn reg.VecVirtual }

// exponentBias is subtracted from the exponents of reduced, which are those of 2^53·(1-u).
const exponentBias = 53

// reduce draws a block, with r in radians or in quarters of a turn.
func (p *philox) reduce(radians bool) reduced {
	w := p.next()
	// The first number u: 2^53·(1-u) = 2^exponent·(1+f).
	p.join(w[0], w[1])
	p.float53(w[0])
	m, exponent, c := p.SplatConst(0x1p53), p.Reg(), p.Reg()
	p.Sub(w[0], m, m)
	p.Splat(p.Bits(math.Float64bits(math.Sqrt2/2)), c)
	VPSUBQ(c, m, exponent)
	VPSRLQ(operand.Imm(52), exponent, exponent)
	VPSLLQ(operand.Imm(52), exponent, c)
	VPSUBQ(c, m, m)
	p.constant(p.Const(-1), m, p.Add)
	// The second number gives the angle. Adding 1.5·2^52 rounds it to quarters.
	p.join(w[2], w[3])
	p.float53(w[2])
	quarters, rounding, turn := p.SplatConst(0x1p-51), p.SplatConst(0x1.8p52), p.Reg()
	p.Mul(w[2], quarters, quarters)
	p.Add(rounding, quarters, turn)
	p.Sub(rounding, turn, rounding) // whole quarters
	if !radians {
		p.Sub(rounding, quarters, quarters)
		return reduced{f: m, exponent: exponent, r: quarters, turn: turn}
	}
	angle := w[2] // rounded as in the reference
	p.constant(p.Const(2*math.Pi*0x1p-53), angle, p.Mul)
	p.FNMA231(p.SplatConst(upperQuarter), rounding, angle)
	p.FNMA231(p.SplatConst(lowerQuarter), rounding, angle)
	return reduced{f: m, exponent: exponent, r: angle, turn: turn}
}

// A quarter of a turn in radians is the sum of these two constants.
const (
	upperQuarter = 0x1.921fb54442d18p+0
	lowerQuarter = 0x1.1a62633145c07p-54
)

// constant applies an operation with a constant to x, in place.
func (p *philox) constant(c operand.Mem, x reg.VecVirtual, op func(a, b, dst operand.Op)) {
	t := p.Reg()
	p.Splat(c, t)
	op(t, x, x)
}

// polynomial returns p(x).
func polynomial(k vec.Kind, coefficients []float64, x reg.VecVirtual) reg.VecVirtual {
	y := k.SplatConst(coefficients[0])
	for _, c := range coefficients[1:] {
		addMul(k, c, x, y)
	}
	return y
}

// addMul computes y·x + c, in y.
func addMul(k vec.Kind, c float64, x, y reg.VecVirtual) {
	switch {
	case !k.Wide:
		t := k.SplatConst(c)
		k.FMA213(t, x, y)
	case k.Double:
		VFMADD213PD_BCST(k.Const(c), x, y)
	default:
		VFMADD213PS_BCST(k.Const(c), x, y)
	}
}

// logarithm returns log(2^e·(1+f)).
func logarithm(k vec.Kind, f, e reg.VecVirtual) reg.VecVirtual {
	square := k.Reg()
	k.Mul(f, f, square)
	if !k.Double {
		y := polynomial(k, logarithm32, f)
		addMul(k, -0.5, f, y)
		k.FMA213(f, square, y)
		k.FMA231(k.SplatConst(math.Ln2), e, y)
		return y
	}
	half := k.SplatConst(0.5)
	k.Mul(half, square, half) // f²/2
	s, z := k.SplatConst(2), k.Reg()
	k.Add(f, s, s)
	k.Div(s, f, s)
	k.Mul(s, s, z)
	y := polynomial(k, logarithm64, z)
	k.FMA213(half, z, y)
	k.Mul(s, y, y)
	const upper = 0x1.62e42fee00000p-1 // of log 2: its products with exponents are exact
	k.FMA231(k.SplatConst(math.Ln2-upper), e, y)
	k.Sub(half, y, y)
	k.Add(f, y, y)
	k.FMA231(k.SplatConst(upper), e, y)
	return y
}

// turned returns cos(turn + r), with r in quarters of a turn. The lowest bits of the lanes of turn count quarters.
func turned(k vec.Kind, turn, r reg.VecVirtual) reg.VecVirtual {
	square := k.Reg()
	k.Mul(r, r, square)
	coefficients := [2][]float64{sine32, cosine32}
	if k.Double {
		coefficients = [2][]float64{sine64, cosine64}
	}
	sine := polynomial(k, coefficients[0], square)
	k.Mul(r, sine, sine)
	cosine := polynomial(k, coefficients[1], square)
	addMul(k, 1, square, cosine)
	odd, sign := k.Reg(), k.Reg()
	top := operand.Imm(uint64(8*k.Size() - 1))
	below := operand.Imm(uint64(8*k.Size() - 2))
	if k.Double {
		VPSLLQ(top, turn, odd)
		VPADDQ(whole(k), turn, sign)
		VPSLLQ(below, sign, sign)
	} else {
		VPSLLD(top, turn, odd)
		VPADDD(whole(k), turn, sign)
		VPSLLD(below, sign, sign)
	}
	k.And(signBit(k), sign, sign)
	if k.Wide {
		choice := K()
		if k.Double {
			VPMOVQ2M(odd, choice)
			VMOVAPD(sine, choice, cosine)
		} else {
			VPMOVD2M(odd, choice)
			VMOVAPS(sine, choice, cosine)
		}
	} else if k.Double {
		VBLENDVPD(odd, sine, cosine, cosine)
	} else {
		VBLENDVPS(odd, sine, cosine, cosine)
	}
	k.Xor(sign, cosine, cosine)
	return cosine
}

// whole is the integer 1, signBit the bit that only negative numbers have set.
func whole(k vec.Kind) reg.VecVirtual { return splatBits(k, 1) }
func signBit(k vec.Kind) reg.VecVirtual {
	return splatBits(k, 1<<(8*k.Size()-1))
}

func splatBits(k vec.Kind, bits uint64) reg.VecVirtual {
	r := k.Reg()
	k.Splat(k.Bits(bits), r)
	return r
}

// normal returns the product of radius and direction.
func normal(k vec.Kind, log, cosine reg.VecVirtual) reg.VecVirtual {
	k.Mul(k.SplatConst(-2), log, log)
	k.Sqrt(log, log)
	k.Mul(log, cosine, cosine)
	return cosine
}

func normals64(wide bool) {
	p := newPhilox("normals64", wide, 1, "float64", "", "draws n normal numbers")
	p.loop(8, func() {
		d := p.reduce(true)
		magic := splatBits(p.Kind, math.Float64bits(0x1p52)) // exponents are small integers
		p.Or(magic, d.exponent, d.exponent)
		p.constant(p.Const(-0x1p52-exponentBias), d.exponent, p.Add)
		z := normal(p.Kind, logarithm(p.Kind, d.f, d.exponent), turned(p.Kind, d.turn, d.r))
		p.Store(z, operand.Mem{Base: p.y})
	})
}

func normals32(wide bool) {
	p := newPhilox("normals32", wide, 2, "float32", "", "draws n normal numbers")
	p.packs()
	s := singles(wide)
	p.loop(4, func() {
		a := p.reduce(false)
		f, r := narrow(p.Kind, a.f), narrow(p.Kind, a.r)
		b := p.reduce(false)
		f, r = concat(p.Kind, f, narrow(p.Kind, b.f)), concat(p.Kind, r, narrow(p.Kind, b.r))
		exponent, turn := p.pack(a.exponent, b.exponent), p.pack(a.turn, b.turn)
		VCVTDQ2PS(exponent, exponent)
		s.Add(s.SplatConst(-exponentBias), exponent, exponent)
		z := normal(s, logarithm(s, f, exponent), turned(s, turn, r))
		s.Store(z, operand.Mem{Base: p.y})
	})
}

// narrow converts double precision to single precision, in the lower half of a vector.
func narrow(k vec.Kind, x reg.VecVirtual) reg.VecVirtual {
	y := k.Reg()
	if k.Wide {
		VCVTPD2PS(x, y.AsY())
	} else {
		VCVTPD2PSY(x, y.AsX())
	}
	return y
}

// concat appends the lower half of b to the lower half of a, in a.
func concat(k vec.Kind, a, b reg.VecVirtual) reg.VecVirtual {
	if k.Wide {
		VINSERTF32X8(operand.Imm(1), b.AsY(), a, a)
	} else {
		VINSERTF128(operand.Imm(1), b.AsX(), a, a)
	}
	return a
}
