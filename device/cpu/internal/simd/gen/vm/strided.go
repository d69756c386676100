package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// everySecond emits the copy of every second element. It also reads the element after the last one.
func everySecond(k vec.Kind) {
	name := "everySecond" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, dst, src *byte)")
	Doc(name + " copies n elements, a multiple of a vector's and not 0, and skips one after each.")
	Pragma("noescape")
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	even, odd := k.Reg(), k.Reg()
	index := k.Reg()
	if k.Wide {
		k.Load(evenLanes(k), index)
	}
	Label("loop")
	k.Load(operand.Mem{Base: src}, even)
	next := operand.Mem{Base: src, Disp: k.Bytes()}
	switch {
	case k.Wide && k.Double:
		VPERMT2PD(next, index, even)
	case k.Wide:
		VPERMT2PS(next, index, even)
	case k.Double:
		k.Load(next, odd)
		VUNPCKLPD(odd, even, even)
		VPERMPD(operand.U8(0xd8), even, even)
	default:
		k.Load(next, odd)
		VSHUFPS(operand.U8(0x88), odd, even, even)
		VPERMPD(operand.U8(0xd8), even, even)
	}
	k.Store(even, operand.Mem{Base: dst})
	ADDQ(operand.U32(2*k.Bytes()), src)
	ADDQ(operand.Imm(uint64(k.Bytes())), dst)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

var evenTables = map[bool]operand.Mem{}

// evenLanes numbers the even lanes of two vectors.
func evenLanes(k vec.Kind) operand.Mem {
	if m, ok := evenTables[k.Double]; ok {
		return m
	}
	m := GLOBL("even"+k.Elem(), RODATA|NOPTR)
	for i := range k.Lanes() {
		if k.Double {
			DATA(8*i, operand.U64(2*i))
		} else {
			DATA(4*i, operand.U32(2*i))
		}
	}
	evenTables[k.Double] = m
	return m
}
