package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// columns emits the routine that combines rows, elementwise, into dst: eight rows at once, and the remaining rows one
// by one.
func columns(o operation) {
	for _, k := range vec.Kinds {
		name := o.name + "Columns" + k.Suffix()
		TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, a *%s, rows, n, pitch int)", k.Elem()))
		Pragma("noescape")
		Doc(name + " combines the rows, of n elements, n > 0, and pitch elements apart, into the n values at dst.")
		newColumnFold(k, o).emit()
	}
}

type columnFold struct {
	k                vec.Kind
	o                operation
	dst, first       reg.Register
	rows, n, pitch   reg.Register
	out, left        reg.GPVirtual
	at               [3]reg.GPVirtual // rows 0, 3 and 6
	rest             reg.GPVirtual
	filler, acc, sum reg.VecVirtual
	temp             []reg.VecVirtual
	tail             vec.Tail
}

func newColumnFold(k vec.Kind, o operation) *columnFold {
	f := &columnFold{k: k, o: o, out: GP64(), left: GP64(), rest: GP64(), acc: k.Reg(), sum: k.Reg(), temp: k.Regs(4)}
	f.dst, f.first = Load(Param("dst"), GP64()), Load(Param("a"), GP64())
	f.rows, f.n, f.pitch = Load(Param("rows"), GP64()), Load(Param("n"), GP64()), Load(Param("pitch"), GP64())
	for i := range f.at {
		f.at[i] = GP64()
	}
	SHLQ(operand.Imm(shift(k)), f.pitch)
	f.filler = k.SplatConst(o.neutral)
	MOVQ(f.n, f.rest)
	ANDQ(operand.Imm(uint64(k.Lanes()-1)), f.rest)
	f.tail = k.Tail(f.rest)
	return f
}

func (f *columnFold) emit() {
	Label("eight")
	CMPQ(f.rows, operand.Imm(8))
	JL(operand.LabelRef("single"))
	f.band("eight", 8)
	SUBQ(operand.Imm(8), f.rows)
	LEAQ(operand.Mem{Base: f.first, Index: f.pitch, Scale: 8}, f.first)
	JMP(operand.LabelRef("eight"))
	Label("single")
	TESTQ(f.rows, f.rows)
	JZ(operand.LabelRef("end"))
	f.band("single", 1)
	DECQ(f.rows)
	ADDQ(f.pitch, f.first)
	JMP(operand.LabelRef("single"))
	Label("end")
	vec.Leave()
}

// band emits the loop along a few rows.
func (f *columnFold) band(name string, rows int) {
	MOVQ(f.dst, f.out)
	MOVQ(f.n, f.left)
	MOVQ(f.first, f.at[0])
	if rows > 1 {
		LEAQ(operand.Mem{Base: f.first, Index: f.pitch, Scale: 2}, f.at[1])
		ADDQ(f.pitch, f.at[1])
		LEAQ(operand.Mem{Base: f.at[1], Index: f.pitch, Scale: 2}, f.at[2])
		ADDQ(f.pitch, f.at[2])
	}
	SUBQ(operand.Imm(uint64(f.k.Lanes())), f.left)
	JL(operand.LabelRef(name + "Rest"))
	Label(name + "Vector")
	f.vector(rows, f.k.Load)
	f.k.Store(f.acc, operand.Mem{Base: f.out})
	step := operand.Imm(uint64(f.k.Bytes()))
	ADDQ(step, f.out)
	ADDQ(step, f.at[0])
	if rows > 1 {
		ADDQ(step, f.at[1])
		ADDQ(step, f.at[2])
	}
	SUBQ(operand.Imm(uint64(f.k.Lanes())), f.left)
	JGE(operand.LabelRef(name + "Vector"))
	Label(name + "Rest")
	TESTQ(f.rest, f.rest)
	JZ(operand.LabelRef(name + "Done"))
	f.vector(rows, func(m, r operand.Op) { f.tail.Load(m, f.filler, r.(reg.Register)) })
	f.tail.Store(f.acc, operand.Mem{Base: f.out})
	Label(name + "Done")
}

// vector combines a vector of each row with the vector at out. Eight rows are first combined in pairs.
func (f *columnFold) vector(rows int, load func(m, r operand.Op)) {
	load(operand.Mem{Base: f.out}, f.acc)
	if rows == 1 {
		load(f.row(0), f.temp[0])
		f.exactly(f.temp[0], f.acc)
		return
	}
	for half := range 2 {
		for i := range 2 {
			load(f.row(4*half+2*i), f.temp[2*i])
			load(f.row(4*half+2*i+1), f.temp[2*i+1])
			f.exactly(f.temp[2*i+1], f.temp[2*i])
		}
		f.exactly(f.temp[2], f.temp[0])
		if half == 0 {
			f.k.Move(f.temp[0], f.sum)
		}
	}
	f.exactly(f.temp[0], f.sum)
	f.exactly(f.sum, f.acc)
}

// row returns the address of the vector of a row.
func (f *columnFold) row(i int) operand.Op {
	switch i {
	case 0:
		return operand.Mem{Base: f.at[0]}
	case 1, 2, 4:
		return operand.Mem{Base: f.at[0], Index: f.pitch, Scale: uint8(i)}
	case 3:
		return operand.Mem{Base: f.at[1]}
	case 5:
		return operand.Mem{Base: f.at[1], Index: f.pitch, Scale: 2}
	case 6:
		return operand.Mem{Base: f.at[2]}
	}
	return operand.Mem{Base: f.at[1], Index: f.pitch, Scale: 4}
}

// exactly combines x into acc, and follows the rules for NaN in every lane.
func (f *columnFold) exactly(x, acc reg.VecVirtual) {
	switch {
	case f.o.watches:
		isNaN := f.k.Compare(vec.Unordered, x, x)
		f.o.combine(f.k, x, acc)
		isNaN.Select(x, acc)
	case f.o.ignores:
		isNaN := f.k.Compare(vec.Unordered, acc, acc)
		f.o.combine(f.k, x, acc)
		isNaN.Select(x, acc)
	default:
		f.o.combine(f.k, x, acc)
	}
}
