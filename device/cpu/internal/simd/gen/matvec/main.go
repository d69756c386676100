// Command matvec generates the routines of package matvec.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
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
		(&lines{Kind: k, name: "bothComplex", sums: true, adds: true, complex: true}).emit()
		(&lines{Kind: k, name: "dotsComplex", sums: true, complex: true}).emit()
		(&lines{Kind: k, name: "axpysComplex", adds: true, complex: true}).emit()
		rotate(k)
		reflect(k)
		if k.Double {
			poles(k)
			quotients(k)
			scaleQuotients(k)
		}
		if !k.Wide {
			reflectColumns(k)
		}
	}
	Generate()
}

// rows is the number of rows of the matrix that a routine reads at once. Routines for complex numbers read as many as the
// registers allow.
func (l *lines) rows() int {
	if l.complex && !l.Wide {
		return 2
	}
	return 4
}

// lines emits a pass over groups of rows of a matrix: their inner products with x, the sum of their multiples, or both. Complex
// numbers are pairs of floats; the inner products conjugate the rows.
type lines struct {
	vec.Kind
	name                string
	sums, adds, complex bool

	a                  [4]operand.Mem
	x, y               operand.Mem
	total, factor      []reg.VecVirtual
	crossed, imaginary []reg.VecVirtual // of complex numbers: products of real with imaginary parts; factors
	negatesEven        reg.VecVirtual
}

func (l *lines) emit() {
	name := l.name + l.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(groups, n, grow int, a *%s, second, third, fourth, group int, x, y, factors, sums *%[1]s)", l.Elem()))
	Pragma("noescape")
	many := map[int]string{2: "two", 4: "four"}[l.rows()]
	does := "stores the inner products of " + many + " rows of a with x, and adds the sum of their multiples to y"
	if !l.adds {
		does = "stores the inner products of " + many + " rows of a with x"
	} else if !l.sums {
		does = "adds the sum of multiples of " + many + " rows of a to y"
	}
	Doc(name+" "+does+", for each group of rows:", "n floats of each row, and of the rows of each next group grow floats more. The distances of the rows from the first one, and of", "the groups, are in bytes.")
	groups, n := Load(Param("groups"), GP64()), Load(Param("n"), GP64())
	first := Load(Param("a"), GP64())
	row := []reg.Register{first}
	for _, parameter := range []string{"second", "third", "fourth"}[:l.rows()-1] {
		at := Load(Param(parameter), GP64())
		ADDQ(first, at)
		row = append(row, at)
	}
	group, at, end := Load(Param("group"), GP64()), GP64(), GP64()
	for i, r := range row {
		l.a[i] = operand.Mem{Base: r, Index: at, Scale: 1}
	}
	var factors, sums reg.Register
	if l.sums {
		l.x = operand.Mem{Base: Load(Param("x"), GP64()), Index: at, Scale: 1}
		sums, l.total = Load(Param("sums"), GP64()), l.Regs(l.rows())
	}
	if l.adds {
		l.y = operand.Mem{Base: Load(Param("y"), GP64()), Index: at, Scale: 1}
		factors, l.factor = Load(Param("factors"), GP64()), l.Regs(l.rows())
	}
	parts := 1 // floats of a number
	if l.complex {
		parts = 2
		l.negatesEven = l.Reg()
		l.Load(l.signs(), l.negatesEven)
		if l.sums {
			l.crossed = l.Regs(l.rows())
		}
		if l.adds {
			l.imaginary = l.Regs(l.rows())
		}
	}
	shift := uint64(2)
	if l.Double {
		shift = 3
	}
	Label("group")
	rest := GP64()
	MOVQ(n, end)
	ANDQ(operand.I32(-int32(l.Lanes())), end)
	MOVQ(n, rest)
	SUBQ(end, rest)
	SHLQ(operand.Imm(shift), end)
	for _, t := range append(l.total, l.crossed...) {
		l.Zero(t)
	}
	for i, f := range l.factor {
		l.Splat(operand.Mem{Base: factors, Disp: i * parts * l.Size()}, f)
	}
	for i, f := range l.imaginary {
		l.Splat(operand.Mem{Base: factors, Disp: (2*i + 1) * l.Size()}, f)
	}
	XORQ(at, at)
	TESTQ(end, end)
	JZ(operand.LabelRef("rest"))
	Label("loop")
	l.step(func(m operand.Op, r reg.Register) { l.Load(m, r) }, func(r reg.Register, m operand.Op) { l.Store(r, m) })
	ADDQ(operand.Imm(uint64(l.Bytes())), at)
	CMPQ(at, end)
	JLT(operand.LabelRef("loop"))
	Label("rest")
	TESTQ(rest, rest)
	JZ(operand.LabelRef("done"))
	tail := l.Tail(rest)
	l.step(tail.LoadZero, tail.Store)
	Label("done")
	for i, t := range l.total {
		l.storeSum(t, operand.Mem{Base: sums, Disp: i * parts * l.Size()})
	}
	if l.sums && l.complex { // the even products minus the odd ones
		l.swap(l.negatesEven, l.negatesEven)
		for i, t := range l.crossed {
			l.Xor(l.negatesEven, t, t)
			l.storeSum(t, operand.Mem{Base: sums, Disp: (2*i + 1) * l.Size()})
		}
		l.swap(l.negatesEven, l.negatesEven)
	}
	for _, r := range row {
		ADDQ(group, r)
	}
	if l.sums {
		ADDQ(operand.Imm(uint64(l.rows()*parts*l.Size())), sums)
	}
	if l.adds {
		ADDQ(operand.Imm(uint64(l.rows()*parts*l.Size())), factors)
	}
	ADDQ(address("grow"), n)
	DECQ(groups)
	JNZ(operand.LabelRef("group"))
	vec.Leave()
}

func (l *lines) step(load func(m operand.Op, r reg.Register), store func(r reg.Register, m operand.Op)) {
	row := l.Regs(l.rows())
	for i := range row {
		load(l.a[i], row[i])
	}
	if l.sums {
		x := l.Reg()
		load(l.x, x)
		for i := range row {
			l.FMA231(x, row[i], l.total[i])
		}
		if l.complex {
			l.swap(x, x)
			for i := range row {
				l.FMA231(x, row[i], l.crossed[i])
			}
		}
	}
	if l.adds {
		y := l.Reg()
		load(l.y, y)
		for i := range row {
			l.FMA231(row[i], l.factor[i], y)
		}
		if l.complex { // i times the rows: real and imaginary parts exchanged, the imaginary one negated
			turned := l.Reg()
			l.Mul(row[0], l.imaginary[0], turned)
			for i := range row[1:] {
				l.FMA231(row[1+i], l.imaginary[1+i], turned)
			}
			l.swap(turned, turned)
			l.Xor(l.negatesEven, turned, turned)
			l.Add(turned, y, y)
		}
		store(y, l.y)
	}
}

// swap exchanges the floats of each pair.
func (l *lines) swap(a, dst operand.Op) {
	if l.Double {
		l.Permute(operand.Imm(0x55), a, dst)
	} else {
		l.Permute(operand.Imm(0xb1), a, dst)
	}
}

// storeSum stores the sum of the lanes of t.
func (l *lines) storeSum(t reg.VecVirtual, to operand.Mem) {
	if sum := l.Sum(t, l.Reg()); l.Double {
		VMOVSD(sum, to)
	} else {
		VMOVSS(sum, to)
	}
}

// signs returns a constant with the sign bit of every second float, from the first on.
func (l *lines) signs() operand.Mem {
	name, words := "signs32", []uint64{1 << 31}
	if l.Double {
		name, words = "signs64", []uint64{1 << 63, 0}
	}
	if table, ok := signTables[name]; ok {
		return table
	}
	table := GLOBL(name, attr.RODATA|attr.NOPTR)
	for at := 0; at < 64; at += 8 {
		DATA(at, operand.U64(words[at/8%len(words)]))
	}
	signTables[name] = table
	return table
}

var signTables = map[string]operand.Mem{}

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
}

// each emits a loop over vectors of n elements, to which pointers point, and a step for the rest.
func each(k vec.Kind, n reg.GPVirtual, pointers []reg.GPVirtual, step func(a access)) {
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JLT(operand.LabelRef("rest"))
	Label("loop")
	step(access{func(m operand.Op, r reg.Register) { k.Load(m, r) }, func(r reg.Register, m operand.Op) { k.Store(r, m) }, func(reg.Register) {}})
	for _, r := range pointers {
		ADDQ(operand.Imm(uint64(k.Bytes())), r)
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("loop"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("end"))
	tail := k.Tail(n)
	step(access{tail.LoadZero, tail.Store, tail.Keep})
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

func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// address returns the address of a parameter.
func address(name string) operand.Mem {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}
