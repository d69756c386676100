package trace

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// instruction holds the forms of an instruction: with register operands and with a broadcast number from memory, for
// float32 and float64.
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
	// The integer forms for narrow vectors have no form that broadcasts from memory.
	opAddInt: {VPADDD, VPADDQ, VPADDD_BCST, VPADDQ_BCST},
}

// The fused multiplications, by the role of the destination: a factor, or the summand.
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

// fused emits a fused multiplication in the form that fits its destination.
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
