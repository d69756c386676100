package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// positions emits the routine that stores the indices at which a mask is true. It looks at 64 bytes at a time, and stores few indices one
// by one, and more of them eight at a time, as compressions does.
func positions() {
	const few = 10
	const name = "positionsAVX512"
	TEXT(name, NOSPLIT, "func(n int, dst, mask *byte, first int) int")
	Pragma("noescape")
	Doc(name + " stores the indices of the bytes that are not 0, of n bytes, a multiple of 64 and not 0, counted from first on, and returns how many.")
	n, dst, mask := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("mask"), GP64())
	first, start, ones := Load(Param("first"), GP64()), GP64(), GP64()
	MOVQ(dst, start)
	MOVQ(operand.I32(-1), ones)
	indices, eight := ZMM(), ZMM()
	VPBROADCASTQ(first, indices)
	lanes := laneTable("positionLanes", 8, []int{0, 1, 2, 3, 4, 5, 6, 7})
	VPADDQ(lanes, indices, indices)
	step := GP64()
	MOVQ(operand.U32(8), step)
	VPBROADCASTQ(step, eight)

	Label("loop")
	bytes, set, bits, count := ZMM(), K(), GP64(), GP64()
	VMOVUPS(operand.Mem{Base: mask}, bytes)
	VPTESTMB(bytes, bytes, set)
	KMOVQ(set, bits)
	POPCNTQ(bits, count)
	CMPQ(count, operand.Imm(few))
	JA(operand.LabelRef("dense"))
	TESTQ(bits, bits)
	JZ(operand.LabelRef("next"))
	Label("sparse")
	index := GP64()
	TZCNTQ(bits, index)
	ADDQ(first, index)
	MOVQ(index, operand.Mem{Base: dst})
	ADDQ(operand.Imm(8), dst)
	BLSRQ(bits, bits)
	JNZ(operand.LabelRef("sparse"))
	JMP(operand.LabelRef("next"))

	Label("dense")
	current := ZMM()
	VMOVDQA64(indices, current)
	for range 8 {
		x, kept, stored := ZMM(), K(), K()
		part, low := GP64(), GP64()
		KMOVB(bits.As32(), kept)
		MOVBQZX(bits.As8(), part)
		VPCOMPRESSQ_Z(current, kept, x)
		POPCNTQ(part, part)
		BZHIQ(part, ones, low)
		KMOVB(low.As32(), stored)
		VMOVDQU64(x, stored, operand.Mem{Base: dst})
		LEAQ(operand.Mem{Base: dst, Index: part, Scale: 8}, dst)
		VPADDQ(eight, current, current)
		SHRQ(operand.Imm(8), bits)
	}

	Label("next")
	ADDQ(operand.Imm(64), mask)
	ADDQ(operand.Imm(64), first)
	VPBROADCASTQ(first, indices)
	VPADDQ(lanes, indices, indices)
	SUBQ(operand.Imm(64), n)
	JNZ(operand.LabelRef("loop"))
	SUBQ(start, dst)
	SHRQ(operand.Imm(3), dst)
	Store(dst, ReturnIndex(0))
	vec.Leave()
}
