package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// takes emits the routines that select single elements by 64-bit indices. Negative indices count from the end.
func takes() {
	for _, size := range []int{4, 8} {
		name := fmt.Sprintf("takeAVX512U%d", 8*size)
		const lanes = 8
		TEXT(name, NOSPLIT, "func(n int, dst, array *byte, indices, length *int64)")
		Pragma("noescape")
		Doc(fmt.Sprintf("%s copies n elements, a multiple of %d and not 0, of an array of a length.", name, 2*lanes))
		n, dst, array := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("array"), GP64())
		indices, length := Load(Param("indices"), GP64()), ZMM()
		VPBROADCASTQ(operand.Mem{Base: Load(Param("length"), GP64())}, length)
		Label("loop")
		for i := range 2 {
			index, negative, all := ZMM(), K(), K()
			VMOVDQU64(operand.Mem{Base: indices, Disp: 64 * i}, index)
			VPMOVQ2M(index, negative)
			VPADDQ(length, index, negative, index)
			KXNORB(all, all, all)
			from := operand.Mem{Base: array, Index: index, Scale: uint8(size)}
			if size == 4 {
				x := YMM()
				VPXOR(x, x, x)
				VPGATHERQD(from, all, x)
				VMOVDQU(x, operand.Mem{Base: dst, Disp: 32 * i})
			} else {
				x := ZMM()
				VPXORQ(x, x, x)
				VPGATHERQQ(from, all, x)
				VMOVDQU64(x, operand.Mem{Base: dst, Disp: 64 * i})
			}
		}
		ADDQ(operand.U32(128), indices)
		ADDQ(operand.U32(2*lanes*size), dst)
		SUBQ(operand.Imm(2*lanes), n)
		JNZ(operand.LabelRef("loop"))
		vec.Leave()
	}
}
