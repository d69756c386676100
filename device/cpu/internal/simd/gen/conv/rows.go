package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// rowVectors is the width of a tile in registers of positions, by its number of filters: as many as fit the registers,
// with enough sums that the next term of a sum does not wait for the last.
var rowVectors = map[bool][]int{false: {6, 4, 3, 3}, true: {8, 6, 6, 6, 4, 4, 3, 3}}

// rows emits the tiles with positions in lanes. At each step along k, the source is loaded as vectors of positions, and
// the weights, one per filter, are broadcast.
func rows() {
	for _, k := range vec.Kinds {
		for i, n := range rowVectors[k.Wide] {
			rowsTile(k, i+1, n)
		}
	}
}

func rowsTile(k vec.Kind, filters, vectors int) {
	name := fmt.Sprintf("rows%d%s", filters, k.Suffix())
	TEXT(name, NOSPLIT, "func(k int, x *byte, off *int, w, c *byte, stride, add int, start, clamp *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes %d x %d sums of k terms: w[k][i]·x[off[k]+j], to c[i·stride+j]. They begin with start[i], and are clamped.", name, filters, vectors*k.Lanes()))
	w, x := Load(Param("w"), GP64()), Load(Param("x"), GP64())
	sums := make([][]reg.VecVirtual, filters)
	for i := range sums {
		sums[i] = k.Regs(vectors)
	}
	begin(k, "", sums, func(start reg.Register) {
		for i, row := range sums {
			k.Splat(operand.Mem{Base: start, Disp: i * k.Size()}, row[0])
			for _, s := range row[1:] {
				k.Move(row[0], s)
			}
		}
	})
	positions, weight, row, stride := k.Regs(vectors), k.Reg(), GP64(), GP64()
	tile(k, sums, func(offset reg.Register) {
		for j, v := range positions {
			k.Load(operand.Mem{Base: x, Index: offset, Scale: uint8(k.Size()), Disp: j * k.Bytes()}, v)
		}
		for i := range sums {
			k.Splat(operand.Mem{Base: w, Disp: i * k.Size()}, weight)
			for j, v := range positions {
				k.FMA231(v, weight, sums[i][j])
			}
		}
		ADDQ(operand.U32(filters*k.Size()), w)
	}, func(i int) operand.Mem {
		if i == 0 {
			Load(Param("c"), row)
			Load(Param("stride"), stride)
		} else {
			LEAQ(operand.Mem{Base: row, Index: stride, Scale: uint8(k.Size())}, row)
		}
		return operand.Mem{Base: row}
	})
}
