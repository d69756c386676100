package scalar

import (
	"math"
	"math/bits"
)

// reduceQuarter returns r and quadrant with x = r + (quadrant + 4n) * pi/2 and
// |r| up to pi/4, r to at least 65 bits, for a finite x.
func reduceQuarter(x float64) (r pair, quadrant int) {
	magnitude := math.Abs(x)
	switch {
	case magnitude <= math.Pi/4:
		return pair{x, 0}, 0
	case magnitude >= 1<<20:
		r, quadrant = reduceHuge(magnitude)
		if x < 0 {
			return r.neg(), -quadrant & 3
		}
		return r, quadrant
	}
	// The first three parts of pi/2 have few enough bits that their products
	// with quarters are exact; all four have 157 bits.
	const (
		part1 = 0x1.921fb544p+0
		part2 = 0x1.0b4611a6p-34
		part3 = 0x1.3198a2ep-69
		part4 = 0x1.b839a252049c1p-104
	)
	quarters := math.RoundToEven(float64(x * (2 / math.Pi)))
	r = twoSum(x-float64(quarters*part1), -float64(quarters*part2))
	r = r.add(twoSum(-float64(quarters*part3), -float64(quarters*part4)))
	return r, int(quarters) & 3
}

// reduceHuge is reduceQuarter by Payne and Hanek's method: it uses only those digits of 2/pi that determine the
// fraction of x*2/pi.
func reduceHuge(x float64) (r pair, quadrant int) {
	b := math.Float64bits(x)
	mantissa := b&(1<<52-1) | 1<<52
	exponent := int(b>>52) - 1075
	// The bits of 2/pi from weight 2**(1-exponent) down: the bits above give multiples of 4 quarters. The table's first
	// word is before the point.
	position := 64 + exponent - 2
	word, shift := position>>6, uint(position&63)
	var digits [3]uint64
	for i := range digits {
		digits[i] = twoOverPi[word+i]<<shift | twoOverPi[word+i+1]>>1>>(63-shift)
	}
	hi1, low := bits.Mul64(mantissa, digits[2])
	hi2, lo2 := bits.Mul64(mantissa, digits[1])
	middle, carry := bits.Add64(lo2, hi1, 0)
	top := mantissa*digits[0] + hi2 + carry
	// top:middle:low are quarters, with the point after two bits. Round to the nearest integer, leaving a signed
	// fraction.
	quadrant = int(top >> 62)
	top <<= 2
	top, middle, low = top|middle>>62, middle<<2|low>>62, low<<2
	negative := top>>63 == 1
	if negative {
		quadrant++
		var borrow uint64
		low, borrow = bits.Sub64(0, low, 0)
		middle, borrow = bits.Sub64(0, middle, borrow)
		top, _ = bits.Sub64(0, top, borrow)
	}
	scale := 1.0
	if top == 0 {
		top, middle, low, scale = middle, low, 0, 0x1p-64
	}
	zeros := uint(bits.LeadingZeros64(top))
	top = top<<zeros | middle>>1>>(63-zeros)
	middle = middle<<zeros | low>>1>>(63-zeros)
	scale *= math.Float64frombits(uint64(1023-64-int(zeros)) << 52)
	fraction := quickTwoSum(float64(top>>11<<11), float64(top&0x7ff)+float64(float64(middle>>11)*0x1p-53))
	r = fraction.scale(scale).mul(halfPiPair)
	if negative {
		r = r.neg()
	}
	return r, quadrant & 3
}

// sinSmall returns sin(r) to about 56 bits for |r| up to pi/4.
func sinSmall(r pair) pair {
	x := r.hi
	square := float64(x * x)
	p := float64(square*-0x1.ab17d37ab5989p-41) + 0x1.61217f0a95ad6p-33
	p = float64(square*p) - 0x1.ae645412c439p-26
	p = float64(square*p) + 0x1.71de3a546095p-19
	p = float64(square*p) - 0x1.a01a01a019938p-13
	p = float64(square*p) + 0x1.111111111111p-7
	p = float64(square*p) - 0x1.5555555555555p-3
	tail := float64(r.lo*(1-float64(0.5*square))) + float64(float64(square*x)*p)
	return quickTwoSum(x, tail)
}

// cosSmall returns cos(r) to about 58 bits for |r| up to pi/4.
func cosSmall(r pair) pair {
	x := r.hi
	square := twoProduct(x, x)
	s := square.hi
	p := float64(s*0x1.ab785a85cd5f2p-45) - 0x1.9394ba0c066f6p-37
	p = float64(s*p) + 0x1.1eed8deb9725fp-29
	p = float64(s*p) - 0x1.27e4fb7712d6p-22
	p = float64(s*p) + 0x1.a01a01a019d0ap-16
	p = float64(s*p) - 0x1.6c16c16c16c16p-10
	p = float64(s*p) + 0x1.5555555555555p-5
	sum := quickTwoSum(1, -float64(0.5*s))
	tail := float64(float64(s*s)*p) - float64(x*r.lo)
	return quickTwoSum(sum.hi, sum.lo+(tail-float64(0.5*square.lo)))
}

// sinCosPair returns the sine and cosine of a finite x.
func sinCosPair(x float64) (sin, cos pair) {
	r, quadrant := reduceQuarter(x)
	return sinCosQuadrant(r, quadrant)
}

// sinCosQuadrant returns the sine and cosine of r + quadrant*pi/2.
func sinCosQuadrant(r pair, quadrant int) (sin, cos pair) {
	sin, cos = sinSmall(r), cosSmall(r)
	switch quadrant {
	case 1:
		return cos, sin.neg()
	case 2:
		return sin.neg(), cos.neg()
	case 3:
		return cos.neg(), sin
	}
	return sin, cos
}

// sinCosPiPair returns the sine and cosine of pi*x for a finite x.
func sinCosPiPair(x float64) (sin, cos pair) {
	halves := math.RoundToEven(float64(2 * math.Mod(x, 2)))
	r := piPair.mulFloat(math.Mod(x, 2) - float64(0.5*halves))
	return sinCosQuadrant(r, int(halves)&3)
}

// Sin returns the sine of x radians.
func Sin(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x // keeps the sign of zero
	}
	if x-x != 0 {
		return math.NaN()
	}
	r, quadrant := reduceQuarter(x)
	var result pair
	if quadrant&1 == 0 {
		result = sinSmall(r)
	} else {
		result = cosSmall(r)
	}
	if quadrant&2 != 0 {
		return -result.value()
	}
	return result.value()
}

// Cos returns the cosine of x radians.
func Cos(x float64) float64 {
	if x-x != 0 {
		return math.NaN()
	}
	r, quadrant := reduceQuarter(x)
	var result pair
	if quadrant&1 == 0 {
		result = cosSmall(r)
	} else {
		result = sinSmall(r)
	}
	if quadrant == 1 || quadrant == 2 {
		return -result.value()
	}
	return result.value()
}

// SinCos returns Sin(x) and Cos(x).
func SinCos(x float64) (sin, cos float64) {
	if math.Abs(x) < 0x1p-27 {
		return x, 1
	}
	if x-x != 0 {
		return math.NaN(), math.NaN()
	}
	s, c := sinCosPair(x)
	return s.value(), c.value()
}

// Tan returns the tangent of x radians.
func Tan(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x // keeps the sign of zero
	}
	if x-x != 0 {
		return math.NaN()
	}
	sin, cos := sinCosPair(x)
	return sin.div(cos).value()
}

// Sinc returns sin(x)/x, and 1 at zero.
func Sinc(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-27:
		return 1
	case math.IsInf(x, 0):
		return 0
	case x != x:
		return x
	}
	sin, _ := sinCosPair(x)
	return sin.div(pair{x, 0}).value()
}

// SincPi returns NumPy's sinc, sin(pi*x)/(pi*x), and 1 at zero.
func SincPi(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-28:
		return 1
	case math.IsInf(x, 0):
		return 0
	case x != x:
		return x
	}
	sin, _ := sinCosPiPair(x)
	if math.Abs(x) > 0x1p53 {
		return 0 // an integer, and pi*x may overflow
	}
	return sin.div(piPair.mulFloat(x)).value()
}

// DegToRad returns x degrees in radians.
func DegToRad(x float64) float64 { return float64(x * (math.Pi / 180)) }

// RadToDeg returns x radians in degrees.
func RadToDeg(x float64) float64 { return float64(x * (180 / math.Pi)) }
