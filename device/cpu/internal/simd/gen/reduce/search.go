package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// finds emits the search for a value that is known to exist.
func finds() {
	for _, k := range vec.Kinds {
		name := "find" + k.Suffix()
		TEXT(name, NOSPLIT, fmt.Sprintf("func(a *%s, n int, v *%[1]s) int", k.Elem()))
		Pragma("noescape")
		Doc(name + " returns the index of the first of n elements that equals the number at v; one of them does.")
		a, n, v := Load(Param("a"), GP64()), Load(Param("n"), GP64()), Load(Param("v"), GP64())
		value, at, rest := k.Reg(), GP64(), GP64()
		x := k.Reg()
		k.Splat(operand.Mem{Base: v}, value)
		MOVQ(n, rest)
		ANDQ(operand.Imm(uint64(k.Lanes()-1)), rest)
		tail := k.Tail(rest)
		XORQ(at, at)
		SUBQ(operand.Imm(uint64(k.Lanes())), n)
		JL(operand.LabelRef("rest"))
		Label("vector")
		k.Load(operand.Mem{Base: a, Index: at, Scale: uint8(k.Size())}, x)
		jumpIfEqual(k, x, value, at, "found")
		ADDQ(operand.Imm(uint64(k.Lanes())), at)
		CMPQ(at, n)
		JLE(operand.LabelRef("vector"))
		Label("rest")
		tail.LoadZero(operand.Mem{Base: a, Index: at, Scale: uint8(k.Size())}, x)
		jumpIfEqual(k, x, value, at, "found")
		Label("found")
		Store(at, ReturnIndex(0))
		vec.Leave()
	}
}

// jumpIfEqual adds the number of the first lane in which x is value to at, and jumps, if there is such a lane.
func jumpIfEqual(k vec.Kind, x, value reg.VecVirtual, at reg.GPVirtual, label string) {
	bits := k.Compare(vec.Equal, x, value).Bits()
	first := GP32()
	TZCNTL(bits, first)
	TESTL(bits, bits)
	next := fmt.Sprintf("next%d", counter)
	counter++
	JZ(operand.LabelRef(next))
	ADDQ(first.As64(), at)
	JMP(operand.LabelRef(label))
	Label(next)
}

var counter int

// indices emits the search down columns for the values that a predicate considers better than the best so far.
func indices(what string, better vec.Predicate) {
	for _, k := range vec.Kinds {
		name := what + "Indices" + k.Suffix()
		index := "int32"
		if k.Double {
			index = "int64"
		}
		TEXT(name, NOSPLIT, fmt.Sprintf("func(best *%s, indices *%s, a *%[1]s, rows, n, pitch, first int)", k.Elem(), index))
		Pragma("noescape")
		Doc(name+" replaces each of the n values at best, a multiple of "+fmt.Sprint(k.Lanes())+", by the best of its column in the",
			"rows, rows > 0, and its index by that row's number, counted from first; NaN is the best of all.")
		best, at, a := Load(Param("best"), GP64()), Load(Param("indices"), GP64()), Load(Param("a"), GP64())
		rows, n, pitch := Load(Param("rows"), GP64()), Load(Param("n"), GP64()), Load(Param("pitch"), GP64())
		SHLQ(operand.Imm(shift(k)), pitch)
		first := Load(Param("first"), GP64())
		values, numbers, x, row, one, start := k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg()
		spread(k, first, start)
		unit := GP64()
		MOVQ(operand.I32(1), unit)
		spread(k, unit, one)
		p, left := GP64(), GP64()
		Label("vector")
		MOVQ(a, p)
		MOVQ(rows, left)
		k.Load(operand.Mem{Base: best}, values)
		k.Load(operand.Mem{Base: at}, numbers)
		k.Move(start, row)
		Label("row")
		k.Load(operand.Mem{Base: p}, x)
		isBetter := k.Compare(better, values, x)
		isBetter.And(k.Compare(vec.Ordered, values, values))
		isBetter.Select(x, values)
		isBetter.Select(row, numbers)
		if k.Double {
			VPADDQ(one, row, row)
		} else {
			VPADDD(one, row, row)
		}
		ADDQ(pitch, p)
		DECQ(left)
		JNZ(operand.LabelRef("row"))
		k.Store(values, operand.Mem{Base: best})
		k.Store(numbers, operand.Mem{Base: at})
		step := operand.Imm(uint64(k.Bytes()))
		ADDQ(step, best)
		ADDQ(step, at)
		ADDQ(step, a)
		SUBQ(operand.Imm(uint64(k.Lanes())), n)
		JNZ(operand.LabelRef("vector"))
		vec.Leave()
	}
}

// spread broadcasts a number to all lanes.
func spread(k vec.Kind, number reg.Register, dst reg.VecVirtual) {
	x := dst.AsX()
	if k.Double {
		VMOVQ(number, x)
		VPBROADCASTQ(x, dst)
		return
	}
	VMOVD(number.(reg.GP).As32(), x)
	VPBROADCASTD(x, dst)
}
