package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// rotation emits rotations by angles that differ from lane to lane.
type rotation struct {
	vec.Kind
	one, sign, c, s, t reg.VecVirtual
	rotated            reg.GPVirtual // a bit for each lane that has been rotated
}

func newRotation(k vec.Kind) *rotation {
	r := &rotation{k, k.SplatConst(1), k.Reg(), k.Reg(), k.Reg(), k.Reg(), GP64()}
	k.Splat(k.Bits(1<<(8*k.Size()-1)), r.sign)
	XORQ(r.rotated, r.rotated)
	return r
}

// angle computes the rotation that makes the matrix (first, between; between, second) diagonal, in the lanes where |between| exceeds limit;
// t, the tangent, is 0 in the others. It jumps to next if there are none. It overwrites first and second.
func (r *rotation) angle(first, second, between, limit reg.VecVirtual, next string) (active vec.Lanewise) {
	absolute := r.Reg()
	r.AndN(between, r.sign, absolute)
	active = r.Compare(vec.Greater, limit, absolute)
	bits := active.Bits()
	TESTL(bits, bits)
	JZ(operand.LabelRef(next))
	ORL(bits, r.rotated.As32())
	r.Sub(first, second, second)
	r.Add(between, between, first)
	r.Div(first, second, second) // twice the angle's cotangent
	r.Mul(second, second, first)
	r.Add(r.one, first, first)
	r.Sqrt(first, first)
	r.And(r.sign, second, absolute)
	r.Or(absolute, first, first)
	r.Add(first, second, second)
	r.Div(second, r.one, second)
	r.Zero(r.t)
	active.Select(second, r.t)
	r.Mul(r.t, r.t, r.c)
	r.Add(r.one, r.c, r.c)
	r.Sqrt(r.c, r.c)
	r.Div(r.c, r.one, r.c)
	r.Mul(r.c, r.t, r.s)
	return active
}

// rotate replaces count vectors at x and y by c·x - s·y and s·x + c·y. The registers are overwritten.
func (r *rotation) rotate(name string, count, x, y reg.GPVirtual, xStep, yStep operand.Op) {
	v, w, a, b := r.Reg(), r.Reg(), r.Reg(), r.Reg()
	TESTQ(count, count)
	JZ(operand.LabelRef(name + "rotated"))
	Label(name + "rotate")
	r.Load(at(x), v)
	r.Load(at(y), w)
	r.Mul(r.c, v, a)
	r.Mul(r.s, w, b)
	r.Sub(b, a, a)
	r.Store(a, at(x))
	r.Mul(r.s, v, v)
	r.Mul(r.c, w, w)
	r.Add(w, v, v)
	r.Store(v, at(y))
	ADDQ(xStep, x)
	ADDQ(yStep, y)
	DECQ(count)
	JNZ(operand.LabelRef(name + "rotate"))
	Label(name + "rotated")
}

// diagonalise emits a sweep of Jacobi's method over the upper triangles of symmetric matrices.
func diagonalise(k vec.Kind) {
	begin(k, "diagonalise", "n int, a *%s, row, column int, v *%[1]s, vRow, vColumn, columns int, limits *%[1]s, rotated *uint32", "rotates each pair of rows and columns of symmetric matrices, given by their upper triangles, and the rows of v, in the lanes where the element between exceeds the limit. It stores a bit for each lane with a rotation.")
	r := newRotation(k)
	row, column := param("row"), param("column")
	limit := k.Reg()
	k.Load(at(param("limits")), limit)
	first, second, between, product := k.Reg(), k.Reg(), k.Reg(), k.Reg()
	top, diagonal, vFirst, p := param("a"), param("a"), param("v"), GP64() // of column p, of row p
	XORQ(p, p)
	otherTop, beside, otherDiagonal, vSecond, q := GP64(), GP64(), GP64(), GP64(), GP64()
	x, y, count := GP64(), GP64(), GP64()

	Label("row")
	MOVQ(top, otherTop)
	MOVQ(diagonal, beside)
	MOVQ(diagonal, otherDiagonal)
	MOVQ(vFirst, vSecond)
	MOVQ(p, q)
	Label("pair")
	INCQ(q)
	CMPQ(q, argument("n"))
	JGE(operand.LabelRef("next"))
	ADDQ(column, otherTop)
	ADDQ(column, beside)
	ADDQ(column, otherDiagonal)
	ADDQ(row, otherDiagonal)
	ADDQ(argument("vRow"), vSecond)
	k.Load(at(diagonal), first)
	k.Load(at(otherDiagonal), second)
	k.Load(at(beside), between)
	active := r.angle(first, second, between, limit, "pair")
	k.Mul(between, r.t, product)
	k.Load(at(diagonal), first)
	k.Sub(product, first, first)
	k.Store(first, at(diagonal))
	k.Load(at(otherDiagonal), second)
	k.Add(product, second, second)
	k.Store(second, at(otherDiagonal))
	k.Zero(first)
	active.Select(first, between)
	k.Store(between, at(beside))

	MOVQ(top, x)
	MOVQ(otherTop, y)
	MOVQ(p, count)
	r.rotate("above", count, x, y, row, row)
	MOVQ(diagonal, x)
	MOVQ(beside, y)
	ADDQ(column, x)
	ADDQ(row, y)
	MOVQ(q, count)
	SUBQ(p, count)
	DECQ(count)
	r.rotate("between", count, x, y, column, row)
	MOVQ(beside, x)
	MOVQ(otherDiagonal, y)
	ADDQ(column, x)
	ADDQ(column, y)
	MOVQ(argument("n"), count)
	SUBQ(q, count)
	DECQ(count)
	r.rotate("after", count, x, y, column, column)
	MOVQ(vFirst, x)
	MOVQ(vSecond, y)
	MOVQ(argument("columns"), count)
	r.rotate("vectors", count, x, y, argument("vColumn"), argument("vColumn"))
	JMP(operand.LabelRef("pair"))

	Label("next")
	ADDQ(column, top)
	ADDQ(column, diagonal)
	ADDQ(row, diagonal)
	ADDQ(argument("vRow"), vFirst)
	INCQ(p)
	CMPQ(p, argument("n"))
	JLT(operand.LabelRef("row"))
	storeRotated(r)
}

// orthogonalise emits a sweep of Hestenes' method over the rows of matrices.
func orthogonalise(k vec.Kind) {
	begin(k, "orthogonalise", "m, n int, a *%s, row, column int, u *%[1]s, uRow, uColumn, columns int, limit *%[1]s, rotated *uint32", "rotates each pair of the m rows of matrices, and the rows of u, in the lanes where the cosine of their angle exceeds the limit. It stores a bit for each lane with a rotation.")
	r := newRotation(k)
	column := param("column")
	limit := k.Reg()
	k.Splat(at(param("limit")), limit)
	first, second, between, v, w := k.Reg(), k.Reg(), k.Reg(), k.Reg(), k.Reg()
	top, uFirst, p := param("a"), param("u"), GP64()
	XORQ(p, p)
	other, uSecond, q := GP64(), GP64(), GP64()
	x, y, count := GP64(), GP64(), GP64()

	Label("row")
	MOVQ(top, other)
	MOVQ(uFirst, uSecond)
	MOVQ(p, q)
	Label("pair")
	INCQ(q)
	CMPQ(q, argument("m"))
	JGE(operand.LabelRef("next"))
	ADDQ(argument("row"), other)
	ADDQ(argument("uRow"), uSecond)
	MOVQ(top, x)
	MOVQ(other, y)
	MOVQ(argument("n"), count)
	for _, sum := range []reg.VecVirtual{first, second, between} {
		k.Zero(sum)
	}
	Label("products")
	product := k.Reg()
	k.Load(at(x), v)
	k.Load(at(y), w)
	k.Mul(v, v, product)
	k.Add(product, first, first)
	k.Mul(v, w, product)
	k.Add(product, between, between)
	k.Mul(w, w, product)
	k.Add(product, second, second)
	ADDQ(column, x)
	ADDQ(column, y)
	DECQ(count)
	JNZ(operand.LabelRef("products"))
	k.Sqrt(first, v)
	k.Sqrt(second, w)
	k.Mul(w, v, v)
	k.Mul(limit, v, v)
	r.angle(first, second, between, v, "pair")
	MOVQ(top, x)
	MOVQ(other, y)
	MOVQ(argument("n"), count)
	r.rotate("rows", count, x, y, column, column)
	MOVQ(uFirst, x)
	MOVQ(uSecond, y)
	MOVQ(argument("columns"), count)
	r.rotate("vectors", count, x, y, argument("uColumn"), argument("uColumn"))
	JMP(operand.LabelRef("pair"))

	Label("next")
	ADDQ(argument("row"), top)
	ADDQ(argument("uRow"), uFirst)
	INCQ(p)
	CMPQ(p, argument("m"))
	JLT(operand.LabelRef("row"))
	storeRotated(r)
}

func storeRotated(r *rotation) {
	MOVL(r.rotated.As32(), operand.Mem{Base: param("rotated")})
	vec.Leave()
}
