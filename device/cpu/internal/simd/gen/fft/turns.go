package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// turns emits the transposition between the two halves of a long transform, with the factors between them.
func turns() {
	for _, k := range vec.Kinds {
		for _, split := range []bool{false, true} {
			turn(k, split)
		}
	}
}

// turn emits the transposition. The factors lie in a table, or each is the product of a vector and a number.
func turn(k vec.Kind, split bool) {
	name := "turn" + k.Suffix()
	if split {
		name = "splitTurn" + k.Suffix()
	}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(blocks int, x *%s, xStride int, w, u *%[1]s, y *%[1]s, yStride int)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s multiplies blocks of %d vectors by factors and transposes them. Strides are in bytes.", name, k.Lanes()))
	blocks, x, xStride := Load(Param("blocks"), GP64()), Load(Param("x"), GP64()), Load(Param("xStride"), GP64())
	w, y, yStride := Load(Param("w"), GP64()), Load(Param("y"), GP64()), Load(Param("yStride"), GP64())
	var u reg.Register
	if split {
		u = Load(Param("u"), GP64())
	}
	Label("block")
	at := GP64()
	for part := range 2 {
		MOVQ(x, at)
		in := k.Regs(k.Lanes())
		for i, r := range in {
			wr, wi := factor(k, w, u, i)
			if part == 0 {
				k.Mul(operand.Mem{Base: at}, wr, r)
				k.FNMA231(operand.Mem{Base: at, Disp: k.Bytes()}, wi, r)
			} else {
				k.Mul(operand.Mem{Base: at}, wi, r)
				k.FMA231(operand.Mem{Base: at, Disp: k.Bytes()}, wr, r)
			}
			ADDQ(xStride, at)
		}
		to := GP64()
		MOVQ(y, to)
		for _, r := range transposed(k, in) {
			k.Store(r, operand.Mem{Base: to, Disp: part * k.Bytes()})
			ADDQ(yStride, to)
		}
	}
	MOVQ(at, x)
	ADDQ(operand.U32(2*k.Lanes()*k.Bytes()), w)
	if split {
		ADDQ(operand.U32(2*k.Lanes()*k.Size()), u)
	}
	ADDQ(operand.U32(2*k.Bytes()), y)
	DECQ(blocks)
	JNZ(operand.LabelRef("block"))
	vec.Leave()
}

// factor returns the real and the imaginary part of the factor of vector i.
func factor(k vec.Kind, w, u reg.Register, i int) (re, im reg.VecVirtual) {
	re, im = k.Reg(), k.Reg()
	a := operand.Mem{Base: w, Disp: 2 * i * k.Bytes()}
	if u == nil {
		k.Load(a, re)
		k.Load(a.Offset(k.Bytes()), im)
		return re, im
	}
	b := operand.Mem{Base: u, Disp: 2 * i * k.Size()}
	ur, ui := k.Reg(), k.Reg()
	k.Splat(b, ur)
	k.Splat(b.Offset(k.Size()), ui)
	k.Mul(a, ur, re)
	k.FNMA231(a.Offset(k.Bytes()), ui, re)
	k.Mul(a, ui, im)
	k.FMA231(a.Offset(k.Bytes()), ur, im)
	return re, im
}
