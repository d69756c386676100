package scalar

import (
	"math"
	"unsafe"
)

// Abs returns |x|.
func Abs[T Float](x T) T { return T(math.Abs(float64(x))) }

// Sign returns -1, 0 or 1 by the sign of x, +0 for both zeros, NaN for NaN.
func Sign[T Float](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	case x == 0:
		return 0
	}
	return x
}

// SignBit reports whether x is negative or a negative zero.
func SignBit[T Float](x T) bool { return math.Signbit(float64(x)) }

// IsNaN reports whether x is NaN.
func IsNaN[T Float](x T) bool { return x != x }

// IsInf reports whether x is an infinity of either sign.
func IsInf[T Float](x T) bool { return math.IsInf(float64(x), 0) }

// IsFinite reports whether x is neither an infinity nor NaN.
func IsFinite[T Float](x T) bool { return x-x == 0 }

// CopySign returns |magnitude| with the sign of sign.
func CopySign[T Float](magnitude, sign T) T {
	return T(math.Copysign(float64(magnitude), float64(sign)))
}

// Min returns the smaller of a and b, or the first NaN. For two zeros it returns the first.
func Min[T Float](a, b T) T {
	if a <= b || a != a {
		return a
	}
	return b
}

// Max returns the larger of a and b, or the first NaN. For two zeros it returns the first.
func Max[T Float](a, b T) T {
	if a >= b || a != a {
		return a
	}
	return b
}

// FMin returns the smaller of a and b, ignoring a single NaN.
func FMin[T Float](a, b T) T {
	if a <= b || b != b {
		return a
	}
	return b
}

// FMax returns the larger of a and b, ignoring a single NaN.
func FMax[T Float](a, b T) T {
	if a >= b || b != b {
		return a
	}
	return b
}

// Heaviside returns 0 below zero, 1 above, atZero at zero and NaN for NaN.
func Heaviside[T Float](x, atZero T) T {
	switch {
	case x == 0:
		return atZero
	case x < 0:
		return 0
	case x > 0:
		return 1
	}
	return x
}

// NextAfter returns the next number of type T after x towards target, or target if x equals it.
func NextAfter[T Float](x, target T) T {
	if x == target {
		return target
	}
	if unsafe.Sizeof(x) == 4 {
		return T(math.Nextafter32(float32(x), float32(target)))
	}
	return T(math.Nextafter(float64(x), float64(target)))
}

// Spacing returns the distance from x to the next number of type T away from
// zero, negative for negative x, and NaN for infinities.
func Spacing[T Float](x T) T {
	if !IsFinite(x) {
		return T(math.NaN())
	}
	outwards := T(math.Inf(1))
	if x < 0 {
		outwards = -outwards
	}
	return NextAfter(x, outwards) - x
}

// Ldexp returns x times 2 to the power exponent, rounded once.
func Ldexp[T Float](x T, exponent int64) T {
	// Beyond this range every finite x has become zero or infinite.
	const limit = 1 << 12
	return T(math.Ldexp(float64(x), int(max(-limit, min(limit, exponent)))))
}

// Frexp splits x into fraction times 2 to the power of exponent, the
// fraction's magnitude in [0.5, 1). Zeros, infinities and NaN have exponent 0.
func Frexp[T Float](x T) (fraction T, exponent int32) {
	f, e := math.Frexp(float64(x))
	return T(f), int32(e)
}

// Modf splits x into its fraction and its integer part, both with the sign of x.
func Modf[T Float](x T) (fraction, whole T) {
	whole = Trunc(x)
	if math.IsInf(float64(x), 0) {
		return CopySign(0, x), x
	}
	return CopySign(x-whole, x), whole
}
