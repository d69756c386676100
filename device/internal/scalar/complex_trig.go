package scalar

import "math"

// The circular functions are the hyperbolic functions of i*z, multiplied by -i if they are odd.

func timesI(z complex128) complex128 { return complex(-imag(z), real(z)) }

func timesMinusI(z complex128) complex128 { return complex(imag(z), -real(z)) }

// CSin returns the sine of z.
func CSin(z complex128) complex128 { return timesMinusI(CSinh(timesI(z))) }

// CCos returns the cosine of z.
func CCos(z complex128) complex128 { return CCosh(timesI(z)) }

// CTan returns the tangent of z.
func CTan(z complex128) complex128 { return timesMinusI(CTanh(timesI(z))) }

// CAsin returns the arc sine of z.
func CAsin(z complex128) complex128 { return timesMinusI(CAsinh(timesI(z))) }

// CAtan returns the arc tangent of z.
func CAtan(z complex128) complex128 { return timesMinusI(CAtanh(timesI(z))) }

// CSinh returns the hyperbolic sine of z.
func CSinh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return complex(Sinh(x), y)
	case !IsFinite(y):
		switch {
		case x == 0:
			return complex(x, math.NaN())
		case math.IsInf(x, 0):
			return complex(x, math.NaN())
		}
		return complexNaN
	case x != x:
		return complexNaN
	}
	sin, cos := SinCos(y)
	if math.Abs(x) <= 700 {
		return complex(float64(Sinh(x)*cos), float64(Cosh(x)*sin))
	}
	re, im := growing(math.Abs(x), cos, sin)
	return complex(math.Copysign(1, x)*re, im)
}

// CCosh returns the hyperbolic cosine of z.
func CCosh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		if x != x {
			return complex(x, y)
		}
		return complex(Cosh(x), float64(math.Copysign(1, x)*y))
	case !IsFinite(y):
		switch {
		case x == 0:
			return complex(math.NaN(), 0)
		case math.IsInf(x, 0):
			return complex(math.Inf(1), math.NaN())
		}
		return complexNaN
	case x != x:
		return complexNaN
	}
	sin, cos := SinCos(y)
	if math.Abs(x) <= 700 {
		return complex(float64(Cosh(x)*cos), float64(Sinh(x)*sin))
	}
	re, im := growing(math.Abs(x), cos, sin)
	return complex(re, math.Copysign(1, x)*im)
}

// growing returns e**x/2 times a and b, which may be finite even if the power is not.
func growing(x, a, b float64) (float64, float64) {
	if math.IsInf(x, 0) {
		return math.Copysign(x, a), math.Copysign(x, b)
	}
	e := expPair(pair{x, 0})
	e.exponent--
	return timesExponential(a, e), timesExponential(b, e)
}

// CTanh returns the hyperbolic tangent of z.
func CTanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return complex(Tanh(x), y)
	case math.IsInf(x, 0):
		if !IsFinite(y) {
			return complex(math.Copysign(1, x), math.Copysign(0, y))
		}
		sin, cos := SinCos(y)
		return complex(math.Copysign(1, x), math.Copysign(0, sin*cos))
	case !IsFinite(y):
		if x == 0 {
			return complex(x, math.NaN())
		}
		return complexNaN
	case x != x:
		return complexNaN
	}
	sin, cos := SinCos(y)
	if math.Abs(x) > 22 {
		im := float64(float64(4*sin*cos) * Exp(-2*math.Abs(x)))
		return complex(math.Copysign(1, x), im)
	}
	sinh, cosh := Sinh(x), Cosh(x)
	divisor := float64(sinh*sinh) + float64(cos*cos)
	return complex(float64(sinh*cosh)/divisor, float64(sin*cos)/divisor)
}

// hugeComplex is the magnitude from which 1 is lost beside z*z.
const hugeComplex = 0x1p60

// isTiny reports whether z*z is lost beside 1.
func isTiny(x, y float64) bool { return math.Abs(x) < 0x1p-28 && math.Abs(y) < 0x1p-28 }

// CAsinh returns the inverse hyperbolic sine of z.
func CAsinh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case x != x:
		switch {
		case math.IsInf(y, 0):
			return complex(math.Inf(1), x)
		case y == 0:
			return z
		}
		return complexNaN
	case y != y:
		if math.IsInf(x, 0) {
			return z
		}
		return complexNaN
	case math.Abs(x) > hugeComplex || math.Abs(y) > hugeComplex:
		re := logModulus(x, y).value() + math.Ln2
		return complex(math.Copysign(re, x), Atan2(y, math.Abs(x)))
	case isTiny(x, y):
		return z
	}
	// Kahan, "Branch cuts for complex elementary functions", 1987.
	minus, plus := CSqrt(complex(1+y, -x)), CSqrt(complex(1-y, x))
	re := float64(real(minus)*imag(plus)) - float64(imag(minus)*real(plus))
	im := float64(real(minus)*real(plus)) - float64(imag(minus)*imag(plus))
	return complex(math.Copysign(Asinh(math.Abs(re)), x), Atan2(y, im))
}

// CAcos returns the arc cosine of z.
func CAcos(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case x != x:
		if math.IsInf(y, 0) {
			return complex(x, -y)
		}
		return complexNaN
	case y != y:
		switch {
		case math.IsInf(x, 0):
			return complex(y, math.Inf(-1))
		case x == 0:
			return complex(math.Pi/2, y)
		}
		return complexNaN
	case math.Abs(x) > hugeComplex || math.Abs(y) > hugeComplex:
		im := logModulus(x, y).value() + math.Ln2
		return complex(Atan2(math.Abs(y), x), math.Copysign(im, -y))
	case isTiny(x, y):
		return complex(math.Pi/2-x, -y)
	}
	minus, plus := CSqrt(complex(1-x, -y)), CSqrt(complex(1+x, y))
	im := float64(real(plus)*imag(minus)) - float64(imag(plus)*real(minus))
	return complex(2*Atan2(real(minus), real(plus)), math.Copysign(Asinh(math.Abs(im)), -y))
}

// CAcosh returns the inverse hyperbolic cosine of z with a real part that is
// not negative.
func CAcosh(z complex128) complex128 {
	w := CAcos(z)
	return complex(math.Abs(imag(w)), math.Copysign(real(w), imag(z)))
}

// CAtanh returns the inverse hyperbolic tangent of z.
func CAtanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case x != x:
		if math.IsInf(y, 0) {
			return complex(0, math.Copysign(math.Pi/2, y))
		}
		return complexNaN
	case y != y:
		switch {
		case math.IsInf(x, 0):
			return complex(math.Copysign(0, x), y)
		case x == 0:
			return z
		}
		return complexNaN
	}
	size := math.Abs(x)
	if size > hugeComplex || math.Abs(y) > hugeComplex {
		re := 0.0
		if IsFinite(x) && IsFinite(y) {
			re = math.Abs(real(CReciprocal(z)))
		}
		return complex(math.Copysign(re, x), math.Copysign(math.Pi/2, y))
	}
	if isTiny(x, y) {
		return z
	}
	distance := 1 - size
	square := float64(distance*distance) + float64(y*y)
	var re float64
	if square < 0x1p-900 {
		re = 0.5 * (math.Ln2 - Log(Hypot(distance, y))) // size is about 1
	} else {
		re = 0.25 * Log1p(4*size/square)
	}
	angle := Atan2(2*y, float64(distance*(1+size))-float64(y*y))
	return complex(math.Copysign(re, x), 0.5*angle)
}
