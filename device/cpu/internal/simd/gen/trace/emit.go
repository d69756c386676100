package trace

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Emit emits the instructions of a function whose inputs are in the registers in[0], in[1] and so on, for as many
// vectors as each of them has. The result replaces in[0]. The other inputs and the temporaries may be overwritten. The
// mask registers K1 to K3 and AX are overwritten.
func Emit(k vec.Kind, f func(b *Body, x ...Value) Value, temps []reg.VecPhysical, in ...[]reg.VecPhysical) {
	b := record(k, len(in), f)
	n := len(in[0])
	l, together := b.fit(n, len(temps))
	for from := 0; from < n; from += together {
		e := emitter{Body: b, layout: l, shared: temps[:l.shared]}
		for i := range together {
			var regs []reg.VecPhysical
			for _, x := range in {
				regs = append(regs, x[from+i])
			}
			for s := len(in); s < l.slots; s++ {
				regs = append(regs, temps[l.shared+(s-len(in))*together+i])
			}
			e.registers = append(e.registers, regs)
		}
		e.emit()
	}
}

// spare is the number of registers that command neon needs beside those of a trace.
const spare = 2

// fit returns a layout for several vectors side by side, and their number: the largest part of n for which the
// temporaries suffice.
func (b *Body) fit(n, temps int) (*layout, int) {
	if vec.Neon() {
		if l, together := b.largest(n, temps-spare); l != nil {
			return l, together
		}
	}
	if l, together := b.largest(n, temps); l != nil {
		return l, together
	}
	l := b.layOut(0)
	panic(fmt.Sprintf("%d slots do not fit into %d registers", l.slots-len(b.inputs), temps))
}

// largest is fit. It returns nil if the temporaries do not suffice for one vector.
func (b *Body) largest(n, temps int) (*layout, int) {
	for together := n; together > 0; together-- {
		if n%together > 0 {
			continue
		}
		for shared := 4; shared >= 0; shared-- {
			if l := b.layOut(shared); l.shared+(l.slots-len(b.inputs))*together <= temps {
				return l, together
			}
		}
	}
	return nil, 0
}

// emitter writes the instructions for some vectors side by side.
type emitter struct {
	*Body
	*layout
	shared    []reg.VecPhysical
	at        Value               // the operation
	used      int                 // temporaries that the operation has used
	registers [][]reg.VecPhysical // for each vector: the registers of the slots
	splat     map[Value]reg.VecPhysical
	table     [2]reg.VecPhysical // the registers of the table for lookups
}

func (e *emitter) emit() {
	for v := range e.values {
		x := &e.values[v]
		if e.slot[v] < 0 || x.op == opInput {
			continue
		}
		e.at, e.used, e.splat = Value(v), 0, map[Value]reg.VecPhysical{}
		e.splatConstants(Value(v), x.double)
		if x.op == opLookup {
			e.loadTable(x)
		}
		used := e.used
		for i := range e.registers {
			e.used = used
			e.one(Value(v), i)
		}
	}
	if s := e.slot[e.result]; s != 0 {
		for _, r := range e.registers {
			e.kind.Move(r[s], r[0])
		}
	}
}

func (e *emitter) temp() reg.VecPhysical {
	e.used++
	if e.used <= len(e.shared) {
		return e.shared[e.used-1]
	}
	return e.registers[0][e.temps[e.at][e.used-1-len(e.shared)]]
}

// constant returns a constant in memory.
func (e *emitter) constant(v Value, double bool) operand.Mem {
	x, k := &e.values[v], vec.Kind{Wide: e.kind.Wide, Double: double}
	if x.exact {
		return k.Bits(x.bits)
	}
	return k.Const(x.number)
}

// splatConstants broadcasts the constants that an operation needs in registers.
func (e *emitter) splatConstants(v Value, double bool) {
	x := &e.values[v]
	for i, a := range x.args {
		switch y := &e.values[a]; {
		case y.mask:
			e.splatConstants(a, y.double)
		case y.op == opConst:
			_, done := e.splat[a]
			if done || e.inMemory(v) == i || e.startsFrom(v, i) {
				continue
			}
			r := e.temp()
			vec.Kind{Wide: e.kind.Wide, Double: double}.Splat(e.constant(a, double), r)
			e.splat[a] = r
		}
	}
}

// inMemory returns the index of the argument that is a constant which AVX-512 broadcasts from memory, or -1.
func (e *emitter) inMemory(v Value) int {
	if !e.kind.Wide {
		return -1
	}
	x := &e.values[v]
	constant := func(i int) bool { return e.values[x.args[i]].op == opConst }
	switch x.op {
	case opAdd, opMul, opAnd, opOr, opXor, opAddInt:
		if constant(0) {
			return 0
		}
		if constant(1) {
			return 1
		}
	case opSub, opDiv, opMax, opMin:
		if constant(1) {
			return 1
		}
	case opFMA, opFMS, opFNMA:
		if constant(2) {
			// If no argument may be overwritten, a constant goes to the destination first.
			if _, ok := e.overwritten(v); ok {
				return 2
			}
		}
		if constant(0) {
			return 0
		}
		if constant(1) {
			return 1
		}
	}
	return -1
}

// startsFrom reports whether argument i is a constant that is loaded into the destination before a fused
// multiplication.
func (e *emitter) startsFrom(v Value, i int) bool {
	_, inPlace := e.overwritten(v)
	return e.values[v].op.fused() && !inPlace && i == 2
}

// overwritten returns the argument that shares the slot of a fused multiplication's destination.
func (e *emitter) overwritten(v Value) (int, bool) {
	x := &e.values[v]
	for i, a := range x.args {
		if e.slot[a] >= 0 && e.slot[a] == e.slot[v] {
			return i, true
		}
	}
	return 0, false
}

func (e *emitter) register(v Value, i int) reg.VecPhysical {
	if r, ok := e.splat[v]; ok {
		return r
	}
	if e.slot[v] < 0 {
		panic(fmt.Sprintf("value %d (operation %d) has no register", v, e.values[v].op))
	}
	return e.registers[i][e.slot[v]]
}
