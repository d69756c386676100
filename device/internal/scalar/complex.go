package scalar

import "math"

// CMul returns a*b by the defining formula, each step rounded to float64.
func CMul(a, b complex128) complex128 {
	re, im := complexProduct(real(a), imag(a), real(b), imag(b))
	return complex(re, im)
}

// CMul64 returns a*b by the defining formula, each step rounded to float32.
func CMul64(a, b complex64) complex64 {
	re, im := complexProduct(real(a), imag(a), real(b), imag(b))
	return complex(re, im)
}

func complexProduct[T Float](ax, ay, bx, by T) (re, im T) {
	return T(ax*bx) - T(ay*by), T(ax*by) + T(ay*bx)
}

// CSquare returns CMul(z, z).
func CSquare(z complex128) complex128 { return CMul(z, z) }

// CDiv returns a/b by Smith's method, each step rounded to float64. It overflows only if the quotient overflows or
// nearly does. Division by zero divides both parts by +0.
func CDiv(a, b complex128) complex128 {
	re, im := complexQuotient(real(a), imag(a), real(b), imag(b))
	return complex(re, im)
}

// CDiv64 is CDiv with each step rounded to float32.
func CDiv64(a, b complex64) complex64 {
	re, im := complexQuotient(real(a), imag(a), real(b), imag(b))
	return complex(re, im)
}

func complexQuotient[T Float](ax, ay, bx, by T) (re, im T) {
	if bx == 0 && by == 0 {
		zero := Abs(bx)
		return ax / zero, ay / zero
	}
	if Abs(bx) >= Abs(by) {
		ratio := by / bx
		scale := 1 / (bx + T(by*ratio))
		return T((ax + T(ay*ratio)) * scale), T((ay - T(ax*ratio)) * scale)
	}
	ratio := bx / by
	scale := 1 / (by + T(bx*ratio))
	return T((T(ax*ratio) + ay) * scale), T((T(ay*ratio) - ax) * scale)
}

// CReciprocal returns 1/z by Smith's method.
func CReciprocal(z complex128) complex128 {
	if math.Abs(imag(z)) <= math.Abs(real(z)) {
		ratio := imag(z) / real(z)
		divisor := real(z) + float64(imag(z)*ratio)
		return complex(1/divisor, -ratio/divisor)
	}
	ratio := real(z) / imag(z)
	divisor := float64(real(z)*ratio) + imag(z)
	return complex(ratio/divisor, -1/divisor)
}

// CAbs returns the modulus of z.
func CAbs(z complex128) float64 { return Hypot(real(z), imag(z)) }

// CArg returns the angle of z in [-pi, pi].
func CArg(z complex128) float64 { return Atan2(imag(z), real(z)) }

// CSign returns z/|z|, and 0 for zeros. A single infinite part determines the direction, even if the other part is NaN.
// Two infinite parts have no direction and give NaN.
func CSign(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case math.IsInf(x, 0) && math.IsInf(y, 0):
		return complexNaN
	case math.IsInf(x, 0):
		return complex(math.Copysign(1, x), 0)
	case math.IsInf(y, 0):
		return complex(0, math.Copysign(1, y))
	case CIsNaN(z):
		return complexNaN
	case z == 0:
		return 0
	}
	if largest := math.Max(math.Abs(x), math.Abs(y)); largest > 0x1p1000 {
		x, y = x*0x1p-100, y*0x1p-100
	} else if largest < 0x1p-900 {
		x, y = x*0x1p200, y*0x1p200
	}
	modulus := Hypot(x, y)
	return complex(x/modulus, y/modulus)
}

// CRint rounds both parts, ties to even.
func CRint(z complex128) complex128 { return complex(Rint(real(z)), Rint(imag(z))) }

// CIsNaN reports whether a part of z is NaN.
func CIsNaN(z complex128) bool { return real(z) != real(z) || imag(z) != imag(z) }

// CLess reports whether a comes before b in lexicographic order: real parts first. It is false if the comparison meets
// a NaN.
func CLess(a, b complex128) bool {
	if real(a) == real(b) {
		return imag(a) < imag(b)
	}
	return real(a) < real(b) && imag(a) == imag(a) && imag(b) == imag(b)
}

// CLessEqual reports whether a equals b or comes before it.
func CLessEqual(a, b complex128) bool {
	if real(a) == real(b) {
		return imag(a) <= imag(b)
	}
	return CLess(a, b)
}

// CMin returns the lexicographically smaller of a and b, or the first one that contains a NaN.
func CMin(a, b complex128) complex128 {
	if CIsNaN(a) || CLessEqual(a, b) {
		return a
	}
	return b
}

// CMax returns the lexicographically larger of a and b, or the first one that contains a NaN.
func CMax(a, b complex128) complex128 {
	if CIsNaN(a) || CLessEqual(b, a) {
		return a
	}
	return b
}

// CFMin returns the lexicographically smaller of a and b. If one of them contains a NaN, it returns the other.
func CFMin(a, b complex128) complex128 {
	if CIsNaN(b) || CLessEqual(a, b) {
		return a
	}
	return b
}

// CFMax returns the lexicographically larger of a and b. If one of them contains a NaN, it returns the other.
func CFMax(a, b complex128) complex128 {
	if CIsNaN(b) || CLessEqual(b, a) {
		return a
	}
	return b
}
