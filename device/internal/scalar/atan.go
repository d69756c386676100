package scalar

import "math"

// atanQuotient returns the arc tangent of y/x for y >= 0 and x > 0, both far
// from overflow and underflow, to about 65 bits.
func atanQuotient(y, x pair) pair {
	if y.hi > x.hi {
		return halfPiPair.add(atanQuotient(x, y).neg())
	}
	// atan(y/x) = atan(c) + atan((y-c*x)/(x+c*y)) for the nearest c = j/32.
	j := int(math.RoundToEven(float64(y.hi / x.hi * 32)))
	c := float64(j) / 32
	t := y
	if j != 0 {
		t = y.add(x.mulFloat(-c))
		x = x.add(y.mulFloat(c))
	}
	t = t.div(x)
	square := float64(t.hi * t.hi)
	p := float64(square*(1.0/13)) - 1.0/11
	p = float64(square*p) + 1.0/9
	p = float64(square*p) - 1.0/7
	p = float64(square*p) + 1.0/5
	p = float64(square*p) - 1.0/3
	small := quickTwoSum(t.hi, t.lo+float64(float64(square*t.hi)*p))
	if j == 0 {
		return small
	}
	return atanTable[j].add(small)
}

// Atan returns the arc tangent of x.
func Atan(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case magnitude < 0x1p-27 || x != x:
		return x // keeps the sign of zero
	case magnitude > 0x1p60:
		return math.Copysign(math.Pi/2, x)
	}
	return math.Copysign(atanQuotient(pair{magnitude, 0}, pair{1, 0}).value(), x)
}

// Atan2 returns the angle of the point (x, y), in (-pi, pi], with C's special
// values; the signs of zeros tell the sides of the axes.
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	return math.Copysign(angle(math.Abs(y), x), y)
}

// angle is Atan2 for y >= 0.
func angle(y, x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case math.IsInf(magnitude, 0) && math.IsInf(y, 0):
		y, magnitude = 1, 1
	case y == 0 || math.IsInf(magnitude, 0):
		if math.Signbit(x) {
			return math.Pi
		}
		return 0
	case magnitude == 0 || math.IsInf(y, 0):
		return math.Pi / 2
	}
	fractionY, exponentY := math.Frexp(y)
	fractionX, exponentX := math.Frexp(magnitude)
	difference := exponentY - exponentX
	switch {
	case difference > 60:
		return math.Pi / 2
	case difference < -60:
		if math.Signbit(x) {
			return math.Pi
		}
		return y / magnitude
	case difference > 0:
		fractionX = scaleByPower(fractionX, -difference)
	default:
		fractionY = scaleByPower(fractionY, difference)
	}
	result := atanQuotient(pair{fractionY, 0}, pair{fractionX, 0})
	if math.Signbit(x) {
		result = piPair.add(result.neg())
	}
	return result.value()
}

// Asin returns the arc sine of x, NaN outside [-1, 1].
func Asin(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case magnitude < 0x1p-27 || x != x:
		return x // keeps the sign of zero
	case magnitude > 1:
		return math.NaN()
	case magnitude == 1:
		return math.Copysign(math.Pi/2, x)
	}
	return math.Copysign(atanQuotient(pair{magnitude, 0}, cosOfAsin(magnitude)).value(), x)
}

// Acos returns the arc cosine of x, NaN outside [-1, 1].
func Acos(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case x == 1:
		return 0
	case x == -1:
		return math.Pi
	case x == 0:
		return math.Pi / 2
	case !(magnitude < 1):
		return math.NaN()
	case magnitude < 0x1p-60:
		return math.Pi / 2
	}
	result := atanQuotient(cosOfAsin(magnitude), pair{magnitude, 0})
	if x < 0 {
		result = piPair.add(result.neg())
	}
	return result.value()
}

// cosOfAsin returns sqrt(1-x*x).
func cosOfAsin(x float64) pair {
	return twoSum(1, -x).mul(twoSum(1, x)).sqrt()
}
