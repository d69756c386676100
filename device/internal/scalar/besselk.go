package scalar

import "math"

// BesselK returns the modified Bessel function of the second kind and order n,
// within 4 ulp: infinity at 0, NaN below, and unless n is a whole number up to
// 1000.
func BesselK(n, x float64) float64 { return besselK(n, x, false) }

// BesselKE returns exp(x) times BesselK, within 4 ulp.
func BesselKE(n, x float64) float64 { return besselK(n, x, true) }

func besselK(n, x float64, scaled bool) float64 {
	order, ok := orderOf(n)
	switch {
	case !ok || !(x >= 0):
		return math.NaN()
	case x == 0:
		return math.Inf(1)
	case math.IsInf(x, 1):
		return 0
	}
	var k0, k1 pair
	near := x < 2 // the computed value is not scaled
	switch {
	case near:
		k0, k1 = besselKNear(x)
	case x < 25:
		k0, k1 = besselKIntegrals(x)
	default:
		root := piPair.div(pair{2 * scaledDown(x), 0}).sqrt()
		if x > 0x1p500 {
			root = root.scale(0x1p-250)
		}
		k0, k1 = root.mul(hankelSum(0, -x)), root.mul(hankelSum(1, -x))
	}
	y := k0
	if order > 0 {
		y = upward(order, k0, k1, pair{x, 0}, 1)
	}
	switch {
	case near != scaled || y.hi > math.MaxFloat64:
		return y.value()
	case !scaled:
		x = -x
	}
	e := expPair(pair{x, 0})
	e.pair = e.mul(y)
	return e.value()
}

// besselKNear returns the functions with the orders 0 and 1 by their series.
func besselKNear(x float64) (k0, k1 pair) {
	square := twoProduct(0.5*x, 0.5*x)
	logarithm := logOf(0.5 * x).add(eulerGamma)
	sum, harmonic := besselSeries(0, square)
	k0 = harmonic.scale(0.5).add(sum.mul(logarithm).neg())
	if x < 0x1p-500 {
		return k0, pair{1 / x, 0}
	}
	sum, harmonic = besselSeries(1, square)
	k1 = sum.mul(logarithm).add(harmonic.scale(-0.5)).mulFloat(0.5 * x)
	return k0, k1.add(pair{1, 0}.div(pair{x, 0}))
}

// besselKIntegrals returns exp(x) times the functions of the orders 0 and 1: the
// integrals of exp(-x*(cosh(t)-1)) and of that times cosh(t) over t > 0, by the
// trapezoidal rule, whose error is far below an ulp.
func besselKIntegrals(x float64) (k0, k1 pair) {
	k0 = pair{0.5, 0}
	var excess pair // of the ratio k1/k0
	for _, c := range coshSteps {
		e := expPair(twoProduct(-x, c))
		if e.exponent < -64 {
			break
		}
		weight := e.scaleTo(e.exponent)
		k0, excess = k0.add(weight), excess.add(weight.mulFloat(c))
	}
	return k0.scale(1.0 / 8), k0.add(excess).scale(1.0 / 8)
}
