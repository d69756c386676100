package linalg

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// LDLOptions are the options of LDLFactor and LDLSolve.
type LDLOptions struct {
	// Hermitian says that complex matrices are Hermitian instead of symmetric.
	Hermitian bool
}

// LDLFactor factors symmetric matrices, which may be indefinite, as p·l·d·lᵀ·pᵀ = a: p exchanges rows, l is lower
// triangular with ones on its diagonal, and d has blocks of one or two rows on its diagonal. Complex matrices are
// symmetric, or with Hermitian they are p·l·d·lᴴ·pᵀ. Only the lower triangle of a is read.
//
// The results are those of LAPACK's sytrf and hetrf. The lower triangle of factors holds d, and below its blocks the
// columns of l, whose rows are exchanged only by the later steps; the upper triangle is 0. A pivot (int64) that is not
// negative is the row, counted from 0, with which the row was exchanged, and belongs to a block of one row. The two rows
// of a larger block have the same negative pivot -1-i: the second row was exchanged with row i. PyTorch's functions count
// from 1 instead. [LDLSolve] solves equations with both. The factors are computed on the host. No gradient flows.
//
// Shapes: (…, n, n) gives (…, n, n) and (…, n).
//
// Source: J. Bunch and L. Kaufman, Some stable methods for calculating inertia and solving symmetric linear systems, 1977.
// PyTorch: linalg.ldl_factor.
func LDLFactor(a *nd.Array, opts ...LDLOptions) (factors, pivots *nd.Array) {
	const fn nd.Func = "linalg.LDLFactor"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a).Detach()
	checkSquare(fn, a)
	hermitian := options.Read(fn, opts).Hermitian
	shape := append(batchOf(a), a.Dim(-1))
	exchange := make([]int64, broadcast.Size(shape))
	if a.DType().IsComplex() {
		factors = ldlOfAll(a, exchange, complexField(hermitian))
	} else {
		factors = ldlOfAll(a, exchange, realField())
	}
	return made.Keep(made.Own(factors).AsType(a.DType())), nd.FromSliceOn(a.Device(), exchange, shape...)
}

// LDLSolve returns the x with a·x = b, given the results of [LDLFactor]. A vector b is one column, and its axis is left
// out of the result. Singular matrices give infinities and NaN. The pivots are read on the host. Gradients flow to b and,
// for a fixed order of the rows, to the factors. PyTorch's functions count pivots from 1.
//
// Shapes: (…, n, n), (…, n) and (…, n, k) give (…, n, k); the axes before broadcast.
// PyTorch: linalg.ldl_solve.
func LDLSolve(factors, pivots, b *nd.Array, opts ...LDLOptions) *nd.Array {
	const fn nd.Func = "linalg.LDLSolve"
	hermitian := options.Read(fn, opts).Hermitian
	made := fn.Temporaries(&factors, &pivots, &b)
	defer made.Release()
	fn.Check(factors, pivots, b)
	factors, b, isVector := equations(fn, factors, b)
	checkSquare(fn, factors)
	s := newLDLSteps(fn, made, factors, pivots)
	conj := func(x *nd.Array) *nd.Array {
		if hermitian {
			return ops.Conj(x)
		}
		return x
	}
	batch := sameBatch(fn, factors, b)
	// l has the rows of each column in the order in which all steps leave them.
	l := ops.Where(s.inBlock, 0.0, ops.TakeAlongAxis(ops.Tril(factors, -1), s.rows, ops.Over(-2)))
	y := triangle{fn: fn, unit: true}.solve(l, rowsAt(b, s.order, batch))
	y = s.divide(factors, y, conj)
	x := rowsAt(triangle{fn: fn, unit: true, transposed: true}.solve(conj(l), y), ops.ArgSort(s.order), batch)
	if isVector {
		x = x.Squeeze(-1)
	}
	return made.Keep(x)
}

// ldlSteps is what the pivots say.
type ldlSteps struct {
	order   *nd.Array // (…, n): the row of a for every row of the exchanged matrix
	rows    *nd.Array // (…, n, n): for every element of l, the row of the factors' column that holds it
	inBlock *nd.Array // (…, n, n): whether an element below the diagonal belongs to a block of d
	partner *nd.Array // (…, n): the other row of the block, or the row itself
	single  *nd.Array // (…, n): whether the block has one row
}

func newLDLSteps(fn nd.Func, made *nd.Temporaries, factors, pivots *nd.Array) ldlSteps {
	n, batch := factors.Dim(-1), batchOf(factors)
	given := []*nd.Array{factors, pivots}
	if !pivots.DType().IsInteger() || !broadcast.Equal(pivots.Shape(), append(batch, n)) {
		panic(fn.Errorf(given, "want pivots of shape %s: an integer for each row of the factors", broadcast.FormatShape(append(batch, n))))
	}
	exchange := nd.ToSlice[int64](pivots.Detach().AsType(dtype.Int64))
	count := broadcast.Size(batch)
	order, partner := make([]int64, count*n), make([]int64, count*n)
	rows, inBlock, single := make([]int64, count*n*n), make([]bool, count*n*n), make([]bool, count*n)
	for m := range count {
		one, beside := order[m*n:(m+1)*n], partner[m*n:(m+1)*n]
		for i := range one {
			one[i], beside[i] = int64(i), int64(i)
		}
		column := func(k int) []int64 { return rows[m*n*n+k*n : m*n*n+(k+1)*n] } // the rows of column k
		for k := range n {
			for i := range n {
				column(k)[i] = int64(i)
			}
		}
		for k := 0; k < n; {
			pivot := exchange[m*n+k]
			size, at := 1, k
			if pivot < 0 {
				size, at, pivot = 2, k+1, -1-pivot
			}
			if at >= n || pivot < int64(at) || pivot >= int64(n) || size == 2 && exchange[m*n+k] != exchange[m*n+at] {
				panic(fn.Errorf(given, "pivot %d of row %d: want the result of LDLFactor, whose pivots are counted from 0", exchange[m*n+k], k))
			}
			one[at], one[pivot] = one[pivot], one[at]
			for j := range k {
				column(j)[at], column(j)[pivot] = column(j)[pivot], column(j)[at]
			}
			if size == 2 {
				beside[k], beside[at] = int64(at), int64(k)
				inBlock[m*n*n+at*n+k] = true
			} else {
				single[m*n+k] = true
			}
			k += size
		}
	}
	on := factors.Device()
	return ldlSteps{
		order:   made.Own(nd.FromSliceOn(on, order, append(batch, n)...)),
		rows:    transpose(made.Own(nd.FromSliceOn(on, rows, append(batch, n, n)...))),
		inBlock: made.Own(nd.FromSliceOn(on, inBlock, append(batch, n, n)...)),
		partner: made.Own(nd.FromSliceOn(on, partner, append(batch, n)...)),
		single:  made.Own(nd.FromSliceOn(on, single, append(batch, n)...)),
	}
}

// divide returns d⁻¹·y. In a block of two rows, with off-diagonal elements o in the row and o' in the other, it is (dₚ·y -
// o·yₚ)/(d·dₚ - o·o'), where dₚ and yₚ belong to the other row; both parts are divided by o·o', which pivoting makes the
// larger product.
func (s ldlSteps) divide(factors, y *nd.Array, conj func(x *nd.Array) *nd.Array) *nd.Array {
	d := factors.Diagonal(0, -2, -1)
	below := ops.Where(s.inBlock, factors, 0.0)
	off := ops.Add(ops.Sum(below, ops.Over(-1)), conj(ops.Sum(below, ops.Over(-2)))) // each row and column has one element at most
	off = ops.Where(s.single, 1.0, off)
	beside := func(x *nd.Array, axis int) *nd.Array {
		at := s.partner
		if axis == -2 {
			at = at.ExpandDims(-1)
		}
		shape := x.Shape()
		if axis == -2 {
			shape[len(shape)-1] = 1
		}
		return ops.TakeAlongAxis(x, at.BroadcastTo(shape...), ops.Over(axis))
	}
	offBeside := beside(off, -1)
	ratio := ops.Divide(beside(d, -1), off)
	column := func(x *nd.Array) *nd.Array { return x.ExpandDims(-1) }
	upper := ops.Subtract(ops.Multiply(column(ratio), ops.Divide(y, column(offBeside))), ops.Divide(beside(y, -2), column(offBeside)))
	lower := ops.Where(s.single, 1.0, ops.Subtract(ops.Multiply(ops.Divide(d, offBeside), ratio), 1.0))
	return ops.Where(column(s.single), ops.Divide(y, column(ops.Where(s.single, d, 1.0))), ops.Divide(upper, column(lower)))
}
