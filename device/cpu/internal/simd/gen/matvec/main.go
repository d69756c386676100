// Command matvec generates the routines of package matvec.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range vec.Kinds {
		(&lines{Kind: k, name: "both", sums: true, adds: true}).emit()
		(&lines{Kind: k, name: "dots", sums: true}).emit()
		(&lines{Kind: k, name: "axpys", adds: true}).emit()
		rotate(k)
		reflect(k)
	}
	Generate()
}

// rows is the number of rows of the matrix that a routine reads at once.
const rows = 4

// lines emits a pass over four rows of a matrix: their inner products with x, the sum of their multiples, or both.
type lines struct {
	vec.Kind
	name       string
	sums, adds bool

	a             [rows]operand.Mem
	x, y          operand.Mem
	total, factor []reg.VecVirtual
}

func (l *lines) emit() {
	name := l.name + l.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, a *%s, aLine int, x, y, factors, sums *%[1]s)", l.Elem()))
	Pragma("noescape")
	switch {
	case l.sums && l.adds:
		Doc(name+" stores the inner products of four rows of a with x, and adds the sum of their multiples to y: n elements of", "each. aLine is in bytes.")
	case l.sums:
		Doc(name + " stores the inner products of four rows of a with x: n elements of each. aLine is in bytes. It ignores y and factors.")
	default:
		Doc(name+" adds the sum of multiples of four rows of a to y: n elements of each. aLine is in bytes. It ignores x and", "sums.")
	}
	n, a, aLine := Load(Param("n"), GP64()), Load(Param("a"), GP64()), Load(Param("aLine"), GP64())
	three := GP64()
	LEAQ(operand.Mem{Base: aLine, Index: aLine, Scale: 2}, three)
	l.a = [rows]operand.Mem{{Base: a}, {Base: a, Index: aLine, Scale: 1}, {Base: a, Index: aLine, Scale: 2}, {Base: a, Index: three, Scale: 1}}
	moving := []reg.Register{a}
	if l.sums {
		x := Load(Param("x"), GP64())
		l.x, moving = operand.Mem{Base: x}, append(moving, x)
		l.total = l.Regs(rows)
		for _, t := range l.total {
			l.Zero(t)
		}
	}
	if l.adds {
		y, factors := Load(Param("y"), GP64()), Load(Param("factors"), GP64())
		l.y, moving = operand.Mem{Base: y}, append(moving, y)
		l.factor = l.Regs(rows)
		for i, f := range l.factor {
			l.Splat(operand.Mem{Base: factors, Disp: i * l.Size()}, f)
		}
	}
	SUBQ(operand.Imm(uint64(l.Lanes())), n)
	JLT(operand.LabelRef("rest"))
	Label("loop")
	l.step(func(m operand.Op, r reg.Register) { l.Load(m, r) }, func(r reg.Register, m operand.Op) { l.Store(r, m) })
	for _, r := range moving {
		ADDQ(operand.Imm(uint64(l.Bytes())), r)
	}
	SUBQ(operand.Imm(uint64(l.Lanes())), n)
	JGE(operand.LabelRef("loop"))
	Label("rest")
	ADDQ(operand.Imm(uint64(l.Lanes())), n)
	JZ(operand.LabelRef("end"))
	tail := l.Tail(n)
	l.step(tail.LoadZero, tail.Store)
	Label("end")
	if l.sums {
		sums := Load(Param("sums"), GP64())
		for i, t := range l.total {
			sum, at := l.Sum(t, l.Reg()), operand.Mem{Base: sums, Disp: i * l.Size()}
			if l.Double {
				VMOVSD(sum, at)
			} else {
				VMOVSS(sum, at)
			}
		}
	}
	vec.Leave()
}

func (l *lines) step(load func(m operand.Op, r reg.Register), store func(r reg.Register, m operand.Op)) {
	row := l.Regs(rows)
	for i := range row {
		load(l.a[i], row[i])
	}
	if l.sums {
		x := l.Reg()
		load(l.x, x)
		for i := range row {
			l.FMA231(x, row[i], l.total[i])
		}
	}
	if l.adds {
		y := l.Reg()
		load(l.y, y)
		for i := range row {
			l.FMA231(row[i], l.factor[i], y)
		}
		store(y, l.y)
	}
}

// rotate emits the rotation of two vectors.
func rotate(k vec.Kind) {
	name := "rotate" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x, y *%s, c, s %[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(name + " replaces n elements of x by c·x + s·y, and those of y by c·y - s·x.")
	n, x, y := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	c, s := k.Reg(), k.Reg()
	k.Splat(address("c"), c)
	k.Splat(address("s"), s)
	step := func(load func(m operand.Op, r reg.Register), store func(r reg.Register, m operand.Op)) {
		v, w, a, b := k.Reg(), k.Reg(), k.Reg(), k.Reg()
		load(operand.Mem{Base: x}, v)
		load(operand.Mem{Base: y}, w)
		k.Mul(w, s, a)
		k.FMA231(v, c, a)
		k.Mul(w, c, b)
		k.FNMA231(v, s, b)
		store(a, operand.Mem{Base: x})
		store(b, operand.Mem{Base: y})
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JLT(operand.LabelRef("rest"))
	Label("loop")
	step(func(m operand.Op, r reg.Register) { k.Load(m, r) }, func(r reg.Register, m operand.Op) { k.Store(r, m) })
	ADDQ(operand.Imm(uint64(k.Bytes())), x)
	ADDQ(operand.Imm(uint64(k.Bytes())), y)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("loop"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("end"))
	tail := k.Tail(n)
	step(tail.LoadZero, tail.Store)
	Label("end")
	vec.Leave()
}

// reflect emits the reflection of three vectors.
func reflect(k vec.Kind) {
	name := "reflect" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x, y, z, factors *%s)", k.Elem()))
	Pragma("noescape")
	Doc(name+" subtracts s = x + p·y + q·z times t, u and w from n elements of x, y and z. The factors are p, q, t, u and w.")
	n, factors := Load(Param("n"), GP64()), Load(Param("factors"), GP64())
	at := []reg.Register{Load(Param("x"), GP64()), Load(Param("y"), GP64()), Load(Param("z"), GP64())}
	f := k.Regs(5)
	for i := range f {
		k.Splat(operand.Mem{Base: factors, Disp: i * k.Size()}, f[i])
	}
	step := func(load func(m operand.Op, r reg.Register), store func(r reg.Register, m operand.Op)) {
		v, sum := k.Regs(3), k.Reg()
		for i := range v {
			load(operand.Mem{Base: at[i]}, v[i])
		}
		k.Move(v[0], sum)
		k.FMA231(v[1], f[0], sum)
		k.FMA231(v[2], f[1], sum)
		for i := range v {
			k.FNMA231(sum, f[2+i], v[i])
			store(v[i], operand.Mem{Base: at[i]})
		}
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JLT(operand.LabelRef("rest"))
	Label("loop")
	step(func(m operand.Op, r reg.Register) { k.Load(m, r) }, func(r reg.Register, m operand.Op) { k.Store(r, m) })
	for _, r := range at {
		ADDQ(operand.Imm(uint64(k.Bytes())), r)
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("loop"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("end"))
	tail := k.Tail(n)
	step(tail.LoadZero, tail.Store)
	Label("end")
	vec.Leave()
}

// address returns the address of a parameter.
func address(name string) operand.Mem {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}
