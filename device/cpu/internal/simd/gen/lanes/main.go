// Command lanes generates the routines of package lanes.
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
		subtract(k)
		divide(k)
		largest(k)
		exchange(k)
		outer(k)
	}
	Generate()
}

// begin starts a routine; all of its parameters but pointers are numbers of bytes or of elements.
func begin(k vec.Kind, name, parameters, doc string) {
	name += k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func("+parameters+")", k.Elem()))
	Pragma("noescape")
	Doc(name + " " + doc)
}

func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// at returns the operand that a register points to.
func at(r reg.Register) operand.Mem { return operand.Mem{Base: r} }

// move copies a general register.
func move(r reg.GPVirtual) reg.GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}

// subtract emits c[i][j] -= f[i]·u[i][j], of vectors.
func subtract(k vec.Kind) {
	begin(k, "subtract", "rows, columns int, f *%s, fRow int, u *%[1]s, uRow, uColumn int, c *%[1]s, cRow, cColumn int", "subtracts f[i]·u[i][j] from c[i][j].")
	rows, columns, f, fRow := param("rows"), param("columns"), param("f"), param("fRow")
	u, uRow, uColumn := param("u"), param("uRow"), param("uColumn")
	c, cRow, cColumn := param("c"), param("cRow"), param("cColumn")
	Label("row")
	factor, sum := k.Reg(), k.Reg()
	k.Load(at(f), factor)
	left, uAt, cAt := move(columns), move(u), move(c)
	Label("column")
	k.Load(at(cAt), sum)
	k.FNMA231(at(uAt), factor, sum)
	k.Store(sum, at(cAt))
	ADDQ(uColumn, uAt)
	ADDQ(cColumn, cAt)
	DECQ(left)
	JNZ(operand.LabelRef("column"))
	ADDQ(fRow, f)
	ADDQ(uRow, u)
	ADDQ(cRow, c)
	DECQ(rows)
	JNZ(operand.LabelRef("row"))
	vec.Leave()
}

// divide emits x[i] /= d, except in lanes in which d is 0.
func divide(k vec.Kind) {
	begin(k, "divide", "n int, x *%s, step int, d *%[1]s", "divides n vectors by d, except in lanes in which d is 0.")
	n, x, step, d := param("n"), param("x"), param("step"), param("d")
	divisor, zero, v, quotient := k.Reg(), k.Reg(), k.Reg(), k.Reg()
	k.Load(at(d), divisor)
	k.Zero(zero)
	isZero := k.Compare(vec.Equal, zero, divisor)
	Label("loop")
	k.Load(at(x), v)
	k.Div(divisor, v, quotient)
	isZero.Select(v, quotient)
	k.Store(quotient, at(x))
	ADDQ(step, x)
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// largest emits the search for the largest absolute value in every lane.
func largest(k vec.Kind) {
	begin(k, "largest", "n int, x *%s, step int, index *%[1]s", "stores, for every lane, the index of the vector with the largest absolute value. The first NaN counts as the largest.")
	n, x, step, index := param("n"), param("x"), param("step"), param("index")
	one, absolute := k.SplatConst(1), k.Reg()
	k.Splat(k.Bits(1<<(8*k.Size()-1)-1), absolute)
	best, found, number, v := k.Reg(), k.Reg(), k.Reg(), k.Reg()
	k.Load(at(x), best)
	k.And(absolute, best, best)
	k.Zero(found)
	k.Zero(number)
	Label("loop")
	DECQ(n)
	JZ(operand.LabelRef("done"))
	ADDQ(step, x)
	k.Add(one, number, number)
	k.Load(at(x), v)
	k.And(absolute, v, v)
	isLarger := k.Compare(vec.NotLessEqual, best, v)
	isLarger.And(k.Compare(vec.Ordered, best, best))
	isLarger.Select(v, best)
	isLarger.Select(number, found)
	JMP(operand.LabelRef("loop"))
	Label("done")
	k.Store(found, at(index))
	vec.Leave()
}

// exchange emits the exchange of two rows in the lanes whose index is a number.
func exchange(k vec.Kind) {
	begin(k, "exchange", "columns int, x, y *%s, step int, index *%[1]s, number %[1]s", "exchanges the vectors of two rows in the lanes in which index is number.")
	columns, x, y, step, index := param("columns"), param("x"), param("y"), param("step"), param("index")
	want, v, w, vNew := k.Reg(), k.Reg(), k.Reg(), k.Reg()
	number, err := Param("number").Resolve()
	if err != nil {
		panic(err)
	}
	k.Splat(number.Addr, want)
	k.Load(at(index), v)
	isSame := k.Compare(vec.Equal, want, v)
	bits := isSame.Bits()
	TESTL(bits, bits)
	JZ(operand.LabelRef("done"))
	Label("loop")
	k.Load(at(x), v)
	k.Load(at(y), w)
	k.Move(v, vNew)
	isSame.Select(w, vNew)
	isSame.Select(v, w)
	k.Store(vNew, at(x))
	k.Store(w, at(y))
	ADDQ(step, x)
	ADDQ(step, y)
	DECQ(columns)
	JNZ(operand.LabelRef("loop"))
	Label("done")
	vec.Leave()
}

// outer emits c[i] -= f[i]·u for rows of n elements.
func outer(k vec.Kind) {
	begin(k, "outer", "rows, n int, f *%s, fRow int, u, c *%[1]s, cRow int", "subtracts f[i]·u from row i of c; rows have n elements.")
	rows, n, f, fRow := param("rows"), param("n"), param("f"), param("fRow")
	u, c, cRow := param("u"), param("c"), param("cRow")
	rest := move(n)
	ANDQ(operand.Imm(uint64(k.Lanes()-1)), rest)
	tail := k.Tail(rest)
	whole := move(n)
	SUBQ(rest, whole)
	shift := uint64(2)
	if k.Double {
		shift = 3
	}
	SHLQ(operand.Imm(shift), whole) // bytes
	factor, sum, part := k.Reg(), k.Reg(), k.Reg()
	offset := GP64()
	Label("row")
	k.Splat(at(f), factor)
	XORQ(offset, offset)
	CMPQ(whole, operand.Imm(0))
	JE(operand.LabelRef("tail"))
	Label("column")
	from, to := operand.Mem{Base: u, Index: offset, Scale: 1}, operand.Mem{Base: c, Index: offset, Scale: 1}
	k.Load(to, sum)
	k.FNMA231(from, factor, sum)
	k.Store(sum, to)
	ADDQ(operand.Imm(uint64(k.Bytes())), offset)
	CMPQ(offset, whole)
	JNE(operand.LabelRef("column"))
	Label("tail")
	TESTQ(rest, rest)
	JZ(operand.LabelRef("next"))
	tail.LoadZero(from, part)
	tail.LoadZero(to, sum)
	k.FNMA231(part, factor, sum)
	tail.Store(sum, to)
	Label("next")
	ADDQ(fRow, f)
	ADDQ(cRow, c)
	DECQ(rows)
	JNZ(operand.LabelRef("row"))
	vec.Leave()
}
