package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// anyStride denotes a stride that is known only at run time.
const anyStride = 0

// strided loads every stride-th element of memory into a vector. With stride 2 it loads two vectors and picks the even
// elements of the first and the odd elements of the second. The second vector begins one element early, so that no
// memory after the last needed element is read.
type strided struct {
	vec.Kind
	stride    int
	indices   reg.VecVirtual    // indices of the elements: in the two vectors, or in memory
	lanes     reg.OpmaskVirtual // the lanes to load, if not all
	low, high reg.OpmaskVirtual // the lanes to load from each of the two vectors
}

func newStrided(k vec.Kind, stride int, step reg.GPVirtual) *strided {
	s := &strided{Kind: k, stride: stride}
	switch {
	case stride == anyStride:
		s.indices = k.Reg()
		lane := k.Reg()
		VMOVD(step.As32(), s.indices.AsX())
		VPBROADCASTD(s.indices.AsX(), s.index(s.indices))
		VPMOVZXBD(table("lane", 16, func(i int) int { return i }), s.index(lane))
		VPMULLD(s.index(lane), s.index(s.indices), s.index(s.indices))
	case stride == 2 && k.Wide:
		s.indices = k.Reg()
		half := k.Lanes() / 2
		widen(k, table("even"+k.Elem(), k.Lanes(), func(i int) int {
			if i < half {
				return 2 * i
			}
			return k.Lanes() + 1 + 2*(i-half)
		}), nil, s.indices)
	}
	return s
}

// index returns the part of a register that holds one 32-bit index per lane.
func (s *strided) index(r reg.VecVirtual) operand.Op {
	switch {
	case s.Wide && s.Double:
		return r.AsY()
	case s.Wide:
		return r.AsZ()
	case s.Double:
		return r.AsX()
	}
	return r.AsY()
}

// only restricts the loads to the first n lanes, fewer than a vector has.
func (s *strided) only(n reg.Register) {
	s.lanes = mask(lowBits(n))
	if s.stride != 2 {
		return
	}
	elements := GP64()
	LEAQ(operand.Mem{Base: n, Index: n, Scale: 1, Disp: -1}, elements)
	bits := lowBits(elements)
	s.low = mask(bits)
	SHRQ(operand.Imm(uint64(s.Lanes()-1)), bits)
	s.high = mask(bits)
}

// load returns the elements from an address on.
func (s *strided) load(base, offset reg.Register) reg.VecVirtual {
	v := s.Reg()
	at := operand.Mem{Base: base, Index: offset, Scale: uint8(s.Size())}
	switch s.stride {
	case 1:
		s.plain(at, s.lanes, v)
	case 2:
		second := s.Reg()
		s.plain(at, s.low, v)
		at.Disp = (s.Lanes() - 1) * s.Size()
		s.plain(at, s.high, second)
		s.evens(v, second)
	default:
		s.gather(base, offset, v)
	}
	return v
}

func (s *strided) plain(m operand.Mem, lanes reg.OpmaskVirtual, v reg.VecVirtual) {
	switch {
	case lanes == nil:
		s.Load(m, v)
	case s.Double:
		VMOVUPD_Z(m, lanes, v)
	default:
		VMOVUPS_Z(m, lanes, v)
	}
}

// evens picks the needed elements of two vectors into the first.
func (s *strided) evens(v, second reg.VecVirtual) {
	if s.Wide {
		if s.Double {
			VPERMT2PD(second, s.indices, v)
		} else {
			VPERMT2PS(second, s.indices, v)
		}
		return
	}
	if s.Double {
		VSHUFPD(operand.Imm(0b1010), second, v, v)
	} else {
		VSHUFPS(operand.Imm(0b11011000), second, v, v)
	}
	VPERMPD(operand.Imm(0b11011000), v, v)
}

func (s *strided) gather(base, offset reg.Register, v reg.VecVirtual) {
	at := GP64()
	LEAQ(operand.Mem{Base: base, Index: offset, Scale: uint8(s.Size())}, at)
	m := operand.Mem{Base: at, Index: s.index(s.indices).(reg.Register), Scale: uint8(s.Size())}
	if !s.Wide {
		all := s.Reg()
		VPCMPEQD(all, all, all)
		if s.Double {
			VGATHERDPD(all, m, v)
		} else {
			VGATHERDPS(all, m, v)
		}
		return
	}
	lanes := K()
	if s.lanes == nil {
		KXNORW(lanes, lanes, lanes)
	} else {
		KMOVW(s.lanes, lanes)
	}
	s.Zero(v)
	if s.Double {
		VGATHERDPD(m, lanes, v)
	} else {
		VGATHERDPS(m, lanes, v)
	}
}
