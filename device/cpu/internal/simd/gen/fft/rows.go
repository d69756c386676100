package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// rows emits the conversion between as many rows of complex numbers as a vector has lanes and vectors across the rows.
func rows() {
	for _, k := range vec.Kinds {
		loadRows(k)
		storeRows(k)
	}
}

func loadRows(k vec.Kind) {
	name := "loadRows" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, rows, to **%s, re, im *%[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s splits %d rows of n complex numbers. It writes vectors for a multiple of %d numbers,", name, k.Lanes(), k.Lanes()/2),
		"and prefetches the rows to, which will be written.")
	n, rows, to := Load(Param("n"), GP64()), Load(Param("rows"), GP64()), Load(Param("to"), GP64())
	out := [2]reg.Register{Load(Param("re"), GP64()), Load(Param("im"), GP64())}
	alongRows(k, n, func(load func(m operand.Mem, r reg.Register), _ func(r reg.Register, m operand.Mem), offset reg.Register) {
		in := k.Regs(k.Lanes())
		for i, r := range in {
			row := GP64()
			MOVQ(operand.Mem{Base: rows, Disp: 8 * i}, row)
			load(operand.Mem{Base: row, Index: offset, Scale: 1}, r)
			MOVQ(operand.Mem{Base: to, Disp: 8 * i}, row)
			PREFETCHT0(operand.Mem{Base: row, Index: offset, Scale: 1})
		}
		for i, r := range transposed(k, in) {
			k.Store(r, operand.Mem{Base: out[i%2], Disp: i / 2 * 2 * k.Bytes()})
		}
		for _, r := range out {
			ADDQ(operand.U32(k.Lanes()*k.Bytes()), r)
		}
	})
}

func storeRows(k vec.Kind) {
	name := "storeRows" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, rows **%s, re, im *%[1]s, scale %[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(name + " is the inverse of loadRows, times scale.")
	n, rows := Load(Param("n"), GP64()), Load(Param("rows"), GP64())
	out := [2]reg.Register{Load(Param("re"), GP64()), Load(Param("im"), GP64())}
	alongRows(k, n, func(_ func(m operand.Mem, r reg.Register), store func(r reg.Register, m operand.Mem), offset reg.Register) {
		in := k.Regs(k.Lanes())
		scale := in[len(in)-1]
		k.Splat(operand.NewParamAddr("scale", 32), scale)
		for i, r := range in {
			k.Mul(operand.Mem{Base: out[i%2], Disp: i / 2 * 2 * k.Bytes()}, scale, r)
		}
		for _, r := range out {
			ADDQ(operand.U32(k.Lanes()*k.Bytes()), r)
		}
		for i, r := range transposed(k, in) {
			row := GP64()
			MOVQ(operand.Mem{Base: rows, Disp: 8 * i}, row)
			store(r, operand.Mem{Base: row, Index: offset, Scale: 1})
		}
	})
}

// alongRows emits the loop over blocks of rows with n complex numbers: as many floats as a vector has lanes, and at
// last fewer. body loads and stores vectors at an offset from the beginning of the rows, by the functions it receives.
func alongRows(k vec.Kind, n reg.Register, body func(load func(m operand.Mem, r reg.Register), store func(r reg.Register, m operand.Mem), offset reg.Register)) {
	offset := GP64()
	XORL(offset.As32(), offset.As32())
	SUBQ(operand.U32(k.Lanes()/2), n)
	JLT(operand.LabelRef("tail"))
	Label("block")
	body(func(m operand.Mem, r reg.Register) { k.Load(m, r) }, func(r reg.Register, m operand.Mem) { k.Store(r, m) }, offset)
	ADDQ(operand.U32(k.Bytes()), offset)
	SUBQ(operand.U32(k.Lanes()/2), n)
	JGE(operand.LabelRef("block"))
	Label("tail")
	ADDQ(operand.U32(k.Lanes()/2), n)
	JZ(operand.LabelRef("done"))
	ADDQ(n, n)
	t := k.Tail(n)
	body(func(m operand.Mem, r reg.Register) { t.LoadZero(m, r) }, func(r reg.Register, m operand.Mem) { t.Store(r, m) }, offset)
	Label("done")
	vec.Leave()
}

// transposed returns registers that hold the columns of rows.
func transposed(k vec.Kind, rows []reg.VecVirtual) []reg.VecVirtual {
	return transposedBy(k, rows, func(op func(...operand.Op), a, b reg.VecVirtual) reg.VecVirtual {
		r := k.Reg()
		op(b, a, r)
		return r
	})
}

// transposedBy returns the columns of rows, each in a register that pick fills by an instruction. It first transposes
// within parts of 128 bits, then exchanges whole parts.
func transposedBy[R any](k vec.Kind, rows []R, pick func(op func(...operand.Op), a, b R) R) []R {
	perPart := 16 / k.Size()
	parts := make([][]R, perPart) // by column within a part, then by group of rows
	for g := 0; g < len(rows); g += perPart {
		r := rows[g:]
		var within []R
		if k.Double {
			within = []R{pick(VUNPCKLPD, r[0], r[1]), pick(VUNPCKHPD, r[0], r[1])}
		} else {
			within = fours(r, pick)
		}
		for c, r := range within {
			parts[c] = append(parts[c], r)
		}
	}
	out := make([]R, len(rows))
	for c, p := range parts {
		for part, r := range exchanged(k, p, pick) {
			out[part*perPart+c] = r
		}
	}
	return out
}

// fours transposes 4 rows of 4 float32 in each part of 128 bits.
func fours[R any](r []R, pick func(op func(...operand.Op), a, b R) R) []R {
	a, b := pick(VUNPCKLPS, r[0], r[1]), pick(VUNPCKLPS, r[2], r[3])
	c, d := pick(VUNPCKHPS, r[0], r[1]), pick(VUNPCKHPS, r[2], r[3])
	return []R{pick(VUNPCKLPD, a, b), pick(VUNPCKHPD, a, b), pick(VUNPCKLPD, c, d), pick(VUNPCKHPD, c, d)}
}

// exchanged transposes a matrix of parts of 128 bits.
func exchanged[R any](k vec.Kind, r []R, pick func(op func(...operand.Op), a, b R) R) []R {
	shuffle := func(control int, a, b R) R {
		if k.Wide {
			return pick(func(ops ...operand.Op) { VSHUFF32X4(operand.U8(control), ops[0], ops[1], ops[2]) }, a, b)
		}
		return pick(func(ops ...operand.Op) { VPERM2F128(operand.U8(control), ops[0], ops[1], ops[2]) }, a, b)
	}
	if !k.Wide {
		return []R{shuffle(0x20, r[0], r[1]), shuffle(0x31, r[0], r[1])}
	}
	a, b := shuffle(0x44, r[0], r[1]), shuffle(0x44, r[2], r[3])
	c, d := shuffle(0xee, r[0], r[1]), shuffle(0xee, r[2], r[3])
	return []R{shuffle(0x88, a, b), shuffle(0xdd, a, b), shuffle(0x88, c, d), shuffle(0xdd, c, d)}
}
