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
		update(k)
		rotate(k)
		rotateChain(k)
		reflect(k)
		if k.Double {
			gaps(k, false)
			gaps(k, true)
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
