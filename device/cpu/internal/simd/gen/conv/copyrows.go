package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// copies emits the copy of short rows.
func copies() {
	for _, k := range vec.Kinds {
		name := "copyRows" + k.Suffix()
		TEXT(name, NOSPLIT, "func(rows, n int, dst *byte, to int, src *byte, from int)")
		Pragma("noescape")
		Doc(name + " copies rows of n elements, from elements apart, to rows that are to elements apart; there is at least one.")
		rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
		dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
		to, from := Load(Param("to"), GP64()), Load(Param("from"), GP64())
		whole, at, x := GP64(), GP64(), k.Reg()
		MOVQ(n, whole)
		ANDQ(operand.I32(-k.Lanes()), whole)
		SUBQ(whole, n)
		last := k.Tail(n)
		source := operand.Mem{Base: src, Index: at, Scale: uint8(k.Size())}
		target := operand.Mem{Base: dst, Index: at, Scale: uint8(k.Size())}
		Label("row")
		XORQ(at, at)
		Label("loop")
		CMPQ(at, whole)
		JE(operand.LabelRef("tail"))
		k.Load(source, x)
		k.Store(x, target)
		ADDQ(operand.Imm(uint64(k.Lanes())), at)
		JMP(operand.LabelRef("loop"))
		Label("tail")
		TESTQ(n, n)
		JZ(operand.LabelRef("next"))
		last.LoadZero(source, x)
		last.Store(x, target)
		Label("next")
		LEAQ(operand.Mem{Base: src, Index: from, Scale: uint8(k.Size())}, src)
		LEAQ(operand.Mem{Base: dst, Index: to, Scale: uint8(k.Size())}, dst)
		DECQ(rows)
		JNZ(operand.LabelRef("row"))
		vec.Leave()
	}
}
