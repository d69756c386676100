package scalar

import "math"

// I0 returns the modified Bessel function of the first kind and order 0,
// within 2 ulp.
func I0(x float64) float64 {
	x = math.Abs(x)
	if x <= 12 {
		// In pairs, because an error of the argument grows tenfold.
		square := twoProduct(0.5*x, 0.5*x)
		var sum pair
		for k := len(i0Series) - 1; k >= 0; k-- {
			sum = sum.mul(square).addFloat(i0Series[k])
		}
		return sum.value()
	}
	if x-x != 0 {
		return x
	}
	e := expPair(pair{x, 0})
	e.pair = e.mulFloat(polynomial(i0Tail[:], 1/x)).div(pair{x, 0}.sqrt())
	return e.value()
}
