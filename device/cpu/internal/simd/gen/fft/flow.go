package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// flow is a sequence of operations on vectors without branches. Unlike package trace it has several results, and may
// need more values at a time than there are registers: those that are used last then wait in the frame.
type flow struct {
	vec.Kind
	steps []step
}

type value int

type step struct {
	op     op
	args   []value
	mem    operand.Mem
	number float64
	emit   func(...operand.Op)
}

type op int

const (
	opLoad  op = iota
	opSplat    // broadcasts a number from memory
	opStore
	opAdd
	opSub       // a - b
	opMul       // a·b
	opFMA       // a·b + c
	opFNMA      // c - a·b
	opMulConst  // a·number
	opFMAConst  // a·number + c
	opFNMAConst // c - a·number
	opShuffle   // lanes of a and b that an instruction chooses
	opPermute   // lanes of a and b whose indices are in memory (AVX-512)
)

func (f *flow) add(s step) value {
	f.steps = append(f.steps, s)
	return value(len(f.steps) - 1)
}

func (f *flow) load(m operand.Mem) value  { return f.add(step{op: opLoad, mem: m}) }
func (f *flow) splat(m operand.Mem) value { return f.add(step{op: opSplat, mem: m}) }
func (f *flow) store(v value, m operand.Mem) {
	f.add(step{op: opStore, args: []value{v}, mem: m})
}
func (f *flow) plus(a, b value) value    { return f.add(step{op: opAdd, args: []value{a, b}}) }
func (f *flow) minus(a, b value) value   { return f.add(step{op: opSub, args: []value{a, b}}) }
func (f *flow) times(a, b value) value   { return f.add(step{op: opMul, args: []value{a, b}}) }
func (f *flow) fma(a, b, c value) value  { return f.add(step{op: opFMA, args: []value{a, b, c}}) }
func (f *flow) fnma(a, b, c value) value { return f.add(step{op: opFNMA, args: []value{a, b, c}}) }
func (f *flow) timesConst(a value, number float64) value {
	return f.add(step{op: opMulConst, args: []value{a}, number: number})
}
func (f *flow) fmaConst(a value, number float64, c value) value {
	return f.add(step{op: opFMAConst, args: []value{a, c}, number: number})
}
func (f *flow) fnmaConst(a value, number float64, c value) value {
	return f.add(step{op: opFNMAConst, args: []value{a, c}, number: number})
}
func (f *flow) shuffle(emit func(...operand.Op), a, b value) value {
	return f.add(step{op: opShuffle, args: []value{a, b}, emit: emit})
}
func (f *flow) permute(indices operand.Mem, a, b value) value {
	return f.add(step{op: opPermute, args: []value{a, b}, mem: indices})
}

// emit writes the instructions, in the order of the operations.
func (f *flow) emit() {
	e := emitter{flow: f, uses: make([][]int, len(f.steps)), in: map[value]int{}, slots: map[value]operand.Mem{}}
	for at, s := range f.steps {
		for _, a := range s.args {
			e.uses[a] = append(e.uses[a], at)
		}
	}
	for i := f.Registers() - 1; i >= 0; i-- {
		e.free = append(e.free, i)
	}
	for at := range f.steps {
		e.one(at)
	}
}

// emitter knows which register each value is in.
type emitter struct {
	*flow
	uses  [][]int // the operations that will read each value
	in    map[value]int
	free  []int
	slots map[value]operand.Mem
	empty []operand.Mem // slots of the frame that are free
}

// take returns a free register. If there is none, the value that is read last moves to the frame.
func (e *emitter) take(busy ...value) int {
	if n := len(e.free); n > 0 {
		r := e.free[n-1]
		e.free = e.free[:n-1]
		return r
	}
	last := value(-1)
	for v := range e.in {
		if pinned(v, busy) {
			continue
		}
		if last < 0 || e.uses[v][0] > e.uses[last][0] || e.uses[v][0] == e.uses[last][0] && v < last {
			last = v
		}
	}
	r := e.in[last]
	delete(e.in, last)
	if _, ok := e.slots[last]; !ok && e.steps[last].op != opLoad && e.steps[last].op != opSplat {
		slot := operand.Mem{}
		if n := len(e.empty); n > 0 {
			slot, e.empty = e.empty[n-1], e.empty[:n-1]
		} else {
			slot = AllocLocal(e.Bytes())
		}
		e.Store(e.Physical(r), slot)
		e.slots[last] = slot
	}
	return r
}

func pinned(v value, busy []value) bool {
	for _, b := range busy {
		if b == v {
			return true
		}
	}
	return false
}

// fetch returns the register of a value. A value that was loaded before is loaded again.
func (e *emitter) fetch(v value, busy ...value) reg.VecPhysical {
	r, ok := e.in[v]
	if !ok {
		r = e.take(busy...)
		e.in[v] = r
		switch s := e.steps[v]; s.op {
		case opLoad:
			e.Load(s.mem, e.Physical(r))
		case opSplat:
			e.Splat(s.mem, e.Physical(r))
		default:
			e.Load(e.slots[v], e.Physical(r))
		}
	}
	return e.Physical(r)
}

// done notes that an operation has read a value, and frees its register if that was the last time.
func (e *emitter) done(v value) {
	e.uses[v] = e.uses[v][1:]
	if len(e.uses[v]) > 0 {
		return
	}
	if r, ok := e.in[v]; ok {
		e.free = append(e.free, r)
		delete(e.in, v)
	}
	if slot, ok := e.slots[v]; ok {
		e.empty = append(e.empty, slot)
		delete(e.slots, v)
	}
}

func (e *emitter) one(at int) {
	s := e.steps[at]
	var r []reg.VecPhysical
	for _, a := range s.args {
		r = append(r, e.fetch(a, s.args...))
	}
	if s.op == opStore {
		e.Store(r[0], s.mem)
		e.done(s.args[0])
		return
	}
	if len(e.uses[at]) == 0 {
		panic(fmt.Sprintf("the result of operation %d is not used", at))
	}
	fused := s.op == opFMA || s.op == opFNMA || s.op == opFMAConst || s.op == opFNMAConst
	if fused {
		e.fused(value(at), s, r)
		return
	}
	if s.op == opPermute { // overwrites the indices
		n := e.take(s.args...)
		e.in[value(at)] = n
		e.Load(s.mem, e.Physical(n))
		either(e.Kind, VPERMI2PS, VPERMI2PD)(r[1], r[0], e.Physical(n))
	}
	for _, a := range s.args {
		e.done(a)
	}
	if s.op == opPermute {
		return
	}
	n := e.take()
	e.in[value(at)] = n
	dst := e.Physical(n)
	switch s.op {
	case opShuffle:
		s.emit(r[1], r[0], dst)
	case opLoad:
		e.Load(s.mem, dst)
	case opSplat:
		e.Splat(s.mem, dst)
	case opAdd:
		e.Add(r[1], r[0], dst)
	case opSub:
		e.Sub(r[1], r[0], dst)
	case opMul:
		e.Mul(r[1], r[0], dst)
	case opMulConst:
		e.constant(s.number, [4]func(...operand.Op){VMULPS, VMULPD, VMULPS_BCST, VMULPD_BCST}, r[0], dst)
	}
}

// fused emits a fused multiplication into the register of the summand, or of a copy if the summand is read again.
func (e *emitter) fused(v value, s step, r []reg.VecPhysical) {
	last := len(s.args) - 1
	c := s.args[last]
	dst := r[last]
	if len(e.uses[c]) > 1 {
		n := e.take(s.args...)
		dst = e.Physical(n)
		e.Move(r[last], dst)
		e.in[v] = n
	} else {
		e.in[v] = e.in[c]
		delete(e.in, c)
	}
	switch s.op {
	case opFMA:
		e.FMA231(r[1], r[0], dst)
	case opFNMA:
		e.FNMA231(r[1], r[0], dst)
	case opFMAConst:
		e.constant(s.number, [4]func(...operand.Op){VFMADD231PS, VFMADD231PD, VFMADD231PS_BCST, VFMADD231PD_BCST}, r[0], dst)
	case opFNMAConst:
		e.constant(s.number, [4]func(...operand.Op){VFNMADD231PS, VFNMADD231PD, VFNMADD231PS_BCST, VFNMADD231PD_BCST}, r[0], dst)
	}
	for _, a := range s.args {
		e.done(a)
	}
}

// constant emits an instruction with a constant: AVX-512 broadcasts it from memory, AVX2 reads a whole vector.
func (e *emitter) constant(number float64, forms [4]func(...operand.Op), a, dst reg.VecPhysical) {
	form := 0
	if e.Double {
		form = 1
	}
	if e.Wide {
		forms[form+2](e.Const(number), a, dst)
		return
	}
	forms[form](e.repeated(number), a, dst)
}

var repetitions = map[string]operand.Mem{}

// repeated returns a constant vector in memory.
func (f *flow) repeated(number float64) operand.Mem {
	key := fmt.Sprintf("%s %x", f.Elem(), number)
	m, ok := repetitions[key]
	if ok {
		return m
	}
	m = GLOBL(fmt.Sprintf("repeated%d_%s", len(repetitions), f.Elem()), RODATA|NOPTR)
	for at := 0; at < 32; at += f.Size() {
		if f.Double {
			DATA(at, operand.U64(math.Float64bits(number)))
		} else {
			DATA(at, operand.U32(math.Float32bits(float32(number))))
		}
	}
	repetitions[key] = m
	return m
}
