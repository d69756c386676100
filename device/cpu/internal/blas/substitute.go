package blas

import (
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
)

// Sizes of the parts of substitutions. Up to leaf rows of real numbers, and complexLeaf rows of complex ones, are substituted
// one by one. With fewer right sides than fewColumns, x is handled as a few long vectors, else as rows.
const (
	leaf        = 32
	complexLeaf = 8
	longLeaf    = 16
	fewColumns  = 8
)

// Substitute replaces x by T⁻¹·x for a triangle T of the square matrix t: the lower one, or with Upper the upper one. t
// may be a transposed view. A zero on the diagonal gives infinities, as in SubstituteCarefully.
func Substitute[T Number](t, x Matrix[T], form Form) {
	if x.isEmpty() {
		return
	}
	if form&UnitDiagonal == 0 && hasZero(t) {
		SubstituteCarefully(t, x, form)
		return
	}
	if isLong := x.Columns < fewColumns; isLong && x.hasColumns() || !isLong && x.hasRows() || x.Rows == 1 {
		substitute(t, x, form)
		return
	}
	s, y := take[T](x.Columns, x.Rows)
	if x.Columns >= fewColumns {
		y = New(y.Data, x.Rows, x.Columns)
	} else {
		y = y.Transpose()
	}
	Copy(y, x)
	substitute(t, y, form)
	Copy(x, y)
	s.Recycle()
}

// SubstituteRight replaces x by x·T⁻¹.
func SubstituteRight[T Number](x, t Matrix[T], form Form) {
	Substitute(t.Transpose(), x.Transpose(), form^Upper)
}

// substitute halves the triangle. x has contiguous rows, or columns if there are few.
func substitute[T Number](t, x Matrix[T], form Form) {
	n := x.Rows
	isLong, leaf := x.Columns < fewColumns, leafOf[T]()
	if isLong {
		leaf = longLeaf
	}
	switch {
	case n > leaf:
	case isLong:
		SubstituteCarefully(t, x, form)
		return
	default:
		substituteRows(t, x, form)
		return
	}
	half := halfOf(n, leaf)
	first, second := x.Part(0, 0, half, x.Columns), x.Part(half, 0, n-half, x.Columns)
	t1, t2 := t.Part(0, 0, half, half), t.Part(half, half, n-half, n-half)
	if form&Upper != 0 {
		substitute(t2, second, form)
		AddProduct(first, -1, t.Part(0, half, half, n-half), second, form&(ConjugateLeft|Alone))
		substitute(t1, first, form)
		return
	}
	substitute(t1, first, form)
	AddProduct(second, -1, t.Part(half, 0, n-half, half), first, form&(ConjugateLeft|Alone))
	substitute(t2, second, form)
}

// InvertLower sets x, whose elements are 0 and whose rows are contiguous, to the inverse of the lower triangle of t with a
// diagonal of 1. It leaves out what would multiply zeros.
func InvertLower[T Number](t, x Matrix[T]) {
	n := x.Rows
	if n <= leafOf[T]() {
		for i := range n {
			*x.At(i, i) = 1
		}
		substituteRows(t, x, UnitDiagonal)
		return
	}
	half := halfOf(n, leafOf[T]())
	t2, below, first := t.Part(half, half, n-half, n-half), x.Part(half, 0, n-half, half), x.Part(0, 0, half, half)
	InvertLower(t.Part(0, 0, half, half), first)
	InvertLower(t2, x.Part(half, half, n-half, n-half))
	AddProduct(below, -1, t.Part(half, 0, n-half, half), first, 0)
	substitute(t2, below, UnitDiagonal)
}

// leafOf returns how many rows are substituted one by one.
func leafOf[T Number]() int {
	if IsComplex[T]() {
		return complexLeaf
	}
	return leaf
}

// halfOf returns about the half of n, as a multiple of leaf.
func halfOf(n, leaf int) int { return (n/2 + leaf - 1) / leaf * leaf }

// order returns the row of step s, and the range of the rows that come before it.
func order(n, s int, form Form) (i, from, to int) {
	if form&Upper != 0 {
		i = n - 1 - s
		return i, i + 1, n
	}
	return s, 0, s
}

// substituteRows substitutes a few rows, which are contiguous.
func substituteRows[T Number](t, x Matrix[T], form Form) {
	var inverses [leaf]T
	if !IsComplex[T]() && invert(inverses[:x.Rows], t, form) {
		if size[T]() == 4 {
			substituteReal(as[float32](t), as[float32](x), reals[float32](inverses[:]), form)
		} else {
			substituteReal(as[float64](t), as[float64](x), reals[float64](inverses[:]), form)
		}
		return
	}
	for s := range x.Rows {
		i, from, to := order(x.Rows, s, form)
		row := x.Row(i)
		for k := from; k < to; k++ {
			Axpy(row, -entry(t, i, k, form), x.Row(k))
		}
		if form&UnitDiagonal == 0 {
			Divide(row, entry(t, i, i, form))
		}
	}
}

// invert stores the inverses of the diagonal of t, in the order in which rows are substituted. It reports whether all have
// full precision.
func invert[T Number](inverses []T, t Matrix[T], form Form) bool {
	for s := range inverses {
		inverses[s] = 1
		if form&UnitDiagonal != 0 {
			continue
		}
		i, _, _ := order(len(inverses), s, form)
		d := *t.At(i, i)
		if !HasInverse(d) {
			return false
		}
		inverses[s] = 1 / d
	}
	return true
}

func substituteReal[R gemm.Float](t, x Matrix[R], inverses []R, form Form) {
	n, first := x.Rows, 0
	if form&Upper != 0 {
		first = n - 1
		t.Line, t.Step, x.Line = -t.Line, -t.Step, -x.Line
	}
	lanes.Triangle(n, x.Columns, t.At(-first, -first), t.Line, t.Step, inverses, x.At(-first, 0), x.Line)
}

// entry returns an element of a triangle.
func entry[T Number](t Matrix[T], i, j int, form Form) T {
	if form&ConjugateLeft != 0 {
		return Conj(*t.At(i, j))
	}
	return *t.At(i, j)
}

// hasZero reports whether an element of the diagonal is 0.
func hasZero[T Number](t Matrix[T]) bool {
	for i := range t.Rows {
		if *t.At(i, i) == 0 {
			return true
		}
	}
	return false
}

// SubstituteCarefully is Substitute column by column, with the products in order, in which zeros of the triangle times
// infinities add nothing.
func SubstituteCarefully[T Number](t, x Matrix[T], form Form) {
	switch any(*new(T)).(type) {
	case float32:
		substituteColumns(as[float32](t), as[float32](x), form)
	case float64:
		substituteColumns(as[float64](t), as[float64](x), form)
	case complex64:
		substituteColumns(as[complex64](t), as[complex64](x), form)
	case complex128:
		substituteColumns(as[complex128](t), as[complex128](x), form)
	}
}

// substituteColumns subtracts the multiples of an element from all that follow, so that no subtraction waits for another one.
func substituteColumns[T Number](t, x Matrix[T], form Form) {
	conj := form&ConjugateLeft != 0 && IsComplex[T]()
	n := x.Rows
	for j := range x.Columns {
		column := x.Data[j*x.Step:]
		for s := range n {
			i, from, to := s, s+1, n
			if form&Upper != 0 {
				i, from, to = n-1-s, 0, n-1-s
			}
			if form&UnitDiagonal == 0 {
				column[i*x.Line] /= entry(t, i, i, form)
			}
			v := column[i*x.Line]
			at := from*t.Line + i*t.Step
			for k := from; k < to; k++ {
				if e := t.Data[at]; e != 0 {
					if conj {
						e = Conj(e)
					}
					column[k*x.Line] -= e * v
				}
				at += t.Line
			}
		}
	}
}

// Divide divides a vector by d: it multiplies by the reciprocal, unless that overflows or loses digits.
func Divide[T Number](x []T, d T) {
	if HasInverse(d) {
		Scale(x, 1/d, x)
		return
	}
	for i := range x {
		x[i] /= d
	}
}

// HasInverse reports whether the reciprocal of d is a number with full precision.
func HasInverse[T Number](d T) bool {
	size := Size(d)
	return size > least[T]() && size < 1/least[T]()
}

// least returns a number whose reciprocal has full precision.
func least[T Number]() float64 {
	switch any(*new(T)).(type) {
	case float32, complex64:
		return 0x1p-120
	}
	return 0x1p-1000
}

// Epsilon returns the distance from 1 to the next number.
func Epsilon[T Number]() float64 {
	switch any(*new(T)).(type) {
	case float32, complex64:
		return 0x1p-23
	}
	return 0x1p-52
}

// IsFinite reports whether a number is neither infinite nor NaN.
func IsFinite[T Number](x T) bool { return x-x == 0 }
