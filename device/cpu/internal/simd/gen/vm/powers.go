package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/functions"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// shifts emits the shifts of integers. As in the instructions, counts beyond the lane width leave 0, or the sign.
func shifts(k vec.Kind) {
	binary(k, "shl", func(count operand.Op, a reg.VecPhysical, _ []reg.VecPhysical) {
		if k.Double {
			VPSLLVQ(count, a, a)
		} else {
			VPSLLVD(count, a, a)
		}
	})
	binary(k, "shr", func(count operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
		switch {
		case !k.Double:
			VPSRAVD(count, a, a)
		case k.Wide:
			VPSRAVQ(count, a, a)
		default: // a sign shift: it works on the bits that differ from the sign
			k.Zero(t[0])
			k.GreaterInt(a, t[0], t[0])
			k.Xor(t[0], a, a)
			VPSRLVQ(count, a, a)
			k.Xor(t[0], a, a)
		}
	})
}

// wholePowers emits the powers of integers, by squaring. Negative powers are 0, except those of 1 and -1.
func wholePowers(k vec.Kind) {
	handler(k, "ipow", func(acc, t []reg.VecPhysical) {
		exponent, base, t := t[:depth], t[depth:2*depth], t[2*depth:]
		for i, x := range acc {
			k.Load(savedSecond(k, i), exponent[i])
			k.Zero(t[0])
			k.Splat(k.Bits(1), t[1])
			k.AddInt(x, t[1], t[2])
			k.AddInt(t[1], t[1], t[1])
			k.AndN(t[2], t[1], t[2])
			k.EqualInt(t[0], t[2], t[2]) // 1 and -1
			k.GreaterInt(exponent[i], t[0], t[0])
			k.AndN(t[0], t[2], t[0])
			k.AndN(x, t[0], base[i])
			k.Splat(k.Bits(1), acc[i])
		}
		next, done := functions.Label("next"), functions.Label("done")
		Label(next)
		for i := range acc {
			multiplyWhereOdd(k, exponent[i], base[i], acc[i], t)
			if k.Double {
				VPSRLQ(operand.Imm(1), exponent[i], exponent[i])
			} else {
				VPSRLD(operand.Imm(1), exponent[i], exponent[i])
			}
		}
		k.Or(exponent[0], exponent[1], t[0])
		k.Or(exponent[2], t[0], t[0])
		k.Or(exponent[3], t[0], t[0])
		if k.Wide {
			VPTESTMQ(t[0], t[0], reg.K1)
			KORTESTW(reg.K1, reg.K1)
		} else {
			VPTEST(t[0], t[0])
		}
		JZ(operand.LabelRef(done))
		for i := range base {
			multiplyInt(k, base[i], base[i], t)
		}
		JMP(operand.LabelRef(next))
		Label(done)
	})
}

func multiplyWhereOdd(k vec.Kind, exponent, base, power reg.VecPhysical, t []reg.VecPhysical) {
	switch {
	case k.Wide && k.Double:
		VPSLLQ(operand.Imm(63), exponent, t[0])
		VPMOVQ2M(t[0], reg.K1)
		VPMULLQ(base, power, reg.K1, power)
	case k.Wide:
		VPSLLD(operand.Imm(31), exponent, t[0])
		VPMOVD2M(t[0], reg.K1)
		VPMULLD(base, power, reg.K1, power)
	case k.Double:
		k.Move(power, t[3])
		multiplyInt(k, base, t[3], t)
		VPSLLQ(operand.Imm(63), exponent, t[0])
		VBLENDVPD(t[0], t[3], power, power)
	default:
		VPMULLD(base, power, t[1])
		VPSLLD(operand.Imm(31), exponent, t[0])
		VBLENDVPS(t[0], t[1], power, power)
	}
}

// multiplyInt multiplies integers as wide as lanes.
func multiplyInt(k vec.Kind, s operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
	switch {
	case !k.Double:
		VPMULLD(s, a, a)
	case k.Wide:
		VPMULLQ(s, a, a)
	default: // AVX2 has no such instruction
		s := loaded(k, s, t[0])
		VPSRLQ(operand.Imm(32), a, t[1])
		VPMULUDQ(s, t[1], t[1])
		VPSRLQ(operand.Imm(32), s, t[2])
		VPMULUDQ(a, t[2], t[2])
		VPADDQ(t[1], t[2], t[1])
		VPSLLQ(operand.Imm(32), t[1], t[1])
		VPMULUDQ(s, a, a)
		VPADDQ(t[1], a, a)
	}
}

// squares emits the part of a power with a scalar exponent that computes the exponents 2 and 3 as products.
func squares(k vec.Kind, acc, t []reg.VecPhysical) {
	MOVL(first, reg.EAX)
	exponent := operand.Mem{Base: reg.R12, Index: reg.RAX, Scale: 1}
	for _, n := range []int{2, 3} {
		different := functions.Label("different")
		if k.Double {
			MOVQ(operand.U64(math.Float64bits(float64(n))), reg.RBX)
			CMPQ(exponent, reg.RBX)
		} else {
			CMPL(exponent, operand.U32(math.Float32bits(float32(n))))
		}
		JNE(operand.LabelRef(different))
		for i, x := range acc {
			k.Move(x, t[i])
			for range n - 1 {
				k.Mul(t[i], x, x)
			}
		}
		next()
		Label(different)
	}
}
