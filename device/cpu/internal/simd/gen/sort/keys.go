package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// keys emits the routine that converts between floats and signed integers of the same order: it flips all bits except
// the sign of negative numbers. The conversion is the same in both directions.
func (t number) keys() {
	name := t.name("keys")
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, dst, src, before, after *%s) int", t.elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s converts n numbers, a multiple of %d and not 0, between floats and integers, with some bits flipped before and after. It", name, t.lanes()),
		"returns 0 if no float among the numbers is NaN or -0.")
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	before, after := ZMM(), ZMM()
	t.splat(operand.Mem{Base: Load(Param("before"), GP64())}, before)
	t.splat(operand.Mem{Base: Load(Param("after"), GP64())}, after)
	t.bring(n, dst, src, func(x reg.Register) {
		turned := ZMM()
		t.pick(VPXORD, VPXORQ)(before, x, x)
		t.pick(VPSRAD, VPSRAQ)(operand.Imm(uint64(8*t.size-1)), x, turned)
		t.pick(VPSRLD, VPSRLQ)(operand.Imm(1), turned, turned)
		t.pick(VPTERNLOGD, VPTERNLOGQ)(operand.Imm(0x96), turned, after, x)
	})
}

// beyonds emits the routines that look for floats beyond a bound: four vectors at a time.
func beyonds() {
	for _, k := range vec.Kinds {
		for _, side := range []struct {
			name      string
			predicate uint64
		}{{"above", 0x1e}, {"below", 0x11}} {
			name := side.name + k.Suffix()
			TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x, bound *%s) int", k.Elem()))
			Pragma("noescape")
			Doc(fmt.Sprintf("%s returns how many of n floats, a multiple of %d and not 0, come in whole groups of %[2]d before one with a float %s the bound.",
				name, 4*k.Lanes(), side.name))
			n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
			bound := k.Reg()
			k.Splat(operand.Mem{Base: Load(Param("bound"), GP64())}, bound)
			left, found := GP64(), GP64()
			MOVQ(n, left)
			Label("loop")
			anyBeyond(k, operand.Imm(side.predicate), x, bound, found)
			TESTL(found.As32(), found.As32())
			JNZ(operand.LabelRef("done"))
			ADDQ(operand.U32(4*k.Bytes()), x)
			SUBQ(operand.U32(4*k.Lanes()), left)
			JNZ(operand.LabelRef("loop"))
			Label("done")
			SUBQ(left, n)
			Store(n, ReturnIndex(0))
			vec.Leave()
		}
	}
}

// anyBeyond compares four vectors with a bound, and leaves a number that is not 0 where one of their elements is beyond.
func anyBeyond(k vec.Kind, predicate operand.Op, x reg.Register, bound reg.VecVirtual, found reg.GPVirtual) {
	compare := VCMPPS
	if k.Double {
		compare = VCMPPD
	}
	vectors, masks := k.Regs(4), []reg.Register{K(), K(), K(), K()}
	for i, r := range vectors {
		k.Load(operand.Mem{Base: x, Disp: i * k.Bytes()}, r)
		if k.Wide {
			compare(predicate, bound, r, masks[i])
		} else {
			compare(predicate, bound, r, r)
		}
	}
	if k.Wide {
		KORW(masks[0], masks[1], masks[0])
		KORW(masks[2], masks[3], masks[2])
		KORW(masks[0], masks[2], masks[0])
		KMOVW(masks[0], found.As32())
		return
	}
	k.Or(vectors[0], vectors[1], vectors[0])
	k.Or(vectors[2], vectors[3], vectors[2])
	k.Or(vectors[0], vectors[2], vectors[0])
	if k.Double {
		VMOVMSKPD(vectors[0], found.As32())
	} else {
		VMOVMSKPS(vectors[0], found.As32())
	}
}
