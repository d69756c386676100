package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// tiles emits the transformations of Winograd's F(2, 3) along one axis: of the input, from four elements to four, and of the
// products, from four to two. The elements of an operand are step apart, and there are n of each.
func tiles() {
	for _, k := range vec.Kinds {
		transformation(k, "tileInput", "d0-d2, d1+d2, d2-d1 and d1-d3", 4, func(d []reg.VecVirtual, y []reg.VecVirtual) {
			k.Sub(d[2], d[0], y[0])
			k.Add(d[1], d[2], y[1])
			k.Sub(d[1], d[2], y[2])
			k.Sub(d[3], d[1], y[3])
		})
		transformation(k, "tileOutput", "d0+d1+d2 and d1-d2-d3", 2, func(d []reg.VecVirtual, y []reg.VecVirtual) {
			k.Add(d[1], d[0], y[0])
			k.Add(d[2], y[0], y[0])
			k.Sub(d[2], d[1], y[1])
			k.Sub(d[3], y[1], y[1])
		})
	}
}

func transformation(k vec.Kind, name, what string, results int, compute func(d, y []reg.VecVirtual)) {
	name += k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, d *byte, step int, y *byte, apart int)")
	Pragma("noescape")
	Doc(name + " computes " + what + " of vectors of n elements, step and apart elements from each other.")
	n, step, apart := Load(Param("n"), GP64()), Load(Param("step"), GP64()), Load(Param("apart"), GP64())
	from, to := make([]reg.GPVirtual, 4), make([]reg.GPVirtual, results)
	addresses := func(all []reg.GPVirtual, first reg.Register, by reg.Register) {
		all[0] = first.(reg.GPVirtual)
		for i := 1; i < len(all); i++ {
			all[i] = GP64()
			LEAQ(operand.Mem{Base: all[i-1], Index: by, Scale: uint8(k.Size())}, all[i])
		}
	}
	addresses(from, Load(Param("d"), GP64()), step)
	addresses(to, Load(Param("y"), GP64()), apart)
	whole, at := GP64(), GP64()
	MOVQ(n, whole)
	ANDQ(operand.I32(-k.Lanes()), whole)
	SUBQ(whole, n)
	last := k.Tail(n)
	d, y := k.Regs(4), k.Regs(results)
	element := func(base reg.Register) operand.Mem { return operand.Mem{Base: base, Index: at, Scale: uint8(k.Size())} }
	XORQ(at, at)
	Label("loop")
	CMPQ(at, whole)
	JE(operand.LabelRef("tail"))
	for i, a := range from {
		k.Load(element(a), d[i])
	}
	compute(d, y)
	for i, a := range to {
		k.Store(y[i], element(a))
	}
	ADDQ(operand.Imm(uint64(k.Lanes())), at)
	JMP(operand.LabelRef("loop"))
	Label("tail")
	TESTQ(n, n)
	JZ(operand.LabelRef("end"))
	for i, a := range from {
		last.LoadZero(element(a), d[i])
	}
	compute(d, y)
	for i, a := range to {
		last.Store(y[i], element(a))
	}
	Label("end")
	vec.Leave()
}
