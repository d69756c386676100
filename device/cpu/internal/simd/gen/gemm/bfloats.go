package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dotBFloats emits VDPBF16PS, as bytes, because Go's assembler does not have it.
func dotBFloats(b, a, sum reg.VecPhysical) {
	first, last := encodeDotBFloats(int(b.PhysicalIndex()), int(a.PhysicalIndex()), int(sum.PhysicalIndex()))
	Comment(fmt.Sprintf("VDPBF16PS %s, %s, %s", b.Asm(), a.Asm(), sum.Asm()))
	Instruction(&ir.Instruction{Opcode: "LONG", Operands: []operand.Op{operand.U32(first)}})
	Instruction(&ir.Instruction{Opcode: "WORD", Operands: []operand.Op{operand.U16(last)}})
}

// encodeDotBFloats returns the bytes of VDPBF16PS for vector registers of 512 bits, the first byte lowest: the prefix EVEX, the
// opcode 52 of the map 0F38 with the prefix F3, and the byte ModR/M. EVEX holds the upper bits of the registers' numbers, and
// all of a's, inverted.
func encodeDotBFloats(b, a, sum int) (first uint32, last uint16) {
	inverted := func(n, bit, at int) uint32 { return uint32(^n>>bit&1) << at }
	p0 := inverted(sum, 3, 7) | inverted(b, 4, 6) | inverted(b, 3, 5) | inverted(sum, 4, 4) | 0b010
	p1 := uint32(^a&15)<<3 | 0b110
	p2 := inverted(a, 4, 3) | 0b10<<5
	return 0x62 | p0<<8 | p1<<16 | p2<<24, 0x52 | uint16(0xc0|sum&7<<3|b&7)<<8
}

// copyBFloats emits the routine that copies pairs and exchanges their halves.
func copyBFloats() {
	TEXT("exchangeHalves", NOSPLIT, "func(n int, src, dst *uint32)")
	Pragma("noescape")
	Doc("exchangeHalves copies 16 n words of 32 bits and exchanges the halves of each.")
	n, src, dst := Load(Param("n"), GP64()), Load(Param("src"), GP64()), Load(Param("dst"), GP64())
	Label("loop")
	x := ZMM()
	VPROLD(operand.Imm(16), operand.Mem{Base: src}, x)
	VMOVDQU32(x, operand.Mem{Base: dst})
	ADDQ(operand.Imm(64), src)
	ADDQ(operand.Imm(64), dst)
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// boundBFloats emits the routine that finds the least and the largest magnitude.
func boundBFloats() {
	TEXT("boundMagnitudes", NOSPLIT, "func(n int, src *uint16, low, high *[32]uint16)")
	Pragma("noescape")
	Doc("boundMagnitudes updates bounds of 32 n bfloat16, lane by lane: high of the bits without the sign, low of these bits negated.")
	n, src := Load(Param("n"), GP64()), Load(Param("src"), GP64())
	lowest, highest := Load(Param("low"), GP64()), Load(Param("high"), GP64())
	low, high, zero, magnitude := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU16(operand.Mem{Base: lowest}, low)
	VMOVDQU16(operand.Mem{Base: highest}, high)
	VPXORD(zero, zero, zero)
	VPTERNLOGD(operand.U8(0xff), magnitude, magnitude, magnitude)
	VPSRLW(operand.Imm(1), magnitude, magnitude)
	Label("loop")
	x := ZMM()
	VPANDD(operand.Mem{Base: src}, magnitude, x)
	VPMAXUW(x, high, high)
	VPSUBW(x, zero, x)
	VPMAXUW(x, low, low)
	ADDQ(operand.Imm(64), src)
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	VMOVDQU16(low, operand.Mem{Base: lowest})
	VMOVDQU16(high, operand.Mem{Base: highest})
	VZEROUPPER()
	RET()
}
