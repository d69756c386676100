package scalar

import "math"

// An exponential is a positive number (hi+lo) * 2**exponent. The exponent is kept separately so that nothing overflows
// or loses digits before the last step.
type exponential struct {
	pair
	exponent int
}

func (e exponential) value() float64 { return scaleByPower(e.pair.value(), e.exponent) }

// Beyond this magnitude e**x is zero or infinite, also after any product with
// a finite number.
const exponentLimit = 3000

// expPair returns e**x to about 69 bits. Arguments beyond exponentLimit are clamped to it.
func expPair(x pair) exponential {
	if x.hi > exponentLimit {
		x = pair{exponentLimit, 0}
	} else if x.hi < -exponentLimit {
		x = pair{-exponentLimit, 0}
	}
	// x = steps*ln(2)/64 + r. The first two parts of the step have few
	// enough bits that their products with steps are exact.
	const (
		stepsPerUnit = 0x1.71547652b82fep+6
		step1        = 0x1.62e42feep-7
		step2        = 0x1.a39ef3578p-39
		step3        = 0x1.3c7673007e5edp-75
	)
	steps := math.RoundToEven(float64(x.hi * stepsPerUnit))
	r := twoSum(x.hi-float64(steps*step1), -float64(steps*step2))
	r = quickTwoSum(r.hi, r.lo+(x.lo-float64(steps*step3)))
	if !(math.Abs(r.hi) <= 1) {
		return exponential{pair{math.NaN(), 0}, 0}
	}
	return expSteps(int(steps), r)
}

// expSteps returns 2**(steps/64) * e**r for |r| up to ln(2)/128.
func expSteps(steps int, r pair) exponential {
	power := exp2Table[steps&63]
	grown := expm1Small(r)
	product := twoProduct(power.hi, grown.hi)
	sum := quickTwoSum(power.hi, product.hi)
	sum.lo += power.lo + (product.lo + (float64(power.hi*grown.lo) + float64(power.lo*grown.hi)))
	return exponential{quickTwoSum(sum.hi, sum.lo), steps >> 6}
}

// expm1Small returns e**r-1 to about 61 bits for |r| up to ln(2)/128.
func expm1Small(r pair) pair {
	x := r.hi
	tail := float64(x*(1.0/5040)) + 1.0/720
	tail = float64(x*tail) + 1.0/120
	tail = float64(x*tail) + 1.0/24
	tail = float64(x*tail) + 1.0/6
	square := float64(x * x)
	tail = float64(float64(square*x)*tail) + float64(0.5*square)
	return quickTwoSum(x, tail+(r.lo+float64(x*r.lo)))
}

// expm1Pair returns e**x-1 to about 61 bits; x must be below 700.
func expm1Pair(x pair) pair {
	if math.Abs(x.hi) < 0x1p-8 {
		return expm1Small(x)
	}
	if x.hi < -80 {
		return pair{-1, 0}
	}
	e := expPair(x)
	power := scaleByPower(1, e.exponent)
	return e.scale(power).addFloat(-1)
}

// Exp returns e**x.
func Exp(x float64) float64 { return expPair(pair{x, 0}).value() }

// Exp2 returns 2**x.
func Exp2(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	x = max(-exponentLimit, min(exponentLimit, x))
	steps := math.RoundToEven(float64(x * 64))
	return expSteps(int(steps), ln2Pair.mulFloat(x-float64(steps*0x1p-6))).value()
}

// Exp10 returns 10**x.
func Exp10(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	x = max(-exponentLimit, min(exponentLimit, x))
	ln10 := pair{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}
	return expPair(ln10.mulFloat(x)).value()
}

// Expm1 returns e**x-1 without cancellation near 0.
func Expm1(x float64) float64 {
	if math.Abs(x) < 0x1p-54 {
		return x // keeps the sign of zero
	}
	if x > 700 {
		return Exp(x)
	}
	return expm1Pair(pair{x, 0}).value()
}
