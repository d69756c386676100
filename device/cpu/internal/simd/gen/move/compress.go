package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// compressions emits the routines that keep the elements whose mask is not 0. The elements are compressed in a register
// and then stored, which is faster than a compressing store.
func compressions() {
	for _, size := range []int{4, 8} {
		name := fmt.Sprintf("compressAVX512U%d", 8*size)
		lanes := 64 / size
		TEXT(name, NOSPLIT, "func(n int, dst, src, mask *byte) int")
		Pragma("noescape")
		Doc(fmt.Sprintf("%s copies the elements whose mask is not 0, of n elements, a multiple of %d and not 0, and returns how many.", name, lanes))
		n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
		mask := Load(Param("mask"), GP64())
		first, ones := GP64(), GP64()
		MOVQ(dst, first)
		MOVQ(operand.I32(-1), ones)
		Label("loop")
		x, bytes := ZMM(), XMM()
		set, kept := K(), K()
		count := GP64()
		if size == 4 {
			VMOVDQU(operand.Mem{Base: mask}, bytes)
		} else {
			VMOVQ(operand.Mem{Base: mask}, bytes)
		}
		VPTESTMB(bytes, bytes, set)
		KMOVW(set, count.As32())
		VMOVUPS(operand.Mem{Base: src}, x)
		POPCNTQ(count, count)
		low := GP64()
		BZHIQ(count, ones, low)
		KMOVW(low.As32(), kept)
		if size == 4 {
			VPCOMPRESSD_Z(x, set, x)
			VMOVDQU32(x, kept, operand.Mem{Base: dst})
		} else {
			VPCOMPRESSQ_Z(x, set, x)
			VMOVDQU64(x, kept, operand.Mem{Base: dst})
		}
		LEAQ(operand.Mem{Base: dst, Index: count, Scale: uint8(size)}, dst)
		ADDQ(operand.U32(64), src)
		ADDQ(operand.U32(lanes), mask)
		SUBQ(operand.U32(lanes), n)
		JNZ(operand.LabelRef("loop"))
		SUBQ(first, dst)
		SHRQ(operand.Imm(uint64(size/4+1)), dst)
		Store(dst, ReturnIndex(0))
		vec.Leave()
	}
}
