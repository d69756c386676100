package text

import (
	"math"
	"strings"
)

// floatColumn describes how the floats of one array are written, so that all take the same number of columns.
type floatColumn struct {
	width          floatWidth
	sign           string
	nanStr, infStr string
	scientific     bool
	notation       notation // padLeft and padRight are the columns before and after the decimal point
}

// newFloatColumn examines all shown values: their range chooses the notation, their digits the number of columns.
func newFloatColumn(w floatWidth, values []float64, o Options, sign string) floatColumn {
	c := floatColumn{width: w, sign: sign, nanStr: o.nanStr(), infStr: o.infStr()}
	finite := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			finite = append(finite, v)
		}
	}

	c.notation = notation{precision: o.precision(), minDigits: none, unique: true, fractional: true, trim: trimZeros,
		plus: sign == "+", padLeft: none, padRight: none, expDigits: none}
	switch o.floatMode() {
	case unique:
		c.notation.precision = none
	case fixed:
		c.notation.unique, c.notation.trim = false, keepZeros
	}
	c.scientific = needsExponent(w, finite, o.Suppress)
	switch {
	case len(finite) == 0:
		c.notation.padLeft, c.notation.padRight = 0, 0
	case c.scientific:
		c.fitScientific(finite)
	default:
		c.fitPositional(finite, o.floatMode())
	}
	if sign == " " && !anyNegative(finite) {
		c.notation.padLeft++
	}
	if len(finite) < len(values) {
		c.fitNonFinite(values)
	}
	return c
}

// needsExponent chooses scientific notation if a column of positional numbers would be too wide or lose digits. Like
// NumPy, it compares in the element type: float32(1e-4) is not below the bound.
func needsExponent(w floatWidth, finite []float64, suppress bool) bool {
	smallest, largest := math.Inf(1), 0.0
	for _, v := range finite {
		if v != 0 {
			smallest = min(smallest, math.Abs(v))
			largest = max(largest, math.Abs(v))
		}
	}
	if largest == 0 {
		return false
	}
	if largest >= w.arrayBound {
		return true
	}
	return !suppress && (smallest < w.round(1e-4) || w.round(largest/smallest) > 1000)
}

// fitScientific gives all values as many digits as the longest needs.
func (c *floatColumn) fitScientific(values []float64) {
	left, fraction, exponent := 0, 0, 0
	for _, v := range values {
		mantissa, exp, _ := strings.Cut(c.notation.scientific(v, c.width), "e")
		whole, frac, _ := strings.Cut(mantissa, ".")
		left, fraction, exponent = max(left, len(whole)), max(fraction, len(frac)), max(exponent, len(exp)-1)
	}
	c.notation.trim = keepZeros
	c.notation.precision, c.notation.minDigits = fraction, fraction
	c.notation.expDigits = exponent
	c.notation.padLeft = left
	c.notation.padRight = exponent + 2 + fraction // the columns after the point; matters for nan and inf only
}

// fitPositional aligns the values at the decimal point.
func (c *floatColumn) fitPositional(values []float64, mode string) {
	left, right := 0, 0
	for _, v := range values {
		whole, frac, _ := strings.Cut(c.notation.positional(v, c.width), ".")
		left, right = max(left, len(whole)), max(right, len(frac))
	}
	c.notation.padLeft, c.notation.padRight = left, right
	if mode == fixed || mode == maxPrecEqual {
		c.notation.precision, c.notation.minDigits = right, right
		c.notation.trim = keepZeros
		return
	}
	c.notation.minDigits = 0
}

// fitNonFinite widens the column if nan or inf take more columns than the numbers. Room for the sign of an infinity is
// kept even if only nan occurs.
func (c *floatColumn) fitNonFinite(values []float64) {
	infinity := width(c.infStr)
	if c.sign != "-" || anyNegativeInfinity(values) {
		infinity++
	}
	right := c.notation.padRight + 1
	c.notation.padLeft = max(c.notation.padLeft, width(c.nanStr)-right, infinity-right)
}

// text writes one value of the column.
func (c *floatColumn) text(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return padLeft(c.nonFinite(v), c.notation.padLeft+c.notation.padRight+1)
	case c.scientific:
		return c.notation.scientific(v, c.width)
	}
	return c.notation.positional(v, c.width)
}

func (c *floatColumn) nonFinite(v float64) string {
	sign := ""
	if c.sign == "+" {
		sign = "+"
	}
	switch {
	case math.IsNaN(v):
		return sign + c.nanStr
	case v < 0:
		return "-" + c.infStr
	}
	return sign + c.infStr
}

func anyNegative(values []float64) bool {
	for _, v := range values {
		if math.Signbit(v) {
			return true
		}
	}
	return false
}

func anyNegativeInfinity(values []float64) bool {
	for _, v := range values {
		if math.IsInf(v, -1) {
			return true
		}
	}
	return false
}
