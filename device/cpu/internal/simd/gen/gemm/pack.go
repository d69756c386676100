package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// panels emits the routines that copy a factor to panels.
func panels() {
	for _, k := range vec.Kinds {
		copyPanel(k, 1)
		copyPanel(k, 2)
		turnPanel(k)
	}
}

// copyPanel emits a routine that copies rows of one or two vectors. It loads only the masked part of the last vector
// and stores whole vectors, with zeros in the other lanes.
func copyPanel(k vec.Kind, vectors int) {
	name := fmt.Sprintf("copyPanel%d%s", vectors, k.Suffix())
	TEXT(name, NOSPLIT, fmt.Sprintf("func(rows int, src *%s, srcLine int, dst *%[1]s, dstLine int, mask uintptr)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s copies rows of %d vectors. Strides are in bytes.", name, vectors))
	rows, src, srcLine := Load(Param("rows"), GP64()), Load(Param("src"), GP64()), Load(Param("srcLine"), GP64())
	dst, dstLine := Load(Param("dst"), GP64()), Load(Param("dstLine"), GP64())
	t := tile{element: element{Kind: k}, shape: shape{vectors: vectors, masked: true}}
	t.setMask(Load(Param("mask"), GP64()))
	Label("loop")
	for j := range vectors {
		t.loadPart(operand.Mem{Base: src, Disp: j * k.Bytes()}, k.Physical(j), j)
	}
	for j := range vectors {
		k.Store(k.Physical(j), operand.Mem{Base: dst, Disp: j * k.Bytes()})
	}
	ADDQ(srcLine, src)
	ADDQ(dstLine, dst)
	DECQ(rows)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// turnPanel emits a routine that copies lines, as many as a vector has lanes, to columns. It loads 128 bits of each
// line at a time, q elements. The elements of lines q apart lie in the 128-bit lanes of one vector, and q such vectors
// are transposed within their lanes.
func turnPanel(k vec.Kind) {
	name := "turnPanel" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(steps int, lines *[%d]uintptr, dst *%s, dstLine int)", k.Lanes(), k.Elem()))
	Pragma("noescape")
	q := 16 / k.Size()
	Doc(fmt.Sprintf("%s copies %d·steps elements of each of %d lines, given by their addresses, to the columns of dst.", name, q, k.Lanes()))
	steps, lines := Load(Param("steps"), GP64()), Load(Param("lines"), GP64())
	dst, dstLine := Load(Param("dst"), GP64()), Load(Param("dstLine"), GP64())
	at := GP64()
	XORQ(at, at)
	Label("loop")
	x := k.Regs(q)
	for i := range x {
		for lane := range k.Bytes() / 16 {
			line := GP64()
			MOVQ(operand.Mem{Base: lines, Disp: 8 * (lane*q + i)}, line)
			m := operand.Mem{Base: line, Index: at, Scale: 1}
			switch {
			case lane == 0:
				VMOVUPS(m, x[i].AsX())
			case k.Wide:
				VINSERTF32X4(operand.Imm(uint64(lane)), m, x[i], x[i])
			default:
				VINSERTF128(operand.Imm(uint64(lane)), m, x[i], x[i])
			}
		}
	}
	for _, y := range transposed(k, x) {
		k.Store(y, operand.Mem{Base: dst})
		ADDQ(dstLine, dst)
	}
	ADDQ(operand.Imm(16), at)
	DECQ(steps)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// transposed transposes the 4x4 or 2x2 elements in each 128-bit lane.
func transposed(k vec.Kind, x []reg.VecVirtual) []reg.VecVirtual {
	if k.Double {
		y := k.Regs(2)
		VUNPCKLPD(x[1], x[0], y[0])
		VUNPCKHPD(x[1], x[0], y[1])
		return y
	}
	p, y := k.Regs(4), k.Regs(4)
	VUNPCKLPS(x[1], x[0], p[0])
	VUNPCKHPS(x[1], x[0], p[1])
	VUNPCKLPS(x[3], x[2], p[2])
	VUNPCKHPS(x[3], x[2], p[3])
	VUNPCKLPD(p[2], p[0], y[0])
	VUNPCKHPD(p[2], p[0], y[1])
	VUNPCKLPD(p[3], p[1], y[2])
	VUNPCKHPD(p[3], p[1], y[3])
	return y
}
