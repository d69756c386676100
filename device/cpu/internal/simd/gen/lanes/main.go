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
		lu(k)
		determinant(k)
		cholesky(k)
		substitute(k)
		outer(k)
		triangle(k)
		column(k)
		scale(k)
		diagonalise(k)
		orthogonalise(k)
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
	factor := k.Reg()
	k.Load(at(f), factor)
	left, uAt, cAt := move(columns), move(u), move(c)
	update(k, "column", left, factor, uAt, uColumn, cAt, cColumn)
	ADDQ(fRow, f)
	ADDQ(uRow, u)
	ADDQ(cRow, c)
	DECQ(rows)
	JNZ(operand.LabelRef("row"))
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
