package text

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// none stands for an unlimited number of digits or columns.
const none = -1

// digitLimits says how many decimal digits of a number to produce.
type digitLimits struct {
	unique     bool // stop as soon as the digits identify the number in its format; else at the exact value
	fractional bool // most and least count digits after the decimal point; else all significant digits
	most       int  // or none
	least      int  // or none; for unique digits only
}

// decimal is the number d.ddd·10^exponent.
type decimal struct {
	digits   string
	exponent int
}

var zero = decimal{digits: "0"}

// quickDigits returns the digits of a finite x >= 0. It equals exactDigits except that it may have more or fewer zeros
// at the end. It calls exactDigits for what strconv cannot do: the 16-bit formats, and the powers of two, whose lower
// neighbour is nearer than the upper one, so that the cut at the minimal number of digits is not always ordinary
// rounding.
func quickDigits(x float64, w floatWidth, limits digitLimits) decimal {
	if x == 0 {
		return zero
	}
	if w.bits < float32Width.bits || isPowerOfTwo(x) {
		return exactDigits(x, w, limits)
	}
	if !limits.unique {
		return roundedDigits(x, limits.fractional, limits.most)
	}
	bitSize := 64
	if w.bits == float32Width.bits {
		bitSize = 32
	}
	shortest := parseScientific(strconv.FormatFloat(x, 'e', -1, bitSize))
	count := len(shortest.digits)
	if limits.fractional {
		count -= shortest.exponent + 1
	}
	switch {
	case limits.most != none && count > limits.most:
		return roundedDigits(x, limits.fractional, limits.most)
	case limits.most != none && limits.least > limits.most:
		limits.least = limits.most
	}
	if limits.least != none && count < limits.least {
		return roundedDigits(x, limits.fractional, limits.least)
	}
	return shortest
}

func isPowerOfTwo(x float64) bool {
	fraction, _ := math.Frexp(x)
	return fraction == 0.5
}

// roundedDigits rounds the exact value of x to count digits, half to even.
func roundedDigits(x float64, fractional bool, count int) decimal {
	if !fractional {
		return parseScientific(strconv.FormatFloat(x, 'e', max(count, 1)-1, 64))
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', count, 64), ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return zero
	}
	return decimal{digits, len(digits) - len(fraction) - 1}
}

// parseScientific reads d.ddde±dd.
func parseScientific(s string) decimal {
	mantissa, exp, _ := strings.Cut(s, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exponent, _ := strconv.Atoi(exp)
	return decimal{whole + fraction, exponent}
}

// exactDigits generates the digits of a finite x >= 0 one by one in integer arithmetic, after Steele and White, "How to
// print floating-point numbers accurately" (PLDI 1990), in NumPy's variant of the algorithm (Dragon4).
func exactDigits(x float64, w floatWidth, limits digitLimits) decimal {
	if x == 0 {
		return zero
	}
	g := newDigitGenerator(x, w, limits)
	last := math.MinInt // the largest exponent that the last digit may have
	if limits.most != none {
		last = g.cut(limits, limits.most)
	}
	enough := g.exponent // unique digits may end from this exponent on
	if limits.least != none {
		enough = min(enough, g.cut(limits, limits.least))
	}

	var digits []byte
	exponent := g.exponent
	first := exponent - 1
	for {
		exponent--
		digit := g.next()
		down, up := false, false // may the rest be dropped, or the digit be raised, without reaching another number?
		done := exponent == last
		if limits.unique {
			down, up = g.nearBelow(), g.nearAbove()
			done = done || (down || up) && exponent <= enough
		} else {
			done = done || g.rest.Sign() == 0
		}
		if !done {
			digits = append(digits, '0'+digit)
			continue
		}
		if down == up {
			down = g.roundsDown(digit)
		}
		if down {
			return decimal{string(append(digits, '0'+digit)), first}
		}
		return raise(append(digits, '0'+digit), first)
	}
}

// raise adds one to the last digit; nines at the end become zeros and are dropped.
func raise(digits []byte, exponent int) decimal {
	for len(digits) > 0 && digits[len(digits)-1] == '9' {
		digits = digits[:len(digits)-1]
	}
	if len(digits) == 0 {
		return decimal{"1", exponent + 1}
	}
	digits[len(digits)-1]++
	return decimal{string(digits), exponent}
}

// digitGenerator holds the rest of a number as the fraction rest/scale of the next digit's unit. The margins, over the
// same scale, are half the distances to the neighbouring numbers: every value within the margins reads back as the same
// number.
type digitGenerator struct {
	rest, scale           *big.Int
	marginBelow           *big.Int
	marginAbove           *big.Int
	marginsBelong         bool // reading rounds half to even: an even number includes its bounds
	exponent              int  // of the digit before the first
	quotient, sum, double big.Int
}

func newDigitGenerator(x float64, w floatWidth, limits digitLimits) *digitGenerator {
	mantissa, exp := w.decompose(x)
	shift := uint(max(exp, 0))
	g := &digitGenerator{
		rest:          new(big.Int).SetUint64(mantissa),
		scale:         big.NewInt(4),
		marginBelow:   big.NewInt(2),
		marginAbove:   big.NewInt(2),
		marginsBelong: mantissa%2 == 0,
	}
	if mantissa == 1<<(w.bits-1) && exp > w.minExponent {
		g.marginBelow.SetInt64(1) // below a power of two the numbers are twice as dense
	}
	g.rest.Lsh(g.rest, 2+shift)
	g.marginBelow.Lsh(g.marginBelow, shift)
	g.marginAbove.Lsh(g.marginAbove, shift)
	g.scale.Lsh(g.scale, uint(max(-exp, 0)))

	g.exponent = int(math.Floor(math.Log10(x))) // or off by one, corrected below
	g.raiseTo(g.exponent)
	for g.rest.Cmp(g.scale) >= 0 {
		g.scale.Mul(g.scale, ten)
		g.exponent++
	}
	for new(big.Int).Mul(g.rest, ten).Cmp(g.scale) < 0 {
		g.multiply(ten)
		g.exponent--
	}
	if limits.fractional && limits.most != none && g.exponent < 1-limits.most {
		// All digits are after the last one that is needed: begin with that one.
		g.scale.Mul(g.scale, powerOfTen(1-limits.most-g.exponent))
		g.exponent = 1 - limits.most
	}
	return g
}

var ten = big.NewInt(10)

func powerOfTen(n int) *big.Int {
	return new(big.Int).Exp(ten, big.NewInt(int64(n)), nil)
}

// raiseTo divides the number by 10^exponent.
func (g *digitGenerator) raiseTo(exponent int) {
	if exponent > 0 {
		g.scale.Mul(g.scale, powerOfTen(exponent))
	} else {
		g.multiply(powerOfTen(-exponent))
	}
}

func (g *digitGenerator) multiply(factor *big.Int) {
	g.rest.Mul(g.rest, factor)
	g.marginBelow.Mul(g.marginBelow, factor)
	g.marginAbove.Mul(g.marginAbove, factor)
}

// cut returns the exponent of the last of count digits.
func (g *digitGenerator) cut(limits digitLimits, count int) int {
	if limits.fractional {
		return -count
	}
	return g.exponent - count
}

// next advances by one digit.
func (g *digitGenerator) next() byte {
	g.multiply(ten)
	g.quotient.QuoRem(g.rest, g.scale, g.rest)
	return byte(g.quotient.Uint64())
}

// nearBelow reports whether the number still reads back the same without the rest.
func (g *digitGenerator) nearBelow() bool {
	order := g.rest.Cmp(g.marginBelow)
	return order < 0 || order == 0 && g.marginsBelong
}

// nearAbove reports whether the number still reads back the same with the next larger digit.
func (g *digitGenerator) nearAbove() bool {
	order := g.sum.Add(g.rest, g.marginAbove).Cmp(g.scale)
	return order > 0 || order == 0 && g.marginsBelong
}

// roundsDown reports whether the rest is less than half a unit, or exactly half and the digit even.
func (g *digitGenerator) roundsDown(digit byte) bool {
	order := g.double.Lsh(g.rest, 1).Cmp(g.scale)
	return order < 0 || order == 0 && digit%2 == 0
}
