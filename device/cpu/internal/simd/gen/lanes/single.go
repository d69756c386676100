package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// columns emits a step for each group of vectors of n elements: for four whole vectors, or as many as most says, for one, and for the
// rest. advance steps over vectors.
func columns(k vec.Kind, n reg.GPVirtual, most int, step func(name string, vectors int, tail *vec.Tail), advance func(vectors int)) {
	for _, vectors := range []int{most, 1} {
		name := fmt.Sprint("vectors", vectors)
		elements := operand.Imm(uint64(vectors * k.Lanes()))
		Label(name)
		CMPQ(n, elements)
		JLT(operand.LabelRef(name + "left"))
		step(name, vectors, nil)
		advance(vectors)
		SUBQ(elements, n)
		JMP(operand.LabelRef(name))
		Label(name + "left")
	}
	TESTQ(n, n)
	JZ(operand.LabelRef("end"))
	tail := k.Tail(n)
	step("rest", 1, &tail)
	Label("end")
}

// load loads vector number j of a group.
func load(k vec.Kind, base reg.Register, j int, tail *vec.Tail, r reg.Register) {
	if tail == nil {
		k.Load(vector(k, base, j), r)
	} else {
		tail.LoadZero(vector(k, base, j), r)
	}
}

func store(k vec.Kind, r, base reg.Register, j int, tail *vec.Tail) {
	if tail == nil {
		k.Store(r, vector(k, base, j))
	} else {
		tail.Store(r, vector(k, base, j))
	}
}

func vector(k vec.Kind, base reg.Register, j int) operand.Mem {
	return operand.Mem{Base: base, Disp: j * k.Bytes()}
}

// subtractProduct emits sums -= factor·u for the vectors of a group.
func subtractProduct(k vec.Kind, sums []reg.VecVirtual, factor, u, part reg.Register, tail *vec.Tail) {
	for j, sum := range sums {
		if tail == nil {
			k.FNMA231(vector(k, u, j), factor, sum)
			continue
		}
		tail.LoadZero(vector(k, u, j), part)
		k.FNMA231(part, factor, sum)
	}
}

// triangle emits T⁻¹·x for one lower triangle of m rows, and rows x of n elements. All rows of a few vectors are substituted, then those of
// the next ones.
func triangle(k vec.Kind) {
	begin(k, "triangle", "m, n int, t *%s, tRow, tColumn int, inverses *%[1]s, x *%[1]s, xRow int", "replaces x, of m rows and n columns, by T⁻¹·x for a lower triangle T, of whose diagonal the inverses are given.")
	n, x, tColumn, xRow := param("n"), param("x"), param("tColumn"), param("xRow")
	row, to, inverse, number := GP64(), GP64(), GP64(), GP64()
	factor, u, count := GP64(), GP64(), GP64()
	splat, part, all := k.Reg(), k.Reg(), k.Regs(4)
	columns(k, n, len(all), func(name string, vectors int, tail *vec.Tail) {
		sums := all[:vectors]
		MOVQ(argument("t"), row)
		MOVQ(argument("inverses"), inverse)
		MOVQ(x, to)
		XORQ(number, number)
		Label(name + "row")
		for j, sum := range sums {
			load(k, to, j, tail, sum)
		}
		MOVQ(row, factor)
		MOVQ(x, u)
		MOVQ(number, count)
		TESTQ(count, count)
		JZ(operand.LabelRef(name + "divide"))
		Label(name + "loop")
		k.Splat(at(factor), splat)
		subtractProduct(k, sums, splat, u, part, tail)
		ADDQ(tColumn, factor)
		ADDQ(xRow, u)
		DECQ(count)
		JNZ(operand.LabelRef(name + "loop"))
		Label(name + "divide")
		k.Splat(at(inverse), splat)
		for j, sum := range sums {
			k.Mul(splat, sum, sum)
			store(k, sum, to, j, tail)
		}
		ADDQ(argument("tRow"), row)
		ADDQ(xRow, to)
		ADDQ(operand.Imm(uint64(k.Size())), inverse)
		INCQ(number)
		CMPQ(number, argument("m"))
		JNE(operand.LabelRef(name + "row"))
	}, func(vectors int) { ADDQ(operand.I32(vectors*k.Bytes()), x) })
	vec.Leave()
}

// column emits row -= Σ factors[i]·(row i of x), and finds in each lane the largest absolute value, and the number of its vector.
func column(k vec.Kind) {
	begin(k, "column", "n int, row *%s, count int, factors, x *%[1]s, xRow int, largest *%[1]s", "subtracts Σ factors[i]·x[i] from a row of n elements. It stores two vectors: the largest absolute value in each lane, or the first NaN, and the number of its vector.")
	n, row, factors, x, xRow := param("n"), param("row"), param("factors"), param("x"), param("xRow")
	factor, u, count := GP64(), GP64(), GP64()
	one, absolute := k.SplatConst(1), k.Reg()
	k.Splat(k.Bits(1<<(8*k.Size()-1)-1), absolute)
	best, found, number := k.SplatConst(-1), k.Reg(), k.Reg()
	k.Zero(found)
	k.Zero(number)
	splat, part, all := k.Reg(), k.Reg(), k.Regs(2)
	columns(k, n, len(all), func(name string, vectors int, tail *vec.Tail) {
		sums := all[:vectors]
		for j, sum := range sums {
			load(k, row, j, tail, sum)
		}
		MOVQ(factors, factor)
		MOVQ(x, u)
		MOVQ(argument("count"), count)
		TESTQ(count, count)
		JZ(operand.LabelRef(name + "compare"))
		Label(name + "loop")
		k.Splat(at(factor), splat)
		subtractProduct(k, sums, splat, u, part, tail)
		ADDQ(operand.Imm(uint64(k.Size())), factor)
		ADDQ(xRow, u)
		DECQ(count)
		JNZ(operand.LabelRef(name + "loop"))
		Label(name + "compare")
		for j, sum := range sums {
			store(k, sum, row, j, tail)
			k.And(absolute, sum, sum)
			if tail != nil {
				tail.Keep(sum)
			}
			isLarger := k.Compare(vec.NotLessEqual, best, sum)
			isLarger.And(k.Compare(vec.Ordered, best, best))
			isLarger.Select(sum, best)
			isLarger.Select(number, found)
			k.Add(one, number, number)
		}
	}, func(vectors int) {
		ADDQ(operand.I32(vectors*k.Bytes()), row)
		ADDQ(operand.I32(vectors*k.Bytes()), x)
	})
	largest := param("largest")
	k.Store(best, at(largest))
	k.Store(found, vector(k, largest, 1))
	vec.Leave()
}

// scale emits y = factor·x for rows of n elements.
func scale(k vec.Kind) {
	begin(k, "scale", "rows, n int, y *%s, yRow int, factor, x *%[1]s, xRow int", "sets rows of n elements of y to those of x times a factor.")
	rows, n, y, yRow, x, xRow := param("rows"), param("n"), param("y"), param("yRow"), param("x"), param("xRow")
	splat, v := k.Reg(), k.Reg()
	k.Splat(at(param("factor")), splat)
	rest := move(n)
	ANDQ(operand.Imm(uint64(k.Lanes()-1)), rest)
	tail := k.Tail(rest)
	Label("row")
	from, to, left := move(x), move(y), move(n)
	SUBQ(rest, left)
	JZ(operand.LabelRef("tail"))
	Label("column")
	k.Mul(at(from), splat, v)
	k.Store(v, at(to))
	ADDQ(operand.Imm(uint64(k.Bytes())), from)
	ADDQ(operand.Imm(uint64(k.Bytes())), to)
	SUBQ(operand.Imm(uint64(k.Lanes())), left)
	JNZ(operand.LabelRef("column"))
	Label("tail")
	TESTQ(rest, rest)
	JZ(operand.LabelRef("next"))
	tail.LoadZero(at(from), v)
	k.Mul(splat, v, v)
	tail.Store(v, at(to))
	Label("next")
	ADDQ(xRow, x)
	ADDQ(yRow, y)
	DECQ(rows)
	JNZ(operand.LabelRef("row"))
	vec.Leave()
}
