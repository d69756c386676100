package trace

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Emit writes the instructions of a function of the numbers in the registers in[0], in[1] and so on, for as many vectors
// as each of them has. The result replaces in[0], the others may be overwritten, and so may the temporaries. Of the mask
// registers K1 to K3 are overwritten, and AX.
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

// fit returns a layout for as many of n vectors together as so many temporaries allow.
func (b *Body) fit(n, temps int) (*layout, int) {
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
	l := b.layOut(0)
	panic(fmt.Sprintf("%d slots do not fit into %d registers", l.slots-len(b.inputs), temps))
}

// layout says in which slot each value lies.
type layout struct {
	slot  []int // -1 for constants, masks and what nothing needs
	last  []int // where the value is read last
	slots int   // as many registers for each vector
	// Constants and masks lie in registers that all vectors share, and in slots that are free just then.
	shared int
	temps  [][]int
}

// reads calls yield for the values that lie in registers and that operation v reads: those that its masks are made of
// instead of the masks.
func (b *Body) reads(v Value, yield func(Value)) {
	for _, a := range b.values[v].args {
		switch x := &b.values[a]; {
		case x.mask:
			b.reads(a, yield)
		case x.op != opConst:
			yield(a)
		}
	}
}

// layOut gives the values slots, if so many registers are shared. The result moves into slot 0 at the end.
func (b *Body) layOut(shared int) *layout {
	n := len(b.values)
	l := &layout{slot: make([]int, n), last: make([]int, n), slots: len(b.inputs), temps: make([][]int, n)}
	for v := range b.values {
		l.slot[v], l.last[v] = -1, -1
	}
	l.last[b.result] = n
	for v := n - 1; v >= 0; v-- {
		if x := &b.values[v]; l.last[v] >= 0 && !x.mask && x.op != opConst {
			b.reads(Value(v), func(a Value) { l.last[a] = max(l.last[a], v) })
		}
	}
	var free []int
	release := func(v Value, at int) {
		if l.last[v] == at && l.slot[v] >= 0 {
			for _, s := range free {
				if s == l.slot[v] {
					return
				}
			}
			free = append(free, l.slot[v])
		}
	}
	take := func() int {
		if len(free) > 0 {
			best := 0
			for i := range free {
				if free[i] < free[best] {
					best = i
				}
			}
			s := free[best]
			free = append(free[:best], free[best+1:]...)
			return s
		}
		l.slots++
		return l.slots - 1
	}
	for i, v := range b.inputs {
		l.slot[v] = i
		if l.last[v] < 0 {
			free = append(free, i)
		}
	}
	for v := range b.values {
		x := &b.values[v]
		if l.last[v] < 0 || x.mask || x.op == opConst || x.op == opInput {
			continue
		}
		needed := b.tempsOf(Value(v))
		l.shared = max(l.shared, min(needed, shared))
		for range needed - shared {
			l.temps[v] = append(l.temps[v], take())
		}
		if x.op.overwrites() {
			// The destination must be none of the arguments, unless it is one by the choice of the form.
			if a, ok := b.victim(Value(v), l); ok {
				l.slot[v] = l.slot[a]
				l.last[a] = -2 // the slot lives on
			} else {
				l.slot[v] = take()
			}
			b.reads(Value(v), func(a Value) { release(a, v) })
		} else {
			b.reads(Value(v), func(a Value) { release(a, v) })
			l.slot[v] = take()
		}
		free = append(free, l.temps[v]...)
	}
	return l
}

// overwrites says that an operation's destination is one of its arguments, or none of them.
func (o op) overwrites() bool {
	switch o {
	case opFMA, opFMS, opFNMA, opLookup, opNarrow, opCopySign:
		return true
	}
	return false
}

// victim returns the argument that a fused multiplication overwrites, if one of them is read for the last time.
func (b *Body) victim(v Value, l *layout) (Value, bool) {
	x := &b.values[v]
	if !x.op.fused() {
		return 0, false
	}
	for _, i := range []int{2, 0, 1} {
		if a := x.args[i]; l.last[a] == int(v) && b.values[a].op != opConst {
			for j, other := range x.args {
				if j != i && other == a {
					return 0, false
				}
			}
			return a, true
		}
	}
	return 0, false
}

func (o op) fused() bool { return o == opFMA || o == opFMS || o == opFNMA }

// tempsOf returns how many registers an operation needs for constants and masks.
func (b *Body) tempsOf(v Value) int {
	n := 0
	for _, a := range b.values[v].args {
		switch x := &b.values[a]; {
		case x.op == opConst:
			n++
		case x.mask:
			n += b.tempsOf(a)
			if !b.kind.Wide {
				n++
			}
		}
	}
	switch b.values[v].op {
	case opLookup:
		n += b.halves(&b.values[v])
	case opNarrow:
		n++
	}
	return n
}

// halves returns how many registers a table takes that is looked up in two registers, or what a gather needs besides.
func (b *Body) halves(x *value) int {
	switch vectors := b.tables[x.imm].vectors(); {
	case !b.kind.Wide:
		return 1
	case vectors == 2:
		return 2
	}
	return 0
}

// vectors returns how many wide registers a table fills.
func (t *table) vectors() int {
	bytes := 8 * len(t.bits)
	if t.short {
		bytes /= 2
	}
	return (bytes + 63) / 64
}

// emitter writes the instructions for some vectors side by side.
type emitter struct {
	*Body
	*layout
	shared    []reg.VecPhysical
	at        Value               // the operation
	used      int                 // temporaries of it
	registers [][]reg.VecPhysical // of each vector: those of the slots
	splat     map[Value]reg.VecPhysical
	table     [2]reg.VecPhysical // what the vectors look up in
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
			if done || e.kind.Wide && e.inMemory(v) == i || e.startsFrom(v, i) {
				continue
			}
			r := e.temp()
			vec.Kind{Wide: e.kind.Wide, Double: double}.Splat(e.constant(a, double), r)
			e.splat[a] = r
		}
	}
}

// inMemory returns which argument of an operation is a constant that AVX-512 broadcasts from memory, or -1.
func (e *emitter) inMemory(v Value) int {
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
			// Where no argument may be overwritten it goes to the destination.
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

// startsFrom reports whether argument i is a constant that goes to the destination before a fused multiplication.
func (e *emitter) startsFrom(v Value, i int) bool {
	_, inPlace := e.overwritten(v)
	return e.values[v].op.fused() && !inPlace && i == 2
}

// overwritten returns the argument whose slot the destination of a fused multiplication has.
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

// instruction is its forms for registers and with a number from memory, of float32 and float64.
type instruction struct{ single, double, singleMemory, doubleMemory func(...operand.Op) }

var plain = map[op]instruction{
	opAdd: {VADDPS, VADDPD, VADDPS_BCST, VADDPD_BCST},
	opSub: {VSUBPS, VSUBPD, VSUBPS_BCST, VSUBPD_BCST},
	opMul: {VMULPS, VMULPD, VMULPS_BCST, VMULPD_BCST},
	opDiv: {VDIVPS, VDIVPD, VDIVPS_BCST, VDIVPD_BCST},
	opMax: {VMAXPS, VMAXPD, VMAXPS_BCST, VMAXPD_BCST},
	opMin: {VMINPS, VMINPD, VMINPS_BCST, VMINPD_BCST},
	opAnd: {VANDPS, VANDPD, VANDPS_BCST, VANDPD_BCST},
	opOr:  {VORPS, VORPD, VORPS_BCST, VORPD_BCST},
	opXor: {VXORPS, VXORPD, VXORPS_BCST, VXORPD_BCST},
	// The integer forms of narrow vectors have no memory form that broadcasts.
	opAddInt: {VPADDD, VPADDQ, VPADDD_BCST, VPADDQ_BCST},
}

// The fused multiplications by what the destination is: a factor, or the summand.
var (
	fusedFactor = map[op]instruction{
		opFMA:  {VFMADD213PS, VFMADD213PD, VFMADD213PS_BCST, VFMADD213PD_BCST},
		opFMS:  {VFMSUB213PS, VFMSUB213PD, VFMSUB213PS_BCST, VFMSUB213PD_BCST},
		opFNMA: {VFNMADD213PS, VFNMADD213PD, VFNMADD213PS_BCST, VFNMADD213PD_BCST},
	}
	fusedSummand = map[op]instruction{
		opFMA:  {VFMADD231PS, VFMADD231PD, VFMADD231PS_BCST, VFMADD231PD_BCST},
		opFMS:  {VFMSUB231PS, VFMSUB231PD, VFMSUB231PS_BCST, VFMSUB231PD_BCST},
		opFNMA: {VFNMADD231PS, VFNMADD231PD, VFNMADD231PS_BCST, VFNMADD231PD_BCST},
	}
)

func (in instruction) emit(double, memory bool, ops ...operand.Op) {
	switch {
	case double && memory:
		in.doubleMemory(ops...)
	case memory:
		in.singleMemory(ops...)
	case double:
		in.double(ops...)
	default:
		in.single(ops...)
	}
}

// one emits an operation for vector i.
func (e *emitter) one(v Value, i int) {
	x := &e.values[v]
	k := vec.Kind{Wide: e.kind.Wide, Double: x.double}
	dst := e.registers[i][e.slot[v]]
	arg := func(j int) reg.VecPhysical { return e.register(x.args[j], i) }
	switch x.op {
	case opAdd, opSub, opMul, opDiv, opMax, opMin, opAnd, opOr, opXor, opAddInt:
		switch e.inMemory(v) {
		case 0:
			plain[x.op].emit(x.double, true, e.constant(x.args[0], x.double), arg(1), dst)
		case 1:
			plain[x.op].emit(x.double, true, e.constant(x.args[1], x.double), arg(0), dst)
		default:
			plain[x.op].emit(x.double, false, arg(1), arg(0), dst)
		}
	case opSqrt:
		k.Sqrt(arg(0), dst)
	case opRound:
		k.Round(vec.Rounding(x.imm), arg(0), dst)
	case opFMA, opFMS, opFNMA:
		e.fused(v, i, k, dst)
	case opShl, opShr:
		e.shift(x, arg(0), dst)
	case opSelect:
		e.choose(v, i, dst)
	case opPick:
		e.pick(x, i, arg(0), arg(1), arg(2), dst)
	case opScale:
		pair(VSCALEFPS, VSCALEFPD, x.double)(arg(1), arg(0), dst)
	case opExponent:
		pair(VGETEXPPS, VGETEXPPD, x.double)(arg(0), dst)
	case opMantissa:
		pair(VGETMANTPS, VGETMANTPD, x.double)(operand.U8(x.imm), arg(0), dst)
	case opReciprocal:
		if e.kind.Wide {
			VRCP14PS(arg(0), dst)
		} else {
			VRCPPS(arg(0), dst)
		}
	case opWidenLow, opWidenHigh:
		e.widen(x.op == opWidenHigh, arg(0), dst)
	case opNarrow:
		e.narrow(arg(0), arg(1), dst)
	case opLookup:
		e.lookup(x, arg(0), dst)
	case opCopySign:
		e.copySign(x, arg(0), arg(1), dst)
	default:
		panic(fmt.Sprintf("operation %d has no instruction", x.op))
	}
}

func pair(single, double func(...operand.Op), isDouble bool) func(...operand.Op) {
	if isDouble {
		return double
	}
	return single
}

// fused emits a fused multiplication in the form that its destination asks for.
func (e *emitter) fused(v Value, i int, k vec.Kind, dst reg.VecPhysical) {
	x := &e.values[v]
	at, inPlace := e.overwritten(v)
	if !inPlace {
		at = 2
		if c := x.args[2]; e.slot[c] < 0 {
			k.Splat(e.constant(c, x.double), dst)
		} else {
			k.Move(e.register(c, i), dst)
		}
	}
	table, a, b := fusedSummand[x.op], x.args[0], x.args[1]
	if at < 2 {
		table, a, b = fusedFactor[x.op], x.args[2], x.args[1-at]
	}
	switch m := e.inMemory(v); {
	case m >= 0 && x.args[m] == a:
		table.emit(x.double, true, e.constant(a, x.double), e.register(b, i), dst)
	case m >= 0 && x.args[m] == b && at == 2:
		table.emit(x.double, true, e.constant(b, x.double), e.register(a, i), dst)
	default:
		table.emit(x.double, false, e.register(a, i), e.register(b, i), dst)
	}
}

func (e *emitter) shift(x *value, a, dst reg.VecPhysical) {
	by := operand.U8(x.imm)
	if x.op == opShl {
		pair(VPSLLD, VPSLLQ, x.double)(by, a, dst)
	} else {
		pair(VPSRLD, VPSRLQ, x.double)(by, a, dst)
	}
}

// The conditions of comparisons.
var conditions = map[op]uint8{opLess: 0x11, opLessEqual: 0x12, opEqual: 0, opUnordered: 3}

var masks = [...]reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3}

// choose emits a selection, and the condition before it.
func (e *emitter) choose(v Value, i int, dst reg.VecPhysical) {
	x := &e.values[v]
	yes, no := e.register(x.args[1], i), e.register(x.args[2], i)
	if e.kind.Wide {
		k := e.wideMask(x.args[0], i)
		pair(VBLENDMPS, VBLENDMPD, x.double)(yes, no, k, dst)
		return
	}
	m := e.narrowMask(x.args[0], i)
	if x.double {
		VBLENDVPD(m, yes, no, dst)
	} else {
		VBLENDVPS(m, yes, no, dst)
	}
}

// wideMask emits a condition into a mask register.
func (e *emitter) wideMask(m Value, i int) operand.Op {
	x := &e.values[m]
	k := masks[i%3]
	pair(VCMPPS, VCMPPD, x.double)(operand.U8(conditions[x.op]), e.register(x.args[1], i), e.register(x.args[0], i), k)
	return k
}

// narrowMask emits a condition into a vector register.
func (e *emitter) narrowMask(m Value, i int) reg.VecPhysical {
	x := &e.values[m]
	r := e.temp()
	if x.double {
		VCMPPD(operand.U8(conditions[x.op]), e.register(x.args[1], i), e.register(x.args[0], i), r)
	} else {
		VCMPPS(operand.U8(conditions[x.op]), e.register(x.args[1], i), e.register(x.args[0], i), r)
	}
	return r
}

func (e *emitter) pick(x *value, i int, sign, yes, no, dst reg.VecPhysical) {
	switch {
	case e.kind.Wide:
		k := masks[i%3]
		if x.double {
			VPMOVQ2M(sign, k)
		} else {
			VPMOVD2M(sign, k)
		}
		pair(VBLENDMPS, VBLENDMPD, x.double)(yes, no, k, dst)
	case x.double:
		VBLENDVPD(sign, yes, no, dst)
	default:
		VBLENDVPS(sign, yes, no, dst)
	}
}

// copySign makes dst a, which is not negative, with the sign of b: a | b & sign.
func (e *emitter) copySign(x *value, a, b, dst reg.VecPhysical) {
	k := vec.Kind{Wide: true, Double: x.double}
	k.Move(a, dst)
	if x.double {
		VPTERNLOGQ_BCST(operand.U8(0xf8), k.Bits(1<<63), b, dst)
	} else {
		VPTERNLOGD_BCST(operand.U8(0xf8), k.Bits(1<<31), b, dst)
	}
}

func (e *emitter) widen(high bool, a, dst reg.VecPhysical) {
	half := func(r reg.VecPhysical) reg.Register {
		if e.kind.Wide {
			return r.AsY()
		}
		return r.AsX()
	}
	if high {
		if e.kind.Wide {
			VEXTRACTF32X8(operand.U8(1), a, dst.AsY())
		} else {
			VEXTRACTF128(operand.U8(1), a, dst.AsX())
		}
		a = dst
	}
	VCVTPS2PD(half(a), dst)
}

func (e *emitter) narrow(low, high, dst reg.VecPhysical) {
	t := e.temp()
	if e.kind.Wide {
		VCVTPD2PS(low, dst.AsY())
		VCVTPD2PS(high, t.AsY())
		VINSERTF32X8(operand.U8(1), t.AsY(), dst, dst)
		return
	}
	VCVTPD2PSY(low, dst.AsX())
	VCVTPD2PSY(high, t.AsX())
	VINSERTF128(operand.U8(1), t.AsX(), dst, dst)
}

// loadTable loads a table that two registers hold.
func (e *emitter) loadTable(x *value) {
	t := &e.tables[x.imm]
	if !e.kind.Wide || t.vectors() != 2 {
		return
	}
	for i := range e.table {
		e.table[i] = e.temp()
		vec.Kind{Wide: true, Double: x.double}.Load(t.memory().Offset(64*i), e.table[i])
	}
}

// lookup takes elements from a table: from one or two registers where it fits, else it gathers them.
func (e *emitter) lookup(x *value, index, dst reg.VecPhysical) {
	t := &e.tables[x.imm]
	m := t.memory()
	if e.kind.Wide {
		k := vec.Kind{Wide: true, Double: x.double}
		switch t.vectors() {
		case 1:
			pair(VPERMPS, VPERMPD, x.double)(m, index, dst)
			return
		case 2:
			k.Move(index, dst)
			pair(VPERMI2PS, VPERMI2PD, x.double)(e.table[1], e.table[0], dst)
			return
		}
	}
	LEAQ(m, reg.RAX)
	if e.kind.Wide {
		KXNORW(reg.K1, reg.K1, reg.K1)
		if x.double {
			VGATHERQPD(operand.Mem{Base: reg.RAX, Index: index, Scale: 8}, reg.K1, dst)
		} else {
			VGATHERDPS(operand.Mem{Base: reg.RAX, Index: index, Scale: 4}, reg.K1, dst)
		}
		return
	}
	all := e.temp()
	VPCMPEQD(all, all, all)
	if x.double {
		VGATHERQPD(all, operand.Mem{Base: reg.RAX, Index: index, Scale: 8}, dst)
	} else {
		VGATHERDPS(all, operand.Mem{Base: reg.RAX, Index: index, Scale: 4}, dst)
	}
}

var tables = map[string]operand.Mem{}

// memory returns the place of a table, which is written once.
func (t *table) memory() operand.Mem {
	if m, ok := tables[t.name]; ok {
		return m
	}
	m := GLOBL(t.name, RODATA|NOPTR)
	for i, bits := range t.bits {
		if t.short {
			DATA(4*i, operand.U32(bits))
		} else {
			DATA(8*i, operand.U64(bits))
		}
	}
	tables[t.name] = m
	return m
}
