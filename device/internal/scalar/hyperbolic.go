package scalar

import "math"

// Sinh returns the hyperbolic sine of x.
func Sinh(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case magnitude < 0x1p-27 || x-x != 0:
		return x // keeps the sign of zero
	case magnitude > 40:
		return math.Copysign(halfExp(magnitude), x)
	}
	grown := expm1Pair(pair{magnitude, 0})
	sum := grown.add(grown.div(grown.addFloat(1)))
	return math.Copysign(0.5*sum.value(), x)
}

// Cosh returns the hyperbolic cosine of x.
func Cosh(x float64) float64 {
	x = math.Abs(x)
	switch {
	case math.IsInf(x, 0) || x != x:
		return x
	case x > 40:
		return halfExp(x)
	}
	e := expPair(pair{x, 0})
	power := e.scale(scaleByPower(1, e.exponent))
	return 0.5 * power.add(pair{1, 0}.div(power)).value()
}

// halfExp returns e**x/2, which may be finite even if e**x is not.
func halfExp(x float64) float64 {
	e := expPair(pair{x, 0})
	e.exponent--
	return e.value()
}

// Tanh returns the hyperbolic tangent of x.
func Tanh(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case magnitude < 0x1p-27 || x != x:
		return x // keeps the sign of zero
	case magnitude > 20:
		return math.Copysign(1, x)
	}
	grown := expm1Pair(pair{2 * magnitude, 0})
	return math.Copysign(grown.div(grown.addFloat(2)).value(), x)
}

// Asinh returns the inverse hyperbolic sine of x.
func Asinh(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case magnitude < 0x1p-27 || x-x != 0:
		return x // keeps the sign of zero
	case magnitude > 0x1p30:
		return math.Copysign(logOf(magnitude).add(ln2Pair).value(), x)
	}
	// log(x + root) = log1p(x + x*x/(1+root)), root = sqrt(1+x*x).
	square := twoProduct(magnitude, magnitude)
	root := square.addFloat(1).sqrt()
	grown := square.div(root.addFloat(1)).addFloat(magnitude)
	return math.Copysign(log1pPair(grown).value(), x)
}

// Acosh returns the inverse hyperbolic cosine of x, NaN below 1.
func Acosh(x float64) float64 {
	switch {
	case !(x >= 1):
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	case x > 0x1p30:
		return logOf(x).add(ln2Pair).value()
	case x == 1:
		return 0
	}

	above := twoSum(x, -1)
	root := above.mul(above.addFloat(2)).sqrt()
	if above.hi < 0x1p-9 {
		return log1pPair(above.add(root)).value()
	}
	return logPair(root.addFloat(x)).value()
}

// Atanh returns the inverse hyperbolic tangent of x: an infinity at -1 and 1, NaN outside [-1, 1].
func Atanh(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case magnitude < 0x1p-27 || x != x:
		return x // keeps the sign of zero
	case magnitude > 1:
		return math.NaN()
	case magnitude == 1:
		return math.Copysign(math.Inf(1), x)
	}
	ratio := pair{2 * magnitude, 0}.div(twoSum(1, -magnitude))
	return math.Copysign(0.5*log1pPair(ratio).value(), x)
}
