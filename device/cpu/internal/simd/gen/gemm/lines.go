package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// lineColumns is the number of lines of b that are multiplied at once.
const lineColumns = 4

// lines emits the inner products of one to four lines of a with four lines of b, for matrix products whose factors both
// lie along k. Each pair of lines has its own vectors of sums.
func lines() {
	for _, k := range elements() {
		for rows := 1; rows <= 4; rows *= 2 {
			if (k.Wide || rows < 4) && k.of != bfloats {
				(&lineTile{element: k, rows: rows}).emit()
			}
		}
	}
}

// lineTile emits one routine.
type lineTile struct {
	element
	rows int
	sums []reg.VecVirtual
	a, b [4]operand.Mem
}

// walks reports whether a call multiplies a line of a by many groups of lines of b: a product of a matrix and a vector has thousands of them.
func (t *lineTile) walks() bool { return t.rows == 1 && t.of == floats }

func (t *lineTile) emit() {
	name := fmt.Sprintf("lines%d%s", t.rows, t.Suffix())
	of, last, walk := "a *%[1]s, aLine int, b *%[1]s", "", ""
	if t.walks() {
		of, last, walk = "a, b *%[1]s", ", groups int", " So it does with each of the groups of lines of b."
	}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(steps int, "+of+", bLine int, mask uintptr, sums *%[1]s"+last+")", t.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s stores the inner products of %d lines of a and %d of b: %d elements a step, and at last those that", name, t.rows, lineColumns, t.Lanes()),
		"the mask says, if it is not 0. Strides are in bytes."+walk)
	b, bLine, sums := Load(Param("b"), GP64()), Load(Param("bLine"), GP64()), Load(Param("sums"), GP64())
	if !t.walks() {
		t.group(b, bLine, sums)
		vec.Leave()
		return
	}
	groups := Load(Param("groups"), GP64())
	Label("group")
	first := GP64()
	MOVQ(b, first)
	t.group(first, bLine, sums)
	LEAQ(operand.Mem{Base: b, Index: bLine, Scale: lineColumns}, b)
	ADDQ(operand.Imm(uint64(lineColumns*t.Size())), sums)
	DECQ(groups)
	JNZ(operand.LabelRef("group"))
	vec.Leave()
}

// group emits the products with four lines of b. It moves the address of b along the lines.
func (t *lineTile) group(b, bLine, sums reg.Register) {
	steps, a, aLine := Load(Param("steps"), GP64()), Load(Param("a"), GP64()), reg.Register(nil)
	if !t.walks() {
		aLine = Load(Param("aLine"), GP64())
	}
	t.a, t.b = fourLines(a, aLine, t.rows), fourLines(b, bLine, lineColumns)
	t.sums = t.Regs(t.rows * lineColumns)
	for _, s := range t.sums {
		t.Zero(s)
	}
	TESTQ(steps, steps)
	JZ(operand.LabelRef("last"))
	Label("loop")
	t.step(t.Load)
	ADDQ(operand.Imm(uint64(t.Bytes())), a)
	ADDQ(operand.Imm(uint64(t.Bytes())), b)
	DECQ(steps)
	JNZ(operand.LabelRef("loop"))
	Label("last")
	mask := Load(Param("mask"), GP64())
	TESTQ(mask, mask)
	JZ(operand.LabelRef("add"))
	masked := tile{element: t.element, shape: shape{vectors: 1, masked: true}}
	masked.setMask(mask)
	t.step(func(m, r operand.Op) { masked.loadPart(m.(operand.Mem), r.(reg.Register), 0) })
	Label("add")
	t.store(sums)
}

// fourLines returns the addresses of the lines.
func fourLines(base, line reg.Register, n int) (m [4]operand.Mem) {
	for i := range min(n, 3) {
		m[i] = operand.Mem{Base: base}
		if i > 0 {
			m[i].Index, m[i].Scale = line, uint8(i)
		}
	}
	if n == 4 {
		three := GP64()
		LEAQ(operand.Mem{Base: line, Index: line, Scale: 2}, three)
		m[3] = operand.Mem{Base: base, Index: three, Scale: 1}
	}
	return m
}

func (t *lineTile) step(load func(m, r operand.Op)) {
	x := t.Regs(t.rows)
	for i := range x {
		load(t.a[i], x[i])
	}
	for j := range lineColumns {
		y := t.Reg()
		load(t.b[j], y)
		yUpper, temp := reg.Register(y), [2]reg.Register{}
		if t.byHalves() {
			yUpper = t.Reg()
			VPSRLQ(operand.Imm(32), y, yUpper)
		}
		for i := range t.temps() {
			temp[i] = t.Reg()
		}
		for i := range x {
			upper := reg.Register(x[i])
			if t.byHalves() {
				upper = t.Reg()
				VPSRLQ(operand.Imm(32), x[i], upper)
			}
			t.addProduct(y, yUpper, x[i], upper, t.sums[i*lineColumns+j], temp)
		}
	}
}

// store adds up the lanes of the sums, and stores one row of four after another.
func (t *lineTile) store(to reg.Register) {
	for i := range t.rows {
		var x [lineColumns]reg.Register
		for j := range x {
			x[j] = t.lane(t.sums[i*lineColumns+j])
		}
		at := operand.Mem{Base: to, Disp: i * lineColumns * t.Size()}
		if t.Double {
			for j := 0; j < lineColumns; j += 2 {
				low := XMM()
				VUNPCKLPD(x[j+1], x[j], low)
				VUNPCKHPD(x[j+1], x[j], x[j])
				t.Add(x[j], low, low)
				VMOVUPD(low, at.Offset(j*8))
			}
			continue
		}
		for j := 0; j < lineColumns; j += 2 {
			low := XMM()
			VUNPCKLPS(x[j+1], x[j], low)
			VUNPCKHPS(x[j+1], x[j], x[j])
			t.Add(low, x[j], x[j])
		}
		low := XMM()
		VUNPCKLPD(x[2], x[0], low)
		VUNPCKHPD(x[2], x[0], x[0])
		t.Add(low, x[0], x[0])
		VMOVUPS(x[0], at)
	}
}

// lane adds up the 128-bit lanes of a vector.
func (t *lineTile) lane(s reg.VecVirtual) reg.Register {
	temp := t.Reg()
	if t.Wide {
		VEXTRACTF64X4(operand.Imm(1), s, temp.AsY())
		t.Add(temp.AsY(), s.AsY(), s.AsY())
		VEXTRACTF32X4(operand.Imm(1), s.AsY(), temp.AsX())
	} else {
		VEXTRACTF128(operand.Imm(1), s.AsY(), temp.AsX())
	}
	t.Add(temp.AsX(), s.AsX(), s.AsX())
	return s.AsX()
}
