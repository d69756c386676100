package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// transposes emits the transposition of blocks with as many rows and columns as a vector has lanes, and for wide
// vectors also the transposition of smaller blocks.
func transposes() {
	for _, k := range vec.Kinds {
		transposeBlocks(k)
		if k.Wide {
			transposeEdge(k)
		}
	}
}

func transposeBlocks(k vec.Kind) {
	name := "transpose" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, dst *byte, across int, src *byte, along int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s transposes n blocks of %d rows, along elements apart, to rows across elements apart.", name, k.Lanes()))
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	across, along := Load(Param("across"), GP64()), Load(Param("along"), GP64())
	Label("loop")
	row := GP64()
	MOVQ(src, row)
	in := k.Regs(k.Lanes())
	for i, r := range in {
		k.Load(operand.Mem{Base: row}, r)
		if i+1 < len(in) {
			LEAQ(operand.Mem{Base: row, Index: along, Scale: uint8(k.Size())}, row)
		}
	}
	for _, r := range transposed(k, in) {
		k.Store(r, operand.Mem{Base: dst})
		LEAQ(operand.Mem{Base: dst, Index: across, Scale: uint8(k.Size())}, dst)
	}
	ADDQ(operand.U32(k.Bytes()), src)
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

func transposeEdge(k vec.Kind) {
	name := "transposeEdge" + k.Suffix()
	TEXT(name, NOSPLIT, "func(rows, columns int, dst *byte, across int, src *byte, along int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s transposes a block of at most %d rows and columns, and at least one.", name, k.Lanes()))
	rows, columns := Load(Param("rows"), GP64()), Load(Param("columns"), GP64())
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	across, along := Load(Param("across"), GP64()), Load(Param("along"), GP64())
	height, width := k.Tail(rows), k.Tail(columns)
	in := k.Regs(k.Lanes())
	next := GP64()
	for i, r := range in {
		width.LoadZero(operand.Mem{Base: src}, r)
		if i+1 < len(in) {
			LEAQ(operand.Mem{Base: src, Index: along, Scale: uint8(k.Size())}, next)
			CMPQ(rows, operand.U32(i+1))
			CMOVQGT(next, src)
		}
	}
	for _, r := range transposed(k, in) {
		height.Store(r, operand.Mem{Base: dst})
		LEAQ(operand.Mem{Base: dst, Index: across, Scale: uint8(k.Size())}, dst)
		DECQ(columns)
		JZ(operand.LabelRef("done"))
	}
	Label("done")
	vec.Leave()
}

// transposed returns registers that hold the columns of rows. It first transposes within parts of 128 bits, then
// exchanges whole parts.
func transposed(k vec.Kind, rows []reg.VecVirtual) []reg.VecVirtual {
	perPart := 16 / k.Size()
	groups := len(rows) / perPart
	parts := make([][]reg.VecVirtual, perPart) // by column within a part, then by group of rows
	for g := range groups {
		for c, r := range withinParts(k, rows[g*perPart:][:perPart]) {
			parts[c] = append(parts[c], r)
		}
	}
	out := make([]reg.VecVirtual, len(rows))
	for c, p := range parts {
		for part, r := range exchanged(k, p) {
			out[part*perPart+c] = r
		}
	}
	return out
}

// pair returns a new register with op(a, b).
func pair(k vec.Kind, op func(...operand.Op), a, b reg.VecVirtual) reg.VecVirtual {
	r := k.Reg()
	op(b, a, r)
	return r
}

func withinParts(k vec.Kind, r []reg.VecVirtual) []reg.VecVirtual {
	if k.Double {
		return []reg.VecVirtual{pair(k, VUNPCKLPD, r[0], r[1]), pair(k, VUNPCKHPD, r[0], r[1])}
	}
	a, b := pair(k, VUNPCKLPS, r[0], r[1]), pair(k, VUNPCKLPS, r[2], r[3])
	c, d := pair(k, VUNPCKHPS, r[0], r[1]), pair(k, VUNPCKHPS, r[2], r[3])
	return []reg.VecVirtual{pair(k, VUNPCKLPD, a, b), pair(k, VUNPCKHPD, a, b), pair(k, VUNPCKLPD, c, d), pair(k, VUNPCKHPD, c, d)}
}

func exchanged(k vec.Kind, r []reg.VecVirtual) []reg.VecVirtual {
	shuffle := func(control int, a, b reg.VecVirtual) reg.VecVirtual {
		return pair(k, func(ops ...operand.Op) {
			if k.Wide {
				VSHUFF32X4(operand.U8(control), ops[0], ops[1], ops[2])
			} else {
				VPERM2F128(operand.U8(control), ops[0], ops[1], ops[2])
			}
		}, a, b)
	}
	if !k.Wide {
		return []reg.VecVirtual{shuffle(0x20, r[0], r[1]), shuffle(0x31, r[0], r[1])}
	}
	a, b := shuffle(0x44, r[0], r[1]), shuffle(0x44, r[2], r[3])
	c, d := shuffle(0xee, r[0], r[1]), shuffle(0xee, r[2], r[3])
	return []reg.VecVirtual{shuffle(0x88, a, b), shuffle(0xdd, a, b), shuffle(0x88, c, d), shuffle(0xdd, c, d)}
}
