package nd

import (
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// TrimMode says what happens to the zeros at the end of a number.
type TrimMode string

const (
	TrimNone   TrimMode = "k" // they stay
	TrimZeros  TrimMode = "." // they go
	TrimButOne TrimMode = "0" // all but one go
	TrimPoint  TrimMode = "-" // they go, and so does the point
)

// FloatFormat holds the arguments of NumPy's format_float_positional and format_float_scientific. The zero value writes
// the digits that make a number unique in its type.
type FloatFormat struct {
	Precision  *int     // maximal number of digits; nil means no limit
	MinDigits  *int     // minimal number of digits; nil means no minimum
	Unique     *bool    // stop at the digits that make the value unique; nil means true. False requires Precision
	Fractional *bool    // Precision and MinDigits count the digits after the point, not all; nil means true (Positional)
	Trim       TrimMode // what happens to the zeros at the end; "" means TrimNone
	Sign       bool     // write the sign of positive numbers
	PadLeft    *int     // minimal number of columns before the point
	PadRight   *int     // minimal number of columns after the point (Positional)
	ExpDigits  *int     // minimal number of exponent digits; nil means 2 (Scientific)
}

// text returns the format for package text.
func (f FloatFormat) text() text.FloatFormat {
	return text.FloatFormat{Precision: f.Precision, MinDigits: f.MinDigits, Unique: f.Unique, Fractional: f.Fractional,
		Trim: string(f.Trim), Sign: f.Sign, PadLeft: f.PadLeft, PadRight: f.PadRight, ExpDigits: f.ExpDigits}
}

// ScalarRepr formats the only element of x as NumPy's repr writes a scalar, with its type: "np.float32(0.1)".
func (x *Array) ScalarRepr() string {
	if digits := x.integerDigits(); digits != "" {
		return digits
	}
	one := x.only("Array.ScalarRepr")
	return text.ScalarRepr(one.dtype, one.values("Array.ScalarRepr"))
}

// Positional formats the only element of x, a float, as ddd.ddd.
// NumPy: format_float_positional.
func (x *Array) Positional(f FloatFormat) string {
	const fn Func = "Array.Positional"
	dt, v := x.onlyFloat(fn, f)
	return f.text().Positional(dt, v)
}

// Scientific formats the only element of x, a float, as d.ddde±dd.
// NumPy: format_float_scientific.
func (x *Array) Scientific(f FloatFormat) string {
	const fn Func = "Array.Scientific"
	dt, v := x.onlyFloat(fn, f)
	return f.text().Scientific(dt, v)
}

// onlyFloat checks the arguments of a formatting function and returns the number.
func (x *Array) onlyFloat(fn Func, f FloatFormat) (dtype.DType, float64) {
	one := x.only(fn)
	if !one.dtype.IsFloat() {
		panic(fn.Errorf([]*Array{x}, "want a float"))
	}
	if err := f.text().Check(); err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	return one.dtype, one.values(fn).Floats[0]
}

// only returns x, and refuses an array that does not have exactly one element.
func (x *Array) only(fn Func) *Array {
	x.check(fn)
	if x.Size() != 1 {
		panic(fn.Errorf([]*Array{x}, "want an array of one element"))
	}
	return x
}
