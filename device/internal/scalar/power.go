package scalar

import "math"

// Sqrt returns the square root of x, correctly rounded.
func Sqrt(x float64) float64 { return math.Sqrt(x) }

// Rsqrt returns 1/sqrt(x): an infinity of the zero's sign at zeros, NaN below.
func Rsqrt(x float64) float64 {
	switch {
	case x == 0:
		return 1 / x
	case !(x > 0) || x > math.MaxFloat64:
		return 1 / math.Sqrt(x)
	}
	scale := 1.0
	if x < 0x1p-900 {
		x, scale = x*0x1p200, 0x1p100
	}
	return float64(pair{1, 0}.div(pair{x, 0}.sqrt()).value() * scale)
}

// Cbrt returns the cube root of x.
func Cbrt(x float64) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	fraction, exponent := math.Frexp(math.Abs(x))
	third := (exponent + 3000) / 3
	reduced := math.Ldexp(fraction, exponent+3000-3*third) // in [0.5, 4)
	// A straight line is accurate to 10 %, and each of Halley's steps triples the number of digits.
	root := float64(0.33*reduced) + 0.62
	for range 3 {
		cube := float64(float64(root*root) * root)
		root -= float64(root * ((cube - reduced) / (float64(2*cube) + reduced)))
	}
	square := twoProduct(root, root)
	excess := square.mulFloat(root).addFloat(-reduced)
	root -= excess.hi / float64(3*square.hi)
	return math.Copysign(math.Ldexp(root, third-1000), x)
}

// Hypot returns sqrt(x*x+y*y) without intermediate overflow or underflow. An infinite argument takes precedence over
// NaN.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	switch {
	case x > math.MaxFloat64 || y > math.MaxFloat64:
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	}
	if x < y {
		x, y = y, x
	}
	if x == 0 || y < float64(x*0x1p-60) {
		return x + y
	}
	scale := 1.0
	if x > 0x1p500 {
		x, y, scale = x*0x1p-600, y*0x1p-600, 0x1p600
	} else if y < 0x1p-400 {
		x, y, scale = x*0x1p600, y*0x1p600, 0x1p-600
	}
	return float64(hypotPair(x, y).value() * scale)
}

// hypotPair returns sqrt(x*x+y*y) for arguments whose squares neither overflow nor underflow.
func hypotPair(x, y float64) pair {
	return twoProduct(x, x).add(twoProduct(y, y)).sqrt()
}

// Pow returns x**y with C's special values: 1 if x is 1 or y is 0, whatever the other argument is, and NaN for a
// negative finite x and a finite y that is not an integer.
func Pow(x, y float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case y == 2:
		return float64(x * x) // ties round as those of a product
	case x != x || y != y:
		return math.NaN()
	case math.IsInf(y, 0):
		switch {
		case magnitude == 1:
			return 1
		case (magnitude > 1) == (y > 0):
			return math.Inf(1)
		}
		return 0
	}
	odd := isOdd(y)
	if x == 0 || math.IsInf(x, 0) {
		var result float64
		if (x == 0) == (y < 0) {
			result = math.Inf(1)
		}
		if odd {
			return math.Copysign(result, x)
		}
		return result
	}
	sign := 1.0
	if x < 0 {
		if y != math.Trunc(y) {
			return math.NaN()
		}
		if odd {
			sign = -1
		}
	}
	return float64(sign * powPositive(magnitude, y))
}

func powPositive(x, y float64) float64 {
	switch {
	case x == 1:
		return 1
	case math.Abs(y) > 0x1p66: // |log(x)| is at least 2**-53
		if (x > 1) == (y > 0) {
			return math.Inf(1)
		}
		return 0
	case math.Abs(y) < 0x1p-64:
		return 1
	}
	return expPair(logOf(x).mulFloat(y)).value()
}

// isOdd reports whether y is an odd integer.
func isOdd(y float64) bool {
	y = math.Abs(y)
	return y < 0x1p53 && y == math.Trunc(y) && uint64(y)&1 == 1
}
