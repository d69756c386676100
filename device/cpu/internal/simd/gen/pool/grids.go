package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// grids emits the routines for the largest elements of windows two elements apart, whose taps are rows of two or three
// neighbouring elements. Two vectors are loaded once for all columns of a row, and a maximum is one instruction. It loses a NaN
// under a number, so the routines report whether there are any. They take the taps in their order: at a tie the first one wins.
func grids() {
	for _, k := range vec.Kinds {
		for columns := 2; columns <= 3; columns++ {
			grid(k, columns)
		}
	}
}

func grid(k vec.Kind, columns int) {
	name := fmt.Sprintf("grid%d%s", columns, k.Suffix())
	TEXT(name, NOSPLIT, fmt.Sprintf("func(count, n int, y *%s, apart int, x *%[1]s, start, next, rows, down int) int", k.Elem()))
	Doc(fmt.Sprintf("%s stores count rows of n windows, %s, apart elements from each other: the largest of %d elements in each of some rows, down elements apart. "+
		"Window i of row r begins at x[start + r*next + 2*i]. It returns 0 unless one of the first 2·n elements of such a row is NaN.", name, amount(k), columns))
	g := &gridding{Kind: k, columns: columns, y: GP64(), x: GP64()}
	count, n := Load(Param("count"), GP64()), GP64()
	y, x := Load(Param("y"), GP64()), Load(Param("x"), GP64())
	start := Load(Param("start"), GP64())
	LEAQ(operand.Mem{Base: x, Index: start, Scale: uint8(k.Size())}, x)
	g.rows, g.down = Load(Param("rows"), GP64()).(reg.GPVirtual), Load(Param("down"), GP64()).(reg.GPVirtual)
	SHLQ(log2(k.Size()), g.down)
	g.begin()
	each := func(label string, row func()) { // emits a loop over the rows
		Label(label)
		MOVQ(x, g.x)
		MOVQ(y, g.y)
		row()
		step := Load(Param("next"), GP64())
		LEAQ(operand.Mem{Base: x, Index: step, Scale: uint8(k.Size())}, x)
		Load(Param("apart"), step)
		LEAQ(operand.Mem{Base: y, Index: step, Scale: uint8(k.Size())}, y)
		DECQ(count)
		JNZ(operand.LabelRef(label))
		g.end()
	}
	if k.Wide {
		Load(Param("n"), n)
		CMPQ(n, operand.Imm(uint64(k.Lanes())))
		JLT(operand.LabelRef("short"))
	}
	each("long", func() { g.vectors(n) })
	if k.Wide {
		Label("short")
		g.only(n)
		each("narrow", func() { g.block("narrowRow") })
	}
}

// vectors emits the windows of a row, at least as many as a vector has.
func (g *gridding) vectors(n reg.Register) {
	k := g.Kind
	Load(Param("n"), n)
	Label("loop")
	g.block("row")
	ADDQ(operand.U32(2*k.Bytes()), g.x)
	ADDQ(operand.Imm(uint64(k.Bytes())), g.y)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	CMPQ(n, operand.Imm(uint64(k.Lanes())))
	JGE(operand.LabelRef("loop"))
	TESTQ(n, n)
	JZ(operand.LabelRef("done"))
	SUBQ(operand.Imm(uint64(k.Lanes())), n) // the last vector ends with the last window: it starts n windows earlier
	LEAQ(operand.Mem{Base: g.y, Index: n, Scale: uint8(k.Size())}, g.y)
	SHLQ(operand.Imm(1), n)
	LEAQ(operand.Mem{Base: g.x, Index: n, Scale: uint8(k.Size())}, g.x)
	MOVQ(operand.U32(k.Lanes()), n)
	JMP(operand.LabelRef("loop"))
	Label("done")
}

// gridding emits such a routine.
type gridding struct {
	vec.Kind
	columns         int
	x, y            reg.GPVirtual
	rows, down      reg.GPVirtual
	even, odd       reg.VecVirtual // wide: the indices of these elements in two vectors
	lanes           reg.OpmaskVirtual
	low, high       reg.OpmaskVirtual // wide: the lanes to load of the two vectors, if not all
	specialLanes    reg.OpmaskVirtual // wide: the lanes of NaNs
	specialElements reg.VecVirtual    // otherwise: the same
}

func (g *gridding) begin() {
	if !g.Wide {
		g.specialElements = g.Reg()
		g.Zero(g.specialElements)
		return
	}
	g.specialLanes = K()
	KXORW(g.specialLanes, g.specialLanes, g.specialLanes)
	g.even, g.odd = g.Reg(), g.Reg()
	for i, indices := range []reg.VecVirtual{g.even, g.odd} {
		widen(g.Kind, table(fmt.Sprintf("every%d%s", i, g.Elem()), g.Lanes(), func(lane int) int { return 2*lane + i }), nil, indices)
	}
}

// only restricts the loads and stores to n windows, fewer than a vector has.
func (g *gridding) only(n reg.Register) {
	g.lanes = mask(lowBits(n))
	elements := GP64()
	LEAQ(operand.Mem{Base: n, Index: n, Scale: 1, Disp: g.columns - 2}, elements)
	bits := lowBits(elements)
	g.low = mask(bits)
	SHRQ(operand.Imm(uint64(g.Lanes())), bits)
	g.high = mask(bits)
}

// block emits the windows of one vector.
func (g *gridding) block(loop string) {
	row, left, best := GP64(), GP64(), g.Reg()
	MOVQ(g.x, row)
	g.Move(g.largest(row), best)
	MOVQ(g.rows, left)
	JMP(operand.LabelRef(loop + "Check"))
	Label(loop)
	ADDQ(g.down, row)
	g.Max(best, g.largest(row), best)
	Label(loop + "Check")
	DECQ(left)
	JNZ(operand.LabelRef(loop))
	y := operand.Mem{Base: g.y}
	switch {
	case !g.Wide: // the elements of the two vectors are still interleaved
		VPERMPD(operand.Imm(0b11011000), best, best)
		g.Store(best, y)
	case g.lanes == nil:
		g.Store(best, y)
	case g.Double:
		VMOVUPD(best, g.lanes, y)
	default:
		VMOVUPS(best, g.lanes, y)
	}
}

// largest returns the largest elements of the windows of one row.
func (g *gridding) largest(row reg.Register) reg.VecVirtual {
	first, second := g.Reg(), g.Reg()
	at := func(element int) operand.Mem { return operand.Mem{Base: row, Disp: element * g.Size()} }
	load := strided{Kind: g.Kind}
	load.plain(at(0), g.low, first)
	load.plain(at(g.Lanes()), g.high, second)
	g.note(first, second)
	if !g.Wide {
		even, odd := g.Reg(), g.Reg()
		g.shuffle(0b10001000, 0b0000, second, first, even)
		g.shuffle(0b11011101, 0b1111, second, first, odd)
		g.Max(even, odd, odd)
		if g.columns == 3 {
			g.Load(at(2), first)
			g.Load(at(g.Lanes()+1), second)
			g.shuffle(0b11011000, 0b1010, second, first, even)
			g.Max(odd, even, odd)
		}
		return odd
	}
	even := g.Reg()
	g.Move(first, even)
	g.permute(second, g.even, even)
	g.permute(second, g.odd, first)
	g.Max(even, first, first)
	if g.columns == 3 {
		next := even
		if g.lanes == nil {
			next = second
			g.Splat(at(2*g.Lanes()), next)
		}
		if g.Double {
			VALIGNQ(operand.Imm(1), even, next, next)
		} else {
			VALIGND(operand.Imm(1), even, next, next)
		}
		g.Max(first, next, first)
	}
	return first
}

// note notes whether one of two vectors has a NaN.
func (g *gridding) note(a, b reg.VecVirtual) {
	const unordered = 0x03
	if !g.Wide {
		found := g.Reg()
		if g.Double {
			VCMPPD(operand.Imm(unordered), a, b, found)
		} else {
			VCMPPS(operand.Imm(unordered), a, b, found)
		}
		g.Or(found, g.specialElements, g.specialElements)
		return
	}
	found := K()
	if g.Double {
		VCMPPD(operand.Imm(unordered), a, b, found)
	} else {
		VCMPPS(operand.Imm(unordered), a, b, found)
	}
	KORW(found, g.specialLanes, g.specialLanes)
}

func (g *gridding) shuffle(single, double uint64, b, a, dst reg.VecVirtual) {
	if g.Double {
		VSHUFPD(operand.Imm(double), b, a, dst)
	} else {
		VSHUFPS(operand.Imm(single), b, a, dst)
	}
}

// permute picks elements of two vectors into the first.
func (g *gridding) permute(second, indices, first reg.VecVirtual) {
	if g.Double {
		VPERMT2PD(second, indices, first)
	} else {
		VPERMT2PS(second, indices, first)
	}
}

// end returns the lanes in which there were NaNs.
func (g *gridding) end() {
	found := GP64()
	switch {
	case g.Wide:
		KMOVW(g.specialLanes, found.As32())
	case g.Double:
		VMOVMSKPD(g.specialElements, found.As32())
	default:
		VMOVMSKPS(g.specialElements, found.As32())
	}
	Store(found, ReturnIndex(0))
	vec.Leave()
}
