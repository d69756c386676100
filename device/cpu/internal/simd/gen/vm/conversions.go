package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// conversions emits conversions between masks, integers and floats in lanes. In 64-bit lanes float32 numbers are held
// as float64, and round32 rounds them.
func conversions(k vec.Kind) {
	keep := func(name string, bits operand.Mem) {
		handler(k, name, func(acc, t []reg.VecPhysical) {
			k.Splat(bits, t[0])
			for _, a := range acc {
				k.And(t[0], a, a)
			}
		})
	}
	keep("masktofloat", k.Const(1))
	keep("masktoint", k.Bits(1))
	keep("wrapu8", k.Bits(0xff))
	keep("wrapu16", k.Bits(0xffff))
	handler(k, "floattomask", func(acc, t []reg.VecPhysical) {
		k.Zero(t[0])
		for _, a := range acc {
			k.CompareOnes(vec.NotEqual, t[0], a, a)
		}
	})
	handler(k, "inttomask", func(acc, t []reg.VecPhysical) {
		k.Zero(t[0])
		k.Splat(k.Bits(ones(k)), t[1])
		for _, a := range acc {
			k.EqualInt(t[0], a, a)
			k.Xor(t[1], a, a)
		}
	})
	bounded(k, "floattoi8", -1<<7, 1<<7-1)
	bounded(k, "floattou8", 0, 1<<8-1)
	bounded(k, "floattoi16", -1<<15, 1<<15-1)
	bounded(k, "floattou16", 0, 1<<16-1)
	if k.Double {
		conversions64(k, keep)
		return
	}
	unary(k, "inttofloat", func(a reg.VecPhysical, _ []reg.VecPhysical) { VCVTDQ2PS(a, a) })
	handler(k, "floattoi32", func(acc, t []reg.VecPhysical) {
		if vec.Neon() { // whose conversion saturates, and makes NaN 0
			for _, a := range acc {
				VCVTTPS2DQ(a, a)
			}
			return
		}
		k.Splat(k.Const(1<<31), t[0])
		k.Splat(k.Bits(math.MaxInt32), t[1])
		k.Zero(t[2])
		for _, a := range acc {
			VCVTTPS2DQ(a, t[3])
			k.Where(vec.GreaterEqual, t[0], a, t[1], t[3], t[4])
			k.Where(vec.Unordered, a, a, t[2], t[3], t[4])
			k.Move(t[3], a)
		}
	})
	extend := func(name string, shift uint64) {
		unary(k, name, func(a reg.VecPhysical, _ []reg.VecPhysical) {
			VPSLLD(operand.Imm(shift), a, a)
			VPSRAD(operand.Imm(shift), a, a)
		})
	}
	extend("wrapi8", 24)
	extend("wrapi16", 16)
}

func conversions64(k vec.Kind, keep func(string, operand.Mem)) {
	unary(k, "round32", func(a reg.VecPhysical, t []reg.VecPhysical) {
		half := part(t[0], k.Bytes()/2)
		if k.Wide {
			VCVTPD2PS(a, half)
		} else {
			VCVTPD2PSY(a, half)
		}
		VCVTPS2PD(half, a)
	})
	keep("wrapu32", k.Bits(math.MaxUint32))
	bounded(k, "floattoi32", math.MinInt32, math.MaxInt32)
	// For integers that fit 32 bits.
	unary(k, "i32tofloat", func(a reg.VecPhysical, t []reg.VecPhysical) {
		half := part(t[0], k.Bytes()/2)
		if k.Wide {
			VPMOVQD(a, half)
		} else {
			VEXTRACTI128(operand.Imm(1), a, half)
			VSHUFPS(operand.U8(0x88), half, a.AsX(), half)
		}
		VCVTDQ2PD(half, a)
	})
	if !k.Wide {
		unary(k, "wrapi32", func(a reg.VecPhysical, t []reg.VecPhysical) {
			VPSRAD(operand.Imm(31), a, t[0])
			VPSHUFD(operand.U8(0xa0), t[0], t[0])
			VPBLENDD(operand.U8(0xaa), t[0], a, a)
		})
		return
	}
	extend := func(name string, shift uint64) {
		unary(k, name, func(a reg.VecPhysical, _ []reg.VecPhysical) {
			VPSLLQ(operand.Imm(shift), a, a)
			VPSRAQ(operand.Imm(shift), a, a)
		})
	}
	extend("wrapi8", 56)
	extend("wrapi16", 48)
	extend("wrapi32", 32)
	unary(k, "inttofloat", func(a reg.VecPhysical, _ []reg.VecPhysical) { VCVTQQ2PD(a, a) })
	unary(k, "inttofloat32", func(a reg.VecPhysical, t []reg.VecPhysical) {
		VCVTQQ2PS(a, t[0].AsY())
		VCVTPS2PD(t[0].AsY(), a)
	})
	handler(k, "floattoi64", func(acc, t []reg.VecPhysical) {
		k.Splat(k.Const(1<<63), t[0])
		k.Splat(k.Bits(math.MaxInt64), t[1])
		k.Zero(t[2])
		for _, a := range acc {
			VCVTTPD2QQ(a, t[3])
			k.Where(vec.GreaterEqual, t[0], a, t[1], t[3], t[4])
			k.Where(vec.Unordered, a, a, t[2], t[3], t[4])
			k.Move(t[3], a)
		}
	})
}

// bounded emits the conversion of floats to integers with bounds that are floats. Numbers beyond a bound become the
// bound, NaN becomes 0.
func bounded(k vec.Kind, name string, low, high float64) {
	handler(k, name, func(acc, t []reg.VecPhysical) {
		k.Splat(k.Const(low), t[0])
		k.Splat(k.Const(high), t[1])
		k.Zero(t[2])
		for _, a := range acc {
			k.Where(vec.Unordered, a, a, t[2], a, t[3])
			k.Max(t[0], a, a)
			k.Min(t[1], a, a)
			switch {
			case !k.Double:
				VCVTTPS2DQ(a, a)
			case k.Wide:
				VCVTTPD2DQ(a, t[3].AsY())
				VPMOVSXDQ(t[3].AsY(), a)
			default:
				VCVTTPD2DQY(a, t[3].AsX())
				VPMOVSXDQ(t[3].AsX(), a)
			}
		}
	})
}
