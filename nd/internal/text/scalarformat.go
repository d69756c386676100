package text

import (
	"errors"
	"fmt"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// FloatFormat holds the arguments of NumPy's format_float_positional and format_float_scientific. The zero value writes
// the digits that make the value unique in its type.
type FloatFormat struct {
	Precision  *int   // maximal number of digits; nil means no limit
	MinDigits  *int   // minimal number of digits; nil means no minimum
	Unique     *bool  // stop at the digits that make the value unique; nil means true. False requires Precision
	Fractional *bool  // Precision and MinDigits count the digits after the point, not all; nil means true (Positional)
	Trim       string // zeros at the end: "k" (or "") keeps them, "." trims them, "0" trims all but one, "-" also trims the point
	Sign       bool   // write the sign of positive numbers
	PadLeft    *int   // minimal number of columns before the point
	PadRight   *int   // minimal number of columns after the point (Positional)
	ExpDigits  *int   // minimal number of exponent digits; nil means 2 (Scientific)
}

// Check returns an error about an illegal argument, or nil.
func (f FloatFormat) Check() error {
	for _, option := range []struct {
		name  string
		value *int
	}{
		{"Precision", f.Precision}, {"MinDigits", f.MinDigits},
		{"PadLeft", f.PadLeft}, {"PadRight", f.PadRight}, {"ExpDigits", f.ExpDigits},
	} {
		if option.value != nil && *option.value < 0 {
			return fmt.Errorf("option %s is %d, must be >= 0", option.name, *option.value)
		}
	}
	precision, least := orDefault(f.Precision, none), orDefault(f.MinDigits, none)
	switch {
	case !orDefault(f.Fractional, true) && precision == 0:
		return errors.New("option Precision must be greater than 0 if Fractional is false")
	case precision > 0 && least > precision:
		return fmt.Errorf("option MinDigits is %d, must be at most Precision, %d", least, precision)
	case !orDefault(f.Unique, true) && precision == none:
		return errors.New("option Precision must be given if Unique is false")
	}
	switch f.Trim {
	case "", keepZeros, trimZeros, leaveOneZero, trimPoint:
		return nil
	}
	return fmt.Errorf("option Trim is %q, must be one of \"k\", \".\", \"0\", \"-\"", f.Trim)
}

// Positional writes x, a value of the floating-point type d, as ddd.ddd.
func (f FloatFormat) Positional(d dtype.DType, x float64) string {
	return f.notation().positional(x, widthOf(d))
}

// Scientific writes x, a value of the floating-point type d, as d.ddde±dd.
func (f FloatFormat) Scientific(d dtype.DType, x float64) string {
	return f.notation().scientific(x, widthOf(d))
}

func (f FloatFormat) notation() notation {
	return notation{
		precision:  orDefault(f.Precision, none),
		minDigits:  orDefault(f.MinDigits, none),
		unique:     orDefault(f.Unique, true),
		fractional: orDefault(f.Fractional, true),
		trim:       orText(f.Trim, keepZeros),
		plus:       f.Sign,
		padLeft:    orDefault(f.PadLeft, none),
		padRight:   orDefault(f.PadRight, none),
		expDigits:  orDefault(f.ExpDigits, none),
	}
}
