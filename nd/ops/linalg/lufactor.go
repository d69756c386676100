package linalg

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// LU returns matrices p, l and u with p·l·u = a: p exchanges rows, l is lower triangular with ones on its diagonal, u
// upper triangular. They also exist for singular matrices. The gradient assumes that the row exchanges do not change,
// and that the square part of the first rows and columns is invertible. SciPy's linalg.lu is the same function.
//
// Shapes: (…, m, n) gives (…, m, m), (…, m, k) and (…, k, n), where k is the smaller of m and n.
// PyTorch: linalg.lu.
func LU(a *nd.Array) (p, l, u *nd.Array) {
	const fn nd.Func = "linalg.LU"
	made := fn.Temporaries(&a)
	defer made.Release()
	f := recordedLU(fn, matrices(fn, a))
	p, l, u = unpacked(made, f.factors, f.order)
	return made.Keep(p), made.Keep(l), made.Keep(u)
}

// LUUnpack returns the p, l and u of [LU], given the results of [LUFactor]. PyTorch's functions count pivots from 1.
//
// Shapes: (…, m, n) and (…, k) give (…, m, m), (…, m, k) and (…, k, n), where k is the smaller of m and n.
// PyTorch: lu_unpack.
func LUUnpack(factors, pivots *nd.Array) (p, l, u *nd.Array) {
	const fn nd.Func = "linalg.LUUnpack"
	made := fn.Temporaries(&factors, &pivots)
	defer made.Release()
	factors = matrices(fn, factors)
	p, l, u = unpacked(made, factors, rowsOf(fn, made, factors, pivots))
	return made.Keep(p), made.Keep(l), made.Keep(u)
}

// unpacked separates packed factors; order has the row of A for every row of P·A.
func unpacked(made *nd.Temporaries, factors, order *nd.Array) (p, l, u *nd.Array) {
	m, k := factors.Dim(-2), min(factors.Dim(-2), factors.Dim(-1))
	one := made.Own(nd.Eye(m, k, 0, nd.ArrayOptions{DType: factors.DType(), Device: factors.Device()}))
	l = ops.Add(ops.Tril(columns(factors, 0, k), -1), one)
	u = ops.Triu(rows(factors, 0, k), 0)
	row := made.Own(nd.ArangeInt(0, m, 1, nd.ArrayOptions{Device: factors.Device()}))
	return ops.Equal(order.ExpandDims(-2), row.ExpandDims(-1)).AsType(factors.DType()), l, u
}

// LUFactor returns the l and u of [LU] packed in one matrix, l without its diagonal, and the row exchanges: the first
// row is exchanged with row pivots[0] (int64, counted from 0), then the second with row pivots[1], and so on. [LUSolve]
// solves equations with both. The gradient is that of LU. PyTorch's functions count pivots from 1. SciPy's
// linalg.lu_factor is the same function.
//
// Shapes: (…, m, n) gives (…, m, n) and (…, k), where k is the smaller of m and n.
// PyTorch: linalg.lu_factor, lu.
func LUFactor(a *nd.Array) (factors, pivots *nd.Array) {
	const fn nd.Func = "linalg.LUFactor"
	given := a
	a = matrices(fn, a)
	f := recordedLU(fn, a)
	f.order.Release()
	return release.Converted(f.factors, a, given), f.exchange
}

// recordedLU is luOf with a gradient for the factors.
func recordedLU(fn nd.Func, a *nd.Array) lu {
	f := luOf(fn, a)
	fn.Record(luOp{}, []*nd.Array{a, f.order}, f.factors)
	return f
}

// luOp is the operation from the matrices and the order of their rows to the factors.
type luOp struct{}

func (luOp) Claims() nd.Claims { return nd.Claims{In: 2, Out: 1} }

// VJP is L⁻ᴴ·(tril(Lᴴ·gL) + triu(gU·Uᴴ))·U⁻ᴴ for the square part, where tril leaves out the diagonal. The columns after
// it are L times those of U, the rows below it are those of L times U. Finally the rows return to their original order.
func (luOp) VJP(c *nd.Call) {
	fn, packed, g := c.Func(), c.Out(0), c.Gy(0)
	m, n := packed.Dim(-2), packed.Dim(-1)
	k := min(m, n)
	square, gSquare := rows(columns(packed, 0, k), 0, k), rows(columns(g, 0, k), 0, k)
	one := identity(k, packed)
	defer one.Release()
	lower := ops.Add(ops.Tril(square, -1), one)
	below := ops.MatMul(adjoint(lower), ops.Tril(gSquare, -1))
	above := ops.MatMul(ops.Triu(gSquare, 0), adjoint(ops.Triu(square, 0)))
	conj := ops.Conj(square)
	byL := func(x *nd.Array) *nd.Array { return triangle{fn: fn, unit: true, transposed: true}.solve(conj, x) } // L⁻ᴴ·x
	byU := func(x *nd.Array) *nd.Array { return adjoint(triangle{fn: fn, upper: true}.solve(square, adjoint(x))) }
	parts, along := make([]*nd.Array, 1, 2), ops.Over(-1)
	switch {
	case n > k:
		rest := columns(g, k, n)
		below = ops.Subtract(below, ops.MatMul(rest, adjoint(columns(packed, k, n))))
		parts = append(parts, byL(rest))
	case m > k:
		rest := rows(g, k, m)
		above = ops.Subtract(above, ops.MatMul(adjoint(rows(packed, k, m)), rest))
		parts, along = append(parts, byU(rest)), ops.Over(-2)
	}
	parts[0] = byU(byL(ops.Add(ops.Tril(below, -1), ops.Triu(above, 0))))
	back := ops.ArgSort(c.In(1))
	rowIndices := release.Operands(back.ExpandDims(-1), back)
	defer rowIndices.Release()
	c.SetGx(0, ops.TakeAlongAxis(ops.Concatenate(parts, along), rowIndices, ops.Over(-2)))
}

// LUSolveOptions are the options of LUSolve.
type LUSolveOptions struct {
	// Adjoint solves with the transposed, conjugated matrices.
	Adjoint bool
}

// LUSolve returns the x with a·x = b, given the results of [LUFactor] for square matrices a. A vector b is one column,
// and its axis is left out of the result. Singular matrices give infinities and NaN. PyTorch's functions count pivots
// from 1. SciPy's linalg.lu_solve is the same function.
//
// Shapes: (…, n, n), (…, n) and (…, n, k) give (…, n, k); the axes before broadcast.
// PyTorch: linalg.lu_solve, lu_solve.
func LUSolve(factors, pivots, b *nd.Array, opts ...LUSolveOptions) *nd.Array {
	const fn nd.Func = "linalg.LUSolve"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&factors, &pivots, &b)
	defer made.Release()
	fn.Check(factors, pivots, b)
	left, b, isVector := equations(fn, factors, b)
	checkSquare(fn, left)
	order, batch := rowsOf(fn, made, left, pivots), sameBatch(fn, left, b)
	var x *nd.Array
	if o.Adjoint {
		conj := ops.Conj(left)
		y := triangle{fn: fn, upper: true, transposed: true}.solve(conj, b)
		x = rowsAt(triangle{fn: fn, unit: true, transposed: true}.solve(conj, y), ops.ArgSort(order), batch)
	} else {
		y := triangle{fn: fn, unit: true}.solve(left, rowsAt(b, order, batch))
		x = triangle{fn: fn, upper: true}.solve(left, y)
	}
	if isVector {
		x = x.Squeeze(-1)
	}
	return made.Keep(x)
}

// rowsAt returns the rows of matrices at the given indices, one for each row. Both broadcast to the batch.
func rowsAt(x, indices *nd.Array, batch []int) *nd.Array {
	m, n, column := x.Dim(-2), x.Dim(-1), indices.ExpandDims(-1)
	whole, from := x.BroadcastTo(append(batch, m, n)...), column.BroadcastTo(append(batch, m, 1)...)
	y := ops.TakeAlongAxis(whole, from, ops.Over(-2))
	release.Unless(whole, x)
	release.Unless(from, column)
	column.Release()
	return y
}

// rowsOf checks the pivots of packed factors, and returns the row of A for every row of P·A.
func rowsOf(fn nd.Func, made *nd.Temporaries, factors, pivots *nd.Array) *nd.Array {
	fn.Check(factors, pivots)
	given := []*nd.Array{factors, pivots}
	m, k, batch := factors.Dim(-2), min(factors.Dim(-2), factors.Dim(-1)), batchOf(factors)
	if !pivots.DType().IsInteger() || !broadcast.Equal(pivots.Shape(), append(batch, k)) {
		panic(fn.Errorf(given, "want pivots of shape %s: an integer for each exchange of rows", broadcast.FormatShape(append(batch, k))))
	}
	exchange := nd.ToSlice[int64](pivots.Detach().AsType(dtype.Int64))
	for _, row := range exchange {
		if row < 0 || row >= int64(m) {
			panic(fn.Errorf(given, "pivot %d is out of range: pivots are row indices counted from 0", row))
		}
	}
	order := make([]int64, broadcast.Size(batch)*m)
	for i := range broadcast.Size(batch) {
		exchangeRows(order[i*m:(i+1)*m], exchange[i*k:(i+1)*k])
	}
	return made.Own(nd.FromSliceOn(factors.Device(), order, append(batch, m)...))
}

// exchangeRows numbers the rows of a matrix, and applies the exchanges to them.
func exchangeRows(order, exchange []int64) {
	for i := range order {
		order[i] = int64(i)
	}
	for i, with := range exchange {
		order[i], order[with] = order[with], order[i]
	}
}
