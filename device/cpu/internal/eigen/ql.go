package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

const epsilon = 0x1p-53 // of float64, half the distance from 1 to the next number

// mostSweeps is the number of iterations per eigenvalue or singular value after which an algorithm gives up.
const mostSweeps = 60

// eigenvaluesOf replaces the diagonal d of a tridiagonal matrix by its eigenvalues, in no order. e is overwritten. It is the
// QL algorithm with the squares of e, without square roots (Pal, Walker and Kahan).
func eigenvaluesOf(d, e []float64) bool {
	n := len(d)
	if n == 0 {
		return true
	}
	exponent := scaleToOne(d, e)
	for i := range e {
		e[i] *= e[i]
	}
	for low := 0; low < n; low++ {
		for sweep := 0; ; sweep++ {
			high := low
			for high < n-1 && e[high] > epsilon*epsilon*math.Abs(d[high]*d[high+1]) && e[high] > leastSquare {
				high++
			}
			if high < n-1 {
				e[high] = 0
			}
			if high == low {
				break
			}
			if sweep == mostSweeps {
				return false
			}
			if high == low+1 {
				d[low], d[high] = twoEigenvalues(d[low], math.Sqrt(e[low]), d[high])
				e[low] = 0
				break
			}
			rootFreeSweep(d[low:high+1], e[low:high])
		}
	}
	scaleBy(d, exponent)
	return true
}

// leastSquare is negligible beside the square of 1. The cube of a larger number's root stays in range.
const leastSquare = 0x1p-400

// rootFreeSweep is one iteration of eigenvaluesOf for an unreduced matrix. A rotation waits for the one before it, so it divides only once on the
// way: γ = c·(α-σ) - s·γ' with c = p/r and s = b/r, and p = γ²/c, are quotients of one difference of products.
func rootFreeSweep(d, e []float64) {
	root := math.Sqrt(e[0])
	sigma := (d[1] - d[0]) / (2 * root)
	sigma = d[0] - root/(sigma+math.Copysign(hypot(sigma, 1), sigma))
	c, s := 1.0, 0.0
	gamma := d[len(d)-1] - sigma
	p := gamma * gamma
	for i := len(e) - 1; i >= 0; i-- {
		b, alpha, last := e[i], d[i], gamma
		r := p + b
		if i < len(e)-1 {
			e[i+1] = s * r
		}
		difference := p*(alpha-sigma) - b*last
		gamma = difference / r
		d[i+1] = last + (alpha - gamma)
		inverse := 1 / r
		s = b * inverse
		if p != 0 {
			c = p * inverse
			p = gamma * (difference / p)
		} else {
			c, p = 0, c*b
		}
	}
	e[0] = s * p
	d[0] = sigma + gamma
}

// twoEigenvalues returns the eigenvalues of (a, b; b, c), the larger in absolute value first.
func twoEigenvalues(a, b, c float64) (first, second float64) {
	sum, difference := a+c, math.Abs(a-c)
	root := hypot(difference, 2*b)
	large, small := a, c
	if math.Abs(c) > math.Abs(a) {
		large, small = c, a
	}
	switch {
	case sum < 0:
		first = (sum - root) / 2
		return first, large/first*small - b/first*b
	case sum > 0:
		first = (sum + root) / 2
		return first, large/first*small - b/first*b
	}
	return root / 2, -root / 2
}

// decomposeSmall replaces d by the eigenvalues of a tridiagonal matrix, in no order, and rotates the rows of vectors with
// them: if they are those of the identity before, row k is the eigenvector of eigenvalue k after (QL with implicit shifts).
// Rows are stride elements apart, and have as many elements as d. e is overwritten.
func decomposeSmall[R matvec.Float](d, e []float64, vectors []R, stride int) bool {
	n := len(d)
	for low := 0; low < n; low++ {
		for sweep := 0; ; sweep++ {
			high := low
			for high < n-1 && math.Abs(e[high]) > epsilon*math.Sqrt(math.Abs(d[high]))*math.Sqrt(math.Abs(d[high+1])) {
				high++
			}
			if high == low {
				break
			}
			if sweep == mostSweeps {
				return false
			}
			implicitSweep(d, e, low, high, vectors, stride)
		}
	}
	return true
}

// implicitSweep is one iteration for the rows from low to high.
func implicitSweep[R matvec.Float](d, e []float64, low, high int, vectors []R, stride int) {
	g := (d[low+1] - d[low]) / (2 * e[low])
	r := hypot(g, 1)
	g = d[high] - d[low] + e[low]/(g+math.Copysign(r, g))
	s, c, p := 1.0, 1.0, 0.0
	var cosines, sines [smallest]R
	done := 0
	for i := high - 1; i >= low; i-- {
		f, b := s*e[i], c*e[i]
		if r = hypot(f, g); g < 0 && g < -math.Abs(f) { // rotations near the identity keep the signs of the vectors
			r = -r
		}
		if i < high-1 {
			e[i+1] = r
		}
		if r == 0 { // the matrix falls into two
			d[i+1] -= p
			e[i+1], p, g = 0, 0, e[low]
			break
		}
		if inverse := 1 / r; math.Abs(r) > 0x1p-1000 {
			s, c = f*inverse, g*inverse
		} else {
			s, c = f/r, g/r
		}
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		cosines[done], sines[done] = R(c), R(s)
		done++
	}
	d[low] -= p
	e[low] = g
	matvec.RotateChain(vectors, high*stride, -stride, len(d), cosines[:done], sines[:done])
}

// hypot returns √(x² + y²).
func hypot(x, y float64) float64 {
	if square := x*x + y*y; square > 0x1p-900 && square < 0x1p900 {
		return math.Sqrt(square)
	}
	return math.Hypot(x, y)
}
