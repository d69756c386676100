package scalar

import "math"

var complexNaN = complex(math.NaN(), math.NaN())

// CExp returns e**z with the special values of C99.
func CExp(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return complex(Exp(x), y)
	case math.IsInf(x, -1):
		if !IsFinite(y) {
			return complex(0, math.Copysign(0, y))
		}
		sin, cos := SinCos(y)
		return complex(math.Copysign(0, cos), math.Copysign(0, sin))
	case math.IsInf(x, 1):
		if !IsFinite(y) {
			return complex(x, math.NaN())
		}
		sin, cos := SinCos(y)
		return complex(math.Copysign(x, cos), math.Copysign(x, sin))
	case x != x || !IsFinite(y):
		return complexNaN
	}
	return polar(expPair(pair{x, 0}), y)
}

// polar returns modulus * e**(i*angle) for a finite angle.
func polar(modulus exponential, angle float64) complex128 {
	re, im := modulus, modulus
	if math.Abs(angle) < 0x1p-27 {
		im.pair = im.mulFloat(angle)
		return complex(re.value(), im.value())
	}
	sin, cos := sinCosPair(angle)
	re.pair, im.pair = re.mul(cos), im.mul(sin)
	return complex(re.value(), im.value())
}

// CExp2 returns 2**z.
func CExp2(z complex128) complex128 {
	return CExp(complex(float64(real(z)*math.Ln2), float64(imag(z)*math.Ln2)))
}

// CExpm1 returns e**z-1 without cancellation near 0.
func CExpm1(z complex128) complex128 {
	x, y := real(z), imag(z)
	half, _ := SinCos(0.5 * y)
	sin, cos := SinCos(y)
	return complex(
		float64(Expm1(x)*cos)-float64(2*float64(half*half)),
		float64(Exp(x)*sin))
}

// CLog returns the natural logarithm of z; its imaginary part is the angle.
func CLog(z complex128) complex128 {
	return complex(logModulus(real(z), imag(z)).value(), CArg(z))
}

// CLog2 returns the logarithm of z to base 2.
func CLog2(z complex128) complex128 { return scaledLog(z, 1/math.Ln2) }

// CLog10 returns the logarithm of z to base 10.
func CLog10(z complex128) complex128 { return scaledLog(z, 1/math.Ln10) }

func scaledLog(z complex128, factor float64) complex128 {
	logarithm := CLog(z)
	return complex(float64(real(logarithm)*factor), float64(imag(logarithm)*factor))
}

// CLog1p returns log(1+z) without cancellation near 0.
func CLog1p(z complex128) complex128 {
	x, y := real(z), imag(z)
	angle := Atan2(y, x+1)
	if math.Abs(x) < 0.5 && math.Abs(y) < 0.5 {
		// |1+z|**2 - 1 = x*(x+2) + y*y
		excess := twoSum(x, 2).mulFloat(x).add(twoProduct(y, y))
		return complex(0.5*log1pPair(excess).value(), angle)
	}
	return complex(logModulus(x+1, y).value(), angle)
}

// logModulus returns log(hypot(x, y)), accurate also near 0.
func logModulus(x, y float64) pair {
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	switch {
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return pair{math.Inf(1), 0}
	case x != x || y != y:
		return pair{math.NaN(), 0}
	case x == 0:
		return pair{math.Inf(-1), 0}
	}
	exponent := 0
	if x > 0x1p400 {
		x, y, exponent = x*0x1p-600, y*0x1p-600, 1200
	} else if x < 0x1p-400 {
		x, y, exponent = x*0x1p600, y*0x1p600, -1200
	}
	return logParts(twoProduct(x, x).add(twoProduct(y, y)), exponent).scale(0.5)
}

// CSqrt returns the square root of z with a real part that is not negative.
func CSqrt(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case z == 0:
		return complex(0, y)
	case math.IsInf(y, 0):
		return complex(math.Inf(1), y)
	case x != x:
		return complexNaN
	case math.IsInf(x, 1):
		if y != y {
			return complex(x, y)
		}
		return complex(x, math.Copysign(0, y))
	case math.IsInf(x, -1):
		if y != y {
			return complex(y, math.Inf(1))
		}
		return complex(0, math.Copysign(math.Inf(1), y))
	case y != y:
		return complexNaN
	}
	scale := 1.0
	if largest := math.Max(math.Abs(x), math.Abs(y)); largest > 0x1p1000 {
		x, y, scale = x*0x1p-100, y*0x1p-100, 0x1p50
	} else if largest < 0x1p-900 {
		x, y, scale = x*0x1p200, y*0x1p200, 0x1p-100
	}
	root := math.Sqrt(0.5 * (math.Abs(x) + Hypot(x, y)))
	other := y / (2 * root)
	if x < 0 {
		root, other = math.Abs(other), math.Copysign(root, y)
	}
	return complex(root*scale, other*scale)
}

// CPow returns a**b as NumPy does. Integer exponents below 100 are computed by repeated multiplication. 0 to a power
// with a positive real part is 0, 0 to the power 0 is 1, and 0 to any other power is NaN. All other results are the
// principal value.
func CPow(a, b complex128) complex128 {
	switch {
	case b == 0:
		return 1
	case a == 0:
		if real(b) > 0 {
			return 0
		}
		return complexNaN
	}
	if exponent := real(b); imag(b) == 0 && math.Abs(exponent) < 100 && exponent == math.Trunc(exponent) {
		return wholePower(a, int(exponent))
	}
	return CExp(CMul(b, CLog(a)))
}

func wholePower(base complex128, exponent int) complex128 {
	negative := exponent < 0
	if negative {
		exponent = -exponent
	}
	power, first := complex128(1), true
	for {
		if exponent&1 != 0 {
			if first {
				power, first = base, false
			} else {
				power = CMul(power, base)
			}
		}
		exponent >>= 1
		if exponent == 0 {
			break
		}
		base = CMul(base, base)
	}
	if negative {
		return CDiv(1, power)
	}
	return power
}
