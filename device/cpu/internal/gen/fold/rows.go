package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

// accumulators is how many vectors are combined side by side.
const accumulators = 8

// rows emits the combination of each of several rows to one value.
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

// rowFold is a routine at work.
type rowFold struct {
	k               vec.Kind
	t               term
	a, b, left      reg.GPVirtual
	n               reg.Register
	acc, temp       []reg.VecVirtual
	filler, shared  reg.VecVirtual // shared is the row's value of the second operand
	nan             nanWatch
	constants       constants
	tail            vec.Tail
	dst, rowA, rowB reg.Register
	pitchA, pitchB  reg.Register
	rows            reg.Register
	hasTail         reg.GPVirtual
}

func newRowFold(k vec.Kind, t term) *rowFold {
	f := &rowFold{k: k, t: t, a: GP64(), left: GP64(), hasTail: GP64()}
	f.dst, f.rowA = Load(Param("dst"), GP64()), Load(Param("a"), GP64())
	f.rows, f.n, f.pitchA = Load(Param("rows"), GP64()), Load(Param("n"), GP64()), Load(Param("pitch"), GP64())
	if t.second != "" {
		f.rowB, f.pitchB = Load(Param("b"), GP64()), Load(Param("pitchB"), GP64())
		SHLQ(operand.Imm(shift(k)), f.pitchB)
	}
	if t.second == "array" {
		f.b = GP64()
	}
	SHLQ(operand.Imm(shift(k)), f.pitchA)
	f.acc, f.temp = k.Regs(accumulators), k.Regs(2)
	if t.second == "row" {
		f.shared = k.Reg()
	} else {
		f.filler = k.SplatConst(t.filler)
	}
	if t.name == "magnitudes" {
		magnitude := k.Reg()
		k.Splat(k.Bits(1<<(8*k.Size()-1)-1), magnitude)
		f.constants.magnitude = magnitude
	}
	MOVQ(f.n, f.hasTail)
	ANDQ(operand.Imm(uint64(k.Lanes()-1)), f.hasTail)
	f.tail = k.Tail(f.hasTail)
	if t.watches {
		f.nan = newNaNWatch(k)
	}
	return f
}

func shift(k vec.Kind) uint64 {
	if k.Double {
		return 3
	}
	return 2
}

func (f *rowFold) emit() {
	k := f.k
	Label("row")
	MOVQ(f.rowA, f.a)
	if f.t.second == "array" {
		MOVQ(f.rowB, f.b)
	}
	if f.t.second == "row" {
		k.Splat(operand.Mem{Base: f.rowB}, f.shared)
	}
	MOVQ(f.n, f.left)
	f.begin(f.acc[0])
	if f.t.watches {
		f.nan.reset()
	}
	step := accumulators * k.Lanes()
	CMPQ(f.left, operand.I32(step))
	JL(operand.LabelRef("few"))
	for _, acc := range f.acc[1:] {
		f.begin(acc)
	}
	Label("many")
	for i := 0; i < accumulators; i += 2 {
		f.addPair(i)
	}
	f.advance(accumulators)
	CMPQ(f.left, operand.I32(step))
	JGE(operand.LabelRef("many"))
	for width := accumulators / 2; width > 0; width /= 2 {
		for i := range width {
			f.t.combine(k, f.acc[i+width], f.acc[i])
		}
	}
	Label("few")
	CMPQ(f.left, operand.I32(k.Lanes()))
	JL(operand.LabelRef("rest"))
	Label("one")
	k.Load(operand.Mem{Base: f.a}, f.temp[0])
	if f.t.watches {
		f.nan.see(f.temp[0], f.temp[0])
	}
	f.t.add(k, f.constants, f.temp[0], f.second(0), f.acc[0])
	f.advance(1)
	CMPQ(f.left, operand.I32(k.Lanes()))
	JGE(operand.LabelRef("one"))
	Label("rest")
	TESTQ(f.hasTail, f.hasTail)
	JZ(operand.LabelRef("end"))
	f.addTail()
	Label("end")
	result := f.t.across(k, f.acc[0], f.temp[0])
	if f.t.watches {
		f.nan.jumpIfNone("store")
		scalarMove(k, k.Const(math.NaN()), result)
		Label("store")
	}
	scalarMove(k, result, operand.Mem{Base: f.dst})
	ADDQ(operand.Imm(uint64(k.Size())), f.dst)
	ADDQ(f.pitchA, f.rowA)
	if f.t.second != "" {
		ADDQ(f.pitchB, f.rowB)
	}
	DECQ(f.rows)
	JNZ(operand.LabelRef("row"))
	vec.Leave()
}

// begin makes an accumulator neutral.
func (f *rowFold) begin(acc reg.VecVirtual) {
	if f.t.second == "row" || f.t.filler == 0 && !math.Signbit(f.t.filler) {
		f.k.Zero(acc)
		return
	}
	f.k.Move(f.filler, acc)
}

// addPair takes in two vectors.
func (f *rowFold) addPair(i int) {
	k := f.k
	for j, temp := range f.temp {
		k.Load(operand.Mem{Base: f.a, Disp: (i + j) * k.Bytes()}, temp)
	}
	if f.t.watches {
		f.nan.see(f.temp[0], f.temp[1])
	}
	for j, temp := range f.temp {
		f.t.add(k, f.constants, temp, f.second(i+j), f.acc[i+j])
	}
}

// second is the second operand of vector i.
func (f *rowFold) second(i int) operand.Op {
	switch f.t.second {
	case "array":
		return operand.Mem{Base: f.b, Disp: i * f.k.Bytes()}
	case "row":
		return f.shared
	}
	return nil
}

func (f *rowFold) addTail() {
	second := f.second(0)
	switch f.t.second {
	case "array":
		f.tail.LoadZero(second, f.temp[1])
		second = f.temp[1]
	case "row": // no element is a filler for an infinite value of the row
		f.tail.LoadZero(operand.Mem{Base: f.a}, f.temp[0])
		f.k.Sub(second, f.temp[0], f.temp[0])
		f.tail.Keep(f.temp[0])
		f.k.FMA231(f.temp[0], f.temp[0], f.acc[0])
		return
	}
	f.tail.Load(operand.Mem{Base: f.a}, f.filler, f.temp[0])
	if f.t.watches {
		f.nan.see(f.temp[0], f.temp[0])
	}
	f.t.add(f.k, f.constants, f.temp[0], second, f.acc[0])
}

// advance moves on by a number of vectors.
func (f *rowFold) advance(vectors int) {
	bytes := operand.U32(vectors * f.k.Bytes())
	ADDQ(bytes, f.a)
	if f.t.second == "array" {
		ADDQ(bytes, f.b)
	}
	SUBQ(operand.U32(vectors*f.k.Lanes()), f.left)
}

func scalarMove(k vec.Kind, from, to operand.Op) {
	if k.Double {
		VMOVSD(from, to)
	} else {
		VMOVSS(from, to)
	}
}

// nanWatch notes whether a not-a-number has come by.
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

// see looks at two vectors at once.
func (w nanWatch) see(a, b reg.Register) {
	here := w.k.Compare(vec.Unordered, a, b).Mask()
	if w.k.Wide {
		KORW(here, w.seen, w.seen)
	} else {
		w.k.Or(here, w.seen, w.seen)
	}
}

func (w nanWatch) jumpIfNone(label string) {
	if w.k.Wide {
		KORTESTW(w.seen, w.seen)
	} else {
		VPTEST(w.seen, w.seen)
	}
	JZ(operand.LabelRef(label))
}
