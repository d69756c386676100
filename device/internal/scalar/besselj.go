package scalar

import "math"

// BesselJ returns the Bessel function of the first kind and order n, within 4
// ulp or, near its roots, 2**-60 times the values around them: NaN unless n is
// a whole number up to 1000.
func BesselJ(n, x float64) float64 {
	order, ok := orderOf(n)
	switch {
	case !ok || x != x:
		return math.NaN()
	case math.IsInf(x, 0):
		return 0
	}
	y := besselJ(order, math.Abs(x)).value()
	if n < 0 { // J(-n, x) = J(n, -x)
		x = -x
	}
	return evenOrOdd(order, x, y)
}

// BesselY returns the Bessel function of the second kind and order n, within 4
// ulp or, near its roots, 2**-60 times the values around them: minus infinity
// at 0, NaN below, and unless n is a whole number up to 1000.
func BesselY(n, x float64) float64 {
	order, ok := orderOf(n)
	switch {
	case !ok || !(x >= 0):
		return math.NaN()
	case math.IsInf(x, 0):
		return 0
	}
	return evenOrOdd(order, n, besselY(order, x))
}

// seriesLimit is where the asymptotic series of J and Y take over.
const seriesLimit = 25

func besselJ(order int, x float64) pair {
	if x < seriesLimit || float64(order) >= x {
		if x < 0x1p-540 && order > 1 {
			return pair{}
		}
		sum, _ := besselSeries(order, twoProduct(0.5*x, -0.5*x))
		for k := 1; k <= order; k++ {
			sum = sum.mulFloat(0.5 * x).div(pair{float64(k), 0})
		}
		return sum
	}
	j0, _ := hankel(0, x)
	if order == 0 {
		return j0
	}
	j1, _ := hankel(1, x)
	return upward(order, j0, j1, pair{x, 0}, -1)
}

func besselY(order int, x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	var y0, y1 pair
	if x < seriesLimit {
		y0, y1 = besselYNear(x)
	} else {
		_, y0 = hankel(0, x)
		_, y1 = hankel(1, x)
	}
	if order == 0 {
		return y0.value()
	}
	return upward(order, y0, y1, pair{x, 0}, -1).value()
}

// besselYNear returns the functions with the orders 0 and 1 by their series.
func besselYNear(x float64) (y0, y1 pair) {
	twoOverPi := pair{2, 0}.div(piPair)
	if x < 0x1p-500 {
		y1 = pair{-twoOverPi.hi / x, 0}
	}
	square := twoProduct(0.5*x, -0.5*x)
	logarithm := logOf(0.5 * x).add(eulerGamma)
	sum, harmonic := besselSeries(0, square)
	y0 = sum.mul(logarithm).add(harmonic.scale(-0.5)).mul(twoOverPi)
	if y1.hi == 0 {
		sum, harmonic = besselSeries(1, square)
		y1 = sum.mul(logarithm).add(harmonic.scale(-0.5)).mulFloat(0.5 * x)
		y1 = y1.add(pair{-1, 0}.div(pair{x, 0})).mul(twoOverPi)
	}
	return y0, y1
}

// eulerGamma is Euler's constant.
var eulerGamma = pair{0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58}

// besselSeries returns n! times the sum of q**k/(k!*(n+k)!) over all k >= 0. For n up to 1, it also returns the same
// sum with the sum of the kth and the (n+k)th harmonic number as a factor of each term. q is x**2/4 with the sign of
// the series.
func besselSeries(n int, q pair) (sum, harmonic pair) {
	term, numbers := pair{1, 0}, pair{float64(n), 0}
	var largest float64
	for k := 1; ; k++ {
		sum = sum.add(term)
		harmonic = harmonic.add(term.mul(numbers))
		size := math.Abs(term.hi)
		largest = max(largest, size)
		if size <= 0x1p-110*largest {
			return sum, harmonic
		}
		low, high := pair{float64(k), 0}, pair{float64(n + k), 0}
		term = term.mul(q).div(pair{low.hi * high.hi, 0})
		numbers = numbers.add(pair{1, 0}.div(low)).add(pair{1, 0}.div(high))
	}
}

// hankel returns J and Y of order 0 or 1 for x from seriesLimit on.
func hankel(order int, x float64) (j, y pair) {
	p, q := pair{1, 0}, pair{}
	m, term, last := float64(4*order*order), pair{1, 0}, 1.0
	for k := 1; k < 60; k++ {
		odd := float64(2*k - 1)
		term = term.mulFloat(m - odd*odd).div(twoProduct(x, float64(8*k)))
		size := math.Abs(term.hi)
		if size < 0x1p-80 || size > last {
			break
		}
		last = size
		part := term
		if k&2 != 0 {
			part = term.neg()
		}
		if k&1 == 0 {
			p = p.add(part)
		} else {
			q = q.add(part)
		}
	}
	// The angle is x - (2*order+1)*pi/4; cos and sin are sqrt(2) times its cosine and sine.
	s, c := sinCosPair(x)
	cos, sin := c.add(s), s.add(c.neg())
	if order == 1 {
		cos, sin = sin, cos.neg()
	}
	root := piPair.mulFloat(scaledDown(x)).sqrt()
	if x > 0x1p500 {
		root = root.scale(0x1p250)
	}
	return p.mul(cos).add(q.mul(sin).neg()).div(root), p.mul(sin).add(q.mul(cos)).div(root)
}

// upward returns the function with the given order, computed from those with the orders 0 and 1 by f(k+1) = 2*k/x*f(k)
// + sign*f(k-1).
func upward(order int, before, f pair, x pair, sign float64) pair {
	for k := 1; k < order; k++ {
		next := f.mulFloat(float64(2 * k)).div(x).add(before.scale(sign))
		if next.hi-next.hi != 0 { // it has overflowed
			return pair{math.Copysign(math.Inf(1), f.hi), 0}
		}
		before, f = f, next
	}
	return f
}
