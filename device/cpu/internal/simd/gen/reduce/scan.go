package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// scan is a running combination. It is computed in float64, whatever the element type is.
type scan struct {
	operation
	elements vec.Kind
	carried  vec.Kind // the same width, for float64
}

func scans() {
	for _, o := range operations[:2] {
		for _, k := range vec.Kinds {
			s := scan{o, k, vec.Kind{Wide: k.Wide, Double: true}}
			s.row()
			s.columns()
		}
	}
	for _, wide := range []bool{false, true} {
		scan{sum, vec.Kind{Wide: wide}, vec.Kind{Wide: wide, Double: true}}.total()
	}
}

// lanes returns the number of elements that are processed at once: the lanes of float64.
func (s scan) lanes() int { return s.carried.Lanes() }

func (s scan) load(m operand.Op, r reg.VecVirtual) {
	if s.elements.Double {
		s.carried.Load(m, r)
	} else {
		VCVTPS2PD(m, r)
	}
}

// store rounds and stores r. It overwrites r.
func (s scan) store(r reg.VecVirtual, m operand.Op) {
	switch {
	case s.elements.Double:
		s.carried.Store(r, m)
	case s.elements.Wide:
		VCVTPD2PS(r, r.AsY())
		VMOVUPS(r.AsY(), m)
	default:
		VCVTPD2PSY(r, r.AsX())
		VMOVUPS(r.AsX(), m)
	}
}

// row emits the scan of a row, one vector at a time: in steps of 1, 2 and 4 within a vector, and by the carry between
// vectors.
func (s scan) row() {
	k := s.carried
	name := s.name + "Scan" + s.elements.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, a *%s, n int, carry *float64)", s.elements.Elem()))
	Pragma("noescape")
	Doc(name+" stores the running combinations of n elements, a multiple of "+fmt.Sprint(s.lanes())+" above 0, with carry, which",
		"becomes the last of them.")
	dst, a, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	at := Load(Param("carry"), GP64())
	carry, x, y, neutral, last := k.Reg(), k.Reg(), k.Reg(), k.SplatConst(s.neutral), k.Reg()
	k.Splat(operand.Mem{Base: at}, carry)
	Label("vector")
	s.load(operand.Mem{Base: a}, x)
	for step := 1; step < s.lanes(); step *= 2 {
		s.shift(step, x, neutral, y)
		s.combine(k, y, x)
	}
	k.Move(carry, y)
	s.combine(k, x, y)
	if k.Wide {
		VPERMQ(operand.Imm(0xff), x, last) // the last lane of each half
		VSHUFF64X2(operand.Imm(0xff), last, last, last)
	} else {
		VPERMPD(operand.Imm(0xff), x, last)
	}
	s.combine(k, last, carry)
	s.store(y, operand.Mem{Base: dst})
	step := operand.Imm(uint64(s.lanes() * s.elements.Size()))
	ADDQ(step, a)
	ADDQ(step, dst)
	SUBQ(operand.Imm(uint64(s.lanes())), n)
	JNZ(operand.LabelRef("vector"))
	VMOVSD(carry.AsX(), operand.Mem{Base: at})
	vec.Leave()
}

// shift moves x up by some lanes and fills the free lanes with neutral.
func (s scan) shift(step int, x, neutral, dst reg.VecVirtual) {
	switch {
	case s.carried.Wide:
		VALIGNQ(operand.Imm(uint64(8-step)), neutral, x, dst)
	case step == 2:
		VPERM2F128(operand.Imm(0x02), neutral, x, dst)
	default:
		VPERM2F128(operand.Imm(0x02), neutral, x, dst)
		VSHUFPD(operand.Imm(0b0101), x, dst, dst)
	}
}

// columns emits the scan down columns.
func (s scan) columns() {
	k := s.carried
	name := s.name + "ScanColumns" + s.elements.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, a *%s, totals *float64, rows, n, pitchDst, pitch int)", s.elements.Elem()))
	Pragma("noescape")
	Doc(name+" stores the running combinations of the rows, rows > 0, with the n totals, a multiple of "+fmt.Sprint(s.lanes())+" above 0,",
		"which become the last of them.")
	dst, a, totals := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("totals"), GP64())
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	pitchDst, pitch := Load(Param("pitchDst"), GP64()), Load(Param("pitch"), GP64())
	SHLQ(operand.Imm(shift(s.elements)), pitchDst)
	SHLQ(operand.Imm(shift(s.elements)), pitch)
	total, x := k.Reg(), k.Reg()
	from, to, left := GP64(), GP64(), GP64()
	Label("vector")
	MOVQ(a, from)
	MOVQ(dst, to)
	MOVQ(rows, left)
	k.Load(operand.Mem{Base: totals}, total)
	Label("row")
	s.load(operand.Mem{Base: from}, x)
	s.combine(k, x, total)
	k.Move(total, x)
	s.store(x, operand.Mem{Base: to})
	ADDQ(pitch, from)
	ADDQ(pitchDst, to)
	DECQ(left)
	JNZ(operand.LabelRef("row"))
	k.Store(total, operand.Mem{Base: totals})
	ADDQ(operand.Imm(uint64(k.Bytes())), totals)
	step := operand.Imm(uint64(s.lanes() * s.elements.Size()))
	ADDQ(step, a)
	ADDQ(step, dst)
	SUBQ(operand.Imm(uint64(s.lanes())), n)
	JNZ(operand.LabelRef("vector"))
	vec.Leave()
}

// total emits the sum of float32 elements in float64.
func (s scan) total() {
	k := s.carried
	name := "wideTotal" + s.elements.Suffix()
	TEXT(name, NOSPLIT, "func(a *float32, n int) float64")
	Pragma("noescape")
	Doc(name + " adds up n elements, a multiple of " + fmt.Sprint(4*s.lanes()) + " above 0.")
	a, n := Load(Param("a"), GP64()), Load(Param("n"), GP64())
	acc, x := k.Regs(4), k.Regs(4)
	for i := range acc {
		k.Zero(acc[i])
	}
	Label("vectors")
	for i := range acc {
		s.load(operand.Mem{Base: a, Disp: i * s.lanes() * 4}, x[i])
		k.Add(x[i], acc[i], acc[i])
	}
	ADDQ(operand.U32(4*s.lanes()*4), a)
	SUBQ(operand.U32(4*s.lanes()), n)
	JNZ(operand.LabelRef("vectors"))
	k.Add(acc[1], acc[0], acc[0])
	k.Add(acc[3], acc[2], acc[2])
	k.Add(acc[2], acc[0], acc[0])
	Store(k.Sum(acc[0], x[0]), ReturnIndex(0))
	vec.Leave()
}
