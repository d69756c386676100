package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// mostTaps is the largest number of inner products that are computed at once.
const mostTaps = 9

// products emits inner products of one map with other maps, which are parts of one plane.
func products() {
	for _, k := range vec.Kinds {
		for taps := 1; taps <= mostTaps; taps++ {
			productsOf(k, taps)
		}
	}
}

func productsOf(k vec.Kind, taps int) {
	name := fmt.Sprintf("products%d%s", taps, k.Suffix())
	TEXT(name, NOSPLIT, "func(rows, n int, a *byte, apart int, x *byte, step int, off *int, c *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds to c[i], for %d i, the products a[r·apart+j]·x[off[i]+r·step+j] of rows of n elements; there is at least one.", name, taps))
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	a, x, off := Load(Param("a"), GP64()), Load(Param("x"), GP64()), Load(Param("off"), GP64())
	apart, step := Load(Param("apart"), GP64()), Load(Param("step"), GP64())
	whole, at, index := GP64(), GP64(), GP64()
	MOVQ(n, whole)
	ANDQ(operand.I32(-k.Lanes()), whole)
	SUBQ(whole, n)
	last := k.Tail(n)
	sums, factor, other := k.Regs(taps), k.Reg(), k.Reg()
	for _, s := range sums {
		k.Zero(s)
	}
	source := operand.Mem{Base: x, Index: index, Scale: uint8(k.Size())}
	find := func(i int) {
		MOVQ(operand.Mem{Base: off, Disp: 8 * i}, index)
		ADDQ(at, index)
	}
	Label("row")
	XORQ(at, at)
	Label("loop")
	CMPQ(at, whole)
	JE(operand.LabelRef("tail"))
	k.Load(operand.Mem{Base: a, Index: at, Scale: uint8(k.Size())}, factor)
	for i, s := range sums {
		find(i)
		k.FMA231(source, factor, s)
	}
	ADDQ(operand.Imm(uint64(k.Lanes())), at)
	JMP(operand.LabelRef("loop"))
	Label("tail")
	TESTQ(n, n)
	JZ(operand.LabelRef("next"))
	last.LoadZero(operand.Mem{Base: a, Index: at, Scale: uint8(k.Size())}, factor)
	for i, s := range sums {
		find(i)
		last.LoadZero(source, other)
		k.FMA231(other, factor, s)
	}
	Label("next")
	LEAQ(operand.Mem{Base: a, Index: apart, Scale: uint8(k.Size())}, a)
	LEAQ(operand.Mem{Base: x, Index: step, Scale: uint8(k.Size())}, x)
	DECQ(rows)
	JNZ(operand.LabelRef("row"))
	c := Load(Param("c"), GP64())
	for i, s := range sums {
		sum, m := k.Sum(s, other), operand.Mem{Base: c, Disp: i * k.Size()}
		if k.Double {
			VADDSD(m, sum, sum)
			VMOVSD(sum, m)
		} else {
			VADDSS(m, sum, sum)
			VMOVSS(sum, m)
		}
	}
	vec.Leave()
}
