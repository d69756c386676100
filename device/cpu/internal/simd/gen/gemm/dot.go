package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// dots emits the inner products of vectors whose length is a multiple of 4 registers, with 4 accumulators.
func dots() {
	for _, k := range vec.Kinds {
		name := "dot" + k.Suffix()
		TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, a, b *%s) %[1]s", k.Elem()))
		Doc(name + " returns the inner product of n elements, a multiple of " + fmt.Sprint(4*k.Lanes()) + ".")
		n, a, b := Load(Param("n"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
		acc, x := k.Regs(4), k.Regs(4)
		for i := range acc {
			k.Zero(acc[i])
		}
		Label("loop")
		for i := range acc {
			k.Load(operand.Mem{Base: a, Disp: i * k.Bytes()}, x[i])
			k.FMA231(operand.Mem{Base: b, Disp: i * k.Bytes()}, x[i], acc[i])
		}
		ADDQ(operand.U32(4*k.Bytes()), a)
		ADDQ(operand.U32(4*k.Bytes()), b)
		SUBQ(operand.U32(4*k.Lanes()), n)
		JNZ(operand.LabelRef("loop"))
		k.Add(acc[1], acc[0], acc[0])
		k.Add(acc[3], acc[2], acc[2])
		k.Add(acc[2], acc[0], acc[0])
		Store(k.Sum(acc[0], x[0]), ReturnIndex(0))
		vec.Leave()
	}
}
