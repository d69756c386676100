package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

// tail is the first lanes of a vector, fewer than all.
type tail struct {
	vec.Kind
	mask reg.Register
}

// tailOf returns a mask for n lanes.
func tailOf(k vec.Kind, n reg.Register) tail {
	if k.Wide {
		ones, mask := GP64(), K()
		MOVQ(operand.I32(-1), ones)
		BZHIQ(n, ones, ones)
		KMOVW(ones.As32(), mask)
		return tail{k, mask}
	}
	at, from := GP64(), GP64()
	LEAQ(lanesBefore(k), at)
	MOVQ(operand.U32(k.Lanes()), from)
	SUBQ(n, from)
	mask := k.Reg()
	k.Load(operand.Mem{Base: at, Index: from, Scale: uint8(k.Size())}, mask)
	return tail{k, mask}
}

// lanesBefore is a table of a vector of ones and one of zeros.
func lanesBefore(k vec.Kind) operand.Mem {
	if m, ok := tables[k.Double]; ok {
		return m
	}
	m := GLOBL(fmt.Sprintf("lanesBefore%d", 8*k.Size()), RODATA|NOPTR)
	for i, v := range [8]uint64{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1} {
		DATA(8*i, operand.U64(v))
	}
	tables[k.Double] = m
	return m
}

var tables = map[bool]operand.Mem{}

// load sets the other lanes to 0.
func (t tail) load(m operand.Op, r operand.Op) {
	switch {
	case t.Wide && t.Double:
		VMOVUPD_Z(m, t.mask, r)
	case t.Wide:
		VMOVUPS_Z(m, t.mask, r)
	case t.Double:
		VMASKMOVPD(m, t.mask, r)
	default:
		VMASKMOVPS(m, t.mask, r)
	}
}

func (t tail) store(r operand.Op, m operand.Op) {
	switch {
	case t.Wide && t.Double:
		VMOVUPD(r, t.mask, m)
	case t.Wide:
		VMOVUPS(r, t.mask, m)
	case t.Double:
		VMASKMOVPD(r, t.mask, m)
	default:
		VMASKMOVPS(r, t.mask, m)
	}
}
