package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// reversals emits the routines that copy elements in reverse order, two vectors per turn.
func reversals() {
	for _, k := range widths {
		for _, size := range []int{4, 8} {
			name := fmt.Sprintf("reverse%sU%d", k.level(), 8*size)
			lanes := k.Bytes() / size
			TEXT(name, NOSPLIT, "func(n int, dst, src *byte)")
			Pragma("noescape")
			Doc(fmt.Sprintf("%s copies n elements, a multiple of %d and not 0, in reverse order.", name, 2*lanes))
			n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
			LEAQ(operand.Mem{Base: src, Index: n, Scale: uint8(size)}, src) // behind the last one: no pointer in Go may be there
			order := k.Reg()
			k.Load(reversedLanes(size, lanes), order)
			Label("loop")
			for i := range 2 {
				from, to := operand.Mem{Base: src, Disp: -(i + 1) * k.Bytes()}, operand.Mem{Base: dst, Disp: i * k.Bytes()}
				x := k.Reg()
				if size == 8 && k.Wide {
					VPERMPD(from, order, x)
				} else {
					VPERMPS(from, order, x) // an element of 8 bytes is two lanes
				}
				k.Store(x, to)
			}
			SUBQ(operand.U32(2*k.Bytes()), src)
			ADDQ(operand.U32(2*k.Bytes()), dst)
			SUBQ(operand.U32(2*lanes), n)
			JNZ(operand.LabelRef("loop"))
			vec.Leave()
		}
	}
}

// reversedLanes returns the numbers of the lanes in reverse order: of 64-bit lanes in wide vectors, otherwise of 32-bit lanes.
func reversedLanes(size, lanes int) operand.Mem {
	table := GLOBL(fmt.Sprintf("reversed%dx%d", lanes, size), attr.RODATA|attr.NOPTR)
	for i := range lanes {
		last := lanes - 1 - i
		switch {
		case size == 4:
			DATA(4*i, operand.U32(last))
		case lanes == 8:
			DATA(8*i, operand.U64(last))
		default:
			DATA(8*i, operand.U32(2*last))
			DATA(8*i+4, operand.U32(2*last+1))
		}
	}
	return table
}
