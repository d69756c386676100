package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

// network emits the routine that sorts some vectors in registers: a bitonic network, in which every merge compares the
// first sequence with the second one backwards. Lanes beyond the elements hold the largest number.
func (t integer) network(vectors int) {
	name := t.name(fmt.Sprintf("sort%d", vectors*t.lanes()))
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x *%s)", t.elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sorts n elements, at most %d.", name, vectors*t.lanes()))
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	s := newSorter(t)
	ones, lanes, zero := GP64(), GP64(), GP64()
	MOVQ(operand.I32(-1), ones)
	MOVQ(operand.I32(int32(t.lanes())), lanes)
	XORQ(zero, zero)
	part := func(i int) reg.Register {
		left, mask := GP64(), K()
		MOVQ(n, left)
		SUBQ(operand.U32(i*t.lanes()), left)
		CMOVQLT(zero, left)
		CMPQ(left, lanes)
		CMOVQGT(lanes, left)
		bits(left, ones, mask)
		return mask
	}
	largest := ZMM()
	t.splat(vec.Kind{Wide: true, Double: t.size == 8}.Bits(1<<(8*t.size-1)-1), largest)
	r := make([]reg.VecVirtual, vectors)
	for i := range r {
		r[i] = ZMM()
		VMOVDQA64(largest, r[i])
		t.pick(VMOVDQU32, VMOVDQU64)(operand.Mem{Base: x, Disp: 64 * i}, part(i), r[i])
	}
	s.sort(r)
	for i := range r {
		t.storeSome(r[i], part(i), operand.Mem{Base: x, Disp: 64 * i})
	}
	vec.Leave()
}

// sorter has what the steps within vectors need: masks of the lanes that receive the larger element of pairs at some
// distance, and the orders that turn groups of lanes around.
type sorter struct {
	integer
	upper    map[int]reg.Register
	backward map[int]reg.VecVirtual
}

func newSorter(t integer) *sorter {
	s := &sorter{t, map[int]reg.Register{}, map[int]reg.VecVirtual{}}
	bit := GP32()
	for distance := 1; distance < t.lanes(); distance *= 2 {
		mask := uint32(0)
		for lane := range t.lanes() {
			if lane&distance != 0 {
				mask |= 1 << lane
			}
		}
		s.upper[distance] = K()
		MOVL(operand.U32(mask), bit)
		KMOVW(bit, s.upper[distance])
	}
	for group := 32 / t.size; group <= t.lanes(); group *= 2 { // smaller groups have instructions of their own
		if group == 4 {
			continue
		}
		s.backward[group] = ZMM()
		t.load(t.order(group), s.backward[group])
	}
	return s
}

var orders = map[string]operand.Mem{}

// order is the vector of lanes in groups that are turned around.
func (t integer) order(group int) operand.Mem {
	name := fmt.Sprintf("backward%dof%d", group, 8*t.size)
	m, ok := orders[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for lane := range t.lanes() {
			turned := lane ^ (group - 1)
			if t.size == 8 {
				DATA(8*lane, operand.U64(turned))
			} else {
				DATA(4*lane, operand.U32(turned))
			}
		}
		orders[name] = m
	}
	return m
}

// sort sorts all lanes of the vectors.
func (s *sorter) sort(r []reg.VecVirtual) {
	for group := 2; group <= s.lanes(); group *= 2 {
		s.within(r, group/2, func(a, dst reg.VecVirtual) { s.turn(group, a, dst) })
		s.halves(r, group/4)
	}
	for group := 2; group <= len(r); group *= 2 {
		for start := 0; start < len(r); start += group {
			s.mergeVectors(r[start : start+group])
		}
		s.halves(r, s.lanes()/2)
	}
}

// halves compares the lanes of every vector at a distance, then at half of it, and so on.
func (s *sorter) halves(r []reg.VecVirtual, distance int) {
	for ; distance >= 1; distance /= 2 {
		s.within(r, distance, func(a, dst reg.VecVirtual) { s.exchange(distance, a, dst) })
	}
}

// within compares every vector with its own lanes in another order; of each pair, the lanes that have a bit in common with
// the distance get the larger element.
func (s *sorter) within(r []reg.VecVirtual, distance int, other func(a, dst reg.VecVirtual)) {
	for i := range r {
		turned, result := ZMM(), ZMM()
		other(r[i], turned)
		s.pick(VPMINSD, VPMINSQ)(turned, r[i], result)
		s.pick(VPMAXSD, VPMAXSQ)(turned, r[i], s.upper[distance], result)
		r[i] = result
	}
}

// mergeVectors merges two sorted halves, but for the order within vectors.
func (s *sorter) mergeVectors(r []reg.VecVirtual) {
	half := len(r) / 2
	high := make([]reg.VecVirtual, half)
	for i := range half {
		turned := ZMM()
		high[i] = ZMM()
		s.turn(s.lanes(), r[len(r)-1-i], turned)
		s.pick(VPMAXSD, VPMAXSQ)(turned, r[i], high[i])
		s.pick(VPMINSD, VPMINSQ)(turned, r[i], r[i])
	}
	copy(r[half:], high)
	for distance := half / 2; distance >= 1; distance /= 2 {
		for start := 0; start < len(r); start += 2 * distance {
			for i := start; i < start+distance; i++ {
				larger := ZMM()
				s.pick(VPMAXSD, VPMAXSQ)(r[i+distance], r[i], larger)
				s.pick(VPMINSD, VPMINSQ)(r[i+distance], r[i], r[i])
				r[i+distance] = larger
			}
		}
	}
}

// turn turns groups of lanes around.
func (s *sorter) turn(group int, a, dst reg.VecVirtual) {
	switch {
	case group == 2:
		s.exchange(1, a, dst)
	case group == 4 && s.size == 4:
		VPSHUFD(operand.Imm(0x1b), a, dst)
	case group == 4:
		VPERMQ(operand.Imm(0x1b), a, dst)
	default:
		s.pick(VPERMD, VPERMQ)(a, s.backward[group], dst)
	}
}

// exchange exchanges lanes at a distance.
func (s *sorter) exchange(distance int, a, dst reg.VecVirtual) {
	switch distance * s.size {
	case 4:
		VPSHUFD(operand.Imm(0xb1), a, dst)
	case 8:
		VPSHUFD(operand.Imm(0x4e), a, dst)
	case 16:
		VSHUFI32X4(operand.Imm(0xb1), a, a, dst)
	case 32:
		VSHUFI32X4(operand.Imm(0x4e), a, a, dst)
	}
}
