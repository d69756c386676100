package lanes

import (
	"math"
	"unsafe"
)

// Products are rounded before they are subtracted, except in routines for one matrix: then elimination finds exact zeros in many
// singular matrices.

// Float is the element type.
type Float interface{ float32 | float64 }

// plainWidth is the number of lanes without vector instructions.
const plainWidth = 4

// Width returns how many matrices lie side by side: the lanes of a vector.
func Width[T Float]() int { return width[T]() }

// Rows are vectors in rows and columns: vector (i, j) begins at element Data[i·Row+j·Column], in elements.
type Rows[T Float] struct {
	Data        []T
	Row, Column int
}

// Subtract subtracts f[i]·u[i][j] from c[i][j], lane by lane, for all rows i and columns j, in this order. c may have a
// distance of 0 between rows, and then gets the sums over the rows. f has its vectors fRow elements apart.
func Subtract[T Float](rows, columns int, c Rows[T], f []T, fRow int, u Rows[T]) {
	if rows > 0 && columns > 0 {
		subtract(rows, columns, c, f, fRow, u)
	}
}

// LU replaces matrices of m rows and n columns by their factors with exchanged rows. pivots has a vector for each of the
// first min(m, n) columns, step elements apart: how many rows below the diagonal the pivot was, the element of the largest absolute value. The
// first NaN counts as the largest. Below a pivot of 0 nothing is divided. The rows of x, of a number of columns that may be 0, are
// exchanged, too.
func LU[T Float](m, n int, a Rows[T], step int, pivots []T, columns int, x Rows[T]) {
	if columns == 0 {
		x = a
	}
	if m > 0 && n > 0 {
		lu(m, n, a, step, pivots, columns, x)
	}
}

// Determinant stores in y, a vector, the determinants of matrices of n rows from what LU leaves: the products of the n vectors from the
// beginning of diagonal on, diagonalStep elements apart, negated for each exchange of two rows. n is not 0.
func Determinant[T Float](n int, diagonal []T, diagonalStep int, pivots []T, step int, y []T) {
	determinant(n, diagonal, diagonalStep, pivots, step, y)
}

// Cholesky replaces the lower triangles of n×n matrices by their factors, and elements above them by others. The result
// has a bit for each lane: whether the matrix is positive definite.
func Cholesky[T Float](n int, a Rows[T]) (isPositive uint32) {
	isPositive = 1<<Width[T]() - 1
	if n > 0 {
		cholesky(n, a, &isPositive)
	}
	return isPositive
}

// Substitute replaces x, of m rows and n columns, by T⁻¹·x for the lower triangles T of t; with unit their diagonals are
// 1. Negative strides that begin at the last row make it the substitution for upper triangles.
func Substitute[T Float](m, n int, t, x Rows[T], unit bool) {
	if m > 0 && n > 0 {
		substitute(m, n, t, x, unit)
	}
}

// SubtractOuter subtracts f[i]·u from row i of c. The elements of f lie fRow elements apart, the rows of c cRow elements.
func SubtractOuter[T Float](rows int, c []T, cRow int, f []T, fRow int, u []T) {
	if rows > 0 && len(u) > 0 {
		outer(rows, c, cRow, f, fRow, u)
	}
}

func plainSubtract[T Float](rows, columns int, c Rows[T], f []T, fRow int, u Rows[T]) {
	for i := range rows {
		for j := range columns {
			to, from, factor := c.Data[i*c.Row+j*c.Column:], u.Data[i*u.Row+j*u.Column:], f[i*fRow:]
			for l := range plainWidth {
				to[l] -= T(factor[l] * from[l])
			}
		}
	}
}

func plainLU[T Float](m, n int, a Rows[T], step int, pivots []T, columns int, x Rows[T]) {
	for k := range min(m, n) {
		for l := range plainWidth {
			at := func(i, j int) *T { return &a.Data[i*a.Row+j*a.Column+l] }
			found, best := k, math.Abs(float64(*at(k, k)))
			for i := k + 1; i < m && best == best; i++ {
				if v := math.Abs(float64(*at(i, k))); !(v <= best) {
					found, best = i, v
				}
			}
			pivots[k*step+l] = T(found - k)
			for j := 0; j < n && found != k; j++ {
				*at(k, j), *at(found, j) = *at(found, j), *at(k, j)
			}
			for j := 0; j < columns && found != k; j++ {
				first, second := k*x.Row+j*x.Column+l, found*x.Row+j*x.Column+l
				x.Data[first], x.Data[second] = x.Data[second], x.Data[first]
			}
			for i := k + 1; i < m; i++ {
				if *at(k, k) != 0 {
					*at(i, k) /= *at(k, k)
				}
				for j := k + 1; j < n; j++ {
					*at(i, j) -= T(*at(i, k) * *at(k, j))
				}
			}
		}
	}
}

func plainDeterminant[T Float](n int, diagonal []T, diagonalStep int, pivots []T, step int, y []T) {
	for l := range plainWidth {
		product := T(1)
		for k := range n {
			if product *= diagonal[k*diagonalStep+l]; pivots[k*step+l] > 0 {
				product = -product
			}
		}
		y[l] = product
	}
}

func plainCholesky[T Float](n int, a Rows[T], isPositive *uint32) {
	for l := range plainWidth {
		at := func(i, j int) *T { return &a.Data[i*a.Row+j*a.Column+l] }
		for k := range n {
			if !(*at(k, k) > 0) {
				*isPositive &^= 1 << l
			}
			d := T(math.Sqrt(float64(*at(k, k))))
			*at(k, k) = d
			for i := k + 1; i < n; i++ {
				*at(i, k) /= d
				for j := k + 1; j <= i; j++ {
					*at(i, j) -= T(*at(i, k) * *at(j, k))
				}
			}
		}
	}
}

// plainSubstitute computes with offsets from the first vectors, because strides may be negative.
func plainSubstitute[T Float](m, n int, t, x Rows[T], unit bool) {
	for l := range plainWidth {
		entry := func(r Rows[T], i, j int) *T { return offset(r.Data, i*r.Row+j*r.Column+l) }
		for k := range m {
			for j := range n {
				v := entry(x, k, j)
				for i := range k {
					*v -= T(*entry(t, k, i) * *entry(x, i, j))
				}
				if !unit {
					*v /= *entry(t, k, k)
				}
			}
		}
	}
}

// offset returns the address of an element, which may lie before the first one of the slice.
func offset[T Float](x []T, i int) *T { return next(&x[0], i) }

// next returns the address of the element i elements after x, or before it.
func next[T Float](x *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(x), i*int(unsafe.Sizeof(*x))))
}

func plainOuter[T Float](rows int, c []T, cRow int, f []T, fRow int, u []T) {
	for i := range rows {
		row, factor := c[i*cRow:][:len(u)], f[i*fRow]
		for j, v := range u {
			row[j] -= factor * v
		}
	}
}
