package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// rows emits the routine that combines each of several rows into one value.
func rows(t term) {
	for _, k := range vec.Kinds {
		name := t.name + "Rows" + k.Suffix()
		params := "dst, a *%s, rows, n, pitch int"
		if t.second != "" {
			params = "dst, a, b *%s, rows, n, pitch, pitchB int"
		}
		TEXT(name, NOSPLIT, fmt.Sprintf("func("+params+")", k.Elem()))
		Pragma("noescape")
		Doc(name + " combines each of the rows, of n elements, n > 0, and pitch elements apart, to one value.")
		newRowFold(k, t).emit()
	}
}

// together is the number of rows that are processed at once: memory is faster along several lines.
const together = 4

// rowFold emits a routine. It processes four rows at once, then the remaining rows one by one. Either way it combines
// each row's values in the same order.
type rowFold struct {
	k              vec.Kind
	t              term
	dst, rows, n   reg.Register
	rowA, rowB     reg.Register // the start of the next rows
	pitchA, pitchB reg.Register // in bytes
	a, b           [2]reg.GPVirtual
	left, rest     reg.GPVirtual
	acc            [together][]reg.VecVirtual
	shared         [together]reg.VecVirtual // the second operand's value for each row
	temp           []reg.VecVirtual
	filler         reg.VecVirtual
	nan            nanWatch
	constants      constants
	tail           vec.Tail
}

func newRowFold(k vec.Kind, t term) *rowFold {
	f := &rowFold{k: k, t: t, left: GP64(), rest: GP64()}
	f.dst, f.rowA = Load(Param("dst"), GP64()), Load(Param("a"), GP64())
	f.rows, f.n, f.pitchA = Load(Param("rows"), GP64()), Load(Param("n"), GP64()), Load(Param("pitch"), GP64())
	SHLQ(operand.Imm(shift(k)), f.pitchA)
	if t.second != "" {
		f.rowB, f.pitchB = Load(Param("b"), GP64()), Load(Param("pitchB"), GP64())
		SHLQ(operand.Imm(shift(k)), f.pitchB)
	}
	for i := range f.a {
		f.a[i], f.b[i] = GP64(), GP64()
	}
	for i := range f.acc {
		f.acc[i] = k.Regs(f.accumulators())
		f.shared[i] = k.Reg()
	}
	f.temp = k.Regs(2)
	if t.second != "row" {
		f.filler = k.SplatConst(t.filler)
	}
	if t.name == "magnitudes" {
		magnitude := k.Reg()
		k.Splat(k.Bits(1<<(8*k.Size()-1)-1), magnitude)
		f.constants.magnitude = magnitude
	}
	MOVQ(f.n, f.rest)
	ANDQ(operand.Imm(uint64(k.Lanes()-1)), f.rest)
	f.tail = k.Tail(f.rest)
	if t.watches {
		f.nan = newNaNWatch(k)
	}
	return f
}

// accumulators returns the number of vectors of a row that are combined side by side.
func (f *rowFold) accumulators() int { return f.k.Registers() / 8 }

func shift(k vec.Kind) uint64 {
	if k.Double {
		return 3
	}
	return 2
}

func (f *rowFold) emit() {
	Label("next")
	CMPQ(f.rows, operand.Imm(together))
	JL(operand.LabelRef("single"))
	f.group("Four", together)
	JNZ(operand.LabelRef("next"))
	JMP(operand.LabelRef("end"))
	Label("single")
	f.group("One", 1)
	JNZ(operand.LabelRef("next"))
	Label("end")
	vec.Leave()
}

// group emits the loop along several rows. The flags are set by the number of rows that are left.
func (f *rowFold) group(name string, rows int) {
	k, per := f.k, f.accumulators()
	f.begin(rows)
	CMPQ(f.left, operand.I32(per*k.Lanes()))
	JL(operand.LabelRef("few" + name))
	Label("many" + name)
	for i := 0; i < per; i += 2 {
		for r := range rows {
			f.addPair(r, i)
		}
	}
	f.advance(rows, per)
	CMPQ(f.left, operand.I32(per*k.Lanes()))
	JGE(operand.LabelRef("many" + name))
	Label("few" + name)
	for r := range rows {
		for width := per / 2; width > 0; width /= 2 {
			for i := range width {
				f.t.combine(k, f.acc[r][i+width], f.acc[r][i])
			}
		}
	}
	CMPQ(f.left, operand.I32(k.Lanes()))
	JL(operand.LabelRef("rest" + name))
	Label("one" + name)
	for r := range rows {
		k.Load(f.elements(r, 0), f.temp[0])
		if f.t.watches {
			f.nan.see(f.temp[0], f.temp[0])
		}
		f.t.add(k, f.constants, f.temp[0], f.second(r, 0), f.acc[r][0])
	}
	f.advance(rows, 1)
	CMPQ(f.left, operand.I32(k.Lanes()))
	JGE(operand.LabelRef("one" + name))
	Label("rest" + name)
	TESTQ(f.rest, f.rest)
	JZ(operand.LabelRef("across" + name))
	for r := range rows {
		f.addTail(r)
	}
	Label("across" + name)
	f.finish(name, rows)
	step := func(pitch, at reg.Register) {
		if rows == together {
			LEAQ(operand.Mem{Base: at, Index: pitch, Scale: together}, at)
		} else {
			ADDQ(pitch, at)
		}
	}
	step(f.pitchA, f.rowA)
	if f.t.second != "" {
		step(f.pitchB, f.rowB)
	}
	ADDQ(operand.Imm(uint64(rows*k.Size())), f.dst)
	SUBQ(operand.Imm(uint64(rows)), f.rows)
}

func (f *rowFold) begin(rows int) {
	f.point(rows, f.rowA, f.pitchA, f.a)
	if f.t.second == "array" {
		f.point(rows, f.rowB, f.pitchB, f.b)
	}
	MOVQ(f.n, f.left)
	if f.t.watches {
		f.nan.reset()
	}
	for r := range rows {
		for _, acc := range f.acc[r] {
			f.clear(acc)
		}
		if f.t.second != "row" {
			continue
		}
		switch r {
		case 3:
			at := GP64()
			LEAQ(operand.Mem{Base: f.rowB, Index: f.pitchB, Scale: 2}, at)
			f.k.Splat(operand.Mem{Base: at, Index: f.pitchB, Scale: 1}, f.shared[r])
		case 0:
			f.k.Splat(operand.Mem{Base: f.rowB}, f.shared[r])
		default:
			f.k.Splat(operand.Mem{Base: f.rowB, Index: f.pitchB, Scale: uint8(r)}, f.shared[r])
		}
	}
}

// point sets pointers to the first row, and to the fourth if there is one.
func (f *rowFold) point(rows int, first, pitch reg.Register, at [2]reg.GPVirtual) {
	MOVQ(first, at[0])
	if rows == together {
		LEAQ(operand.Mem{Base: first, Index: pitch, Scale: 2}, at[1])
		ADDQ(pitch, at[1])
	}
}

// clear sets an accumulator to the neutral element.
func (f *rowFold) clear(acc reg.VecVirtual) {
	if f.filler == nil || f.t.filler == 0 && !math.Signbit(f.t.filler) {
		f.k.Zero(acc)
		return
	}
	f.k.Move(f.filler, acc)
}

// at returns the address of vector i of a row.
func (f *rowFold) at(p [2]reg.GPVirtual, pitch reg.Register, row, i int) operand.Mem {
	m := operand.Mem{Base: p[0], Disp: i * f.k.Bytes()}
	switch row {
	case 1, 2:
		m.Index, m.Scale = pitch, uint8(row)
	case 3:
		m.Base = p[1]
	}
	return m
}

func (f *rowFold) elements(row, i int) operand.Mem { return f.at(f.a, f.pitchA, row, i) }

// second returns the second operand for vector i of a row.
func (f *rowFold) second(row, i int) operand.Op {
	switch f.t.second {
	case "array":
		return f.at(f.b, f.pitchB, row, i)
	case "row":
		return f.shared[row]
	}
	return nil
}

// addPair combines two vectors of a row.
func (f *rowFold) addPair(row, i int) {
	for j, temp := range f.temp {
		f.k.Load(f.elements(row, i+j), temp)
	}
	if f.t.watches {
		f.nan.see(f.temp[0], f.temp[1])
	}
	for j, temp := range f.temp {
		f.t.add(f.k, f.constants, temp, f.second(row, i+j), f.acc[row][i+j])
	}
}

func (f *rowFold) addTail(row int) {
	second := f.second(row, 0)
	switch f.t.second {
	case "array":
		f.tail.LoadZero(second, f.temp[1])
		second = f.temp[1]
	case "row": // no element is a filler if the value of the row is infinite
		f.tail.LoadZero(f.elements(row, 0), f.temp[0])
		f.k.Sub(second, f.temp[0], f.temp[0])
		f.tail.Keep(f.temp[0])
		f.k.FMA231(f.temp[0], f.temp[0], f.acc[row][0])
		return
	}
	f.tail.Load(f.elements(row, 0), f.filler, f.temp[0])
	if f.t.watches {
		f.nan.see(f.temp[0], f.temp[0])
	}
	f.t.add(f.k, f.constants, f.temp[0], second, f.acc[row][0])
}

// advance advances by a number of vectors.
func (f *rowFold) advance(rows, vectors int) {
	bytes := operand.U32(vectors * f.k.Bytes())
	pointers := 1
	if rows == together {
		pointers = 2
	}
	for i := range pointers {
		ADDQ(bytes, f.a[i])
		if f.t.second == "array" {
			ADDQ(bytes, f.b[i])
		}
	}
	SUBQ(operand.U32(vectors*f.k.Lanes()), f.left)
}

// finish combines the lanes and stores the results. If a NaN occurred in a group of several rows, the first of these
// rows is processed again by itself.
func (f *rowFold) finish(name string, rows int) {
	if f.t.watches && rows > 1 {
		f.nan.jumpIfSeen("single")
	}
	for r := range rows {
		result := f.t.across(f.k, f.acc[r][0], f.temp[0])
		if f.t.watches && rows == 1 {
			f.nan.jumpIfNone("store" + name)
			scalarMove(f.k, f.k.Const(math.NaN()), result)
			Label("store" + name)
		}
		scalarMove(f.k, result, operand.Mem{Base: f.dst, Disp: r * f.k.Size()})
	}
}

func scalarMove(k vec.Kind, from, to operand.Op) {
	if k.Double {
		VMOVSD(from, to)
	} else {
		VMOVSS(from, to)
	}
}

// nanWatch records whether a NaN occurred.
type nanWatch struct {
	k    vec.Kind
	seen reg.Register
}

func newNaNWatch(k vec.Kind) nanWatch {
	if k.Wide {
		return nanWatch{k, K()}
	}
	return nanWatch{k, YMM()}
}

func (w nanWatch) reset() {
	if w.k.Wide {
		KXORW(w.seen, w.seen, w.seen)
	} else {
		w.k.Zero(w.seen)
	}
}

// see checks two vectors at once.
func (w nanWatch) see(a, b reg.Register) {
	here := w.k.Compare(vec.Unordered, a, b).Mask()
	if w.k.Wide {
		KORW(here, w.seen, w.seen)
	} else {
		w.k.Or(here, w.seen, w.seen)
	}
}

func (w nanWatch) test() {
	if w.k.Wide {
		KORTESTW(w.seen, w.seen)
	} else {
		VPTEST(w.seen, w.seen)
	}
}

func (w nanWatch) jumpIfNone(label string) {
	w.test()
	JZ(operand.LabelRef(label))
}

func (w nanWatch) jumpIfSeen(label string) {
	w.test()
	JNZ(operand.LabelRef(label))
}
