package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

// mostVectors is how many registers wide the widest tile is.
const mostVectors = 3

// lanes emits the tiles with filters in lanes: at each step along k the filters' weights are vectors, and elements of the
// source, one for each place, are broadcast.
func lanes() {
	for _, k := range vec.Kinds {
		for n := 1; n <= mostVectors; n++ {
			lanesTile(k, n)
		}
	}
}

func lanesTile(k vec.Kind, vectors int) {
	places := k.Registers() / 4
	name := fmt.Sprintf("lanes%d%s", vectors, k.Suffix())
	TEXT(name, NOSPLIT, "func(k int, x *byte, from, off *int, w, c *byte, to *int, add int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes %d x %d sums of k terms: x[from[i]+off[k]]·w[k][j], to c[to[i]+j].", name, places, vectors*k.Lanes()))
	count, off, w := Load(Param("k"), GP64()), Load(Param("off"), GP64()), Load(Param("w"), GP64())
	base, from := Load(Param("x"), GP64()), Load(Param("from"), GP64())
	at := make([]reg.GPVirtual, places)
	for i := range at {
		at[i] = GP64()
		MOVQ(operand.Mem{Base: from, Disp: 8 * i}, at[i])
		LEAQ(operand.Mem{Base: base, Index: at[i], Scale: uint8(k.Size())}, at[i])
	}
	sums := make([][]reg.VecVirtual, places)
	for i := range sums {
		sums[i] = k.Regs(vectors)
		for _, s := range sums[i] {
			k.Zero(s)
		}
	}
	TESTQ(count, count)
	JZ(operand.LabelRef("done"))
	LEAQ(operand.Mem{Base: off, Index: count, Scale: 8}, off)
	NEGQ(count)
	o, weights, x := GP64(), k.Regs(vectors), k.Reg()
	Label("loop")
	MOVQ(operand.Mem{Base: off, Index: count, Scale: 8}, o)
	for j, v := range weights {
		k.Load(operand.Mem{Base: w, Disp: j * k.Bytes()}, v)
	}
	ADDQ(operand.U32(vectors*k.Bytes()), w)
	for i := range sums {
		k.Splat(operand.Mem{Base: at[i], Index: o, Scale: uint8(k.Size())}, x)
		for j, v := range weights {
			k.FMA231(v, x, sums[i][j])
		}
	}
	INCQ(count)
	JNZ(operand.LabelRef("loop"))
	Label("done")
	c, to, add := Load(Param("c"), GP64()), Load(Param("to"), GP64()), Load(Param("add"), GP64())
	address := func(i, j int) operand.Mem {
		return operand.Mem{Base: c, Index: o, Scale: uint8(k.Size()), Disp: j * k.Bytes()}
	}
	TESTQ(add, add)
	JZ(operand.LabelRef("store"))
	for i := range sums {
		MOVQ(operand.Mem{Base: to, Disp: 8 * i}, o)
		for j, s := range sums[i] {
			k.Add(address(i, j), s, s)
		}
	}
	Label("store")
	for i := range sums {
		MOVQ(operand.Mem{Base: to, Disp: 8 * i}, o)
		for j, s := range sums[i] {
			k.Store(s, address(i, j))
		}
	}
	vec.Leave()
}
