package eigen

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// substitutionRows is the number of elements of all vectors that are computed together.
const substitutionRows = 32

// substitution finds the eigenvectors of a triangle with 2×2 blocks.
type substitution[T blas.Number] struct {
	s      *schur[T]
	x      blas.Matrix[T] // the rows are the vectors
	values []complex128
	least  float64      // the smallest difference of two eigenvalues that counts
	most   float64      // the largest element of a vector before it is scaled
	known  []complex128 // elements of one vector, from the first row of the block on
	terms  []complex128 // for one vector: what the elements after the block contribute
}

// substitute stores the eigenvectors of the triangle h in the rows of x, a pair of rows for the real and imaginary parts of the
// vector of a pair of complex eigenvalues of a real matrix. Equal eigenvalues count as minimally different.
func (s *schur[T]) substitute(x blas.Matrix[T], values []complex128) {
	n := s.h.Rows
	var memory scratch
	defer memory.recycle()
	size := 0.0
	for i := range n {
		size = max(size, magnitude(s.h.Row(i)[max(i-1, 0):]))
	}
	b := substitution[T]{
		s: s, x: x, values: values, least: max(blas.Epsilon[T]()*size, negligible[T]()), most: 1e100,
		known: vector[complex128](&memory, substitutionRows+1), terms: vector[complex128](&memory, substitutionRows+1),
	}
	if blas.Epsilon[T]() > 1e-10 {
		b.most = 1e12
	}
	clear(x.Data)
	room := vector[T](&memory, n*(substitutionRows+1))
	for to := n; to > 0; {
		from := max(to-substitutionRows, 0)
		if from > 0 && *s.at(from, from-1) != 0 {
			from--
		}
		rows := to - from
		sums := blas.New(room, n-from, rows)
		clear(sums.Data)
		blas.AddProduct(sums.Part(to-from, 0, n-to, rows), 1, x.Part(to, to, n-to, n-to), s.h.Part(from, to, rows, n-to).Transpose(), 0)
		for j := from; j < n; j++ {
			j += b.solve(j, from, to, sums)
		}
		to = from
	}
}

// isPair reports whether the vector of row j has its imaginary part in the next row.
func (b *substitution[T]) isPair(j int) bool {
	return !blas.IsComplex[T]() && imag(b.values[j]) != 0
}

// solve computes the elements from one to another of vector j. It returns the number of further rows that the vector has.
func (b *substitution[T]) solve(j, from, to int, sums blas.Matrix[T]) (more int) {
	last := min(j, to)
	isPair := b.isPair(j)
	known, terms := b.known[:to-from], b.terms[:to-from]
	for i := range terms {
		known[i], terms[i] = 0, complex(blas.Parts(sums.Row(j - from)[i]))
		if isPair {
			im, _ := blas.Parts(sums.Row(j + 1 - from)[i])
			terms[i] += complex(0, im)
		}
	}
	if j < to {
		known[j-from] = 1
		if isPair {
			above, _ := blas.Parts(*b.s.at(j, j+1))
			below, _ := blas.Parts(*b.s.at(j+1, j))
			if math.Abs(above) >= math.Abs(below) {
				known[j+1-from] = complex(0, imag(b.values[j])/above)
			} else {
				known[j-from], known[j+1-from] = complex(-imag(b.values[j])/below, 0), 1i
			}
		}
	}
	lambda := b.values[j]
	for i := last - 1; i >= from; i-- {
		isBlock := i > 0 && !blas.IsComplex[T]() && *b.s.at(i, i-1) != 0
		right := -(terms[i-from] + b.row(i, i+1, from, to))
		if !isBlock {
			gap := complex(blas.Parts(*b.s.at(i, i))) - lambda
			if cmplx.Abs(gap) < b.least {
				gap = complex(b.least, 0)
			}
			known[i-from] = right / gap
		} else {
			i--
			first := -(terms[i-from] + b.row(i, i+2, from, to))
			known[i-from], known[i+1-from] = b.block(i, lambda, first, right)
		}
		if size := max(cmplx.Abs(known[i-from]), cmplx.Abs(known[min(i+1, to-1)-from])); size > b.most {
			b.scale(j, from, to, 1/size)
		}
	}
	for i, z := range known {
		b.x.Row(j)[from+i] = blas.Complex[T](real(z), imag(z))
		if isPair {
			b.x.Row(j + 1)[from+i] = blas.Real[T](imag(z))
		}
	}
	if isPair {
		return 1
	}
	return 0
}

// row returns the product of a row of the triangle with the known elements of the block, from one column on.
func (b *substitution[T]) row(i, column, from, to int) complex128 {
	if row, ok := any(b.s.h.Row(i)[column:to]).([]float64); ok {
		return realTimesComplex(row, b.known[column-from:])
	}
	var sum complex128
	for l, v := range b.s.h.Row(i)[column:to] {
		sum += complex(blas.Parts(v)) * b.known[column-from+l]
	}
	return sum
}

func realTimesComplex(row []float64, x []complex128) complex128 {
	var re, im float64
	for l, v := range row {
		re += v * real(x[l])
		im += v * imag(x[l])
	}
	return complex(re, im)
}

// block solves the two equations of a 2×2 block.
func (b *substitution[T]) block(i int, lambda, first, second complex128) (x, y complex128) {
	at := func(r, c int) complex128 { return complex(blas.Parts(*b.s.at(i+r, i+c))) }
	p, q, r, s := at(0, 0)-lambda, at(0, 1), at(1, 0), at(1, 1)-lambda
	size := max(cmplx.Abs(p), cmplx.Abs(q), cmplx.Abs(r), cmplx.Abs(s))
	scale := complex(1/size, 0)
	p, q, r, s, first, second = p*scale, q*scale, r*scale, s*scale, first*scale, second*scale
	determinant := p*s - q*r
	if least := b.least / size; cmplx.Abs(determinant) < least {
		determinant = complex(least, 0)
	}
	return (first*s - q*second) / determinant, (p*second - first*r) / determinant
}

// scale multiplies vector j by a number.
func (b *substitution[T]) scale(j, from, to int, by float64) {
	factor := complex(by, 0)
	for i := range to - from {
		b.known[i] *= factor
		b.terms[i] *= factor
	}
	rows := 1
	if b.isPair(j) {
		rows = 2
	}
	for r := range rows {
		for i, v := range b.x.Row(j + r)[to:] {
			b.x.Row(j + r)[to+i] = v * blas.Real[T](by)
		}
	}
}
