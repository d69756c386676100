package text

import (
	"math"
	"strconv"
	"strings"
)

// What to do with zeros at the end of a fraction, in NumPy's letters.
const (
	keepZeros    = "k" // keep them, and add more up to the requested number of digits
	trimZeros    = "." // remove them, keep the point
	leaveOneZero = "0" // remove all but one after the point, or add it
	trimPoint    = "-" // remove them, and the point too if nothing follows it
)

// notation says how a single float is written.
type notation struct {
	precision  int // maximal number of digits, or none
	minDigits  int // minimal number of digits, or none
	unique     bool
	fractional bool // precision and minDigits count the digits after the point; else all (positional only)
	trim       string
	plus       bool // write the sign of positive numbers
	padLeft    int  // columns before the point, or none
	padRight   int  // columns after the point, or none (positional only)
	expDigits  int  // digits of the exponent, or none for two (scientific only)
}

// positional writes x as ddd.ddd.
func (n notation) positional(x float64, w floatWidth) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return n.nonFinite(x)
	}
	d := n.digits(x, w, n.fractional, n.precision, n.minDigits)
	sign := n.signOf(x)

	whole, fraction := "0", ""
	switch wholeDigits := d.exponent + 1; {
	case wholeDigits <= 0:
		fraction = strings.Repeat("0", -wholeDigits) + d.digits
	case wholeDigits >= len(d.digits):
		whole = d.digits + strings.Repeat("0", wholeDigits-len(d.digits))
	default:
		whole, fraction = d.digits[:wholeDigits], d.digits[wholeDigits:]
	}
	wanted := n.zeroFill()
	if !n.fractional {
		wanted -= len(whole)
	}
	fraction = n.finishFraction(fraction, wanted)
	point := "."
	if n.trim == trimPoint && fraction == "" {
		point = ""
		if n.padRight >= 0 {
			point = " "
		}
	}
	return padLeft(sign+whole, n.padLeft) + point + padRight(fraction, n.padRight)
}

// scientific writes x as d.ddde±dd.
func (n notation) scientific(x float64, w floatWidth) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return n.nonFinite(x)
	}
	d := n.digits(x, w, false, oneMore(n.precision), oneMore(n.minDigits))
	fraction := n.finishFraction(d.digits[1:], n.zeroFill())
	point := "."
	if n.trim == trimPoint && len(d.digits) == 1 {
		point = ""
	}
	return padLeft(n.signOf(x)+d.digits[:1], n.padLeft) + point + fraction + n.exponent(d.exponent)
}

// digits uses quickDigits unless the zeros at the end of the digits matter: usually they are cut off or filled up.
func (n notation) digits(x float64, w floatWidth, fractional bool, most, least int) decimal {
	limits := digitLimits{unique: n.unique, fractional: fractional, most: most, least: least}
	limited := most != none || least != none
	zerosMatter := limited && (n.trim == trimPoint || // zeros decide whether there is a point
		n.trim == keepZeros && n.unique && least < most || // zeros are not filled up to most
		!n.fractional) // filling counts the zero before the point
	if zerosMatter {
		return exactDigits(math.Abs(x), w, limits)
	}
	return quickDigits(math.Abs(x), w, limits)
}

// zeroFill returns the number of digits up to which zeros are added to a fraction.
func (n notation) zeroFill() int {
	if n.unique {
		return max(n.minDigits, 0)
	}
	return max(n.precision, 0)
}

func (n notation) finishFraction(fraction string, wanted int) string {
	if n.trim == keepZeros {
		return fraction + strings.Repeat("0", max(0, wanted-len(fraction)))
	}
	fraction = strings.TrimRight(fraction, "0")
	if n.trim == leaveOneZero && fraction == "" {
		return "0"
	}
	return fraction
}

func (n notation) exponent(e int) string {
	sign, digits := "+", ""
	if e < 0 {
		sign = "-"
		e = -e
	}
	if e > 0 {
		digits = strconv.Itoa(e)
	}
	wanted := n.expDigits
	if wanted == none {
		wanted = 2
	}
	return "e" + sign + strings.Repeat("0", max(0, wanted-len(digits))) + digits
}

func (n notation) signOf(x float64) string {
	switch {
	case math.Signbit(x):
		return "-"
	case n.plus:
		return "+"
	}
	return ""
}

// nonFinite writes nan, which has no sign, and infinities.
func (n notation) nonFinite(x float64) string {
	if math.IsNaN(x) {
		return "nan"
	}
	return n.signOf(x) + "inf"
}

func oneMore(count int) int {
	if count == none {
		return none
	}
	return count + 1
}

func padRight(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-len(s)))
}
