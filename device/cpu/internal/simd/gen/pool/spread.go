package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// spreads emits the routines that add up, for each element under windows, the gradients of these windows.
func spreads() {
	for _, k := range vec.Kinds {
		for _, stride := range []int{1, 2} {
			for _, withPositions := range []bool{false, true} {
				spread(k, stride, withPositions)
			}
		}
	}
}

func spread(k vec.Kind, stride int, withPositions bool) {
	name := "spread"
	if withPositions {
		name = "spreadAt"
	}
	name += strides[stride] + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x *%s, length int, gy *%[1]s, at *uint8, start int, taps *int, first, count int)", k.Elem()))
	Doc(fmt.Sprintf("%s adds up the gradients of n groups of %d elements, %s: length elements in all.", name, stride, amount(k)))
	n, x := Load(Param("n"), GP64()).(reg.GPVirtual), Load(Param("x"), GP64()).(reg.GPVirtual)
	length := Load(Param("length"), GP64()).(reg.GPVirtual)
	s := spreading{Kind: k, x: x, g: Load(Param("gy"), GP64()).(reg.GPVirtual)}
	start := Load(Param("start"), GP64()).(reg.GPVirtual)
	LEAQ(operand.Mem{Base: s.g, Index: start, Scale: uint8(k.Size())}, s.g)
	if withPositions {
		s.at = Load(Param("at"), GP64()).(reg.GPVirtual)
		ADDQ(start, s.at)
	}
	taps := Load(Param("taps"), GP64()).(reg.GPVirtual)
	s.bounds = []reg.GPVirtual{taps}
	if stride == 2 {
		s.bounds = append(s.bounds, behind(taps, "first"))
	}
	s.bounds = append(s.bounds, behind(taps, "count"))
	if stride == 2 && k.Wide {
		s.permutation = k.Regs(2)
		for half := range s.permutation {
			widen(k, table(fmt.Sprintf("pairs%d%s", half, k.Elem()), k.Lanes(), func(i int) int {
				return half*k.Lanes()/2 + i/2 + i%2*k.Lanes()
			}), nil, s.permutation[half])
		}
	}

	if k.Wide {
		CMPQ(n, operand.Imm(uint64(k.Lanes())))
		JLT(operand.LabelRef("short"))
	}
	Label("loop")
	s.block("tap")
	ADDQ(operand.Imm(uint64(k.Bytes())), s.g)
	if withPositions {
		ADDQ(operand.Imm(uint64(k.Lanes())), s.at)
	}
	ADDQ(operand.U32(stride*k.Bytes()), x)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	CMPQ(n, operand.Imm(uint64(k.Lanes())))
	JGE(operand.LabelRef("loop"))
	TESTQ(n, n)
	JZ(operand.LabelRef("done"))
	SUBQ(operand.Imm(uint64(k.Lanes())), n) // the last vector ends with the last group: it starts n groups earlier
	if withPositions {
		ADDQ(n, s.at)
	}
	SHLQ(log2(k.Size()), n)
	ADDQ(n, s.g)
	for range stride {
		ADDQ(n, x)
	}
	MOVQ(operand.U32(k.Lanes()), n)
	JMP(operand.LabelRef("loop"))
	Label("done")
	vec.Leave()
	if k.Wide {
		Label("short")
		s.lanes = mask(lowBits(n))
		bits := lowBits(length)
		for range stride {
			s.stored = append(s.stored, mask(bits))
			SHRQ(operand.Imm(uint64(k.Lanes())), bits)
		}
		s.block("shortTap")
		vec.Leave()
	}
}

// behind returns the address after as many taps as a parameter says.
func behind(taps reg.GPVirtual, count string) reg.GPVirtual {
	end := Load(Param(count), GP64()).(reg.GPVirtual)
	SHLQ(operand.Imm(4), end)
	ADDQ(taps, end)
	return end
}

// spreading emits a routine over groups of elements. Each phase of a group has the taps between two bounds.
type spreading struct {
	vec.Kind
	x, g, at    reg.GPVirtual
	bounds      []reg.GPVirtual
	permutation []reg.VecVirtual // the indices that interleave the elements of two phases into two vectors
	lanes       reg.OpmaskVirtual
	stored      []reg.OpmaskVirtual
}

func (s *spreading) block(loop string) {
	phases := s.Regs(len(s.bounds) - 1)
	for i, sum := range phases {
		s.Zero(sum)
		eachTap(fmt.Sprint(loop, i), s.bounds[i], s.bounds[i+1], func(tap, offset reg.Register) { s.add(tap, offset, sum) })
	}
	if len(phases) == 2 {
		phases = s.interleave(phases[0], phases[1])
	}
	for i, v := range phases {
		m := operand.Mem{Base: s.x, Disp: i * s.Bytes()}
		switch {
		case s.lanes == nil:
			s.Store(v, m)
		case s.Double:
			VMOVUPD(v, s.stored[i], m)
		default:
			VMOVUPS(v, s.stored[i], m)
		}
	}
}

// add adds the gradients of a tap in the lanes whose window has the tap's position.
func (s *spreading) add(tap, offset reg.Register, sum reg.VecVirtual) {
	m := operand.Mem{Base: s.g, Index: offset, Scale: uint8(s.Size())}
	v := s.Reg()
	switch {
	case s.lanes == nil:
		s.Load(m, v)
	case s.Double:
		VMOVUPD_Z(m, s.lanes, v)
	default:
		VMOVUPS_Z(m, s.lanes, v)
	}
	if s.at == nil {
		s.Add(v, sum, sum)
		return
	}
	at, own := s.Reg(), s.Reg()
	widen(s.Kind, operand.Mem{Base: s.at, Index: offset, Scale: 1}, s.lanes, at)
	switch {
	case s.Wide && s.Double:
		here := K()
		VPCMPEQQ_BCST(position(tap), at, here)
		VADDPD(v, sum, here, sum)
	case s.Wide:
		here := K()
		VPCMPEQD_BCST(position(tap), at, here)
		VADDPS(v, sum, here, sum)
	case s.Double:
		VPBROADCASTQ(position(tap), own)
		VPCMPEQQ(own, at, at)
		s.And(at, v, v)
		s.Add(v, sum, sum)
	default:
		VPBROADCASTD(position(tap), own)
		VPCMPEQD(own, at, at)
		s.And(at, v, v)
		s.Add(v, sum, sum)
	}
}

// interleave interleaves the elements of two vectors into two vectors.
func (s *spreading) interleave(even, odd reg.VecVirtual) []reg.VecVirtual {
	low, high := s.Reg(), s.Reg()
	switch {
	case s.Wide:
		for i, v := range []reg.VecVirtual{low, high} {
			s.Move(s.permutation[i], v)
			if s.Double {
				VPERMI2PD(odd, even, v)
			} else {
				VPERMI2PS(odd, even, v)
			}
		}
		return []reg.VecVirtual{low, high}
	case s.Double:
		VUNPCKLPD(odd, even, low)
		VUNPCKHPD(odd, even, high)
	default:
		VUNPCKLPS(odd, even, low)
		VUNPCKHPS(odd, even, high)
	}
	first, second := s.Reg(), s.Reg()
	VPERM2F128(operand.Imm(0x20), high, low, first)
	VPERM2F128(operand.Imm(0x31), high, low, second)
	return []reg.VecVirtual{first, second}
}
