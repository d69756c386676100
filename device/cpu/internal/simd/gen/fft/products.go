package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"fmt"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// products emits the multiplication of complex vectors.
func products() {
	for _, k := range vec.Kinds {
		name := "multiply" + k.Suffix()
		TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x, w, re, im *%s)", k.Elem()))
		Pragma("noescape")
		Doc(name + " multiplies n complex vectors by n factors. re and im may be x.")
		n, x, w := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("w"), GP64())
		re, im := Load(Param("re"), GP64()), Load(Param("im"), GP64())
		Label("loop")
		a, b, wr, wi, yr, yi := k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg()
		k.Load(operand.Mem{Base: x}, a)
		k.Load(operand.Mem{Base: x, Disp: k.Bytes()}, b)
		k.Load(operand.Mem{Base: w}, wr)
		k.Load(operand.Mem{Base: w, Disp: k.Bytes()}, wi)
		k.Mul(wr, a, yr)
		k.FNMA231(wi, b, yr)
		k.Mul(wi, a, yi)
		k.FMA231(wr, b, yi)
		k.Store(yr, operand.Mem{Base: re})
		k.Store(yi, operand.Mem{Base: im})
		for _, p := range []operand.Op{x, w, re, im} {
			ADDQ(operand.U32(2*k.Bytes()), p)
		}
		DECQ(n)
		JNZ(operand.LabelRef("loop"))
		vec.Leave()
	}
}
