package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// ahead is how many rows in advance a row is prefetched.
const ahead = 4

// rowsByOffsets emits the routines that read, or add to, rows at given offsets of an array.
func rowsByOffsets() {
	for _, k := range widths {
		k.takeRows("takeRows"+k.level(), k.Store)
		k.takeRows("takeRowsStream"+k.level(), k.Stream)
	}
	for _, k := range vec.Kinds {
		addRows(k)
	}
	for _, k := range widths {
		k.inRange()
	}
}

// rowLoop begins a loop over rows. It returns the address of the current row, and of a row to prefetch.
func rowLoop(n, offsets, size, array reg.Register) (row, next reg.GPVirtual) {
	Label("row")
	row, next = GP64(), GP64()
	MOVQ(operand.Mem{Base: offsets}, row)
	IMULQ(size, row)
	ADDQ(array, row)
	MOVQ(operand.Mem{Base: offsets, Disp: 8 * ahead}, next)
	IMULQ(size, next)
	ADDQ(array, next)
	return row, next
}

func rowLoopEnd(n, offsets reg.Register) {
	ADDQ(operand.Imm(8), offsets)
	DECQ(n)
	JNZ(operand.LabelRef("row"))
}

const rowsDoc = "%s %s n rows at offsets, which count elements of size bytes. offsets has %d more elements: rows that are only prefetched."

func (k width) takeRows(name string, store func(r, m operand.Op)) {
	TEXT(name, NOSPLIT, "func(n int, dst, array *byte, offsets *int, size, bytes int)")
	Pragma("noescape")
	Doc(fmt.Sprintf(rowsDoc+" A row has at least %d bytes.", name, "copies", ahead, 64))
	n, dst, array := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("array"), GP64())
	offsets, size, bytes := Load(Param("offsets"), GP64()), Load(Param("size"), GP64()), Load(Param("bytes"), GP64())
	row, next := rowLoop(n, offsets, size, array)
	at := GP64()
	XORQ(at, at)
	last := GP64()
	LEAQ(operand.Mem{Base: bytes, Disp: -64}, last)
	line := func() {
		vectors := k.Regs(64 / k.Bytes())
		for i, r := range vectors {
			k.Load(operand.Mem{Base: row, Index: at, Scale: 1, Disp: i * k.Bytes()}, r)
		}
		for i, r := range vectors {
			store(r, operand.Mem{Base: dst, Index: at, Scale: 1, Disp: i * k.Bytes()})
		}
	}
	Label("line")
	PREFETCHT0(operand.Mem{Base: next, Index: at, Scale: 1})
	line()
	ADDQ(operand.Imm(64), at)
	CMPQ(at, last)
	JLE(operand.LabelRef("line"))
	CMPQ(at, bytes)
	JE(operand.LabelRef("whole"))
	MOVQ(last, at) // part of the last line is copied again
	line()
	Label("whole")
	ADDQ(bytes, dst)
	rowLoopEnd(n, offsets)
	vec.Leave()
}

func addRows(k vec.Kind) {
	name := "addRows" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, array, src *%s, offsets *int, length int)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf(rowsDoc, name, "adds to", ahead))
	n, array, src := Load(Param("n"), GP64()), Load(Param("array"), GP64()), Load(Param("src"), GP64())
	offsets, length := Load(Param("offsets"), GP64()), Load(Param("length"), GP64())
	size := GP64()
	MOVQ(operand.U32(k.Size()), size)
	row, next := rowLoop(n, offsets, size, array)
	left := GP64()
	MOVQ(length, left)
	count := 64 / k.Bytes()
	Label("line")
	SUBQ(operand.U32(count*k.Lanes()), left)
	JL(operand.LabelRef("rest"))
	PREFETCHT0(operand.Mem{Base: next})
	vectors := k.Regs(count)
	for i, r := range vectors {
		k.Load(operand.Mem{Base: row, Disp: i * k.Bytes()}, r)
		k.Add(operand.Mem{Base: src, Disp: i * k.Bytes()}, r, r)
	}
	for i, r := range vectors {
		k.Store(r, operand.Mem{Base: row, Disp: i * k.Bytes()})
	}
	ADDQ(operand.Imm(64), row)
	ADDQ(operand.Imm(64), src)
	ADDQ(operand.Imm(64), next)
	JMP(operand.LabelRef("line"))
	Label("rest")
	ADDQ(operand.U32(count*k.Lanes()), left)
	JZ(operand.LabelRef("whole"))
	Label("single")
	x := XMM()
	if k.Double {
		VMOVSD(operand.Mem{Base: row}, x)
		VADDSD(operand.Mem{Base: src}, x, x)
		VMOVSD(x, operand.Mem{Base: row})
	} else {
		VMOVSS(operand.Mem{Base: row}, x)
		VADDSS(operand.Mem{Base: src}, x, x)
		VMOVSS(x, operand.Mem{Base: row})
	}
	ADDQ(operand.Imm(uint64(k.Size())), row)
	ADDQ(operand.Imm(uint64(k.Size())), src)
	DECQ(left)
	JNZ(operand.LabelRef("single"))
	Label("whole")
	rowLoopEnd(n, offsets)
	vec.Leave()
}

// inRange emits the routine that compares indices with their bounds. If an index is out of range, a difference is
// negative, also if it overflows, because the bounds are not far from 0.
func (k width) inRange() {
	name := "inRange" + k.level()
	k.Double = true
	TEXT(name, NOSPLIT, "func(n int, indices *int64, lowest, highest *int64) int")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s returns 0 if n indices, a multiple of %d and not 0, lie from lowest to highest.", name, 4*k.Lanes()))
	n, indices := Load(Param("n"), GP64()), Load(Param("indices"), GP64())
	low, high, outside := k.Reg(), k.Reg(), k.Reg()
	k.Splat(operand.Mem{Base: Load(Param("lowest"), GP64())}, low)
	k.Splat(operand.Mem{Base: Load(Param("highest"), GP64())}, high)
	k.Zero(outside)
	Label("loop")
	for i := range 4 {
		x, below, above := k.Reg(), k.Reg(), k.Reg()
		k.Load(operand.Mem{Base: indices, Disp: i * k.Bytes()}, x)
		VPSUBQ(low, x, below)
		VPSUBQ(x, high, above)
		k.Or(below, above, above)
		k.Or(above, outside, outside)
	}
	ADDQ(operand.U32(4*k.Bytes()), indices)
	SUBQ(operand.U32(4*k.Lanes()), n)
	JNZ(operand.LabelRef("loop"))
	signs := GP64()
	XORQ(signs, signs)
	if k.Wide {
		mask := K()
		VPMOVQ2M(outside, mask)
		KMOVB(mask, signs.As32())
	} else {
		VMOVMSKPD(outside, signs.As32())
	}
	Store(signs, ReturnIndex(0))
	vec.Leave()
}
