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

// I1 returns the modified Bessel function of the first kind and order 1,
// within 4 ulp.
func I1(x float64) float64 {
	size := math.Abs(x)
	if x == 0 {
		return x
	}
	if size <= 12 {
		// As I0; the coefficients are divided by k+1.
		half := 0.5 * x
		square := twoProduct(half, half)
		var sum pair
		for k := len(i0Series) - 1; k >= 0; k-- {
			sum = sum.mul(square).addFloat(i0Series[k] / float64(k+1))
		}
		return sum.mulFloat(half).value()
	}
	if x-x != 0 {
		return x
	}
	e := expPair(pair{size, 0})
	e.pair = e.mulFloat(polynomial(i1Tail[:], 1/size)).div(pair{size, 0}.sqrt())
	return math.Copysign(e.value(), x)
}
