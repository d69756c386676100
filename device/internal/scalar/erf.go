package scalar

import "math"

// Beyond this argument, erfc is below the smallest positive number, also when multiplied by the argument. The same
// holds for the normal distribution's tail beyond sqrt(2) times this argument.
const erfcLimit = 30

// erfcx returns exp(z*z)*erfc(z) for z >= 0 within 1 ulp.
func erfcx(z pair) float64 {
	if z.hi >= 8 {
		inverse := 1 / z.hi
		tail := polynomial(erfcxTail[:], float64(inverse*inverse))
		return float64(tail*(1/math.Sqrt(math.Pi))) / z.hi
	}
	interval := int(z.hi * 2)
	s := float64(4*z.hi) - float64(2*interval+1)
	return polynomial(erfcxTable[interval][:], s+float64(4*z.lo))
}

// erfcPair returns erfc(z) for z >= 0 within 2 ulp.
func erfcPair(z pair) exponential { return gaussian(erfcx(z), z.square()) }

// gaussian returns factor*exp(-square).
func gaussian(factor float64, square pair) exponential {
	e := expPair(square.neg())
	e.pair = e.mulFloat(factor)
	return e
}

// erfSmall returns erf(z) to about 56 bits for |z| up to 1/2.
func erfSmall(z pair) pair {
	slope := pair{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed8p-56} // 2/sqrt(pi)
	square := float64(z.hi * z.hi)
	sum := z.mul(slope)
	return quickTwoSum(sum.hi, sum.lo+float64(float64(square*z.hi)*polynomial(erfTable[:], square)))
}

// Erf returns the error function of x, within 2 ulp.
func Erf(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case x == 0 || x != x:
		return x
	case magnitude < 0x1p-1000:
		return math.Ldexp(erfSmall(pair{math.Ldexp(x, 200), 0}).value(), -200)
	case magnitude <= 0.5:
		return erfSmall(pair{x, 0}).value()
	case magnitude > 6:
		return math.Copysign(1, x)
	}
	return math.Copysign(1-erfcPair(pair{magnitude, 0}).value(), x)
}

// Erfc returns 1-erf(x) without cancellation, within 4 ulp.
func Erfc(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > erfcLimit:
		return 0
	case x < -6:
		return 2
	case math.Abs(x) <= 0.5:
		return erfSmall(pair{x, 0}).neg().addFloat(1).value()
	case x < 0:
		return 2 - erfcPair(pair{-x, 0}).value()
	}
	return erfcPair(pair{x, 0}).value()
}

// Erfinv returns the number whose error function is x, within 4 ulp: an infinity at -1 and 1, NaN outside [-1, 1].
func Erfinv(x float64) float64 {
	magnitude := math.Abs(x)
	switch {
	case x == 0 || x != x:
		return x
	case magnitude > 1:
		return math.NaN()
	case magnitude == 1:
		return math.Copysign(math.Inf(1), x)
	}
	if magnitude < 0x1p-30 {
		halfSqrtPi := pair{0x1.c5bf891b4ef6bp-1, -0x1.618f13eb7ca89p-55}
		return halfSqrtPi.mulFloat(x).value()
	}
	z := erfinvGuess(magnitude)
	for range 3 {
		// Halley's method; the difference is computed in the form that has the most digits.
		var excess float64
		if z <= 0.5 {
			excess = erfSmall(pair{z, 0}).addFloat(-magnitude).value()
		} else {
			excess = (1 - magnitude) - erfcPair(pair{z, 0}).value()
		}
		const slope = 2 / math.SqrtPi
		newton := excess / float64(slope*Exp(-float64(z*z)))
		z -= newton / (1 + float64(z*newton))
	}
	return math.Copysign(z, x)
}

// erfinvGuess is Winitzki's approximation, good to 0.2 %.
func erfinvGuess(x float64) float64 {
	const a = 0.147
	logarithm := Log1p(-float64(x * x))
	if x > 0.5 {
		logarithm = Log(float64((1 - x) * (1 + x)))
	}
	half := 2/(math.Pi*a) + float64(0.5*logarithm)
	root := math.Sqrt(float64(half*half) - logarithm/a)
	return math.Sqrt(-logarithm / a / (root + half))
}

// normalTail returns the probability that a standard normal number exceeds
// x >= 0.
func normalTail(x float64) exponential {
	tail := gaussian(erfcx(halfSqrt2Pair.mulFloat(x)), twoProduct(x, x).scale(0.5))
	tail.exponent--
	return tail
}

// Ndtr returns the standard normal distribution function of x, within 4 ulp.
func Ndtr(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < -2*erfcLimit:
		return 0
	case x > 9:
		return 1
	}
	return ndtr(x).value()
}

// ndtr is Ndtr without its limits; the magnitude of x is at most 60.
func ndtr(x float64) exponential {
	switch {
	case math.Abs(x) < 0.6:
		half := erfSmall(halfSqrt2Pair.mulFloat(x)).scale(0.5)
		return exponential{half.addFloat(0.5), 0}
	case x < 0:
		return normalTail(-x)
	}
	return exponential{twoSum(1, -normalTail(x).value()), 0}
}

// LogNdtr returns the logarithm of the standard normal distribution function
// of x, within 4 ulp.
func LogNdtr(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < -0x1p511:
		return float64(float64(-0.5*x) * x)
	case x <= -0.6:
		logarithm := logOf(0.5 * erfcx(halfSqrt2Pair.mulFloat(-x)))
		return logarithm.add(twoProduct(x, x).scale(-0.5)).value()
	case x < 0.6:
		return logPair(ndtr(x).pair).value()
	case x > 2*erfcLimit:
		return math.Copysign(0, -1)
	}
	return Log1p(-normalTail(x).value())
}

// Erfcx returns exp(x*x)*Erfc(x), within 4 ulp.
func Erfcx(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 0:
		return erfcx(pair{x, 0})
	case x < -erfcLimit:
		return math.Inf(1)
	}
	e := expPair(twoProduct(x, x))
	grown := e.scaleTo(e.exponent + 1)
	if grown.hi > math.MaxFloat64 {
		return grown.hi
	}
	return grown.addFloat(-erfcx(pair{-x, 0})).value()
}

// Ndtri returns the number whose standard normal distribution function is p, within 4 ulp: an infinity at 0 and 1, NaN
// outside [0, 1].
func Ndtri(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0 || p == 1:
		return math.Copysign(math.Inf(1), p-0.5)
	case p >= 0.25 && p <= 0.75:
		return halfSqrt2Pair.scale(2).mulFloat(Erfinv(2*p - 1)).value()
	}
	tail := min(p, 1-p)
	logarithm := logOf(tail)
	x := math.Sqrt(-2 * logarithm.hi)
	x -= (Log(x) + 0.9) / x
	for range 5 {
		// Newton's method for the logarithm of the tail.
		scaled := erfcx(halfSqrt2Pair.mulFloat(x))
		excess := logOf(0.5 * scaled).add(twoProduct(x, x).scale(-0.5)).add(logarithm.neg())
		step := float64(excess.value()*scaled) * math.Sqrt(math.Pi/2)
		x += step
		if math.Abs(step) < 0x1p-56*x {
			break
		}
	}
	return math.Copysign(x, p-0.5)
}
