package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// interleaves emits the routines that make groups: from existing groups, and from the columns of a few rows.
func interleaves() {
	interleave("changeGroups", 1, func(x []reg.VecVirtual) []reg.VecVirtual { return x })
	interleave("interleavePairs", 2, func(x []reg.VecVirtual) []reg.VecVirtual {
		y := []reg.VecVirtual{YMM(), YMM()}
		VPUNPCKLWD(x[1], x[0], y[0])
		VPUNPCKHWD(x[1], x[0], y[1])
		return y
	})
	interleave("interleaveQuads", 4, func(x []reg.VecVirtual) []reg.VecVirtual {
		p := []reg.VecVirtual{YMM(), YMM(), YMM(), YMM()}
		VPUNPCKLBW(x[1], x[0], p[0])
		VPUNPCKHBW(x[1], x[0], p[1])
		VPUNPCKLBW(x[3], x[2], p[2])
		VPUNPCKHBW(x[3], x[2], p[3])
		y := []reg.VecVirtual{YMM(), YMM(), YMM(), YMM()}
		VPUNPCKLWD(p[2], p[0], y[0])
		VPUNPCKHWD(p[2], p[0], y[1])
		VPUNPCKLWD(p[3], p[1], y[2])
		VPUNPCKHWD(p[3], p[1], y[3])
		return y
	})
}

// interleave emits a routine that processes one vector of each row at a time. woven interleaves the vectors within 128
// bits. The lower halves of the vectors that it returns are the first groups, in order, the upper halves the groups
// after them.
func interleave(name string, rows int, woven func([]reg.VecVirtual) []reg.VecVirtual) {
	TEXT(name, NOSPLIT, "func(n int, src *uint32, srcStep, line int, dst *uint32, dstStep int, change uint32)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes groups of the columns of %d rows, %d at a time, n times, and changes bits of each. Strides are in bytes.", name, rows, 8*rows))
	n, src, line := Load(Param("n"), GP64()), Load(Param("src"), GP64()), Load(Param("line"), GP64())
	srcStep, dst, dstStep := Load(Param("srcStep"), GP64()), Load(Param("dst"), GP64()), Load(Param("dstStep"), GP64())
	change := YMM()
	VMOVD(Load(Param("change"), GP32()), change.AsX())
	VPBROADCASTD(change.AsX(), change)
	at := fourLines(src, line, rows)
	Label("loop")
	x := make([]reg.VecVirtual, rows)
	for i := range x {
		x[i] = YMM()
		VMOVDQU(at[i], x[i])
	}
	for i, y := range woven(x) {
		VPXOR(change, y, y)
		VMOVDQU(y.AsX(), operand.Mem{Base: dst, Disp: 16 * i})
		VEXTRACTI128(operand.Imm(1), y, operand.Mem{Base: dst, Disp: 16 * (rows + i)})
	}
	ADDQ(srcStep, src)
	ADDQ(dstStep, dst)
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	VZEROUPPER()
	RET()
}
