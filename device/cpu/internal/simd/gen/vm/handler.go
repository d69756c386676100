package main

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// depth is the number of vectors of the accumulator.
const depth = 4

// handlers holds the names of the handlers of each kind.
var handlers = map[vec.Kind][]string{}

// handler emits the handler with a name, followed by the jump to the next instruction.
func handler(k vec.Kind, name string, body func(acc, temps []reg.VecPhysical)) {
	begin(k, name)
	acc, temps := registers(k)
	body(acc, temps)
	next()
}

func begin(k vec.Kind, name string) {
	if slices.Contains(handlers[k], name) {
		panic("handler " + name + " is defined twice")
	}
	handlers[k] = append(handlers[k], name)
	TEXT(symbol(k, name), NOSPLIT|NOFRAME, "func()")
}

// symbol returns the name of a handler's routine.
func symbol(k vec.Kind, name string) string {
	name, form, _ := strings.Cut(name, ".")
	return name + strings.ToUpper(form[:min(1, len(form))]) + form[min(1, len(form)):] + k.Suffix()
}

// registers returns the accumulator and the other vectors that handlers may use.
func registers(k vec.Kind) (acc, temps []reg.VecPhysical) {
	for i := range k.Registers() {
		temps = append(temps, k.Physical(i))
	}
	return temps[:depth:depth], temps[depth:]
}

func next() {
	ADDQ(operand.Imm(instructionSize), reg.R8)
	dispatch()
}

// dispatch jumps to the handler of the instruction at R8. It is written without JMP, because avo's JMP needs a label.
func dispatch() {
	Instruction(&ir.Instruction{Opcode: "JMP", Operands: []operand.Op{operand.Mem{Base: reg.R8, Disp: instructionHandler}}, IsTerminal: true})
}

// formsOf returns the ways in which a handler accesses an operand. In a tail, a stream is read under the tail's masks.
func formsOf(k vec.Kind) []string {
	if k.Wide {
		return []string{"stream", "slot", "scalar", "tail"}
	}
	return []string{"stream", "slot", "scalar"}
}

// source returns an operand's vectors. It may use temp for that.
func source(k vec.Kind, form string, location operand.Mem, at reg.GPPhysical, temp reg.Register) func(i int) operand.Op {
	if form == "self" {
		return func(i int) operand.Op { return k.Physical(i) }
	}
	MOVL(location, at.As32())
	switch form {
	case "stream":
		m := stream(k.Size(), at)
		return func(i int) operand.Op { return m.Offset(i * k.Bytes()) }
	case "tail":
		m := stream(k.Size(), at)
		return func(i int) operand.Op {
			k.LoadMasked(m.Offset(i*k.Bytes()), tailMask(i), temp)
			return temp
		}
	case "slot":
		m := operand.Mem{Base: reg.R13, Index: at, Scale: 1}
		return func(i int) operand.Op { return m.Offset(i * k.Bytes()) }
	case "scalar":
		k.Splat(operand.Mem{Base: reg.R12, Index: at, Scale: 1}, temp)
		return func(int) operand.Op { return temp }
	}
	panic(form)
}

// stream returns the current elements of the stream whose offset is in a register.
func stream(size int, at reg.GPPhysical) operand.Mem {
	MOVQ(operand.Mem{Base: reg.R11, Index: at, Scale: 1}, at)
	return operand.Mem{Base: at, Index: reg.R10, Scale: uint8(size)}
}

// first and other are the halves of an instruction's operand.
var (
	first = operand.Mem{Base: reg.R8, Disp: instructionOperand}
	other = first.Offset(4)
)

// binary emits an operation on the accumulator and an operand, in all forms.
func binary(k vec.Kind, name string, body func(src operand.Op, acc reg.VecPhysical, temps []reg.VecPhysical)) {
	for _, form := range formsOf(k) {
		handler(k, name+"."+form, func(acc, temps []reg.VecPhysical) {
			last := len(temps) - 1
			src := source(k, form, first, reg.RAX, temps[last])
			for i, a := range acc {
				body(src(i), a, temps[:last])
			}
		})
	}
}

// looped is binary for operations that are often all that a program does: with wide vectors it also emits handlers that load the
// accumulator, do the operation, store the result, and go on to the next vectors without a jump to another handler. Between
// handlers, the jumps take longer than the work. Their operand has the offsets of the load, of the operation and of the
// store, 16 bits each. A tail has the usual instructions.
func looped(k vec.Kind, name string, body func(src operand.Op, acc reg.VecPhysical, temps []reg.VecPhysical)) {
	binary(k, name, body)
	if !k.Wide {
		return
	}
	for _, form := range []string{"stream", "scalar"} {
		begin(k, name+"loop."+form)
		acc, temps := registers(k)
		last := len(temps) - 1
		load, other, store := reg.RAX, reg.RBX, reg.RCX
		for i, at := range []reg.GPPhysical{load, other, store} {
			MOVWLZX(first.Offset(2*i), at.As32())
		}
		x, y := stream(k.Size(), load), stream(k.Size(), store)
		src := func(int) operand.Op { return temps[last] }
		if form == "scalar" {
			k.Splat(operand.Mem{Base: reg.R12, Index: other, Scale: 1}, temps[last])
		} else {
			m := stream(k.Size(), other)
			src = func(i int) operand.Op { return m.Offset(i * k.Bytes()) }
		}
		Label("vectors")
		for i, a := range acc {
			k.Load(x.Offset(i*k.Bytes()), a)
			body(src(i), a, temps[:last])
			k.Store(a, y.Offset(i*k.Bytes()))
		}
		ADDQ(count(k), reg.R10)
		SUBQ(count(k), reg.R9)
		CMPQ(reg.R9, count(k))
		JGE(operand.LabelRef("vectors"))
		endShort(k)
	}
}

// self emits an operation on the accumulator with itself.
func self(k vec.Kind, name string, body func(acc reg.VecPhysical)) {
	handler(k, name+".self", func(acc, _ []reg.VecPhysical) {
		for _, a := range acc {
			body(a)
		}
	})
}

// unary emits an operation on the accumulator.
func unary(k vec.Kind, name string, body func(acc reg.VecPhysical, temps []reg.VecPhysical)) {
	handler(k, name, func(acc, temps []reg.VecPhysical) {
		for i, a := range acc {
			body(a, temps[i:])
		}
	})
}

// loaded returns an operand in a register: its own register, or temp.
func loaded(k vec.Kind, src operand.Op, temp reg.VecPhysical) reg.VecPhysical {
	if r, ok := src.(reg.VecPhysical); ok {
		return r
	}
	k.Load(src, temp)
	return temp
}

// tables emits the routines that return the addresses of the handlers, in the order of their names in the generated Go
// file.
func tables() {
	var names []string
	for _, k := range vec.Kinds {
		for _, name := range handlers[k] {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for _, k := range vec.Kinds {
		TEXT("handlers"+k.Suffix(), NOSPLIT, fmt.Sprintf("func(table *[%d]uintptr)", len(names)))
		Doc("handlers" + k.Suffix() + " stores the addresses of the handlers in table.")
		table := Load(Param("table"), GP64())
		address := GP64()
		for i, name := range names {
			if slices.Contains(handlers[k], name) {
				LEAQ(operand.Mem{Symbol: operand.Symbol{Name: "·" + symbol(k, name)}, Base: reg.StaticBase}, address)
				MOVQ(address, operand.Mem{Base: table, Disp: 8 * i})
			}
		}
		RET()
	}
	writeNames(names)
}
