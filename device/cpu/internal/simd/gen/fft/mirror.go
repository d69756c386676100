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
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, low, high, w, lowTo, highTo *%s, sin, cos, sum %[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s combines n blocks of %d complex numbers, from low on, with the numbers from the end of high", name, k.Lanes()),
		"down. w has vectors of sines and of cosines.")
	n, low, high := Load(Param("n"), GP64()), Load(Param("low"), GP64()), Load(Param("high"), GP64())
	w, lowTo, highTo := Load(Param("w"), GP64()), Load(Param("lowTo"), GP64()), Load(Param("highTo"), GP64())
	s := newSplitter(k)
	m := &mirrored{splitter: s}
	if k.Wide || !k.Double {
		m.reverse = s.indices("reverse", func(i int) int { return k.Lanes() - 1 - i })
	}
	sin, cos, sum := splatParam(k, "sin", 48), splatParam(k, "cos", 48+k.Size()), splatParam(k, "sum", 48+2*k.Size())
	Label("loop")
	ar, ai := m.load(low)
	br, bi := m.load(high)
	m.turn(br)
	m.turn(bi)
	er, ei, dr, di := k.Reg(), k.Reg(), k.Reg(), k.Reg()
	k.Add(br, ar, er)
	k.Sub(bi, ai, ei)
	k.Sub(br, ar, dr)
	k.Add(bi, ai, di)
	k.Mul(sum, er, er)
	k.Mul(sum, ei, ei)
	vr, vi := k.Reg(), k.Reg()
	k.Mul(operand.Mem{Base: w}, sin, vr)
	k.Mul(operand.Mem{Base: w, Disp: k.Bytes()}, cos, vi)
	pr, pi := k.Reg(), k.Reg()
	k.Mul(vr, dr, pr)
	k.Mul(vi, dr, pi)
	k.FNMA231(vi, di, pr)
	k.FMA231(vr, di, pi)
	xr, xi, yr, yi := k.Reg(), k.Reg(), k.Reg(), k.Reg()
	k.Add(pr, er, xr)
	k.Add(pi, ei, xi)
	k.Sub(pr, er, yr)
	k.Sub(ei, pi, yi)
	m.store(xr, xi, lowTo)
	m.turn(yr)
	m.turn(yi)
	m.store(yr, yi, highTo)
	for _, p := range []reg.Register{low, lowTo, w} {
		ADDQ(operand.U32(2*k.Bytes()), p)
	}
	for _, p := range []reg.Register{high, highTo} {
		SUBQ(operand.U32(2*k.Bytes()), p)
	}
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// splatParam broadcasts a parameter.
func splatParam(k vec.Kind, name string, offset int) reg.VecVirtual {
	r := k.Reg()
	k.Splat(operand.NewParamAddr(name, offset), r)
	return r
}

// mirrored loads and stores complex numbers in both orders.
type mirrored struct {
	*splitter
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

func (m *mirrored) load(at reg.Register) (re, im reg.VecVirtual) {
	a, b := m.Reg(), m.Reg()
	m.Load(operand.Mem{Base: at}, a)
	m.Load(operand.Mem{Base: at, Disp: m.Bytes()}, b)
	return m.parts(a, b)
}

func (m *mirrored) store(re, im reg.VecVirtual, at reg.Register) {
	a, b := m.join(re, im)
	m.Store(a, operand.Mem{Base: at})
	m.Store(b, operand.Mem{Base: at, Disp: m.Bytes()})
}
