package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// evens emits the routines that find positions in a row of evenly spaced floats.
func evens() {
	for _, single := range []bool{true, false} {
		evenSearch("evenBelow", single, vec.GreaterEqual, vec.Less)
		evenSearch("evenUpTo", single, vec.Greater, vec.LessEqual)
	}
}

// evenSearch emits a search by the line through the ends of the row. Where the fraction of the line is close to an integer, the position is
// one less if the number of the row before it has one relation to the value, and one more if the number at it has another.
func evenSearch(name string, single bool, less, more vec.Predicate) {
	k, given := vec.Kind{Wide: true, Double: true}, vec.Kind{Wide: true, Double: !single}
	name += given.Suffix()
	size := uint8(given.Size())
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, positions *int64, row, values *%s, line *float64) int", given.Elem()))
	Pragma("noescape")
	Doc(name+" stores the positions of n values, a multiple of 8 and not 0, up to the first 8 of which one is NaN, and returns how many. The",
		"line is the first number, steps per 1, the length of the row, and from where to where the fraction leaves no doubt.")
	n, positions := Load(Param("n"), GP64()), Load(Param("positions"), GP64())
	row, values, line, left := Load(Param("row"), GP64()), Load(Param("values"), GP64()), Load(Param("line"), GP64()), GP64()
	constants := k.Regs(5)
	for i, r := range constants {
		k.Splat(operand.Mem{Base: line, Disp: 8 * i}, r)
	}
	first, perStep, length, low, high := constants[0], constants[1], constants[2], constants[3], constants[4]
	one, zero, oneStep, steps := k.SplatConst(1), k.Reg(), k.Reg(), k.Reg()
	k.Zero(zero)
	k.Splat(k.Bits(1), oneStep)
	VCVTTPD2QQ(length, steps)
	MOVQ(n, left)
	Label("loop")
	v, at, fraction, clear, bits := k.Reg(), k.Reg(), k.Reg(), K(), GP32()
	if single {
		VCVTPS2PD(operand.Mem{Base: values}, v)
	} else {
		k.Load(operand.Mem{Base: values}, v)
	}
	k.Sub(first, v, at)
	k.FMA213(one, perStep, at)
	k.Round(vec.Down, at, fraction)
	k.Sub(fraction, at, fraction)
	k.Max(at, zero, at)
	k.Min(length, at, at)
	VCVTTPD2QQ(at, at)
	VCMPPD(operand.Imm(uint64(vec.GreaterEqual)), low, fraction, clear)
	VCMPPD(operand.Imm(uint64(vec.LessEqual)), high, fraction, clear, clear)
	KMOVB(clear, bits)
	CMPL(bits, operand.U32(0xff))
	JE(operand.LabelRef("next"))
	VCMPPD(operand.Imm(uint64(vec.Ordered)), v, v, clear)
	KMOVB(clear, bits)
	CMPL(bits, operand.U32(0xff))
	JNE(operand.LabelRef("done"))
	near := func(within reg.OpmaskVirtual, offset int, relation vec.Predicate) reg.OpmaskVirtual {
		gathered, x := K(), k.Reg()
		KMOVB(within, gathered)
		k.Zero(x)
		m := operand.Mem{Base: row, Index: at, Scale: size, Disp: offset * int(size)}
		if single {
			VGATHERQPS(m, gathered, x.AsY())
			VCVTPS2PD(x.AsY(), x)
		} else {
			VGATHERQPD(m, gathered, x)
		}
		VCMPPD(operand.Imm(uint64(relation)), v, x, within, within)
		return within
	}
	behind, before := K(), K()
	VPTESTMQ(at, at, behind)
	VPCMPUQ(operand.Imm(1), steps, at, before)
	down, up := near(behind, -1, less), near(before, 0, more)
	VPSUBQ(oneStep, at, down, at)
	VPADDQ(oneStep, at, up, at)
	Label("next")
	VMOVDQU64(at, operand.Mem{Base: positions})
	ADDQ(operand.Imm(64), positions)
	ADDQ(operand.Imm(8*uint64(size)), values)
	SUBQ(operand.Imm(8), left)
	JNZ(operand.LabelRef("loop"))
	Label("done")
	SUBQ(left, n)
	Store(n, ReturnIndex(0))
	vec.Leave()
}
