package scalar

import "unsafe"

// Signed is the set of signed integer element types.
type Signed interface {
	~int8 | ~int16 | ~int32 | ~int64
}

// Unsigned is the set of unsigned integer element types.
type Unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Integer is the set of integer element types.
type Integer interface {
	Signed | Unsigned
}

// Number is the set of element types that have +, - and *.
type Number interface {
	Integer | Float | ~complex64 | ~complex128
}

// OneIf returns 1 if b is true, else 0, without a branch.
func OneIf[T int | int64](b bool) T {
	var one T
	if b {
		one = 1
	}
	return one
}

// FloorDivInt returns the quotient a/b rounded down. Division by zero gives 0
// and the smallest value divided by -1 wraps to itself.
func FloorDivInt[T Integer](a, b T) T {
	if b == 0 {
		return 0
	}
	quotient := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		quotient--
	}
	return quotient
}

// ModInt returns the remainder of FloorDivInt, which has the divisor's sign. The remainder of a division by zero is 0.
func ModInt[T Integer](a, b T) T {
	if b == 0 {
		return 0
	}
	remainder := a % b
	if remainder != 0 && (remainder < 0) != (b < 0) {
		remainder += b
	}
	return remainder
}

// TruncDivInt returns the quotient a/b rounded towards zero, as C does.
// Division by zero gives 0 and the smallest value divided by -1 wraps.
func TruncDivInt[T Integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a / b
}

// FmodInt returns the remainder of TruncDivInt, which has the dividend's sign. The remainder of a division by zero is
// 0.
func FmodInt[T Integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a % b
}

// PowInt returns base raised to exponent, wrapping on overflow. The array functions reject negative exponents. For a
// negative exponent, PowInt itself returns the integer part of the true value: 0, except for the bases 1 and -1.
func PowInt[T Integer](base, exponent T) T {
	if exponent < 0 {
		switch {
		case base == 1:
			return 1
		case base+1 == 0:
			if exponent&1 == 0 {
				return 1
			}
			return base
		}
		return 0
	}
	power := T(1)
	for exponent != 0 {
		if exponent&1 != 0 {
			power *= base
		}
		base *= base
		exponent >>= 1
	}
	return power
}

// Shl returns a shifted left by count bits. It is 0 if count is negative or not below the width of the type.
func Shl[T Integer](a, count T) T {
	if !shiftInRange(count) {
		return 0
	}
	return a << uint(count)
}

// Shr returns a shifted right by count bits, copying the sign. If count is negative or not below the width, only the
// sign remains: -1 for a negative a, otherwise 0.
func Shr[T Integer](a, count T) T {
	if shiftInRange(count) {
		return a >> uint(count)
	}
	if a < 0 {
		var zero T
		return zero - 1
	}
	return 0
}

func shiftInRange[T Integer](count T) bool {
	return count >= 0 && uint64(count) < 8*uint64(unsafe.Sizeof(count))
}

// AbsInt returns the absolute value of a; the smallest value stays unchanged.
func AbsInt[T Integer](a T) T {
	if a < 0 {
		return -a
	}
	return a
}

// SignInt returns -1, 0 or 1 by the sign of a.
func SignInt[T Integer](a T) T {
	switch {
	case a > 0:
		return 1
	case a < 0:
		var zero T
		return zero - 1
	}
	return 0
}

// Gcd returns the greatest common divisor of |a| and |b|, and 0 for two zeros.
func Gcd[T Integer](a, b T) T {
	x, y := magnitude(a), magnitude(b)
	for y != 0 {
		x, y = y, x%y
	}
	return T(x)
}

// Lcm returns the least common multiple of |a| and |b|, wrapping on overflow, and 0 if either is zero.
func Lcm[T Integer](a, b T) T {
	if a == 0 || b == 0 {
		return 0
	}
	x, y := magnitude(a), magnitude(b)
	return T(x / magnitude(Gcd(a, b)) * y)
}

// magnitude returns |a| without overflow.
func magnitude[T Integer](a T) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}
