package scalar

import "math"

// shiftLimit is the argument from which the asymptotic series are used; smaller arguments are shifted up to it by
// recurrence.
const shiftLimit = 16

// stirling returns log(Gamma(x)) for x >= shiftLimit to about 60 bits after the point.
func stirling(x pair) pair {
	inverse := pair{1, 0}.div(x)
	square := float64(inverse.hi * inverse.hi)
	series := float64(square*-0x1.e4286cb0f5398p-6) + 0x1.a41a41a41a41ap-8
	series = float64(square*series) - 0x1.f6ab0d9993c7dp-10
	series = float64(square*series) + 0x1.b951e2b18ff23p-11
	series = float64(square*series) - 0x1.3813813813814p-11
	series = float64(square*series) + 0x1.a01a01a01a01ap-11
	series = float64(square*series) - 0x1.6c16c16c16c17p-9
	series = float64(float64(square*inverse.hi) * series)
	twelfth := pair{0x1.5555555555555p-4, 0x1.5555555555555p-58}
	logSqrt2Pi := pair{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55}
	correction := inverse.mul(twelfth).addFloat(series).add(logSqrt2Pi).addFloat(-0.5)
	// (x-1/2)*log(x) - x + 1/2, in a form in which nothing overflows before the result does.
	return x.addFloat(-0.5).mul(logPair(x).addFloat(-1)).add(correction)
}

// shiftUp returns x+n >= shiftLimit and the product x*(x+1)*...*(x+n-1).
func shiftUp(x pair) (shifted, product pair) {
	product = pair{1, 0}
	for x.hi < shiftLimit {
		product = product.mul(x)
		x = x.addFloat(1)
	}
	return x, product
}

// Gamma returns the gamma function of x, within 4 ulp: an infinity of the
// zero's sign at zeros, NaN at negative whole numbers and minus infinity.
func Gamma(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case math.Abs(x) < 0x1p-60:
		return 1 / x
	case x > 180:
		return math.Inf(1)
	case x > 0:
		shifted, product := shiftUp(pair{x, 0})
		e := expPair(stirling(shifted))
		e.pair = e.div(product)
		return e.value()
	case x == math.Trunc(x):
		return math.NaN()
	}
	// Gamma(x) = pi / (sin(pi*x) * Gamma(1-x)).
	shifted, product := shiftUp(twoSum(1, -x))
	sin, _ := sinCosPiPair(x)
	e := expPair(stirling(shifted).neg())
	e.pair = e.mul(product).mul(piPair).div(sin)
	return e.value()
}

// Lgamma returns log(|Gamma(x)|), within 4 ulp or, near its roots below zero,
// 2 ulp of the largest intermediate: an infinity at zero and negative whole
// numbers.
func Lgamma(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.IsInf(x, 0) || x <= 0 && x == math.Trunc(x):
		return math.Inf(1)
	case math.Abs(x) < 0x1p-60:
		return -Log(math.Abs(x))
	case x == 1 || x == 2:
		return 0
	case x > 0x1p900:
		return logOf(x).addFloat(-1).mulFloat(x*0x1p-20).value() * 0x1p20
	case math.Abs(x-1) <= 1.0/16:
		return float64((x - 1) * polynomial(lgammaNear1[:], x-1))
	case math.Abs(x-2) <= 1.0/16:
		return float64((x - 2) * polynomial(lgammaNear2[:], x-2))
	case x > 0:
		return lgammaPair(pair{x, 0}).value()
	}
	// log|Gamma(x)| = log(pi/|sin(pi*x)|) - log(Gamma(1-x)).
	sin, _ := sinCosPiPair(x)
	if sin.hi < 0 {
		sin = sin.neg()
	}
	logPi := pair{0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57}
	return logPi.add(logPair(sin).neg()).add(lgammaPair(twoSum(1, -x)).neg()).value()
}

func lgammaPair(x pair) pair {
	shifted, product := shiftUp(x)
	return stirling(shifted).add(logPair(product).neg())
}

// Digamma returns the derivative of Lgamma, within 4 ulp or, near its roots
// below zero, 2 ulp of the largest intermediate: minus infinity at 0, infinity
// at -0, NaN at negative whole numbers.
func Digamma(x float64) float64 {
	switch {
	case x == 0:
		return -1 / x
	case x != x || x > math.MaxFloat64:
		return x
	case x > 0:
		return digammaPositive(x)
	case x == math.Trunc(x):
		return math.NaN()
	case x > -0x1p-60:
		return -1 / x
	}
	// digamma(x) = digamma(1-x) - pi/tan(pi*x).
	sin, cos := sinCosPiPair(x)
	return digammaPair(twoSum(1, -x)).add(piPair.mul(cos).div(sin).neg()).value()
}

func digammaPositive(x float64) float64 {
	root := pair{0x1.762d86356be3fp+0, 0x1.b86a722197829p-54}
	switch {
	case x < 0x1p-60:
		return -1 / x
	case math.Abs(x-root.hi) < 1.0/16:
		distance := (x - root.hi) - root.lo
		return float64(distance * polynomial(digammaNearRoot[:], distance))
	}
	return digammaPair(pair{x, 0}).value()
}

// digammaPair returns the digamma function of a positive x.
func digammaPair(x pair) pair {
	var shift pair
	for x.hi < shiftLimit {
		shift = shift.add(pair{1, 0}.div(x))
		x = x.addFloat(1)
	}
	inverse := pair{1, 0}.div(x)
	square := float64(inverse.hi * inverse.hi)
	series := float64(square*-0x1.c5e5e5e5e5e5ep-2) + 0x1.5555555555555p-4
	series = float64(square*series) - 0x1.5995995995996p-6
	series = float64(square*series) + 0x1.f07c1f07c1f08p-8
	series = float64(square*series) - 0x1.1111111111111p-8
	series = float64(square*series) + 0x1.041041041041p-8
	series = float64(square*series) - 0x1.1111111111111p-7
	series = float64(square*series) + 0x1.5555555555555p-4
	correction := inverse.scale(0.5).addFloat(float64(square * series)).add(shift)
	return logPair(x).add(correction.neg())
}

// Trigamma returns the derivative of Digamma, within 4 ulp: infinity at 0, NaN
// at negative whole numbers.
func Trigamma(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.Abs(x) < 0x1p-30:
		return 1 / x / x
	case x > 0:
		return trigammaPair(pair{x, 0}).value()
	case x == math.Trunc(x):
		return math.NaN()
	}
	// trigamma(x) = (pi/sin(pi*x))**2 - trigamma(1-x).
	sin, _ := sinCosPiPair(x)
	return piPair.div(sin).square().add(trigammaPair(twoSum(1, -x)).neg()).value()
}

// trigammaPair returns the trigamma function of a positive x.
func trigammaPair(x pair) pair {
	var shift pair
	for x.hi < shiftLimit {
		inverse := pair{1, 0}.div(x)
		shift = shift.add(inverse.square())
		x = x.addFloat(1)
	}
	if x.hi > 0x1p500 {
		return pair{1 / x.hi, 0}
	}
	inverse := pair{1, 0}.div(x)
	square := float64(inverse.hi * inverse.hi)
	series := float64(square*0x1.2aaaaaaaaaaabp+0) - 0x1.0330330330330p-2
	series = float64(square*series) + 0x1.364d9364d9365p-4
	series = float64(square*series) - 0x1.1111111111111p-5
	series = float64(square*series) + 0x1.8618618618618p-6
	series = float64(square*series) - 0x1.1111111111111p-5
	series = float64(square*series) + 0x1.5555555555555p-3
	correction := inverse.square().scale(0.5).addFloat(float64(float64(square*inverse.hi) * series))
	return inverse.add(correction).add(shift)
}
