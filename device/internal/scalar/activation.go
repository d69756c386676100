package scalar

import "math"

// Below minus this limit, x*e**x is below the smallest positive number.
const tinyExponential = 800

// Sigmoid returns 1/(1+e**-x).
func Sigmoid(x float64) float64 { return sigmoid(pair{x, 0}).value() }

// sigmoid returns 1/(1+e**-x), for a negative x as e**x/(1+e**x).
func sigmoid(x pair) exponential {
	if x.hi > 80 {
		return exponential{pair{1, 0}, 0}
	}
	e := expPair(x)
	if x.hi < -80 {
		return e
	}
	power := e.scale(scaleByPower(1, e.exponent))
	e.pair = e.div(power.addFloat(1))
	return e
}

// timesExponential returns x*e, rounded once.
func timesExponential(x float64, e exponential) float64 {
	e.pair = e.mulFloat(x)
	return e.value()
}

// LogSigmoid returns -log(1+e**-x).
func LogSigmoid(x float64) float64 { return -Softplus(-x) }

// Softplus returns log(1+e**x).
func Softplus(x float64) float64 {
	switch {
	case x != x || x > 80:
		return x
	case x < -80:
		return Exp(x)
	}
	return softplusPair(pair{x, 0}).value()
}

// softplusPair returns log(1+e**x) for |x| up to 80.
func softplusPair(x pair) pair {
	if x.hi > 0 {
		return softplusPair(x.neg()).add(x)
	}
	e := expPair(x)
	return log1pPair(e.scale(scaleByPower(1, e.exponent)))
}

// Softsign returns x/(1+|x|).
func Softsign(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(1, x)
	}
	return x / (1 + math.Abs(x))
}

// Silu returns x*sigmoid(x), also called swish.
func Silu(x float64) float64 {
	switch {
	case x < -tinyExponential:
		return math.Copysign(0, -1)
	case x > 80:
		return x
	}
	return timesExponential(x, sigmoid(pair{x, 0}))
}

// Mish returns x*tanh(softplus(x)).
func Mish(x float64) float64 {
	switch {
	case x < -tinyExponential:
		return math.Copysign(0, -1)
	case x > 80:
		return x
	}
	// With e = e**x the factor is n/(n+2), n = e*(e+2).
	e := expPair(pair{x, 0})
	if x >= -80 {
		power := e.scale(scaleByPower(1, e.exponent))
		n := power.mul(power.addFloat(2))
		e = exponential{n.div(n.addFloat(2)), 0}
	}
	return timesExponential(x, e)
}

// Elu returns x if x is positive, else e**x-1.
func Elu(x float64) float64 {
	if x > 0 {
		return x
	}
	return Expm1(x)
}

// Selu returns the self-normalising scaled Elu (Klambauer et al., 2017) with
// the constants to the digits that NNabla and Chainer print.
func Selu(x float64) float64 {
	const (
		scale = 1.05070098735548
		alpha = 1.673263242354377
	)
	if x > 0 {
		return float64(scale * x)
	}
	return float64(scale * alpha * Expm1(x))
}

// GeluErf returns x times the standard normal distribution function of x,
// within 4 ulp.
func GeluErf(x float64) float64 {
	switch {
	case x > 9 || x != x:
		return x
	case x < -2*erfcLimit:
		return math.Copysign(0, -1)
	}
	return timesExponential(x, ndtr(x))
}

// GeluTanh returns x/2*(1+tanh(sqrt(2/pi)*(x+0.044715*x**3))), within 4 ulp.
func GeluTanh(x float64) float64 {
	switch {
	case x > 30 || x != x:
		return x
	case x < -30:
		return math.Copysign(0, -1)
	}
	// (1+tanh(u))/2 is sigmoid(2*u), which keeps its digits for negative u.
	// 2*u is needed to far more than 53 bits there.
	linear := pair{0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54}
	cubic := pair{0x1.2444f2a4d8b4bp-4, -0x1.6c843a29d1c7p-61}
	slope := cubic.mul(twoProduct(x, x)).add(linear)
	return timesExponential(x, sigmoid(slope.mulFloat(x)))
}

// Logit returns log(x/(1-x)), NaN outside [0, 1].
func Logit(x float64) float64 {
	switch {
	case !(x >= 0 && x <= 1):
		return math.NaN()
	case x == 1:
		return math.Inf(1)
	case x < 0x1p-60:
		return Log(x)
	case x > 0.25 && x < 0.75:
		return log1pPair(twoSum(float64(2*x), -1).div(twoSum(1, -x))).value()
	}
	return logPair(pair{x, 0}.div(twoSum(1, -x))).value()
}

// LogAddExp returns log(e**x+e**y), within 4 ulp, or within 2 ulp of the larger of x and the correction if they cancel.
func LogAddExp(x, y float64) float64 {
	return logAddExp(x, y, pair{1, 0})
}

// LogAddExp2 returns the logarithm to base 2 of 2**x+2**y, with the same bounds as LogAddExp. For equal numbers it
// returns exactly x+1.
func LogAddExp2(x, y float64) float64 {
	if x == y {
		return x + 1
	}
	return logAddExp(x, y, ln2Pair)
}

// logAddExp works with powers of a base, given the base's logarithm.
func logAddExp(x, y float64, logBase pair) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Max(x, y)
	}
	if x < y {
		x, y = y, x
	}
	if x-y > 1200 {
		return x
	}
	difference := logBase.mul(twoSum(y, -x))
	if difference.hi < -80 {
		// The correction is e**difference, which matters where x is small.
		correction := expPair(difference)
		correction.pair = correction.div(logBase)
		return x + correction.value()
	}
	return softplusPair(difference).div(logBase).addFloat(x).value()
}
