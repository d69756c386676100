package eigen

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// schur is a Hessenberg matrix h that is made triangular, except for 2×2 blocks with a pair of complex eigenvalues if it is
// real: A = Q·h·Qᴴ. ut is Qᵀ; if it has no elements, only h is wanted. The steps and the eigenvalues are the same to the last bit
// with ut and without, because the order of the eigenvalues must be the same.
type schur[T blas.Number] struct{ h, ut blas.Matrix[T] }

func (s *schur[T]) at(i, j int) *T { return &s.h.Data[i*s.h.Line+j] }

// shifts are two shifts of a step; those of a real matrix are real or conjugate.
type shifts [2]complex128

// triangularise makes h triangular by steps with one or two shifts (Francis). It reports whether it succeeded.
func (s *schur[T]) triangularise() bool {
	steps := 0
	for high := s.h.Rows - 1; high >= 0; {
		low := s.startOf(high)
		switch {
		case low == high:
			high, steps = high-1, 0
			continue
		case low == high-1 && !blas.IsComplex[T]():
			s.standardise(low)
			high, steps = high-2, 0
			continue
		}
		if steps++; steps > mostSweeps*2 {
			return false
		}
		pair := s.lastShifts(high)
		if steps%10 == 0 { // the iteration goes round in circles
			around := blas.Size(*s.at(high, high-1))
			if high > 1 {
				around += blas.Size(*s.at(high-1, high-2))
			}
			re, im := blas.Parts(*s.at(high, high))
			center := complex(re+0.75*around, im)
			pair = shifts{center + complex(0, 0.66*around), center - complex(0, 0.66*around)}
		}
		if blas.IsComplex[T]() {
			s.single(low, high, pair[0])
		} else {
			s.double(low, high, pair)
		}
	}
	return true
}

// startOf returns the first row of the active part that ends at high, and separates it from the rows before it.
func (s *schur[T]) startOf(high int) (low int) {
	for low = high; low > 0; low-- {
		switch h := any(&s.h).(type) {
		case *blas.Matrix[float32]:
			low = nextSmall(h, low)
		case *blas.Matrix[float64]:
			low = nextSmall(h, low)
		}
		if low > 0 && s.splits(low) {
			*s.at(low, low-1) = 0
			break
		}
	}
	return max(low, 0)
}

// nextSmall returns the last row from low upwards in which the element left of the diagonal may be negligible, or 0: for real numbers, what
// splits looks at first.
func nextSmall[R matvec.Float](h *blas.Matrix[R], low int) int {
	eps, least := blas.Epsilon[R](), negligible[R]()
	above := math.Abs(float64(h.Data[low*(h.Line+1)]))
	for ; low > 0; low-- {
		at := low * (h.Line + 1)
		below, last := math.Abs(float64(h.Data[at-1])), above
		above = math.Abs(float64(h.Data[at-h.Line-1]))
		if around := above + last; !(below > least && around > 0 && below > eps*around) {
			return low
		}
	}
	return 0
}

// splits reports whether the element left of the diagonal in row i is negligible (Ahues and Tisseur).
func (s *schur[T]) splits(i int) bool {
	eps := blas.Epsilon[T]()
	below := blas.Size(*s.at(i, i-1))
	if below <= negligible[T]() {
		return true
	}
	a, d := *s.at(i-1, i-1), *s.at(i, i)
	around := blas.Size(a) + blas.Size(d)
	if around == 0 {
		if i > 1 {
			around += blas.Size(*s.at(i-1, i-2))
		}
		if i+1 < s.h.Rows {
			around += blas.Size(*s.at(i+1, i))
		}
	}
	if below > eps*around {
		return false
	}
	above, far, last := blas.Size(*s.at(i-1, i)), blas.Size(a-d), blas.Size(d)
	p, q := max(below, above), min(below, above)
	r, t := max(last, far), min(last, far)
	sum := p + r
	return q*(p/sum) <= max(negligible[T](), eps*(t*(r/sum)))
}

// lastShifts returns the eigenvalues of the last two rows and columns, the one that is nearer to the last element first.
func (s *schur[T]) lastShifts(high int) shifts {
	a, b := complex(blas.Parts(*s.at(high-1, high-1))), complex(blas.Parts(*s.at(high-1, high)))
	c, d := complex(blas.Parts(*s.at(high, high-1))), complex(blas.Parts(*s.at(high, high)))
	size := cmplx.Abs(a) + cmplx.Abs(b) + cmplx.Abs(c) + cmplx.Abs(d)
	if size == 0 {
		return shifts{}
	}
	scale := complex(size, 0)
	half := (a - d) / 2 / scale
	product := (b / scale) * (c / scale)
	root := cmplx.Sqrt(half*half + product)
	far := half + root
	if other := half - root; cmplx.Abs(other) > cmplx.Abs(far) {
		far = other
	}
	if far == 0 {
		return shifts{d, d}
	}
	near, other := d-product/far*scale, d+far*scale
	if !blas.IsComplex[T]() {
		if imag(root) != 0 {
			center := real(a+d) / 2
			near = complex(center, imag(root)*size)
			other = cmplx.Conj(near)
		} else {
			other = near // two steps with the better one
		}
	}
	return shifts{near, other}
}

// double is a step with two shifts for a real matrix.
func (s *schur[T]) double(low, high int, pair shifts) {
	x := s.firstColumn(low, pair)
	for k := low; k < high; k++ {
		count := min(3, high-k+1)
		if k > low {
			for i := range count {
				x[i] = *s.at(k+i, k-1)
			}
		}
		s.reflect(k, low, high, x[:count])
	}
}

// firstColumn returns a multiple of the first three elements of (H - s₁)·(H - s₂), whose first column it is.
func (s *schur[T]) firstColumn(low int, pair shifts) [3]T {
	h := func(i, j int) complex128 { return complex(blas.Parts(*s.at(low+i, low+j))) }
	a, d := h(0, 0)-pair[0], h(0, 0)-pair[1]
	size := complex(cmplx.Abs(a)+cmplx.Abs(d)+cmplx.Abs(h(1, 0))+cmplx.Abs(h(0, 1)), 0)
	if size == 0 {
		size = 1
	}
	first := a*(d/size) + h(0, 1)*(h(1, 0)/size)
	second := h(1, 0) / size * (a + h(1, 1) - pair[1])
	third := complex128(0)
	if low+2 < s.h.Rows {
		third = h(1, 0) / size * h(2, 1)
	}
	narrow := func(z complex128) T { return blas.Complex[T](real(z), imag(z)) }
	return [3]T{narrow(first), narrow(second), narrow(third)}
}

// single is a step with one shift.
func (s *schur[T]) single(low, high int, shift complex128) {
	x := [2]T{*s.at(low, low) - blas.Complex[T](real(shift), imag(shift)), *s.at(low+1, low)}
	for k := low; k < high; k++ {
		if k > low {
			x = [2]T{*s.at(k, k-1), *s.at(k+1, k-1)}
		}
		s.reflect(k, low, high, x[:])
	}
}

// reflect applies the reflection that maps x to a multiple of its first coordinate to the rows and columns from k on. x is in
// column k-1, unless k is low.
func (s *schur[T]) reflect(k, low, high int, x []T) {
	if len(x) == 3 {
		ok := false
		switch h := any(&s.h).(type) {
		case *blas.Matrix[float32]:
			ok = reflectThree(h, any(&s.ut).(*blas.Matrix[float32]), k, low, high, any(x).([]float32))
		case *blas.Matrix[float64]:
			ok = reflectThree(h, any(&s.ut).(*blas.Matrix[float64]), k, low, high, any(x).([]float64))
		}
		if ok {
			return
		}
	}
	h, beta := reflectionTo(x...)
	if k > low {
		*s.at(k, k-1) = blas.Real[T](beta)
		for i := 1; i < len(x); i++ {
			*s.at(k+i, k-1) = 0
		}
	}
	h.left(s.h, k, k, s.h.Columns)
	h.right(s.h, k, 0, min(k+len(x)+1, high+1))
	if s.ut.Rows > 0 {
		h.transposed(s.ut, k)
	}
}

// reflectThree is the case of three real numbers. It reports whether their squares stay in range, and there is something to reflect.
func reflectThree[R matvec.Float](h, ut *blas.Matrix[R], k, low, high int, x []R) bool {
	var factors [5]R
	beta, ok := realReflection(&factors, x)
	if !ok {
		return false
	}
	line := h.Line
	rows := h.Data[k*line:]
	if k > low {
		rows[k-1], rows[line+k-1], rows[2*line+k-1] = R(beta), 0, 0
	}
	matvec.Reflect(rows[k:h.Columns], rows[line+k:], rows[2*line+k:], &factors)
	matvec.ReflectColumns(min(k+4, high+1), h.Data[k:], line, &factors)
	if ut.Rows > 0 {
		rows, line = ut.Data[k*ut.Line:], ut.Line
		matvec.Reflect(rows[:ut.Columns], rows[line:], rows[2*line:], &factors)
	}
	return true
}

// rotate rotates rows and columns k and k+1.
func (s *schur[T]) rotate(k int, cosine, sine float64) {
	c, r := blas.Real[T](cosine), blas.Real[T](sine)
	turn := func(x, y *T) { *x, *y = c**x+r**y, c**y-r**x }
	for j := range s.h.Columns {
		turn(s.at(k, j), s.at(k+1, j))
	}
	for i := range s.h.Rows {
		turn(s.at(i, k), s.at(i, k+1))
	}
	for j := range s.ut.Columns {
		turn(&s.ut.Data[k*s.ut.Line+j], &s.ut.Data[(k+1)*s.ut.Line+j])
	}
}

// standardise rotates the block of rows k and k+1 of a real matrix, so that it is triangular, or has equal diagonal elements
// and others of opposite sign if its eigenvalues are not real.
func (s *schur[T]) standardise(k int) {
	part := func(i, j int) float64 { re, _ := blas.Parts(*s.at(k+i, k+j)); return re }
	b := block{part(0, 0), part(0, 1), part(1, 0), part(1, 1)}
	c, r := b.standardise()
	s.rotate(k, c, r)
	*s.at(k, k), *s.at(k, k+1) = blas.Real[T](b.a), blas.Real[T](b.b)
	*s.at(k+1, k), *s.at(k+1, k+1) = blas.Real[T](b.c), blas.Real[T](b.d)
}

// block is a real matrix (a, b; c, d).
type block struct{ a, b, c, d float64 }

// standardise is schur.standardise for the elements of a block; it returns cosine and sine of the rotation.
func (m *block) standardise() (cosine, sine float64) {
	half := (m.a - m.d) / 2
	switch {
	case m.c == 0 || half == 0 && (m.b > 0) != (m.c > 0) && m.b != 0:
		return 1, 0
	case m.b == 0: // exchange rows and columns
		*m = block{m.d, -m.c, 0, m.a}
		return 0, 1
	}
	large, small := math.Abs(m.b), math.Abs(m.c)
	if large < small {
		large, small = small, large
	}
	if (m.b < 0) != (m.c < 0) {
		small = -small
	}
	scale := max(math.Abs(half), large)
	square := half/scale*half + large/scale*small // of half the distance of the eigenvalues, divided by scale
	if square >= 8*epsilon*scale {
		far := half + math.Copysign(math.Sqrt(scale)*math.Sqrt(square), half)
		length := hypot(m.c, far)
		cosine, sine = far/length, m.c/length
		*m = block{m.d + far, m.b - m.c, 0, m.d - large/far*small}
		return cosine, sine
	}
	// The eigenvalues are complex or nearly equal: the diagonal elements become equal.
	sum := m.b + m.c
	length := hypot(sum, 2*half)
	cosine = math.Sqrt((1 + math.Abs(sum)/length) / 2)
	sine = -half / (length * cosine) * math.Copysign(1, sum)
	m.turn(cosine, sine)
	middle := (m.a + m.d) / 2
	m.a, m.d = middle, middle
	switch {
	case m.c == 0:
	case m.b == 0:
		m.b, m.c = -m.c, 0
		cosine, sine = -sine, cosine
	case (m.b < 0) == (m.c < 0): // real after all
		p, q := math.Sqrt(math.Abs(m.b)), math.Sqrt(math.Abs(m.c))
		distance := math.Copysign(p*q, m.c)
		unit := 1 / math.Sqrt(math.Abs(m.b+m.c))
		*m = block{middle + distance, m.b - m.c, 0, middle - distance}
		cosine, sine = cosine*p*unit-sine*q*unit, cosine*q*unit+sine*p*unit
	}
	return cosine, sine
}

// turn rotates rows and columns.
func (m *block) turn(c, s float64) {
	a, b := c*m.a+s*m.c, c*m.b+s*m.d
	p, q := c*m.c-s*m.a, c*m.d-s*m.b
	*m = block{c*a + s*b, c*b - s*a, c*p + s*q, c*q - s*p}
}

// eigenvalues stores the eigenvalues of the triangular h.
func (s *schur[T]) eigenvalues(values []complex128) {
	for k := 0; k < len(values); k++ {
		values[k] = complex(blas.Parts(*s.at(k, k)))
		if k+1 < len(values) && *s.at(k+1, k) != 0 {
			b, _ := blas.Parts(*s.at(k, k+1))
			c, _ := blas.Parts(*s.at(k+1, k))
			values[k] += complex(0, math.Sqrt(math.Abs(b))*math.Sqrt(math.Abs(c)))
			values[k+1] = cmplx.Conj(values[k])
			k++
		}
	}
}
