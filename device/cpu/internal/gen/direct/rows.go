package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

// rowVectors is how many registers of places a tile has, by its number of filters: as many as there are registers for,
// and at least so many sums that the next term of one need not wait.
var rowVectors = map[bool][]int{false: {6, 4, 3, 3}, true: {8, 6, 6, 6, 4, 4, 3, 3}}

// rows emits the tiles with places in lanes: at each step along k places of the source are vectors, and the weights, one
// for each filter, are broadcast.
func rows() {
	for _, k := range vec.Kinds {
		for i, n := range rowVectors[k.Wide] {
			rowsTile(k, i+1, n)
		}
	}
}

func rowsTile(k vec.Kind, filters, vectors int) {
	name := fmt.Sprintf("rows%d%s", filters, k.Suffix())
	TEXT(name, NOSPLIT, "func(k int, x *byte, off *int, w, c *byte, stride, add int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes %d x %d sums of k terms: w[k][i]·x[off[k]+j], to c[i·stride+j].", name, filters, vectors*k.Lanes()))
	count, off, w, x := Load(Param("k"), GP64()), Load(Param("off"), GP64()), Load(Param("w"), GP64()), Load(Param("x"), GP64())
	sums := make([][]reg.VecVirtual, filters)
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
	o, places, weight := GP64(), k.Regs(vectors), k.Reg()
	Label("loop")
	MOVQ(operand.Mem{Base: off, Index: count, Scale: 8}, o)
	for j, v := range places {
		k.Load(operand.Mem{Base: x, Index: o, Scale: uint8(k.Size()), Disp: j * k.Bytes()}, v)
	}
	for i := range sums {
		k.Splat(operand.Mem{Base: w, Disp: i * k.Size()}, weight)
		for j, v := range places {
			k.FMA231(v, weight, sums[i][j])
		}
	}
	ADDQ(operand.U32(filters*k.Size()), w)
	INCQ(count)
	JNZ(operand.LabelRef("loop"))
	Label("done")
	c, stride, add := Load(Param("c"), GP64()), Load(Param("stride"), GP64()), Load(Param("add"), GP64())
	TESTQ(add, add)
	JZ(operand.LabelRef("store"))
	row := GP64()
	MOVQ(c, row)
	for i := range sums {
		for j, s := range sums[i] {
			k.Add(operand.Mem{Base: row, Disp: j * k.Bytes()}, s, s)
		}
		if i+1 < len(sums) {
			LEAQ(operand.Mem{Base: row, Index: stride, Scale: uint8(k.Size())}, row)
		}
	}
	Label("store")
	for i := range sums {
		for j, s := range sums[i] {
			k.Store(s, operand.Mem{Base: c, Disp: j * k.Bytes()})
		}
		if i+1 < len(sums) {
			LEAQ(operand.Mem{Base: c, Index: stride, Scale: uint8(k.Size())}, c)
		}
	}
	vec.Leave()
}
