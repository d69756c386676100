package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// update emits a pass that changes the rows of a matrix and multiplies them with a vector.
func update(k vec.Kind) {
	name := "update" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(rows, n int, a *%s, line int, first, v, second, w, x, sums *%[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(name+" subtracts first[i]·v + second[i]·w from n elements of row i of a, and stores its inner product with x in sums[i].", "Rows are line bytes apart.")
	u := updates{Kind: k, at: GP64(), rest: GP64()}
	rows := Load(Param("rows"), GP64())
	u.end = Load(Param("n"), GP64())
	u.row, u.line = Load(Param("a"), GP64()), Load(Param("line"), GP64())
	u.f, u.g, u.sums = Load(Param("first"), GP64()), Load(Param("second"), GP64()), Load(Param("sums"), GP64())
	for i, name := range []string{"v", "w", "x"} {
		u.vectors[i] = operand.Mem{Base: Load(Param(name), GP64()), Index: u.at, Scale: 1}
	}
	MOVQ(u.end, u.rest)
	ANDQ(operand.I32(-int32(k.Lanes())), u.end)
	SUBQ(u.end, u.rest)
	SHLQ(operand.Imm(map[bool]uint64{true: 3, false: 2}[k.Double]), u.end)
	u.tail = k.Tail(u.rest)
	many := 2 // as many rows as the registers allow
	if k.Wide {
		many = 4
		u.third = GP64()
		LEAQ(operand.Mem{Base: u.line, Index: u.line, Scale: 2}, u.third)
	}
	for _, m := range []int{many, 1} {
		SUBQ(operand.Imm(uint64(m)), rows)
		JLT(operand.LabelRef(fmt.Sprintf("fewer%d", m)))
		Label(fmt.Sprintf("rows%d", m))
		u.group(m)
		SUBQ(operand.Imm(uint64(m)), rows)
		JGE(operand.LabelRef(fmt.Sprintf("rows%d", m)))
		Label(fmt.Sprintf("fewer%d", m))
		ADDQ(operand.Imm(uint64(m)), rows)
	}
	vec.Leave()
}

// updates are the registers of update. row points into the first row of a group, at counts bytes of the row.
type updates struct {
	vec.Kind
	row, line, third, f, g, sums reg.Register
	end, rest                    reg.Register
	at                           reg.GPVirtual
	vectors                      [3]operand.Mem
	tail                         vec.Tail
}

// group emits the pass over some rows, and moves on to the next ones.
func (u *updates) group(m int) {
	rows := []operand.Mem{{Base: u.row}, {Base: u.row, Index: u.line, Scale: 1}, {Base: u.row, Index: u.line, Scale: 2}, {Base: u.row, Index: u.third, Scale: 1}}[:m]
	f, g, total := u.Regs(m), u.Regs(m), u.Regs(m)
	for i := range m {
		u.Splat(operand.Mem{Base: u.f, Disp: i * u.Size()}, f[i])
		u.Splat(operand.Mem{Base: u.g, Disp: i * u.Size()}, g[i])
		u.Zero(total[i])
	}
	step := func(load func(m operand.Op, r reg.Register), store func(r reg.Register, m operand.Op)) {
		vectors := u.Regs(3)
		for i, r := range vectors {
			load(u.vectors[i], r)
		}
		v, w, x := vectors[0], vectors[1], vectors[2]
		a := u.Regs(m)
		for i := range a {
			load(rows[i], a[i])
		}
		for i := range a {
			u.FNMA231(v, f[i], a[i])
		}
		for i := range a {
			u.FNMA231(w, g[i], a[i])
		}
		for i := range a {
			store(a[i], rows[i])
			u.FMA231(x, a[i], total[i])
		}
	}
	label := func(name string) string { return fmt.Sprintf("%s%d", name, m) }
	XORQ(u.at, u.at)
	CMPQ(u.at, u.end)
	JGE(operand.LabelRef(label("rest")))
	Label(label("loop"))
	step(func(m operand.Op, r reg.Register) { u.Load(m, r) }, func(r reg.Register, m operand.Op) { u.Store(r, m) })
	ADDQ(operand.Imm(uint64(u.Bytes())), u.row)
	ADDQ(operand.Imm(uint64(u.Bytes())), u.at)
	CMPQ(u.at, u.end)
	JLT(operand.LabelRef(label("loop")))
	Label(label("rest"))
	TESTQ(u.rest, u.rest)
	JZ(operand.LabelRef(label("done")))
	step(u.tail.LoadZero, u.tail.Store)
	Label(label("done"))
	SUBQ(u.at, u.row)
	for i, t := range total {
		to := operand.Mem{Base: u.sums, Disp: i * u.Size()}
		if sum := u.Sum(t, u.Reg()); u.Double {
			VMOVSD(sum, to)
		} else {
			VMOVSS(sum, to)
		}
		ADDQ(u.line, u.row)
	}
	for _, r := range []reg.Register{u.f, u.g, u.sums} {
		ADDQ(operand.Imm(uint64(m*u.Size())), r)
	}
}
