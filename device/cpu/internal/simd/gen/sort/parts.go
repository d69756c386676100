package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// unrolled is the number of vectors that are loaded before any is stored.
const unrolled = 4

// parts emits the routine that partitions numbers. Both parts grow by whole vectors; the next vector overwrites the
// unused lanes. The parts never reach further than what has been read.
func (t number) parts() { t.parting("parts", nil) }

// takeParts emits the same routine for floats that have not been checked.
func (t number) takeParts() {
	t.parting("takeParts", t.special)
}

func (t number) parting(routine string, look func(x, found reg.Register)) {
	name := t.name(routine)
	signature := fmt.Sprintf("func(n int, x, less, rest, pivot *%s) (count int)", t.elem())
	if look != nil {
		signature = fmt.Sprintf("func(n int, x, less, rest, pivot *%s) (count, special int)", t.elem())
	}
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	lines := []string{name + " copies those of n numbers that are less than the pivot to less, the others to rest: either may be x, but",
		"not both. It returns how many are less."}
	if look != nil {
		lines[1] += " Special is 0 if none is NaN or -0."
	}
	Doc(lines...)
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	less, rest := Load(Param("less"), GP64()), Load(Param("rest"), GP64())
	pivot, ones, first := ZMM(), GP64(), GP64()
	t.splat(operand.Mem{Base: Load(Param("pivot"), GP64())}, pivot)
	MOVQ(operand.I32(-1), ones)
	MOVQ(less, first)
	found := K()
	if look != nil {
		KXORW(found, found, found)
	}
	vectors := func(count int) {
		v := make([]reg.VecVirtual, count)
		for i := range v {
			v[i] = ZMM()
			t.load(operand.Mem{Base: x, Disp: 64 * i}, v[i])
		}
		if count > 1 {
			t.fetch(x, less, rest)
		}
		for _, v := range v {
			if look != nil {
				look(v, found)
			}
			t.part(v, pivot, less, rest)
		}
		ADDQ(operand.U32(64*count), x)
	}
	SUBQ(operand.U32(unrolled*t.lanes()), n)
	JL(operand.LabelRef("few"))
	Label("loop")
	vectors(unrolled)
	SUBQ(operand.U32(unrolled*t.lanes()), n)
	JGE(operand.LabelRef("loop"))
	Label("few")
	ADDQ(operand.U32((unrolled-1)*t.lanes()), n)
	JL(operand.LabelRef("tail"))
	Label("single")
	vectors(1)
	SUBQ(operand.U32(t.lanes()), n)
	JGE(operand.LabelRef("single"))
	Label("tail")
	ADDQ(operand.U32(t.lanes()), n)
	JZ(operand.LabelRef("done"))
	t.partTail(n, ones, x, pivot, less, rest, look, found)
	Label("done")
	SUBQ(first, less)
	SHRQ(operand.Imm(uint64(t.shift())), less)
	Store(less, Return("count"))
	if look != nil {
		result := GP64()
		KMOVW(found, result.As32())
		Store(result, Return("special"))
	}
	vec.Leave()
}

// fetch prefetches later data into the first-level cache: twice as much of the source as of each part.
func (t number) fetch(x, less, rest reg.Register) {
	for i := range unrolled {
		PREFETCHT0(operand.Mem{Base: x, Disp: 1024 + 64*i})
	}
	for i := range unrolled / 2 {
		PREFETCHT0(operand.Mem{Base: less, Disp: 512 + 64*i})
		PREFETCHT0(operand.Mem{Base: rest, Disp: 512 + 64*i})
	}
}

// part appends the elements of a vector that are less than the pivot to one part, and the others to the other part.
func (t number) part(x, pivot, less, rest reg.Register) {
	large, small := K(), K()
	count := GP64()
	t.notLess(pivot, x, large)
	KMOVW(large, count.As32())
	KNOTW(large, small)
	POPCNTQ(count, count)
	below, above := ZMM(), ZMM()
	t.compress(x, small, below)
	t.compress(x, large, above)
	t.store(below, operand.Mem{Base: less})
	t.store(above, operand.Mem{Base: rest})
	LEAQ(operand.Mem{Base: rest, Index: count, Scale: uint8(t.size)}, rest)
	SHLQ(operand.Imm(uint64(t.shift())), count)
	SUBQ(count, less)
	ADDQ(operand.U32(64), less)
}

// partTail is part for the first n lanes.
func (t number) partTail(n, ones, from, pivot, less, rest reg.Register, look func(x, found reg.Register), found reg.Register) {
	valid, large, small, kept := K(), K(), K(), K()
	x, count := ZMM(), GP64()
	bits(n, ones, valid)
	t.loadSome(operand.Mem{Base: from}, valid, x)
	if look != nil {
		look(x, found)
	}
	t.notLess(pivot, x, valid, large)
	KANDNW(valid, large, small)
	for _, side := range []struct{ lanes, end reg.Register }{{small, less}, {large, rest}} {
		part := ZMM()
		KMOVW(side.lanes, count.As32())
		POPCNTQ(count, count)
		bits(count, ones, kept)
		t.compress(x, side.lanes, part)
		t.storeSome(part, kept, operand.Mem{Base: side.end})
		LEAQ(operand.Mem{Base: side.end, Index: count, Scale: uint8(t.size)}, side.end)
	}
}

// special records in a mask whether a lane of x is NaN or -0. Floats that are sorted by value must be neither.
func (t number) special(x, found reg.Register) {
	const notANumberOrMinusZero = 0x85
	here := K()
	t.pick(VFPCLASSPSZ, VFPCLASSPDZ)(operand.U8(notANumberOrMinusZero), x, here)
	KORW(here, found, found)
}

// take emits the routine that copies floats before they are sorted.
func (t number) take() {
	name := t.name("take")
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, dst, src *%s) int", t.elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s copies n floats, a multiple of %d and not 0. It returns 0 if none is NaN or -0.", name, t.lanes()))
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	t.bring(n, dst, src, func(reg.Register) {})
}

// bring emits the rest of a routine that applies change to n numbers from src and stores them at dst. The routine
// returns 0 if none of them is special.
func (t number) bring(n, dst, src reg.Register, change func(x reg.Register)) {
	found := K()
	KXORW(found, found, found)
	Label("loop")
	x := ZMM()
	t.load(operand.Mem{Base: src}, x)
	t.special(x, found)
	change(x)
	t.store(x, operand.Mem{Base: dst})
	ADDQ(operand.Imm(64), src)
	ADDQ(operand.Imm(64), dst)
	SUBQ(operand.Imm(uint64(t.lanes())), n)
	JNZ(operand.LabelRef("loop"))
	result := GP64()
	KMOVW(found, result.As32())
	Store(result, ReturnIndex(0))
	vec.Leave()
}
