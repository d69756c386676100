package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// reflect replaces the row r by conj(v) of the reflection H = I - τ·v·vᴴ for which r·H is β at the given index, and 0
// elsewhere. v is 1 there, and β is real. If r has this form already, τ is 0.
func reflect[T blas.Number](r []T, at int) (beta float64, tau T) {
	re, im := blas.Parts(r[at])
	r[at] = 0
	square, exponent := squares(r)
	if square == 0 && im == 0 {
		r[at] = 1
		return re, 0
	}
	if exponent == 0 && square > 0 {
		beta = math.Sqrt(re*re + im*im + square)
	} else { // the numbers that follow are those of r times 2^-exponent
		re, im = math.Ldexp(re, -exponent), math.Ldexp(im, -exponent)
		beta = math.Hypot(math.Hypot(re, im), math.Sqrt(square))
		scaleBy(r, -exponent)
	}
	beta = -math.Copysign(beta, re)
	tau = blas.Complex[T]((beta-re)/beta, im/beta)
	d := (re-beta)*(re-beta) + im*im
	blas.Scale(r, blas.Complex[T]((re-beta)/d, -im/d), r)
	r[at] = 1
	if exponent != 0 {
		beta = math.Ldexp(beta, exponent)
	}
	return beta, tau
}

// squares returns Σ|r|²·4^-exponent. The exponent is 0 unless the sum would leave the range in which it is accurate.
func squares[T blas.Number](r []T) (sum float64, exponent int) {
	low, high := 0x1p-900, 0x1p900
	if blas.Epsilon[T]() > 1e-10 {
		low, high = 0x1p-90, 0x1p90
	}
	sum, _ = blas.Parts(blas.Dot(r, r))
	if sum > low && sum < high {
		return sum, 0
	}
	largest := 0.0
	for _, v := range r {
		re, im := blas.Parts(v)
		largest = max(largest, math.Abs(re), math.Abs(im))
	}
	if largest == 0 {
		return 0, 0
	}
	_, exponent = math.Frexp(largest)
	sum = 0
	for _, v := range r {
		re, im := blas.Parts(v)
		re, im = math.Ldexp(re, -exponent), math.Ldexp(im, -exponent)
		sum += re*re + im*im
	}
	return sum, exponent
}

// scaleBy multiplies by a power of two.
func scaleBy[T blas.Number](r []T, exponent int) {
	if exponent == 0 {
		return
	}
	for i, v := range r {
		re, im := blas.Parts(v)
		r[i] = blas.Complex[T](math.Ldexp(re, exponent), math.Ldexp(im, exponent))
	}
}

// blockRows is the number of reflections that are applied together.
const blockRows = 32

// reflectBlock replaces x by x·H₁ᵀ·H₂ᵀ···, for the reflections Hₖ = I - τₖ·vₖ·vₖᴴ, where conj(vₖ) is row k of c:
// x - ((x·Cᵀ)·M)·conj(C) with an upper triangle M (Schreiber and van Loan).
func reflectBlock[T blas.Number](x, c blas.Matrix[T], taus []T) {
	b := c.Rows
	if b == 0 || x.Rows == 0 {
		return
	}
	if x.Columns <= fewColumns {
		reflectOneByOne(x, c, taus)
		return
	}
	var s scratch
	gram, m := zeros[T](&s, b, b), zeros[T](&s, b, b)
	blas.AddProduct(gram, 1, c, c.Transpose(), blas.ConjugateLeft)
	triangleOf(m, gram, taus)
	along, turned := zeros[T](&s, x.Rows, b), zeros[T](&s, x.Rows, b)
	blas.AddProduct(along, 1, x, c.Transpose(), 0)
	blas.AddProduct(turned, -1, along, m.Transpose(), 0)
	blas.AddProduct(x, 1, turned, c, blas.ConjugateRight)
	s.recycle()
}

// fewColumns is the size of matrices up to which plain loops are faster than products.
const fewColumns = 16

// reflectOneByOne is reflectBlock for few columns.
func reflectOneByOne[T blas.Number](x, c blas.Matrix[T], taus []T) {
	var conj [fewColumns]T
	for k, tau := range taus {
		if tau == 0 {
			continue
		}
		v := c.Row(k)
		for j, y := range v {
			conj[j] = blas.Conj(y)
		}
		for i := range x.Rows {
			row := x.Row(i)[:len(v)]
			var sum T
			for j, y := range v {
				sum += y * row[j]
			}
			sum *= tau
			for j, y := range conj[:len(row)] {
				row[j] -= sum * y
			}
		}
	}
}

// triangleOf stores Mᵀ, whose other elements must be 0. Column k of M is -τₖ·M·G[:, k] with τₖ on the diagonal, where the
// Hermitian G has the inner products of the vectors. G is overwritten.
func triangleOf[T blas.Number](m, gram blas.Matrix[T], taus []T) {
	for k, tau := range taus {
		factors := gram.Row(k)[:k]
		for l, v := range factors {
			factors[l] = -tau * blas.Conj(v)
		}
		axpys(m.Row(k)[:k], m.Data, m.Line, factors)
		m.Row(k)[k] = tau
	}
}
