package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

// blockVectors is how many vectors are partitioned at a time.
const blockVectors = 4

// partition emits the routine that partitions an array in place. A block at each end has been taken out of it, so that
// there is room for two. The next block comes from the end with less room: then both have room for all of it.
func (t integer) partition() {
	name := t.name("partition")
	block := blockVectors * 64
	TEXT(name, NOSPLIT, fmt.Sprintf("func(blocks int, x *%s, unread, room *[2]int, pivot *%[1]s)", t.elem()))
	Pragma("noescape")
	Doc(name+" moves up to some blocks of what is unread into the room around it: what is less than the pivot to the front, the",
		"rest to the back. It keeps the limits of both, in bytes from x, up to date.")
	blocks := Load(Param("blocks"), GP64())
	pivot, ones := ZMM(), GP64()
	t.splat(operand.Mem{Base: Load(Param("pivot"), GP64())}, pivot)
	MOVQ(operand.I32(-1), ones)
	unread, room := Load(Param("unread"), GP64()), Load(Param("room"), GP64())
	base := Load(Param("x"), GP64())
	left, right := limits(unread, base)
	front, back := limits(room, base)
	Label("loop")
	CMPQ(left, right)
	JGE(operand.LabelRef("done"))
	source, before, behind := GP64(), GP64(), GP64()
	MOVQ(left, before)
	SUBQ(front, before)
	MOVQ(back, behind)
	SUBQ(right, behind)
	CMPQ(behind, before) // a branch is faster here than a conditional move
	JGE(operand.LabelRef("fromLeft"))
	SUBQ(operand.U32(block), right)
	MOVQ(right, source)
	JMP(operand.LabelRef("chosen"))
	Label("fromLeft")
	MOVQ(left, source)
	ADDQ(operand.U32(block), left)
	Label("chosen")
	x := make([]reg.VecVirtual, blockVectors)
	for i := range x {
		x[i] = ZMM()
		t.load(operand.Mem{Base: source, Disp: 64 * i}, x[i])
	}
	for _, v := range x {
		large, small, kept := K(), K(), K()
		count := GP64()
		const notLess = 5
		t.pick(VPCMPD, VPCMPQ)(operand.Imm(notLess), pivot, v, large)
		KMOVW(large, count.As32())
		KNOTW(large, small)
		POPCNTQ(count, count)
		less, rest := ZMM(), ZMM()
		t.compress(v, small, less)
		t.compress(v, large, rest)
		bits(count, ones, kept)
		t.store(less, operand.Mem{Base: front})
		SHLQ(operand.Imm(uint64(t.size/4+1)), count)
		SUBQ(count, back)
		t.storeSome(rest, kept, operand.Mem{Base: back})
		SUBQ(count, front)
		ADDQ(operand.U32(64), front)
	}
	DECQ(blocks)
	JNZ(operand.LabelRef("loop"))
	Label("done")
	setLimits(unread, base, left, right)
	setLimits(room, base, front, back)
	vec.Leave()
}

// limits loads two distances from a base, as addresses.
func limits(m, base reg.Register) (from, to reg.GPVirtual) {
	from, to = GP64(), GP64()
	MOVQ(operand.Mem{Base: m}, from)
	MOVQ(operand.Mem{Base: m, Disp: 8}, to)
	ADDQ(base, from)
	ADDQ(base, to)
	return from, to
}

// setLimits stores two addresses as distances.
func setLimits(m, base reg.Register, from, to reg.GPVirtual) {
	SUBQ(base, from)
	SUBQ(base, to)
	MOVQ(from, operand.Mem{Base: m})
	MOVQ(to, operand.Mem{Base: m, Disp: 8})
}

// partitionHeld emits the routine for what has been taken out before, or is left: it fills the room.
func (t integer) partitionHeld() {
	name := t.name("partitionHeld")
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, src, x *%s, room *[2]int, pivot *%[1]s)", t.elem()))
	Pragma("noescape")
	Doc(name + " moves n elements, not 0, to the room, as partition does.")
	n, src := Load(Param("n"), GP64()), Load(Param("src"), GP64())
	pivot, ones, lanes := ZMM(), GP64(), GP64()
	t.splat(operand.Mem{Base: Load(Param("pivot"), GP64())}, pivot)
	MOVQ(operand.I32(-1), ones)
	MOVQ(operand.I32(int32(t.lanes())), lanes)
	room := Load(Param("room"), GP64())
	base := Load(Param("x"), GP64())
	front, back := limits(room, base)
	Label("loop")
	valid, large, small, kept := K(), K(), K(), K()
	now, count := GP64(), GP64()
	MOVQ(n, now)
	CMPQ(now, lanes)
	CMOVQGT(lanes, now)
	bits(now, ones, valid)
	x := ZMM()
	t.loadSome(operand.Mem{Base: src}, valid, x)
	const notLess = 5
	t.pick(VPCMPD, VPCMPQ)(operand.Imm(notLess), pivot, x, valid, large)
	KANDNW(valid, large, small)
	KMOVW(large, count.As32())
	POPCNTQ(count, count)
	less, rest := ZMM(), ZMM()
	t.compress(x, large, rest)
	t.compress(x, small, less)
	bits(count, ones, kept)
	bytes := GP64()
	MOVQ(count, bytes)
	SHLQ(operand.Imm(uint64(t.size/4+1)), bytes)
	SUBQ(bytes, back)
	t.storeSome(rest, kept, operand.Mem{Base: back})
	fewer := GP64()
	MOVQ(now, fewer)
	SUBQ(count, fewer)
	keptLess := K()
	bits(fewer, ones, keptLess)
	t.storeSome(less, keptLess, operand.Mem{Base: front})
	LEAQ(operand.Mem{Base: front, Index: fewer, Scale: t.scale()}, front)
	ADDQ(operand.U32(64), src)
	SUBQ(now, n)
	JNZ(operand.LabelRef("loop"))
	setLimits(room, base, front, back)
	vec.Leave()
}
