package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// smallReflection is the reflection I - τ·v·vᴴ of two to four neighbouring coordinates; v begins with 1.
type smallReflection[T blas.Number] struct {
	tau     T
	v, conj [4]T
	count   int
}

// reflectionTo returns the reflection H for which Hᴴ·x is (β, 0, …).
func reflectionTo[T blas.Number](x ...T) (h smallReflection[T], beta float64) {
	h.count = len(x)
	largest := 0.0
	for _, v := range x {
		largest = max(largest, blas.Size(v))
	}
	re, im := blas.Parts(x[0])
	square := 0.0
	for _, v := range x[1:] {
		a, b := blas.Parts(v)
		a, b = a/largest, b/largest
		square += a*a + b*b
	}
	h.v[0], h.conj[0] = 1, 1
	if largest == 0 || square == 0 && im == 0 {
		return h, re
	}
	re, im = re/largest, im/largest
	beta = -math.Copysign(math.Sqrt(re*re+im*im+square), re)
	h.tau = blas.Complex[T]((beta-re)/beta, -im/beta)
	inverse := 1 / complex((re-beta)*largest, im*largest)
	for i, v := range x[1:] {
		a, b := blas.Parts(v)
		w := complex(a, b) * inverse
		h.v[1+i], h.conj[1+i] = blas.Complex[T](real(w), imag(w)), blas.Complex[T](real(w), -imag(w))
	}
	return h, beta * largest
}

// left replaces the columns [from, to) of the rows from r on by Hᴴ times them.
func (h *smallReflection[T]) left(a blas.Matrix[T], r, from, to int) {
	h.rows(a, r, from, to, &h.v, &h.conj, blas.Conj(h.tau))
}

// transposed replaces the rows from r on by Hᵀ times them.
func (h *smallReflection[T]) transposed(a blas.Matrix[T], r int) {
	h.rows(a, r, 0, a.Columns, &h.conj, &h.v, h.tau)
}

// rows subtracts tau·v·(wᵀ·rows) from rows.
func (h *smallReflection[T]) rows(a blas.Matrix[T], r, from, to int, v, w *[4]T, tau T) {
	if tau == 0 || to <= from {
		return
	}
	n := to - from
	x := a.Data[r*a.Line+from:][:n]
	y := a.Data[(r+1)*a.Line+from:][:n]
	switch h.count {
	case 2:
		v1, w1 := v[1], w[1]
		for j, p := range x {
			sum := tau * (p + w1*y[j])
			x[j] = p - sum
			y[j] -= v1 * sum
		}
	case 3:
		z := a.Data[(r+2)*a.Line+from:][:n]
		v1, v2, w1, w2 := v[1], v[2], w[1], w[2]
		for j, p := range x {
			sum := tau * (p + w1*y[j] + w2*z[j])
			x[j] = p - sum
			y[j] -= v1 * sum
			z[j] -= v2 * sum
		}
	default:
		for j := range n {
			var sum T
			for i := range h.count {
				sum += w[i] * a.Data[(r+i)*a.Line+from+j]
			}
			for i := range h.count {
				a.Data[(r+i)*a.Line+from+j] -= tau * v[i] * sum
			}
		}
	}
}

// right replaces the rows [from, to) of the columns from c on by them times H.
func (h *smallReflection[T]) right(a blas.Matrix[T], c, from, to int) {
	tau := h.tau
	if tau == 0 {
		return
	}
	switch h.count {
	case 2:
		v1, w1 := h.v[1], tau*h.conj[1]
		for i := from; i < to; i++ {
			x := a.Data[i*a.Line+c:][:2]
			sum := x[0] + x[1]*v1
			x[0] -= tau * sum
			x[1] -= w1 * sum
		}
	case 3:
		v1, v2, w1, w2 := h.v[1], h.v[2], tau*h.conj[1], tau*h.conj[2]
		for i := from; i < to; i++ {
			x := a.Data[i*a.Line+c:][:3]
			sum := x[0] + x[1]*v1 + x[2]*v2
			x[0] -= tau * sum
			x[1] -= w1 * sum
			x[2] -= w2 * sum
		}
	default:
		for i := from; i < to; i++ {
			x := a.Data[i*a.Line+c:][:h.count]
			var sum T
			for j, v := range x {
				sum += v * h.v[j]
			}
			for j := range x {
				x[j] -= tau * h.conj[j] * sum
			}
		}
	}
}
