package scalar

import "math"

// Float is the set of float element types in which operations round.
type Float interface {
	~float32 | ~float64
}

// FloorDiv returns NumPy's floor division: it subtracts the remainder first, divides the exact quotient, and rounds the
// result to the nearest integer, each step rounded in T. It is not the rounded a/b rounded down: FloorDiv(1, 0.1) is 9.
func FloorDiv[T Float](a, b T) T {
	if b == 0 {
		return a / b
	}
	quotient, _ := divMod(a, b)
	return quotient
}

// Mod returns the remainder of FloorDiv, which has the divisor's sign, zeros included. The remainder of a division by
// zero is NaN.
func Mod[T Float](a, b T) T {
	if b == 0 {
		return T(math.NaN())
	}
	_, remainder := divMod(a, b)
	return remainder
}

// DivMod returns FloorDiv(a, b) and Mod(a, b).
func DivMod[T Float](a, b T) (quotient, remainder T) {
	return FloorDiv(a, b), Mod(a, b)
}

func divMod[T Float](a, b T) (quotient, remainder T) {
	remainder = Fmod(a, b)
	quotient = T(a-remainder) / b
	if remainder == 0 {
		remainder = CopySign(0, b)
	} else if (b < 0) != (remainder < 0) {
		remainder += b
		quotient--
	}
	if quotient == 0 {
		return CopySign(0, T(a/b)), remainder
	}
	whole := Floor(quotient)
	if quotient-whole > 0.5 {
		whole++
	}
	return whole, remainder
}

// Fmod returns the remainder of a/b with the quotient rounded towards zero. It is exact and has the dividend's sign. It
// is NaN if a is infinite or b is zero.
func Fmod[T Float](a, b T) T {
	return T(fmod(float64(a), float64(b)))
}

func fmod(a, b float64) float64 {
	x, y := math.Abs(a), math.Abs(b)
	switch {
	case math.IsNaN(a) || math.IsNaN(b) || math.IsInf(a, 0) || b == 0:
		return math.NaN()
	case x < y:
		return a
	}
	quotient := x / y
	if quotient >= 1<<53 {
		return math.Mod(a, b)
	}
	// The integer quotient is right or one too large. In both cases the remainder is a multiple of the last place of y
	// below y: exact.
	remainder := math.FMA(-math.Trunc(quotient), y, x)
	if remainder < 0 {
		remainder += y
	}
	return math.Copysign(remainder, a)
}
