package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// mirrors emits the step between a transform of real numbers and one of half as many complex numbers.
func mirrors() {
	for _, k := range vec.Kinds {
		mirror(k)
	}
}

func mirror(k vec.Kind) {
	name := "mirror" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, low, high, w, lowTo, highTo *%s, tail int, sin, cos, sum %[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s combines n blocks of %d complex numbers, from low on, with the numbers from high", name, k.Lanes()),
		"down, and at last a block of fewer. w has vectors of sines and of cosines.")
	n, low, high := Load(Param("n"), GP64()), Load(Param("low"), GP64()), Load(Param("high"), GP64())
	w, lowTo, highTo := Load(Param("w"), GP64()), Load(Param("lowTo"), GP64()), Load(Param("highTo"), GP64())
	for _, p := range []reg.Register{high, highTo} {
		SUBQ(operand.U32(2*(k.Lanes()-1)*k.Size()), p)
	}
	m := &mirrored{splitter: newSplitter(k), w: w}
	if k.Wide || !k.Double {
		m.reverse = m.indices("reverse", func(i int) int { return k.Lanes() - 1 - i })
	}
	for i, name := range []string{"sin", "cos", "sum"} {
		m.scales[i] = k.Reg()
		k.Splat(operand.NewParamAddr(name, 56+i*k.Size()), m.scales[i])
	}
	whole := [2]access{wholeVector{k}, wholeVector{k}}
	TESTQ(n, n)
	JZ(operand.LabelRef("last"))
	Label("loop")
	m.block(whole, low, lowTo, whole, high, highTo)
	for _, p := range []reg.Register{low, lowTo, w} {
		ADDQ(operand.U32(2*k.Bytes()), p)
	}
	for _, p := range []reg.Register{high, highTo} {
		SUBQ(operand.U32(2*k.Bytes()), p)
	}
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	Label("last")
	Load(Param("tail"), n)
	TESTQ(n, n)
	JZ(operand.LabelRef("done"))
	first, second := m.tails(n)
	rest := GP64()
	MOVQ(operand.U32(k.Lanes()), rest)
	SUBQ(n, rest)
	before, within := m.lanesOf(rest)
	m.block([2]access{first, second}, low, lowTo, [2]access{m.after(before), m.after(within)}, high, highTo)
	Label("done")
	vec.Leave()
}

// access loads and stores a vector, or some lanes of it.
type access interface {
	LoadZero(m operand.Op, dst reg.Register)
	Store(r reg.Register, m operand.Op)
}

type wholeVector struct{ vec.Kind }

func (v wholeVector) LoadZero(m operand.Op, dst reg.Register) { v.Load(m, dst) }
func (v wholeVector) Store(r reg.Register, m operand.Op)      { v.Kind.Store(r, m) }

// after returns the lanes after the first n.
func (m *mirrored) after(n reg.Register) vec.Tail {
	if m.Wide {
		bits, k := GP64(), K()
		MOVQ(operand.I32(-1), bits)
		BZHIQ(n, bits, bits)
		NOTQ(bits)
		KMOVW(bits.As32(), k)
		return m.TailOf(k)
	}
	ones, others := m.Reg(), m.Reg()
	VPCMPEQD(ones, ones, ones)
	VMOVAPS(ones, others)
	m.Tail(n).Keep(others)
	m.Xor(ones, others, others)
	return m.TailOf(others)
}

// block emits the combination of two blocks.
func (m *mirrored) block(lows [2]access, low, lowTo reg.Register, highs [2]access, high, highTo reg.Register) {
	sin, cos, sum := m.scales[0], m.scales[1], m.scales[2]
	ar, ai := m.load(lows, low)
	br, bi := m.load(highs, high)
	m.turn(br)
	m.turn(bi)
	er, ei, dr, di := m.Reg(), m.Reg(), m.Reg(), m.Reg()
	m.Add(br, ar, er)
	m.Sub(bi, ai, ei)
	m.Sub(br, ar, dr)
	m.Add(bi, ai, di)
	m.Mul(sum, er, er)
	m.Mul(sum, ei, ei)
	vr, vi := m.Reg(), m.Reg()
	m.Mul(operand.Mem{Base: m.w}, sin, vr)
	m.Mul(operand.Mem{Base: m.w, Disp: m.Bytes()}, cos, vi)
	pr, pi := m.Reg(), m.Reg()
	m.Mul(vr, dr, pr)
	m.Mul(vi, dr, pi)
	m.FNMA231(vi, di, pr)
	m.FMA231(vr, di, pi)
	xr, xi, yr, yi := m.Reg(), m.Reg(), m.Reg(), m.Reg()
	m.Add(pr, er, xr)
	m.Add(pi, ei, xi)
	m.Sub(pr, er, yr)
	m.Sub(ei, pi, yi)
	m.store(lows, xr, xi, lowTo)
	m.turn(yr)
	m.turn(yi)
	m.store(highs, yr, yi, highTo)
}

// mirrored loads and stores complex numbers in both orders.
type mirrored struct {
	*splitter
	w       reg.Register
	scales  [3]reg.VecVirtual
	reverse reg.VecVirtual
}

// turn reverses the order of the lanes.
func (m *mirrored) turn(r reg.VecVirtual) {
	switch {
	case m.Double && !m.Wide:
		VPERMPD(operand.U8(0x1b), r, r)
	case m.Double:
		VPERMPD(r, m.reverse, r)
	default:
		VPERMPS(r, m.reverse, r)
	}
}

func (m *mirrored) load(by [2]access, at reg.Register) (re, im reg.VecVirtual) {
	a, b := m.Reg(), m.Reg()
	by[0].LoadZero(operand.Mem{Base: at}, a)
	by[1].LoadZero(operand.Mem{Base: at, Disp: m.Bytes()}, b)
	return m.parts(a, b)
}

func (m *mirrored) store(by [2]access, re, im reg.VecVirtual, at reg.Register) {
	a, b := m.join(re, im)
	by[0].Store(a, operand.Mem{Base: at})
	by[1].Store(b, operand.Mem{Base: at, Disp: m.Bytes()})
}
