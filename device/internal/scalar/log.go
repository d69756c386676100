package scalar

import "math"

// logPair returns the natural logarithm of a positive, normal x to about 68
// bits, also where it is close to zero.
func logPair(x pair) pair { return logParts(x, 0) }

// logParts returns the natural logarithm of x*2**exponent.
func logParts(x pair, exponent int) pair {
	// The mantissa m of x = m * 2**k is taken from [0.707, 1.414). The table has an entry for each of the 128 intervals
	// of this range, which contain equally many float64 values.
	const first = 0x3fe6a000_00000000
	bits := math.Float64bits(x.hi)
	offset := bits - first
	index := offset >> 45 & 127
	k := int(int64(offset) >> 52)
	mantissa := pair{math.Float64frombits(bits - offset&(0xfff<<52)), 0}
	if x.lo != 0 {
		mantissa.lo = scaleByPower(x.lo, -k)
	}
	inverse := logInverse[index]
	r := twoProduct(mantissa.hi, inverse)
	r = quickTwoSum(r.hi-1, r.lo+float64(mantissa.lo*inverse))
	const (
		ln2High = 0x1.62e42fefa38p-1 // k times this is exact
		ln2Low  = 0x1.ef35793c7673p-45
	)
	k += exponent
	whole := quickTwoSum(float64(float64(k)*ln2High), logTable[index].hi)
	whole.lo += logTable[index].lo + float64(float64(k)*ln2Low)
	rest := log1pSmall(r)
	sum := quickTwoSum(whole.hi, rest.hi)
	return quickTwoSum(sum.hi, sum.lo+(whole.lo+rest.lo))
}

// log1pSmall returns log(1+r) to about 68 bits for |r| up to 2**-7.
func log1pSmall(r pair) pair {
	x := r.hi
	tail := float64(x*(-1.0/10)) + 1.0/9
	tail = float64(x*tail) - 1.0/8
	tail = float64(x*tail) + 1.0/7
	tail = float64(x*tail) - 1.0/6
	tail = float64(x*tail) + 1.0/5
	tail = float64(x*tail) - 1.0/4
	tail = float64(x*tail) + 1.0/3
	square := r.square()
	tail = float64(float64(square.hi*x) * tail)
	sum := quickTwoSum(x, -float64(0.5*square.hi))
	return quickTwoSum(sum.hi, sum.lo+(tail+(r.lo-float64(0.5*square.lo))))
}

// log1pPair returns log(1+x) for x above -1 to about 68 bits.
func log1pPair(x pair) pair {
	if math.Abs(x.hi) < 0x1p-8 {
		return log1pSmall(x)
	}
	return logPair(x.addFloat(1))
}

// logOf returns log(x) for a positive finite x, subnormal or not.
func logOf(x float64) pair {
	if x < 0x1p-1022 {
		return logParts(pair{x * 0x1p54, 0}, -54)
	}
	return logPair(pair{x, 0})
}

// isLogEdge reports whether x is an argument that logEdge handles: zero, negative, infinite or NaN.
func isLogEdge(x float64) bool { return !(x > 0 && x <= math.MaxFloat64) }

func logEdge(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	return x
}

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	if isLogEdge(x) {
		return logEdge(x)
	}
	return logOf(x).value()
}

// Log2 returns the logarithm of x to base 2.
func Log2(x float64) float64 {
	if isLogEdge(x) {
		return logEdge(x)
	}
	fraction, exponent := math.Frexp(x)
	if fraction == 0.5 {
		return float64(exponent - 1)
	}
	// The integer part is added last, so that no digits are lost.
	if fraction < math.Sqrt2/2 {
		fraction, exponent = 2*fraction, exponent-1
	}
	log2e := pair{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}
	return logPair(pair{fraction, 0}).mul(log2e).addFloat(float64(exponent)).value()
}

// Log10 returns the logarithm of x to base 10.
func Log10(x float64) float64 {
	if isLogEdge(x) {
		return logEdge(x)
	}
	log10e := pair{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}
	return logOf(x).mul(log10e).value()
}

// Log1p returns log(1+x) without cancellation near 0.
func Log1p(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-54:
		return x // keeps the sign of zero
	case x <= -1 || isLogEdge(x+1):
		return logEdge(x + 1)
	}
	return log1pPair(pair{x, 0}).value()
}
