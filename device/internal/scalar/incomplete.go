package scalar

import "math"

// For a beyond temmeLimit, and x within 30 % of a, the incomplete gamma functions are computed by Temme's expansion in
// powers of 1/a.
const temmeLimit = 200

// Gammainc returns the regularized lower incomplete gamma function P(a, x), within 4 ulp. It is NaN if a or x is
// negative, or if both are zero or both are infinite.
func Gammainc(a, x float64) float64 {
	lower, _ := incompleteGamma(a, x)
	return lower
}

// Gammaincc returns the regularized upper incomplete gamma function, Q(a, x) = 1 - P(a, x), within 4 ulp.
func Gammaincc(a, x float64) float64 {
	_, upper := incompleteGamma(a, x)
	return upper
}

// GammaDensity returns x**(a-1)*exp(-x)/Gamma(a), the derivative of Gammainc, within 4 ulp. It is 0 if a is zero or a
// negative integer.
func GammaDensity(a, x float64) float64 {
	switch {
	case a != a || !(x >= 0) || math.IsInf(a, 0) && math.IsInf(x, 0):
		return math.NaN()
	case math.IsInf(a, 0) || math.IsInf(x, 0):
		return 0
	case a <= 0 && (a == math.Trunc(a) || a < -maxOrder):
		return 0
	case x == 0:
		switch {
		case a > 1:
			return 0
		case a == 1:
			return 1
		}
		return math.Copysign(math.Inf(1), Gamma(a))
	}
	factor := pair{1, 0}
	for ; a <= 0; a++ { // Gamma(a) = Gamma(a+1)/a, and the power changes in the same way
		factor = factor.mulFloat(a).div(pair{x, 0})
	}
	e := gammaPower(a, x)
	e.pair = e.mul(factor).mulFloat(a).div(pair{x, 0})
	return e.value()
}

// gammaPower returns x**a*exp(-x)/Gamma(a+1) for positive finite numbers.
func gammaPower(a, x float64) exponential {
	if a < shiftLimit {
		logarithm := logOf(x).mulFloat(a).addFloat(-x)
		return expPair(logarithm.add(lgammaOnePlus(a).neg()))
	}
	// By Stirling's series: exp(-a*(u-log(1+u)))/sqrt(2*pi*a), where u is x/a-1.
	root := piPair.mulFloat(2 * scaledDown(a)).sqrt()
	if a > 0x1p500 {
		root = root.scale(0x1p250)
	}
	e := expPair(temmeExponent(a, x).add(pair{stirlingRest(a), 0}).neg())
	e.pair = e.div(root)
	return e
}

// temmeExponent returns a*(u-log(1+u)), where u is x/a-1.
func temmeExponent(a, x float64) pair {
	u := twoSum(x, -a).div(pair{a, 0})
	switch {
	case u.hi < -0.5:
		return u.add(logOf(x).add(logOf(a).neg()).neg()).mulFloat(a)
	case math.Abs(u.hi) > 0x1p-10:
		return u.add(log1pPair(u).neg()).mulFloat(a)
	}
	// u**2/2 - u**3/3 + ...
	series := pair{polynomial(log1pRest[:], u.hi), 0}
	return u.square().mul(u.mul(series).addFloat(0.5)).mulFloat(a)
}

// log1pRest has the coefficients of (u-log(1+u))/u**2 after the first one.
var log1pRest = [8]float64{-1. / 3, 1. / 4, -1. / 5, 1. / 6, -1. / 7, 1. / 8, -1. / 9, 1. / 10}

// stirlingRest returns log(Gamma(a+1)) - (a+1/2)*log(a) + a - log(2*pi)/2 for
// a from shiftLimit on.
func stirlingRest(a float64) float64 {
	inverse := 1 / a
	square := float64(inverse * inverse)
	sum := float64(square*-0x1.e4286cb0f5398p-6) + 0x1.a41a41a41a41ap-8
	sum = float64(square*sum) - 0x1.f6ab0d9993c7dp-10
	sum = float64(square*sum) + 0x1.b951e2b18ff23p-11
	sum = float64(square*sum) - 0x1.3813813813814p-11
	sum = float64(square*sum) + 0x1.a01a01a01a01ap-11
	sum = float64(square*sum) - 0x1.6c16c16c16c17p-9
	sum = float64(square*sum) + 1.0/12
	return float64(inverse * sum)
}

// lgammaOnePlus returns log(Gamma(1+a)) for a >= 0, exact near 0.
func lgammaOnePlus(a float64) pair {
	if a <= 1.0/16 {
		return pair{polynomial(lgammaNear1[:], a), 0}.mulFloat(a)
	}
	return lgammaPair(twoSum(1, a))
}

// incompleteGamma returns P and Q, each accurate where it is small.
func incompleteGamma(a, x float64) (lower, upper float64) {
	switch {
	case !(a >= 0 && x >= 0) || a == 0 && x == 0 || math.IsInf(a, 0) && math.IsInf(x, 0):
		return math.NaN(), math.NaN()
	case x == 0 || math.IsInf(a, 0):
		return 0, 1
	case a == 0 || math.IsInf(x, 0):
		return 1, 0
	}
	var small pair
	var isLower bool
	switch {
	case a >= temmeLimit && math.Abs(x-a) < 0.3*a:
		small, isLower = temme(a, x)
	case x < 1.1 && a < max(0.7*x, -0.4/Log(min(x, 0.5))):
		small = upperSeries(a, x)
	case x < a+1 || x < 1.1:
		small, isLower = lowerSeries(a, x), true
	default:
		small = upperFraction(a, x)
	}
	other := small.neg().addFloat(1).value()
	if isLower {
		return small.value(), other
	}
	return other, small.value()
}

// lowerSeries returns P by its power series.
func lowerSeries(a, x float64) pair {
	sum, term := pair{1, 0}, pair{1, 0}
	for k := 1; term.hi > 0x1p-60*sum.hi; k++ {
		term = term.mulFloat(x).div(twoSum(a, float64(k)))
		sum = sum.add(term)
	}
	e := gammaPower(a, x)
	return e.mul(sum).scaleTo(e.exponent)
}

// upperSeries returns Q for x up to 1.1 and a small a: 1 - x**a/Gamma(1+a), and that factor times the remaining terms
// of the power series.
func upperSeries(a, x float64) pair {
	logarithm := logOf(x).mulFloat(a).add(lgammaOnePlus(a).neg())
	power := expm1Pair(logarithm)
	var sum pair
	term := pair{1, 0}
	for k := 1; k < 30; k++ {
		term = term.mulFloat(-x).div(pair{float64(k), 0})
		sum = sum.add(term.mulFloat(a).div(twoSum(a, float64(k))))
	}
	return power.add(power.addFloat(1).mul(sum)).neg()
}

// upperFraction returns Q for x > a by Legendre's continued fraction, evaluated from its end: x+1-a - 1*(1-a)/(x+3-a -
// 2*(2-a)/(x+5-a - ...)).
func upperFraction(a, x float64) pair {
	terms := fractionTerms(a, x)
	base := twoSum(x, -a)
	fraction := base.addFloat(float64(2*terms + 1))
	for k := terms; k > 0; k-- {
		n := float64(k)
		part := twoSum(n, -a).mulFloat(n).div(fraction)
		fraction = base.addFloat(2*n - 1).add(part.neg())
	}
	e := gammaPower(a, x) // x**a*exp(-x)/Gamma(a+1)
	return e.mulFloat(a).div(fraction).scaleTo(e.exponent)
}

// fractionTerms returns the number of terms after which the fraction no longer changes, by Lentz' method.
func fractionTerms(a, x float64) int {
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	for k := 1; k < 5000; k++ {
		n := float64(k)
		factor := float64(-n * (n - a))
		b += 2
		if d = float64(factor*d) + b; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + factor/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		if math.Abs(float64(d*c)-1) < 0x1p-54 {
			return k + 2
		}
	}
	return 5000
}

// temme returns the smaller of P and Q, and which of them it is, for a large a and an x near a: the tail of a normal
// distribution plus a correction.
//
// N. M. Temme, The asymptotic expansion of the incomplete gamma functions, SIAM J. Math. Anal. 10 (1979).
func temme(a, x float64) (small pair, isLower bool) {
	square := temmeExponent(a, x)
	z := pair{}
	if square.hi > 0 {
		z = square.sqrt()
	}
	isLower = x < a
	eta := math.Sqrt2 * z.hi / math.Sqrt(a)
	if isLower {
		eta = -eta
	}
	var sum float64
	for k := len(temmeTable) - 1; k >= 0; k-- {
		sum = float64(sum/a) + polynomial(temmeTable[k][:], eta)
	}
	sum /= math.Sqrt(2*math.Pi) * math.Sqrt(a)
	if isLower {
		sum = -sum
	}
	e := gaussian(0.5*erfcx(z)+sum, square)
	return e.scaleTo(e.exponent), isLower
}
