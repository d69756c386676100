package scalar

import "math"

// A pair is the unevaluated sum hi+lo of two float64 values; lo is at most about half a unit in the last place of hi. A
// pair has some 106 bits of precision.
type pair struct{ hi, lo float64 }

var (
	ln2Pair       = pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	halfPiPair    = pair{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}
	piPair        = pair{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}
	halfSqrt2Pair = pair{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}
)

// twoSum returns a+b exactly.
func twoSum(a, b float64) pair {
	sum := a + b
	bPart := sum - a
	return pair{sum, (a - (sum - bPart)) + (b - bPart)}
}

// quickTwoSum returns a+b exactly if |a| >= |b| or a is zero.
func quickTwoSum(a, b float64) pair {
	sum := a + b
	return pair{sum, b - (sum - a)}
}

// twoProduct returns a*b exactly, unless the error underflows.
func twoProduct(a, b float64) pair {
	product := float64(a * b)
	return pair{product, math.FMA(a, b, -product)}
}

func (a pair) value() float64 { return a.hi + a.lo }

func (a pair) neg() pair { return pair{-a.hi, -a.lo} }

// scale multiplies by a power of two.
func (a pair) scale(power float64) pair {
	return pair{float64(a.hi * power), float64(a.lo * power)}
}

// scaleTo multiplies by 2**exponent, which may overflow or underflow.
func (a pair) scaleTo(exponent int) pair {
	if high := scaleByPower(a.hi, exponent); math.Abs(high) <= math.MaxFloat64 {
		return pair{high, scaleByPower(a.lo, exponent)}
	}
	return pair{scaleByPower(a.hi, exponent), 0}
}

func (a pair) add(b pair) pair {
	high, low := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	high = quickTwoSum(high.hi, high.lo+low.hi)
	return quickTwoSum(high.hi, high.lo+low.lo)
}

func (a pair) addFloat(b float64) pair {
	sum := twoSum(a.hi, b)
	return quickTwoSum(sum.hi, sum.lo+a.lo)
}

func (a pair) mul(b pair) pair {
	product := twoProduct(a.hi, b.hi)
	return quickTwoSum(product.hi, product.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a pair) mulFloat(b float64) pair {
	product := twoProduct(a.hi, b)
	return quickTwoSum(product.hi, product.lo+float64(a.lo*b))
}

func (a pair) square() pair {
	product := twoProduct(a.hi, a.hi)
	return quickTwoSum(product.hi, product.lo+float64(2*float64(a.hi*a.lo)))
}

func (a pair) div(b pair) pair {
	quotient := a.hi / b.hi
	rest := math.FMA(-quotient, b.hi, a.hi) + (a.lo - float64(quotient*b.lo))
	return quickTwoSum(quotient, rest/b.hi)
}

// sqrt needs a positive a.
func (a pair) sqrt() pair {
	root := math.Sqrt(a.hi)
	rest := math.FMA(-root, root, a.hi) + a.lo
	return quickTwoSum(root, rest/float64(2*root))
}

// polynomial evaluates coefficients[0] + coefficients[1]*x + ... at x.
func polynomial(coefficients []float64, x float64) float64 {
	last := len(coefficients) - 1
	sum := coefficients[last]
	for i := last - 1; i >= 0; i-- {
		sum = float64(sum*x) + coefficients[i]
	}
	return sum
}

// scaleByPower returns x times 2**exponent, rounded once.
func scaleByPower(x float64, exponent int) float64 {
	if exponent >= -1022 && exponent <= 1023 {
		return float64(x * math.Float64frombits(uint64(exponent+1023)<<52))
	}
	return math.Ldexp(x, exponent)
}
