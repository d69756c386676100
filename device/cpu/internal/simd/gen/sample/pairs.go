package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// pairsOfCorners emits the routine that finds the pairs of neighbours that contain both corners along an axis.
func pairsOfCorners() {
	k := vec.Kind{Wide: true, Double: true}
	TEXT("pairsAVX512", NOSPLIT, "func(n int, first, second *int, limit int, masks *byte, apart int)")
	Pragma("noescape")
	Doc("pairsAVX512 lowers n first corners, a multiple of 8 and not 0, to limit, and stores in masks which of them exceeded it, and apart",
		"bytes further which of the second corners exceed the lowered first ones.")
	n, first, second := Load(Param("n"), GP64()), Load(Param("first"), GP64()), Load(Param("second"), GP64())
	limit := k.Reg()
	VPBROADCASTQ(Load(Param("limit"), GP64()), limit)
	masks, apart := Load(Param("masks"), GP64()), Load(Param("apart"), GP64())
	corner, pair, upper := k.Reg(), k.Reg(), K()
	Label("corners")
	k.Load(operand.Mem{Base: first}, corner)
	VPMINSQ(limit, corner, pair)
	VPCMPGTQ(pair, corner, upper)
	KMOVB(upper, operand.Mem{Base: masks})
	k.Load(operand.Mem{Base: second}, corner)
	VPCMPGTQ(pair, corner, upper)
	KMOVB(upper, operand.Mem{Base: masks, Index: apart, Scale: 1})
	k.Store(pair, operand.Mem{Base: first})
	ADDQ(operand.Imm(uint64(k.Bytes())), first)
	ADDQ(operand.Imm(uint64(k.Bytes())), second)
	INCQ(masks)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JNZ(operand.LabelRef("corners"))
	vec.Leave()
}

// split emits the routine that takes both corners out of pairs.
func split(k vec.Kind) {
	name := "split" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, low, high, pairs *%s, masks *byte, apart int)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s takes one element of each of n pairs, a multiple of %d and not 0, for low and one for high: the second one where the bit in", name, k.Lanes()),
		"masks, or apart bytes further, is set.")
	n, low, high := Load(Param("n"), GP64()), Load(Param("low"), GP64()), Load(Param("high"), GP64())
	pairs, masks, apart := Load(Param("pairs"), GP64()), Load(Param("masks"), GP64()), Load(Param("apart"), GP64())
	permute, move, load := VPERMI2PS, VMOVAPS, KMOVW
	if k.Double {
		permute, move, load = VPERMI2PD, VMOVAPD, KMOVB
	}
	even, odd, a, b, firsts, seconds := k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg()
	k.Load(alternate(k, 0), even)
	k.Load(alternate(k, 1), odd)
	upper := K()
	Label("pairs")
	k.Load(operand.Mem{Base: pairs}, a)
	k.Load(operand.Mem{Base: pairs, Disp: k.Bytes()}, b)
	k.Move(even, firsts)
	permute(b, a, firsts)
	k.Move(odd, seconds)
	permute(b, a, seconds)
	load(operand.Mem{Base: masks}, upper)
	k.Move(firsts, a)
	move(seconds, upper, a)
	k.Store(a, operand.Mem{Base: low})
	load(operand.Mem{Base: masks, Index: apart, Scale: 1}, upper)
	move(seconds, upper, firsts)
	k.Store(firsts, operand.Mem{Base: high})
	ADDQ(operand.U32(2*k.Bytes()), pairs)
	ADDQ(operand.Imm(uint64(k.Bytes())), low)
	ADDQ(operand.Imm(uint64(k.Bytes())), high)
	ADDQ(operand.Imm(uint64(k.Lanes()/8)), masks)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JNZ(operand.LabelRef("pairs"))
	vec.Leave()
}

// alternate numbers every second lane of two vectors, from a lane on.
func alternate(k vec.Kind, from int) operand.Mem {
	name := fmt.Sprintf("alternate%d%s", from, k.Elem())
	if m, ok := alternates[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	alternates[name] = m
	for i := range k.Lanes() {
		if k.Double {
			DATA(8*i, operand.U64(2*i+from))
		} else {
			DATA(4*i, operand.U32(2*i+from))
		}
	}
	return m
}

var alternates = map[string]operand.Mem{}
