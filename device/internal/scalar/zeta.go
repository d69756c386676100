package scalar

import "math"

// eulerMaclaurin holds B(2j)/(2j)!, where B are Bernoulli's numbers.
var eulerMaclaurin = [14]float64{
	0x1.5555555555555p-4, -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15, -0x1.bbd779334ef0bp-21,
	0x1.66a8f2bf70ebep-26, -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37, -0x1.7da4e1f79955cp-42,
	0x1.355871d652e9ep-47, -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58, -0x1.497d9033a2b5cp-63,
	0x1.0b132d7c6ad06p-68, -0x1.b0f72d59f1c16p-74,
}

// hurwitz returns the sum of (q/(q+k))**s over all k >= 0, for s > 1 and a
// positive q: q**s times Hurwitz' zeta function.
func hurwitz(s float64, q pair) pair {
	var sum pair
	x, limit := q, max(shiftLimit, s)
	power := pair{1, 0}
	for k := 0; x.hi < limit && k < 1000; k++ { // far fewer steps, unless s is huge
		sum = sum.add(power)
		if power.hi < 0x1p-60*sum.hi {
			return sum
		}
		x = x.addFloat(1)
		power = ratioPower(q, x, s)
	}
	// The rest by Euler and Maclaurin: x/(s-1) + 1/2 + sum of
	// B(2j)/(2j)! * s*(s+1)*...*(s+2j-2) / x**(2j-1).
	var series float64
	factor := s / x.hi
	for j, b := range eulerMaclaurin {
		term := float64(b * factor)
		series += term
		if math.Abs(term) < 0x1p-60 {
			break
		}
		k := s + float64(2*j)
		factor = float64(float64(factor*((k+1)/x.hi)) * ((k + 2) / x.hi))
	}
	tail := x.div(twoSum(s, -1)).addFloat(0.5).addFloat(series)
	return sum.add(power.mul(tail))
}

// ratioPower returns (a/b)**s for positive a <= b and s > 0.
func ratioPower(a, b pair, s float64) pair {
	ratio := a.div(b)
	if s > 64 || s != math.Trunc(s) {
		if ratio.hi < 0x1p-500 {
			return pair{}
		}
		logarithm := logPair(ratio)
		if float64(logarithm.hi*s) < -800 {
			return pair{}
		}
		e := expPair(logarithm.mulFloat(s))
		return e.pair.scaleTo(e.exponent)
	}
	power := pair{1, 0}
	for n := int(s); n > 0; n >>= 1 {
		if n&1 == 1 {
			power = power.mul(ratio)
		}
		ratio = ratio.square()
	}
	return power
}

// zetaTimes returns e**factor times Hurwitz' zeta function, for s > 1 and a
// positive finite q.
func zetaTimes(factor pair, s float64, q pair) pair {
	logarithm := logOf(q.hi)
	if q.lo != 0 {
		logarithm = logPair(q)
	}
	if power := factor.hi - float64(logarithm.hi*s); power < -exponentLimit {
		return pair{}
	} else if power > exponentLimit {
		return pair{math.Inf(1), 0}
	}
	e := expPair(factor.add(logarithm.mulFloat(-s)))
	return e.mul(hurwitz(s, q)).scaleTo(e.exponent)
}

// zetaOf returns e**factor times Hurwitz' zeta function for s > 1: an infinity
// at 0 and whole numbers below, NaN at other numbers below unless s is whole.
func zetaOf(factor pair, s, q float64) float64 {
	switch {
	case q <= 0 && q == math.Trunc(q):
		return math.Inf(1)
	case math.IsInf(q, 1):
		return 0
	case q > 0:
		return zetaTimes(factor, s, pair{q, 0}).value()
	case s != math.Trunc(s):
		return math.NaN()
	}
	// The terms below zero form a sum, too, whose beginning is left out.
	f := math.Floor(q)
	part := twoSum(q, -f)
	right, left := zetaTimes(factor, s, part), zetaTimes(factor, s, pair{1, 0}.add(part.neg()))
	if right.hi > math.MaxFloat64 || left.hi > math.MaxFloat64 {
		if isOdd(s) {
			return right.hi - left.hi
		}
		return math.Inf(1)
	}
	left = left.add(zetaTimes(factor, s, twoSum(1, -q)).neg())
	if isOdd(s) {
		left = left.neg()
	}
	return right.add(left).value()
}

// Zeta returns Hurwitz' zeta function, the sum of (q+k)**-s over all k >= 0,
// within 4 ulp or, near its roots at negative q, 2 ulp of the largest
// intermediate: an infinity at s = 1 and where q is zero or a negative whole
// number, NaN for s below 1, and for a negative q unless s is whole.
func Zeta(s, q float64) float64 {
	switch {
	case s != s || q != q || s < 1:
		return math.NaN()
	case math.IsInf(s, 0): // the limit: the largest term decides
		switch {
		case q > 1:
			return 0
		case q == 1:
			return 1
		case q > 0 || q == math.Trunc(q):
			return math.Inf(1)
		}
		return math.NaN()
	case s == 1:
		return math.Inf(1)
	}
	return zetaOf(pair{}, s, q)
}

// Polygamma returns the nth derivative of Digamma at x, within 4 ulp or, near
// its roots, 2 ulp of the largest intermediate: NaN unless n is a whole number
// that is not negative, and (-1)**(n+1) times infinity at zero and negative
// whole numbers.
func Polygamma(n, x float64) float64 {
	switch {
	case x != x || n < 0 || n != math.Trunc(n) || math.IsInf(n, 0):
		return math.NaN()
	case n == 0:
		return Digamma(x)
	case n == 1 && (x > 0 || x != math.Trunc(x)):
		return Trigamma(x)
	}
	sign := -1.0
	if isOdd(n) {
		sign = 1
	}
	return float64(sign * zetaOf(lgammaPair(pair{n + 1, 0}), n+1, x))
}
