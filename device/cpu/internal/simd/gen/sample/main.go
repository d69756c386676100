// Command sample generates the routines of package sample.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range vec.Kinds {
		sums(k)
		mix(k)
		corners(k)
		pairs("products"+k.Suffix(), k.Elem(), k, k.Mul)
		if k.Wide {
			split(k)
		}
	}
	pairsOfCorners()
	planeCorners()
	planeSums()
	planeProducts()
	planeOffsets()
	pairs("offsetsAVX2", "int", vec.Kind{Double: true}, vec.Kind{Double: true}.AddInt)
	pairs("offsetsAVX512", "int", vec.Kind{Wide: true, Double: true}, vec.Kind{Wide: true, Double: true}.AddInt)
	Generate()
}

// sums emits the routine that adds up rows, each multiplied by a row of weights.
func sums(k vec.Kind) {
	name := "sums" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n, corners int, y, values, weights *%s, stride int) (lost int)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes n sums, at least one. Values and weights of the next corner lie stride further.", name),
		"lost is not 0 if a sum is NaN.")
	n, corners, y := Load(Param("n"), GP64()), Load(Param("corners"), GP64()), Load(Param("y"), GP64())
	values, weights, stride := Load(Param("values"), GP64()), Load(Param("weights"), GP64()), Load(Param("stride"), GP64())
	if k.Double {
		SHLQ(operand.Imm(3), stride)
	} else {
		SHLQ(operand.Imm(2), stride)
	}
	lost := GP64()
	XORQ(lost, lost)
	at, left := GP64(), GP64()
	vectors := func(part string, load func(m operand.Op, r reg.Register), store func(r reg.Register, m operand.Op)) {
		total, product, value := k.Reg(), k.Reg(), k.Reg()
		XORQ(at, at)
		MOVQ(corners, left)
		load(operand.Mem{Base: weights}, total)
		load(operand.Mem{Base: values}, value)
		k.Mul(value, total, total)
		JMP(operand.LabelRef("next" + part))
		Label("corner" + part)
		load(operand.Mem{Base: weights, Index: at, Scale: 1}, product)
		load(operand.Mem{Base: values, Index: at, Scale: 1}, value)
		k.Mul(value, product, product)
		k.Add(product, total, total)
		Label("next" + part)
		ADDQ(stride, at)
		DECQ(left)
		JNZ(operand.LabelRef("corner" + part))
		store(total, operand.Mem{Base: y})
		ORQ(k.Compare(vec.Unordered, total, total).Bits().As64(), lost)
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JL(operand.LabelRef("rest"))
	Label("points")
	vectors("", func(m operand.Op, r reg.Register) { k.Load(m, r) }, func(r reg.Register, m operand.Op) { k.Store(r, m) })
	for _, p := range []reg.Register{values, weights, y} {
		ADDQ(operand.Imm(uint64(k.Bytes())), p)
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("points"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("done"))
	tail := k.Tail(n)
	vectors("OfRest", tail.LoadZero, tail.Store)
	Label("done")
	Store(lost, ReturnIndex(0))
	vec.Leave()
}

// mix emits the routine that adds two rows, each multiplied by a weight.
func mix(k vec.Kind) {
	name := "mix" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, y, a, b, weights *%s)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes n sums.", name))
	n, y, a, b := Load(Param("n"), GP64()), Load(Param("y"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	weights := Load(Param("weights"), GP64())
	wa, wb := k.Reg(), k.Reg()
	k.Splat(operand.Mem{Base: weights}, wa)
	k.Splat(operand.Mem{Base: weights, Disp: k.Size()}, wb)
	at := GP64()
	XORQ(at, at)
	here := func(base reg.Register) operand.Mem { return operand.Mem{Base: base, Index: at, Scale: 1} }
	p, q := k.Reg(), k.Reg()
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JL(operand.LabelRef("rest"))
	Label("loop")
	k.Mul(here(a), wa, p)
	k.Mul(here(b), wb, q)
	k.Add(p, q, q)
	k.Store(q, here(y))
	ADDQ(operand.Imm(uint64(k.Bytes())), at)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("loop"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("done"))
	tail := k.Tail(n)
	tail.LoadZero(here(a), p)
	tail.LoadZero(here(b), q)
	k.Mul(p, wa, p)
	k.Mul(q, wb, q)
	k.Add(p, q, q)
	tail.Store(q, here(y))
	Label("done")
	vec.Leave()
}
