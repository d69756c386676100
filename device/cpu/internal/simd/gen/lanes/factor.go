package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// update emits c[j] -= factor·u[j] for n vectors; n is not 0. It overwrites its registers, but not factor. The product is
// rounded, as elimination by hand does it: so the pivots of many singular matrices are exactly 0.
func update(k vec.Kind, label string, n reg.GPVirtual, factor reg.Register, u reg.GPVirtual, uStep reg.Register, c reg.GPVirtual, cStep reg.Register) {
	product, sum := k.Reg(), k.Reg()
	Label(label)
	k.Load(at(c), sum)
	k.Mul(at(u), factor, product)
	k.Sub(product, sum, sum)
	k.Store(sum, at(c))
	ADDQ(uStep, u)
	ADDQ(cStep, c)
	DECQ(n)
	JNZ(operand.LabelRef(label))
}

// lu emits the elimination of m rows and n columns with row exchanges.
func lu(k vec.Kind) {
	begin(k, "lu", "m, n int, a *%s, row, column, step int, pivots, x *%[1]s, xRow, xColumn, columns int", "replaces matrices by their factors, exchanges the rows of x in the same way, and stores for each column how far below the diagonal its pivot was.")
	m, top, row, column, pivots, xTop := param("m"), param("a"), param("row"), param("column"), param("pivots"), param("x")
	diagonal, right := move(top), param("n") // the pivot, and how many columns there are from it on
	one, absolute := k.SplatConst(1), k.Reg()
	k.Splat(k.Bits(1<<(8*k.Size()-1)-1), absolute)
	best, found, number, v, w, x := k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg()

	Label("step")
	p, left := move(diagonal), move(m)
	k.Load(at(p), best)
	k.And(absolute, best, best)
	k.Zero(found)
	k.Zero(number)
	Label("search")
	DECQ(left)
	JZ(operand.LabelRef("searched"))
	ADDQ(row, p)
	k.Add(one, number, number)
	k.Load(at(p), v)
	k.And(absolute, v, v)
	isLarger := k.Compare(vec.NotLessEqual, best, v)
	isLarger.And(k.Compare(vec.Ordered, best, best))
	isLarger.Select(v, best)
	isLarger.Select(number, found)
	JMP(operand.LabelRef("search"))
	Label("searched")
	k.Store(found, at(pivots))
	ADDQ(argument("step"), pivots)

	// Exchange whole rows.
	exchange := func(name string, top reg.GPVirtual, row, column, columns operand.Op) {
		MOVQ(m, left)
		other := move(top)
		k.Zero(number)
		Label(name)
		DECQ(left)
		JZ(operand.LabelRef(name + "done"))
		ADDQ(row, other)
		k.Add(one, number, number)
		isSame := k.Compare(vec.Equal, number, found)
		bits := isSame.Bits()
		TESTL(bits, bits)
		JZ(operand.LabelRef(name))
		first, second, count := move(top), move(other), GP64()
		MOVQ(columns, count)
		Label(name + "swap")
		k.Load(at(first), v)
		k.Load(at(second), w)
		k.Move(v, x)
		isSame.Select(w, x)
		isSame.Select(v, w)
		k.Store(x, at(first))
		k.Store(w, at(second))
		ADDQ(column, first)
		ADDQ(column, second)
		DECQ(count)
		JNZ(operand.LabelRef(name + "swap"))
		JMP(operand.LabelRef(name))
		Label(name + "done")
	}
	exchange("exchange", top, row, column, argument("n"))
	CMPQ(argument("columns"), operand.Imm(0))
	JE(operand.LabelRef("divide"))
	exchange("beside", xTop, argument("xRow"), argument("xColumn"), argument("columns"))
	ADDQ(argument("xRow"), xTop)
	Label("divide")

	// Divide the column, and subtract its products with the row.
	k.Load(at(diagonal), best)
	k.Zero(number)
	isZero := k.Compare(vec.Equal, number, best)
	MOVQ(m, left)
	MOVQ(diagonal, p)
	Label("rows")
	DECQ(left)
	JZ(operand.LabelRef("next"))
	ADDQ(row, p)
	k.Load(at(p), v)
	k.Div(best, v, w)
	isZero.Select(v, w)
	k.Store(w, at(p))
	from, to, columns := move(diagonal), move(p), move(right)
	DECQ(columns)
	JZ(operand.LabelRef("rows"))
	ADDQ(column, from)
	ADDQ(column, to)
	update(k, "columns", columns, w, from, column, to, column)
	JMP(operand.LabelRef("rows"))

	Label("next")
	ADDQ(row, top)
	ADDQ(row, diagonal)
	ADDQ(column, diagonal)
	DECQ(m)
	JZ(operand.LabelRef("done"))
	DECQ(right)
	JNZ(operand.LabelRef("step"))
	Label("done")
	vec.Leave()
}

// determinant emits the products of diagonals, which change their signs with each exchange.
func determinant(k vec.Kind) {
	begin(k, "determinant", "n int, a *%s, step int, pivots *%[1]s, pivotStep int, y *%[1]s", "stores in y the products of n vectors, negated in each lane once for each pivot that is not 0.")
	n, a, step, pivots, pivotStep, y := param("n"), param("a"), param("step"), param("pivots"), param("pivotStep"), param("y")
	product, zero, sign, isExchanged := k.SplatConst(1), k.Reg(), k.Reg(), k.Reg()
	k.Zero(zero)
	k.Splat(k.Bits(1<<(8*k.Size()-1)), sign)
	Label("loop")
	k.Mul(at(a), product, product)
	k.CompareOnes(vec.Less, at(pivots), zero, isExchanged)
	k.And(sign, isExchanged, isExchanged)
	k.Xor(isExchanged, product, product)
	ADDQ(step, a)
	ADDQ(pivotStep, pivots)
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	k.Store(product, at(y))
	vec.Leave()
}

// cholesky emits Cholesky elimination of the lower triangle.
func cholesky(k vec.Kind) {
	begin(k, "cholesky", "n int, a *%s, row, column int, isPositive *uint32", "replaces the lower triangles of matrices by their factors, and clears a lane's bit in isPositive if a matrix is not positive definite.")
	n, diagonal, row, column, isPositive := param("n"), param("a"), param("row"), param("column"), param("isPositive")
	zero, d, v := k.Reg(), k.Reg(), k.Reg()
	k.Zero(zero)
	Label("step")
	k.Load(at(diagonal), d)
	bits := k.Compare(vec.Greater, zero, d).Bits()
	ANDL(bits, operand.Mem{Base: isPositive})
	k.Sqrt(d, d)
	k.Store(d, at(diagonal))
	p, left, done := move(diagonal), move(n), GP64()
	XORQ(done, done) // rows that are done
	Label("rows")
	DECQ(left)
	JZ(operand.LabelRef("next"))
	ADDQ(row, p)
	INCQ(done)
	k.Load(at(p), v)
	k.Div(d, v, v)
	k.Store(v, at(p))
	from, to, columns := move(diagonal), move(p), move(done)
	ADDQ(row, from)
	ADDQ(column, to)
	update(k, "columns", columns, v, from, row, to, column)
	JMP(operand.LabelRef("rows"))
	Label("next")
	ADDQ(row, diagonal)
	ADDQ(column, diagonal)
	DECQ(n)
	JNZ(operand.LabelRef("step"))
	vec.Leave()
}

// argument returns a parameter in memory.
func argument(name string) operand.Mem {
	component, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return component.Addr
}

// substitute emits T⁻¹·x for lower triangles of m rows, and x of n columns. Each row loses the multiples of all rows above
// it at once, four columns at a time in registers.
func substitute(k vec.Kind) {
	begin(k, "substitute", "m, n int, t *%s, tRow, tColumn int, x *%[1]s, xRow, xColumn, unit int", "replaces x by T⁻¹·x for lower triangles T, whose diagonal is 1 if unit is not 0.")
	tAt, row, tColumn, xRow, xColumn := param("t"), param("x"), param("tColumn"), param("xRow"), param("xColumn")
	three, number, left := GP64(), GP64(), GP64()
	LEAQ(operand.Mem{Base: xColumn, Index: xColumn, Scale: 2}, three)
	XORQ(number, number)
	to, from, factor, u, count := GP64(), GP64(), GP64(), GP64(), GP64()
	d, product, sums := k.Reg(), k.Reg(), k.Regs(4)

	Label("row")
	MOVQ(argument("n"), left)
	MOVQ(row, to)
	MOVQ(argument("x"), from)
	Label("columns")
	CMPQ(left, operand.Imm(4))
	JL(operand.LabelRef("single"))
	block := func(name string, width int) {
		column := func(base reg.Register, j int) operand.Mem {
			switch j {
			case 0:
				return at(base)
			case 3:
				return operand.Mem{Base: base, Index: three, Scale: 1}
			}
			return operand.Mem{Base: base, Index: xColumn, Scale: uint8(j)}
		}
		for j := range width {
			k.Load(column(to, j), sums[j])
		}
		MOVQ(tAt, factor)
		MOVQ(from, u)
		MOVQ(number, count)
		TESTQ(count, count)
		JZ(operand.LabelRef(name + "divide"))
		Label(name + "loop")
		k.Load(at(factor), d)
		for j := range width {
			k.Mul(column(u, j), d, product)
			k.Sub(product, sums[j], sums[j])
		}
		ADDQ(tColumn, factor)
		ADDQ(xRow, u)
		DECQ(count)
		JNZ(operand.LabelRef(name + "loop"))
		Label(name + "divide")
		CMPQ(argument("unit"), operand.Imm(0))
		JNE(operand.LabelRef(name + "store"))
		k.Load(at(factor), d)
		for j := range width {
			k.Div(d, sums[j], sums[j])
		}
		Label(name + "store")
		for j := range width {
			k.Store(sums[j], column(to, j))
		}
		for range width {
			ADDQ(xColumn, to)
			ADDQ(xColumn, from)
		}
		SUBQ(operand.Imm(uint64(width)), left)
	}
	block("four", 4)
	JMP(operand.LabelRef("columns"))
	Label("single")
	TESTQ(left, left)
	JZ(operand.LabelRef("next"))
	block("one", 1)
	JMP(operand.LabelRef("single"))
	Label("next")
	ADDQ(argument("tRow"), tAt)
	ADDQ(xRow, row)
	INCQ(number)
	CMPQ(number, argument("m"))
	JNE(operand.LabelRef("row"))
	vec.Leave()
}
