package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// lanePositions is the number of positions in a tile, by its width in registers. Together with the filters' weights they
// fill the registers.
var lanePositions = map[bool][]int{false: {4, 4, 4}, true: {8, 8, 8, 6}}

// lanes emits the tiles with filters in lanes. At each step along k, the weights of the filters are loaded as vectors,
// and elements of the source, one per position, are broadcast.
func lanes() {
	for _, k := range vec.Kinds {
		for i, positions := range lanePositions[k.Wide] {
			lanesTile(k, i+1, positions)
		}
	}
}

func lanesTile(k vec.Kind, vectors, positions int) {
	name := fmt.Sprintf("lanes%d%s", vectors, k.Suffix())
	TEXT(name, NOSPLIT, "func(k int, x *byte, from, off *int, w, c *byte, to *int, add int, start *byte, ahead int, clamp *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes %d x %d sums of k terms: x[from[i]+off[k]]·w[k][j], to c[to[i]+j]. They begin with start[j], and are clamped. It prefetches what lies ahead bytes behind the terms of the first position.", name, positions, vectors*k.Lanes()))
	w, base, from := Load(Param("w"), GP64()), Load(Param("x"), GP64()), Load(Param("from"), GP64())
	at, sums := make([]reg.GPVirtual, positions), make([][]reg.VecVirtual, positions)
	for i := range at {
		at[i], sums[i] = GP64(), k.Regs(vectors)
		MOVQ(operand.Mem{Base: from, Disp: 8 * i}, at[i])
		LEAQ(operand.Mem{Base: base, Index: at[i], Scale: uint8(k.Size())}, at[i])
	}
	begin(k, "", sums, func(start reg.Register) {
		for j, v := range sums[0] {
			k.Load(operand.Mem{Base: start, Disp: j * k.Bytes()}, v)
		}
		for _, row := range sums[1:] {
			for j, v := range row {
				k.Move(sums[0][j], v)
			}
		}
	})
	weights, x, ahead := k.Regs(vectors), k.Reg(), Load(Param("ahead"), GP64())
	ADDQ(at[0], ahead)
	c, to, slot := GP64(), GP64(), GP64()
	tile(k, sums, func(offset reg.Register) {
		for j, v := range weights {
			k.Load(operand.Mem{Base: w, Disp: j * k.Bytes()}, v)
		}
		ADDQ(operand.U32(vectors*k.Bytes()), w)
		PREFETCHT1(operand.Mem{Base: ahead, Index: offset, Scale: uint8(k.Size())})
		for i := range sums {
			k.Splat(operand.Mem{Base: at[i], Index: offset, Scale: uint8(k.Size())}, x)
			for j, v := range weights {
				k.FMA231(v, x, sums[i][j])
			}
		}
	}, func(i int) operand.Mem {
		if i == 0 {
			Load(Param("c"), c)
			Load(Param("to"), to)
		}
		MOVQ(operand.Mem{Base: to, Disp: 8 * i}, slot)
		return operand.Mem{Base: c, Index: slot, Scale: uint8(k.Size())}
	})
}
