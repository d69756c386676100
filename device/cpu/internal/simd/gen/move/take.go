package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// takes emits the routines that select single elements by 64-bit indices. Negative indices count from the end.
func takes() {
	takeSingly()
	takeTogether()
	addSingly()
}

// singly emits the loop over elements of an array at indices, eight per turn.
func singly(name string, size int, element func(at, other operand.Mem, index reg.GPVirtual)) {
	const unrolled = 8
	n, other, array := Load(Param("n"), GP64()), Load(Param(name), GP64()), Load(Param("array"), GP64())
	indices, length := Load(Param("indices"), GP64()), GP64()
	MOVQ(operand.Mem{Base: Load(Param("length"), GP64())}, length)
	Label("loop")
	for i := range unrolled {
		index, end := GP64(), GP64()
		MOVQ(operand.Mem{Base: indices, Disp: 8 * i}, index)
		MOVQ(index, end)
		SARQ(operand.Imm(63), end)
		ANDQ(length, end)
		ADDQ(end, index)
		element(operand.Mem{Base: array, Index: index, Scale: uint8(size)}, operand.Mem{Base: other, Disp: size * i}, index)
	}
	ADDQ(operand.U32(8*unrolled), indices)
	ADDQ(operand.U32(unrolled*size), other)
	SUBQ(operand.Imm(unrolled), n)
	JNZ(operand.LabelRef("loop"))
}

// addSingly emits routines that add to element by element, in order.
func addSingly() {
	for _, k := range []vec.Kind{{}, {Double: true}} {
		name := fmt.Sprintf("addAtF%d", 8*k.Size())
		TEXT(name, NOSPLIT, "func(n int, array, src *byte, indices, length *int64)")
		Pragma("noescape")
		Doc(name + " adds n elements, a multiple of 8 and not 0, to those of an array of a length.")
		sum := XMM()
		singly("src", k.Size(), func(at, src operand.Mem, _ reg.GPVirtual) {
			if k.Double {
				VMOVSD(at, sum)
				VADDSD(src, sum, sum)
				VMOVSD(sum, at)
			} else {
				VMOVSS(at, sum)
				VADDSS(src, sum, sum)
				VMOVSS(sum, at)
			}
		})
		RET()
	}
}

// takeSingly emits routines that load element by element, which needs no vector instructions.
func takeSingly() {
	for _, size := range []int{4, 8} {
		name := fmt.Sprintf("takeU%d", 8*size)
		TEXT(name, NOSPLIT, "func(n int, dst, array *byte, indices, length *int64)")
		Pragma("noescape")
		Doc(name + " copies n elements, a multiple of 8 and not 0, of an array of a length.")
		singly("dst", size, func(at, dst operand.Mem, index reg.GPVirtual) {
			if size == 4 {
				MOVL(at, index.As32())
				MOVL(index.As32(), dst)
			} else {
				MOVQ(at, index)
				MOVQ(index, dst)
			}
		})
		RET()
	}
}

// takeTogether emits routines that gather.
func takeTogether() {
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
