package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// smallReflection is the reflection I - τ·v·vᴴ of two to four neighbouring coordinates; v begins with 1.
type smallReflection[T blas.Number] struct {
	tau     T
	v, conj [4]T
	count   int
	factors [5]T // v₁, v₂, τ, τ·v₁, τ·v₂, for real numbers
}

// reflectionTo returns the reflection H for which Hᴴ·x is (β, 0, …).
func reflectionTo[T blas.Number](x ...T) (h smallReflection[T], beta float64) {
	h.count = len(x)
	h.v[0], h.conj[0] = 1, 1
	if len(x) <= 3 {
		ok := false
		switch f := any(&h.factors).(type) {
		case *[5]float32:
			beta, ok = realReflection(f, any(x).([]float32))
		case *[5]float64:
			beta, ok = realReflection(f, any(x).([]float64))
		}
		if ok {
			h.v[1], h.v[2], h.tau = h.factors[0], h.factors[1], h.factors[2]
			h.conj[1], h.conj[2] = h.v[1], h.v[2]
			return h, beta
		}
	}
	re, im := blas.Parts(x[0])
	rest := 0.0
	for _, v := range x[1:] {
		a, b := blas.Parts(v)
		rest += a*a + b*b
	}
	exponent := 0
	if all := rest + re*re + im*im; !(all > 0x1p-800 && all < 0x1p800) { // the squares may have left the range
		if magnitude(x) == 0 {
			return h, 0
		}
		var scaled [4]T
		copy(scaled[:], x)
		x = scaled[:len(x)]
		_, exponent = math.Frexp(magnitude(x))
		scaleBy(x, -exponent)
		re, im = blas.Parts(x[0])
		rest = 0
		for _, v := range x[1:] {
			a, b := blas.Parts(v)
			rest += a*a + b*b
		}
	}
	if rest == 0 && im == 0 {
		return h, math.Ldexp(re, exponent)
	}
	beta = -math.Copysign(math.Sqrt(re*re+im*im+rest), re)
	h.tau = blas.Complex[T]((beta-re)/beta, -im/beta)
	re -= beta
	square := re*re + im*im
	inverse, conj := blas.Complex[T](re/square, -im/square), blas.Complex[T](re/square, im/square)
	for i, v := range x[1:] {
		h.v[1+i], h.conj[1+i] = v*inverse, blas.Conj(v)*conj
	}
	h.factors = [5]T{h.v[1], h.v[2], h.tau, h.tau * h.v[1], h.tau * h.v[2]}
	if exponent != 0 {
		beta = math.Ldexp(beta, exponent)
	}
	return h, beta
}

// realReflection sets the factors of the reflection of two or three real numbers. It reports whether their squares stay in range, and there is
// something to reflect.
func realReflection[R matvec.Float](f *[5]R, x []R) (beta float64, ok bool) {
	re, rest := float64(x[0]), float64(x[1])*float64(x[1])
	if len(x) == 3 {
		rest += float64(x[2]) * float64(x[2])
	}
	all := rest + re*re
	if rest == 0 || !(all > 0x1p-800 && all < 0x1p800) {
		return 0, false
	}
	beta = -math.Copysign(math.Sqrt(all), re)
	tau, inverse := R((beta-re)/beta), R(1/(re-beta))
	v1, v2 := x[1]*inverse, R(0)
	if len(x) == 3 {
		v2 = x[2] * inverse
	}
	*f = [5]R{v1, v2, tau, tau * v1, tau * v2}
	return beta, true
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
		if n >= leastVector && !blas.IsComplex[T]() {
			h.reflectReal(x, y, z)
			return
		}
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
		if !blas.IsComplex[T]() {
			h.reflectColumnsReal(to-from, a.Data[from*a.Line+c:], a.Line)
			return
		}
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

// leastVector is the length from which a routine is faster than a loop.
const leastVector = 12

// reflectReal is the case of three rows of real numbers.
func (h *smallReflection[T]) reflectReal(x, y, z []T) {
	switch f := any(&h.factors).(type) {
	case *[5]float32:
		matvec.Reflect(any(x).([]float32), any(y).([]float32), any(z).([]float32), f)
	case *[5]float64:
		matvec.Reflect(any(x).([]float64), any(y).([]float64), any(z).([]float64), f)
	}
}

// reflectColumnsReal is the case of three columns of real numbers.
func (h *smallReflection[T]) reflectColumnsReal(rows int, a []T, line int) {
	switch f := any(&h.factors).(type) {
	case *[5]float32:
		matvec.ReflectColumns(rows, any(a).([]float32), line, f)
	case *[5]float64:
		matvec.ReflectColumns(rows, any(a).([]float64), line, f)
	}
}
