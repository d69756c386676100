package trace

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// vectors returns the number of wide registers that a table fills.
func (t *table) vectors() int {
	bytes := 8 * len(t.bits)
	if t.short {
		bytes /= 2
	}
	return (bytes + 63) / 64
}

// loadTable loads a table that fits two registers.
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

// lookup selects elements of a table: from one or two registers if the table fits, otherwise with a gather.
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

// memory returns the location of a table, which is emitted once.
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
