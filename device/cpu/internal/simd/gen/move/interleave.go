package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// interleavings emits the routines that write the elements of two to four rows in turns.
func interleavings() {
	for _, size := range []int{4, 8} {
		for rows := 2; rows <= 4; rows++ {
			interleave(rows, size)
		}
	}
}

func interleave(rows, size int) {
	name := fmt.Sprintf("interleave%dAVX512U%d", rows, 8*size)
	lanes := 64 / size
	parameters := []string{"a", "b", "c", "d"}[:rows]
	TEXT(name, NOSPLIT, "func(n int, dst, "+strings.Join(parameters, ", ")+" *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s writes n elements of each of %d rows in turns; n is a multiple of %d and not 0.", name, rows, lanes))
	n, dst := Load(Param("n"), GP64()), Load(Param("dst"), GP64())
	var src []reg.Register
	for _, row := range parameters {
		src = append(src, Load(Param(row), GP64()))
	}
	// Lane l of result o is element (o·lanes + l)/rows of row (o·lanes + l) mod rows. Rows 0 and 1 are selected together.
	first, second, masks := make([]reg.VecVirtual, rows), make([]reg.VecVirtual, rows), make([]reg.Register, rows)
	for o := range rows {
		two, last, mask := make([]int, lanes), make([]int, lanes), uint64(0)
		for l := range lanes {
			element, row := (o*lanes+l)/rows, (o*lanes+l)%rows
			two[l], last[l] = row%2*lanes+element, element
			if row >= 2 {
				mask |= 1 << l
			}
		}
		first[o] = ZMM()
		VMOVUPS(laneTable(fmt.Sprintf("%s_%d", name, o), size, two), first[o])
		if rows == 3 {
			second[o] = ZMM()
			VMOVUPS(laneTable(fmt.Sprintf("%s_%d_last", name, o), size, last), second[o])
		}
		if rows > 2 && (rows == 3 || o == 0) {
			bits := GP32()
			MOVL(operand.U32(mask), bits)
			masks[o] = K()
			KMOVW(bits, masks[o])
		} else {
			masks[o] = masks[0]
		}
	}
	select2 := map[int]func(ops ...operand.Op){4: VPERMT2D, 8: VPERMT2Q}[size]
	Label("loop")
	x := make([]reg.VecVirtual, rows)
	for j := range x {
		x[j] = ZMM()
		VMOVUPS(operand.Mem{Base: src[j]}, x[j])
		ADDQ(operand.Imm(64), src[j])
	}
	for o := range rows {
		y := ZMM()
		VMOVAPS(x[0], y)
		select2(x[1], first[o], y)
		switch {
		case rows == 3 && size == 4:
			VPERMD(x[2], second[o], masks[o], y)
		case rows == 3:
			VPERMQ(x[2], second[o], masks[o], y)
		case rows == 4:
			other := ZMM()
			VMOVAPS(x[2], other)
			select2(x[3], first[o], other)
			if size == 4 {
				VMOVDQA32(other, masks[o], y)
			} else {
				VMOVDQA64(other, masks[o], y)
			}
		}
		VMOVUPS(y, operand.Mem{Base: dst, Disp: 64 * o})
	}
	ADDQ(operand.U32(64*rows), dst)
	SUBQ(operand.Imm(uint64(lanes)), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// laneTable returns a constant with the numbers of lanes.
func laneTable(name string, size int, numbers []int) operand.Mem {
	table := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i, number := range numbers {
		if size == 4 {
			DATA(4*i, operand.U32(number))
		} else {
			DATA(8*i, operand.U64(number))
		}
	}
	return table
}
