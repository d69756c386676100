package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// rotate emits the rotation of two vectors.
func rotate(k vec.Kind) {
	name := "rotate" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x, y *%s, c, s %[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(name + " replaces n elements of x by c·x + s·y, and those of y by c·y - s·x.")
	n, x, y := param("n"), param("x"), param("y")
	c, s := k.Reg(), k.Reg()
	k.Splat(address("c"), c)
	k.Splat(address("s"), s)
	each(k, n, []reg.GPVirtual{x, y}, func(at access) {
		v, w, a, b := k.Reg(), k.Reg(), k.Reg(), k.Reg()
		at.load(operand.Mem{Base: x}, v)
		at.load(operand.Mem{Base: y}, w)
		k.Mul(w, s, a)
		k.FMA231(v, c, a)
		k.Mul(w, c, b)
		k.FNMA231(v, s, b)
		at.store(a, operand.Mem{Base: x})
		at.store(b, operand.Mem{Base: y})
	})
	vec.Leave()
}

// access is how a vector, or the rest after the last whole one, is loaded and stored. keep clears what lies beside the rest.
type access struct {
	load  func(m operand.Op, r reg.Register)
	store func(r reg.Register, m operand.Op)
	keep  func(r reg.Register)

	isRest bool
}

// each emits a loop over vectors of n elements, to which pointers point, and a step for the rest.
func each(k vec.Kind, n reg.GPVirtual, pointers []reg.GPVirtual, step func(a access)) {
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JLT(operand.LabelRef("rest"))
	Label("loop")
	step(access{func(m operand.Op, r reg.Register) { k.Load(m, r) }, func(r reg.Register, m operand.Op) { k.Store(r, m) }, func(reg.Register) {}, false})
	for _, r := range pointers {
		ADDQ(operand.Imm(uint64(k.Bytes())), r)
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("loop"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("end"))
	tail := k.Tail(n)
	step(access{tail.LoadZero, tail.Store, tail.Keep, true})
	Label("end")
}

// reflect emits the reflection of three vectors.
func reflect(k vec.Kind) {
	name := "reflect" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x, y, z, factors *%s)", k.Elem()))
	Pragma("noescape")
	Doc(name + " subtracts s = x + p·y + q·z times t, u and w from n elements of x, y and z. The factors are p, q, t, u and w.")
	n, factors := param("n"), param("factors")
	at := []reg.GPVirtual{param("x"), param("y"), param("z")}
	f := k.Regs(5)
	for i := range f {
		k.Splat(operand.Mem{Base: factors, Disp: i * k.Size()}, f[i])
	}
	each(k, n, at, func(a access) {
		v, sum := k.Regs(3), k.Reg()
		for i := range v {
			a.load(operand.Mem{Base: at[i]}, v[i])
		}
		k.Move(v[0], sum)
		k.FMA231(v[1], f[0], sum)
		k.FMA231(v[2], f[1], sum)
		for i := range v {
			k.FNMA231(sum, f[2+i], v[i])
			a.store(v[i], operand.Mem{Base: at[i]})
		}
	})
	vec.Leave()
}

// reflectColumns emits the reflection of three neighbouring columns, row by row, each number in a register.
func reflectColumns(k vec.Kind) {
	name := "reflectColumns" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(rows int, a *%s, line int, factors *%[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(name+" subtracts s = x + p·y + q·z times t, u and w from three neighbouring elements x, y and z of each row. The factors are", "p, q, t, u and w. Rows are line bytes apart.")
	rows, a, line, factors := Load(Param("rows"), GP64()), Load(Param("a"), GP64()), Load(Param("line"), GP64()), Load(Param("factors"), GP64())
	f := k.Regs(5)
	for i := range f {
		k.Splat(operand.Mem{Base: factors, Disp: i * k.Size()}, f[i])
	}
	move := VMOVSS
	if k.Double {
		move = VMOVSD
	}
	Label("row")
	v, sum := k.Regs(3), k.Reg()
	for i := range v {
		move(operand.Mem{Base: a, Disp: i * k.Size()}, v[i].AsX())
	}
	k.Move(v[0].AsX(), sum.AsX())
	k.FMA231(v[1].AsX(), f[0].AsX(), sum.AsX())
	k.FMA231(v[2].AsX(), f[1].AsX(), sum.AsX())
	for i := range v {
		k.FNMA231(sum.AsX(), f[2+i].AsX(), v[i].AsX())
		move(v[i].AsX(), operand.Mem{Base: a, Disp: i * k.Size()})
	}
	ADDQ(line, a)
	DECQ(rows)
	JNZ(operand.LabelRef("row"))
	vec.Leave()
}

// poles emits the sums of quotients and of their derivatives.
func poles(k vec.Kind) {
	name := "poles" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, gaps, weights *float64, offset float64, sums *float64)")
	Pragma("noescape")
	Doc(name + " stores the sums of w/(g - offset) and of w/(g - offset)² for n gaps g with weights w.")
	n, gaps, weights := param("n"), param("gaps"), param("weights")
	offset, one, sum, slope := k.Reg(), k.SplatConst(1), k.Reg(), k.Reg()
	k.Splat(address("offset"), offset)
	k.Zero(sum)
	k.Zero(slope)
	each(k, n, []reg.GPVirtual{gaps, weights}, func(a access) {
		t, w := k.Reg(), k.Reg()
		a.load(operand.Mem{Base: gaps}, t)
		a.load(operand.Mem{Base: weights}, w)
		k.Sub(offset, t, t)
		k.Div(t, one, t)
		a.keep(t)
		k.Mul(t, w, w)
		k.Add(w, sum, sum)
		k.FMA231(w, t, slope)
	})
	sums := param("sums")
	for i, r := range []reg.VecVirtual{sum, slope} {
		VMOVSD(k.Sum(r, k.Reg()), operand.Mem{Base: sums, Disp: 8 * i})
	}
	vec.Leave()
}

// quotients emits the quotients themselves.
func quotients(k vec.Kind) {
	name := "quotients" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, gaps, weights *float64, offset float64, sum *float64)")
	Pragma("noescape")
	Doc(name + " replaces n gaps g with weights w by w/(g - offset), and stores the sum of their squares.")
	n, gaps, weights := param("n"), param("gaps"), param("weights")
	offset, sum := k.Reg(), k.Reg()
	k.Splat(address("offset"), offset)
	k.Zero(sum)
	each(k, n, []reg.GPVirtual{gaps, weights}, func(a access) {
		t, w := k.Reg(), k.Reg()
		a.load(operand.Mem{Base: gaps}, t)
		a.load(operand.Mem{Base: weights}, w)
		k.Sub(offset, t, t)
		k.Div(t, w, w)
		a.keep(w)
		a.store(w, operand.Mem{Base: gaps})
		k.FMA231(w, w, sum)
	})
	VMOVSD(k.Sum(sum, k.Reg()), operand.Mem{Base: param("sum")})
	vec.Leave()
}

// scaleQuotients emits products with quotients of two differences.
func scaleQuotients(k vec.Kind) {
	name := "scaleQuotients" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, y, gaps, divisors *float64, offset float64)")
	Pragma("noescape")
	Doc(name + " multiplies n elements of y by (g - offset)/d, for gaps g with divisors d.")
	n, y, gaps, divisors := param("n"), param("y"), param("gaps"), param("divisors")
	offset := k.Reg()
	k.Splat(address("offset"), offset)
	each(k, n, []reg.GPVirtual{y, gaps, divisors}, func(a access) {
		v, t, d := k.Reg(), k.Reg(), k.Reg()
		a.load(operand.Mem{Base: y}, v)
		a.load(operand.Mem{Base: gaps}, t)
		a.load(operand.Mem{Base: divisors}, d)
		k.Sub(offset, t, t)
		k.Div(d, t, t)
		k.Mul(t, v, v)
		a.store(v, operand.Mem{Base: y})
	})
	vec.Leave()
}

// gaps emits the differences of numbers, or of their squares, from one of them.
func gaps(k vec.Kind, squares bool) {
	name, does := "gaps"+k.Suffix(), "d - at"
	if squares {
		name, does = "squareGaps"+k.Suffix(), "(d - at)·(d + at)"
	}
	TEXT(name, NOSPLIT, "func(n int, gaps, d *float64, at float64)")
	Pragma("noescape")
	Doc(name + " stores " + does + " for n numbers d.")
	n, to, d := param("n"), param("gaps"), param("d")
	at := k.Reg()
	k.Splat(address("at"), at)
	each(k, n, []reg.GPVirtual{to, d}, func(a access) {
		v, gap := k.Reg(), k.Reg()
		a.load(operand.Mem{Base: d}, v)
		k.Sub(at, v, gap)
		if squares {
			k.Add(at, v, v)
			k.Mul(v, gap, gap)
		}
		a.store(gap, operand.Mem{Base: to})
	})
	vec.Leave()
}

// rotateChain emits rotations of neighbouring rows, one after the other. A row stays in its register from one rotation to the next.
func rotateChain(k vec.Kind) {
	name := "rotateChain" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(count, n int, a *%s, line int, c, s *%[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(name+" replaces row i of a by c[i]·x + s[i]·y, and row i+1 by c[i]·y - s[i]·x, one i after the other, for n elements x of row i, as the", "rotation before left it, and y of row i+1. Rows are line bytes apart.")
	count, n, a, line := param("count"), param("n"), param("a"), param("line")
	cosines, sines := param("c"), param("s")
	each(k, n, []reg.GPVirtual{a}, func(at access) {
		loop := "rotation"
		if at.isRest {
			loop = "rest_rotation"
		}
		row, i, x := GP64(), GP64(), k.Reg()
		MOVQ(a, row)
		XORQ(i, i)
		at.load(operand.Mem{Base: row}, x)
		Label(loop)
		y, c, s, out, next := k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg()
		k.Splat(operand.Mem{Base: cosines, Index: i, Scale: uint8(k.Size())}, c)
		k.Splat(operand.Mem{Base: sines, Index: i, Scale: uint8(k.Size())}, s)
		at.load(operand.Mem{Base: row, Index: line, Scale: 1}, y)
		k.Mul(y, s, out)
		k.FMA231(x, c, out)
		k.Mul(y, c, next)
		k.FNMA231(x, s, next)
		at.store(out, operand.Mem{Base: row})
		k.Move(next, x)
		ADDQ(line, row)
		INCQ(i)
		CMPQ(i, count)
		JLT(operand.LabelRef(loop))
		at.store(x, operand.Mem{Base: row})
	})
	vec.Leave()
}
