package scalar

import "math"

// maxOrder is the largest order of Bessel functions; beyond it they are NaN.
const maxOrder = 1000

// orderOf returns an integer order as it applies to a positive argument, for which functions with the orders n and -n
// differ at most in the sign.
func orderOf(n float64) (order int, ok bool) {
	n = math.Abs(n)
	if n != math.Trunc(n) || n > maxOrder {
		return 0, false
	}
	return int(n), true
}

// I0 returns the modified Bessel function of the first kind and order 0,
// within 2 ulp.
func I0(x float64) float64 {
	x = math.Abs(x)
	if x <= 12 {
		return i0Near(x).value()
	}
	if x-x != 0 {
		return x
	}
	e := expPair(pair{x, 0})
	e.pair = e.mulFloat(polynomial(i0Tail[:], 1/x)).div(pair{x, 0}.sqrt())
	return e.value()
}

// i0Near is I0 up to 12, in pairs, because an error of the argument grows
// tenfold.
func i0Near(x float64) pair {
	square := twoProduct(0.5*x, 0.5*x)
	var sum pair
	for k := len(i0Series) - 1; k >= 0; k-- {
		sum = sum.mul(square).addFloat(i0Series[k])
	}
	return sum
}

// i0Far is exp(-x)*I0(x) from 12 on.
func i0Far(x float64) pair { return pair{polynomial(i0Tail[:], 1/x), 0}.div(pair{x, 0}.sqrt()) }

// I1 returns the modified Bessel function of the first kind and order 1,
// within 4 ulp.
func I1(x float64) float64 {
	size := math.Abs(x)
	if x == 0 {
		return x
	}
	if size <= 12 {
		return i1Near(x).value()
	}
	if x-x != 0 {
		return x
	}
	e := expPair(pair{size, 0})
	e.pair = e.mulFloat(polynomial(i1Tail[:], 1/size)).div(pair{size, 0}.sqrt())
	return math.Copysign(e.value(), x)
}

// i1Near is I1 up to 12, as i0Near; the coefficients are divided by k+1.
func i1Near(x float64) pair {
	half := 0.5 * x
	square := twoProduct(half, half)
	var sum pair
	for k := len(i0Series) - 1; k >= 0; k-- {
		sum = sum.mul(square).addFloat(i0Series[k] / float64(k+1))
	}
	return sum.mulFloat(half)
}

// i1Far is exp(-x)*I1(x) from 12 on.
func i1Far(x float64) pair { return pair{polynomial(i1Tail[:], 1/x), 0}.div(pair{x, 0}.sqrt()) }

// BesselI returns the modified Bessel function of the first kind and order n,
// within 4 ulp: NaN unless n is a whole number up to 1000.
func BesselI(n, x float64) float64 {
	order, ok := orderOf(n)
	switch {
	case !ok || x != x:
		return math.NaN()
	case order == 0:
		return I0(x)
	case order == 1:
		return I1(x)
	}
	return evenOrOdd(order, x, besselI(order, math.Abs(x), false))
}

// BesselIE returns exp(-|x|) times BesselI, within 4 ulp.
func BesselIE(n, x float64) float64 {
	order, ok := orderOf(n)
	if !ok || x != x {
		return math.NaN()
	}
	return evenOrOdd(order, x, besselI(order, math.Abs(x), true))
}

// evenOrOdd returns y, the value at |x|, with the sign that the function has at x.
func evenOrOdd(order int, x, y float64) float64 {
	if order&1 == 1 && math.Signbit(x) {
		return -y
	}
	return y
}

// besselI returns BesselI or, scaled, BesselIE of x >= 0.
func besselI(order int, x float64, scaled bool) float64 {
	var y pair
	far := x > 12 // y is scaled
	square := float64(order) * float64(order)
	switch {
	case math.IsInf(x, 1):
		if scaled {
			return 0
		}
		return x
	case x < 0x1p-540 && order > 0: // the square is 0
		if order > 1 {
			return 0
		}
		return 0.5 * x
	case order == 0 && far:
		y = i0Far(x)
	case order == 0:
		y = i0Near(x)
	case order == 1 && far:
		y = i1Far(x)
	case order == 1:
		y = i1Near(x)
	case x >= max(25, square):
		y = hankelSum(order, x).div(piPair.mulFloat(2 * scaledDown(x)).sqrt())
		if x > 0x1p500 {
			y = y.scale(0x1p-250)
		}
	case far:
		y = besselRatios(order, x).mul(i0Far(x))
	default:
		y = besselRatios(order, x).mul(i0Near(x))
	}
	switch {
	case far == scaled:
		return y.value()
	case scaled:
		x = -x
	}
	e := expPair(pair{x, 0})
	e.pair = e.mul(y)
	return e.value()
}

// scaledDown divides numbers that are too large to be multiplied by pi.
func scaledDown(x float64) float64 {
	if x > 0x1p500 {
		return x * 0x1p-500
	}
	return x
}

// besselRatios returns I(n, x)/I(0, x), as the product of the ratios of functions with neighbouring orders: each ratio
// is a continued fraction without differences.
func besselRatios(order int, x float64) pair {
	var ratio pair
	product := pair{1, 0}
	for k := order + 10 + int(math.Sqrt(70*x)); k > 0; k-- {
		ratio = pair{1, 0}.div(pair{float64(2 * k), 0}.div(pair{x, 0}).add(ratio))
		if k <= order {
			product = product.mul(ratio)
		}
	}
	return product
}

// hankelSum returns the sum 1 - (m-1)/(8x) + (m-1)*(m-9)/(2!*(8x)**2) - ... with
// m = 4*order**2, for large x.
func hankelSum(order int, x float64) pair {
	m := float64(4 * order * order)
	sum, term := 0.0, 1.0
	for k := 1; k < 60 && math.Abs(term) > 0x1p-58; k++ {
		odd := float64(2*k - 1)
		term = -float64(term*((m-odd*odd)/float64(8*k))) / x
		sum += term
	}
	return pair{sum, 0}.addFloat(1)
}
