package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// network emits the routine that sorts some vectors in registers. First it sorts every column, the elements of one
// lane; no element has to leave its lane for that. Then it merges neighbouring columns, so that the elements of the
// first lane precede those of the second, and so on. Finally it transposes columns to rows. Lanes beyond the elements
// hold the largest number.
func (t number) network(vectors int) {
	name := t.name(fmt.Sprintf("sort%d", vectors*t.lanes()))
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, dst, src *%s)", t.elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sorts n elements, at most %d.", name, vectors*t.lanes()))
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	some := t.someOf(n)
	r := make([]reg.VecVirtual, vectors)
	largest := ZMM()
	t.splat(t.largest(), largest)
	for i := range r {
		r[i] = ZMM()
		VMOVDQA64(largest, r[i])
		t.pick(VMOVDQU32, VMOVDQU64)(operand.Mem{Base: src, Disp: 64 * i}, some(i), r[i])
	}
	s := newSorter(t)
	s.columns(r)
	s.merge(r)
	for i, v := range t.transposed(r) {
		t.storeSome(v, some(i), operand.Mem{Base: dst, Disp: 64 * i})
	}
	vec.Leave()
}

// someOf returns a function that makes the mask of each vector, for n elements in total.
func (t number) someOf(n reg.Register) func(vector int) reg.Register {
	ones, lanes, zero := GP64(), GP64(), GP64()
	MOVQ(operand.I32(-1), ones)
	MOVQ(operand.I32(int32(t.lanes())), lanes)
	XORQ(zero, zero)
	return func(vector int) reg.Register {
		left, mask := GP64(), K()
		MOVQ(n, left)
		SUBQ(operand.U32(vector*t.lanes()), left)
		CMOVQLT(zero, left)
		CMPQ(left, lanes)
		CMOVQGT(lanes, left)
		bits(left, ones, mask)
		return mask
	}
}

// sorter holds what the steps between lanes need: masks of lanes for pairs at a given distance: those
// that receive the larger element or, if the smaller one is the remainder, the smaller one; and the permutations that reverse groups
// of lanes.
type sorter struct {
	number
	masks    map[int]reg.Register
	backward map[int]reg.VecVirtual
}

func newSorter(t number) *sorter {
	s := &sorter{t, map[int]reg.Register{}, map[int]reg.VecVirtual{}}
	bit := GP32()
	for distance := 1; distance < t.lanes(); distance *= 2 {
		mask := uint32(0)
		for lane := range t.lanes() {
			if lane&distance != 0 != t.remainders() {
				mask |= 1 << lane
			}
		}
		s.masks[distance] = K()
		MOVL(operand.U32(mask), bit)
		KMOVW(bit, s.masks[distance])
	}
	for group := 32 / t.size; group <= t.lanes(); group *= 2 { // smaller groups have dedicated instructions
		if group == 4 {
			continue
		}
		s.backward[group] = ZMM()
		t.load(t.order(group), s.backward[group])
	}
	return s
}

var orders = map[string]operand.Mem{}

// order returns the permutation that reverses the lanes of each group.
func (t number) order(group int) operand.Mem {
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

// compare leaves the smaller element of each lane in a, the larger one in b.
func (s *sorter) compare(a, b *reg.VecVirtual) {
	larger := ZMM()
	s.max(*b, *a, larger)
	if s.remainders() {
		VPTERNLOGQ(operand.Imm(xor3), larger, *b, *a)
	} else {
		s.min(*b, *a, *a)
	}
	*b = larger
}

// xor3 has VPTERNLOG combine three vectors by XOR.
const xor3 = 0x96

// remainders reports whether the smaller of two numbers is computed as what remains of both without the larger one, by XOR. Minima and
// maxima of 64-bit integers take two steps each on Intel's processors.
func (t number) remainders() bool { return t.size == 8 && !t.float }

// columns sorts the columns with Batcher's odd-even merge sort.
func (s *sorter) columns(r []reg.VecVirtual) {
	for length := 1; length < len(r); length *= 2 {
		for distance := length; distance >= 1; distance /= 2 {
			for from := distance % length; from+distance < len(r); from += 2 * distance {
				for i := from; i < min(from+distance, len(r)-distance); i++ {
					if i/(2*length) == (i+distance)/(2*length) {
						s.compare(&r[i], &r[i+distance])
					}
				}
			}
		}
	}
}

// merge merges groups of sorted columns to groups that are twice as large. It compares elements with those of the other
// half in reverse order, and then at ever smaller distances.
func (s *sorter) merge(r []reg.VecVirtual) {
	for group := 2; group <= s.lanes(); group *= 2 {
		for i := range len(r) / 2 {
			j := len(r) - 1 - i
			first, second := ZMM(), ZMM()
			s.turn(group, r[i], first)
			s.turn(group, r[j], second)
			r[i], r[j] = s.lower(r[i], second, group/2), s.lower(r[j], first, group/2)
		}
		for distance := group / 4; distance >= 1; distance /= 2 {
			for i := range r {
				other := ZMM()
				s.exchange(distance, r[i], other)
				r[i] = s.lower(r[i], other, distance)
			}
		}
		for distance := len(r) / 2; distance >= 1; distance /= 2 {
			for i := range r {
				if i&distance == 0 {
					s.compare(&r[i], &r[i+distance])
				}
			}
		}
	}
}

// lower returns the smaller elements of two vectors; in the lanes whose number has a bit in common with distance, the
// larger ones.
func (s *sorter) lower(a, b reg.VecVirtual, distance int) reg.VecVirtual {
	result := ZMM()
	if s.remainders() {
		s.max(b, a, result)
		VPTERNLOGQ(operand.Imm(xor3), b, a, s.masks[distance], result)
		return result
	}
	s.min(b, a, result)
	s.max(b, a, s.masks[distance], result)
	return result
}

// turn reverses groups of lanes.
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

// exchange swaps lanes at a distance.
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

// bitMeaning records the meaning of the bits of lane numbers and of register numbers: which bit of an element's index in
// the sorted order each of them is.
type bitMeaning struct {
	lane, register []int
	r              []reg.VecVirtual
}

// transposed returns vectors with the elements of the columns, one column after another. Each step exchanges the
// meaning of some bits.
func (t number) transposed(r []reg.VecVirtual) []reg.VecVirtual {
	p := bitMeaning{r: slices.Clone(r)}
	for bit := 1; bit < len(r); bit *= 2 {
		p.register = append(p.register, len(p.register))
	}
	for bit := 1; bit < t.lanes(); bit *= 2 {
		p.lane = append(p.lane, len(p.register)+len(p.lane))
	}
	within := 1 // bits of the lane number within 16 bytes
	if t.size == 4 {
		within = 2
		if len(r) > 2 {
			p.interleave(t, 1)
		}
	}
	p.interleave(t, 0)
	p.spread(t, within)
	p.spread(t, within+1)
	return p.inOrder()
}

// interleave interleaves the elements of registers whose numbers differ in one bit.
func (p *bitMeaning) interleave(t number, meaning int) {
	bit := slices.Index(p.register, meaning)
	p.pairs(bit, func(a, b, low, high reg.VecVirtual) {
		t.pick(VPUNPCKLDQ, VPUNPCKLQDQ)(b, a, low)
		t.pick(VPUNPCKHDQ, VPUNPCKHQDQ)(b, a, high)
	})
	if t.size == 4 {
		p.register[bit], p.lane[0], p.lane[1] = p.lane[1], p.register[bit], p.lane[0]
	} else {
		p.register[bit], p.lane[0] = p.lane[0], p.register[bit]
	}
}

// spread exchanges halves of registers whose numbers differ in one bit: the first register receives the even 16-byte
// blocks of both.
func (p *bitMeaning) spread(t number, meaning int) {
	bit := slices.Index(p.register, meaning)
	p.pairs(bit, func(a, b, low, high reg.VecVirtual) {
		VSHUFI32X4(operand.Imm(0x88), b, a, low)
		VSHUFI32X4(operand.Imm(0xdd), b, a, high)
	})
	last := len(p.lane) - 1
	p.register[bit], p.lane[last], p.lane[last-1] = p.lane[last-1], p.register[bit], p.lane[last]
}

// pairs combines the registers whose numbers differ in one bit.
func (p *bitMeaning) pairs(bit int, combine func(a, b, low, high reg.VecVirtual)) {
	for i := range p.r {
		if i>>bit&1 == 0 {
			low, high := ZMM(), ZMM()
			combine(p.r[i], p.r[i|1<<bit], low, high)
			p.r[i], p.r[i|1<<bit] = low, high
		}
	}
}

// inOrder returns the registers in the order of their elements' indices; the lanes are the lowest bits.
func (p *bitMeaning) inOrder() []reg.VecVirtual {
	sorted := make([]reg.VecVirtual, len(p.r))
	for i, r := range p.r {
		at := 0
		for bit, meaning := range p.register {
			at |= i >> bit & 1 << (meaning - len(p.lane))
		}
		sorted[at] = r
	}
	return sorted
}

// middle emits the routine that returns the median of 32 elements, or a neighbour of it.
func (t number) middle() {
	name := t.name("middle")
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x *%s) %[1]s", t.elem()))
	Pragma("noescape")
	Doc(name + " returns the median, more or less, of 32 of n elements, at least 32 and less than 1<<31.")
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	SHRQ(operand.Imm(5), n)
	step, at, vector := ZMM(), ZMM(), ZMM()
	VPBROADCASTD(n.(reg.GPVirtual).As32(), step)
	VPMULLD(numbersFrom0(), step, at)
	VPSLLD(operand.Imm(uint64(6-t.shift())), step, vector) // as many steps as there are lanes
	VPSRLD(operand.Imm(1), step, step)
	VPADDD(step, at, at)
	r := make([]reg.VecVirtual, 32/t.lanes())
	for i := range r {
		r[i] = ZMM()
		all := K()
		KXNORW(all, all, all)
		VPXORD(r[i], r[i], r[i])
		if t.size == 4 {
			VPGATHERDD(operand.Mem{Base: x, Index: at, Scale: 4}, all, r[i])
		} else {
			VPGATHERDQ(operand.Mem{Base: x, Index: at.AsY(), Scale: 8}, all, r[i])
		}
		next := ZMM()
		VPADDD(vector, at, next)
		at = next
	}
	s := newSorter(t)
	s.columns(r)
	s.merge(r)
	result := t.transposed(r)[len(r)/2].AsX()
	if t.float {
		Store(result, ReturnIndex(0))
	} else {
		number := GP64()
		if t.size == 8 {
			VMOVQ(result, number)
			Store(number, ReturnIndex(0))
		} else {
			VMOVD(result, number.As32())
			Store(number.As32(), ReturnIndex(0))
		}
	}
	vec.Leave()
}

var ascending operand.Mem

// numbersFrom0 is a vector of lane numbers.
func numbersFrom0() operand.Mem {
	if ascending.Base == nil {
		ascending = GLOBL("ascending", RODATA|NOPTR)
		for lane := range 16 {
			DATA(4*lane, operand.U32(lane))
		}
	}
	return ascending
}
