package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// position returns the field Position of the pool.Tap at an address.
func position(tap reg.Register) operand.Mem { return operand.Mem{Base: tap, Disp: tapPosition} }

// eachTap emits a loop over the taps from one address to another; there may be none. body receives the address of a tap
// and its offset At.
func eachTap(name string, from, to operand.Op, body func(tap, offset reg.Register)) {
	tap, offset := GP64(), GP64()
	MOVQ(from, tap)
	JMP(operand.LabelRef(name + "Check"))
	Label(name)
	MOVQ(operand.Mem{Base: tap, Disp: tapAt}, offset)
	body(tap, offset)
	ADDQ(operand.Imm(tapSize), tap)
	Label(name + "Check")
	CMPQ(tap, to)
	JLT(operand.LabelRef(name))
}

// lowBits returns a register with the n lowest bits set; n is below 64.
func lowBits(n reg.Register) reg.GPVirtual {
	bits := GP64()
	MOVQ(operand.I32(-1), bits)
	BZHIQ(n, bits, bits)
	return bits
}

// mask moves the lowest bits of a register to a mask.
func mask(bits reg.GPVirtual) reg.OpmaskVirtual {
	k := K()
	KMOVW(bits.As32(), k)
	return k
}

// table returns a constant of bytes, which is emitted once.
func table(name string, n int, value func(i int) int) operand.Mem {
	if m, ok := tables[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := range n {
		DATA(i, operand.U8(value(i)))
	}
	tables[name] = m
	return m
}

var tables = map[string]operand.Mem{}

// widen loads a byte for each lane, or for each lane of a mask.
func widen(k vec.Kind, m operand.Mem, lanes reg.OpmaskVirtual, dst reg.VecVirtual) {
	switch {
	case lanes == nil && k.Double:
		VPMOVZXBQ(m, dst)
	case lanes == nil:
		VPMOVZXBD(m, dst)
	case k.Double:
		VPMOVZXBQ_Z(m, lanes, dst)
	default:
		VPMOVZXBD_Z(m, lanes, dst)
	}
}
