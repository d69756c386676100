package nd

import (
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// FloatFormat are the arguments of NumPy's format_float_positional and format_float_scientific; the zero value writes
// the digits that make a number unique in its type.
type FloatFormat struct {
	Precision  *int   // digits at most; nil means no limit
	MinDigits  *int   // digits at least; nil means no limit
	Unique     *bool  // stop at the digits that make the value unique; nil means true. False needs Precision
	Fractional *bool  // Precision and MinDigits count the digits after the point, not all; nil means true (Positional)
	Trim       string // zeros at the end: "k" (or "") keep, "." trim, "0" trim all but one, "-" trim with the point
	Sign       bool   // write the sign of positive numbers
	PadLeft    *int   // columns before the point at least
	PadRight   *int   // columns after the point at least (Positional)
	ExpDigits  *int   // digits of the exponent at least; nil means 2 (Scientific)
}

// ScalarRepr returns the only element of x as NumPy's repr writes a scalar, with its type: "np.float32(0.1)".
func (x *Array) ScalarRepr() string {
	if digits := x.integerDigits(); digits != "" {
		return digits
	}
	one := x.only("Array.ScalarRepr")
	return text.ScalarRepr(one.dtype, one.values("Array.ScalarRepr"))
}

// Positional returns the only element of x, a float, as ddd.ddd; numpy.format_float_positional.
func (x *Array) Positional(f FloatFormat) string {
	const fn Func = "Array.Positional"
	dt, v := x.onlyFloat(fn, f)
	return text.FloatFormat(f).Positional(dt, v)
}

// Scientific returns the only element of x, a float, as d.ddde±dd; numpy.format_float_scientific.
func (x *Array) Scientific(f FloatFormat) string {
	const fn Func = "Array.Scientific"
	dt, v := x.onlyFloat(fn, f)
	return text.FloatFormat(f).Scientific(dt, v)
}

// onlyFloat checks the arguments of a formatting function and returns the number.
func (x *Array) onlyFloat(fn Func, f FloatFormat) (dtype.DType, float64) {
	one := x.only(fn)
	if !one.dtype.IsFloat() {
		panic(fn.Errorf([]*Array{x}, "want a float"))
	}
	if err := text.FloatFormat(f).Check(); err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	return one.dtype, one.values(fn).Floats[0]
}

// only returns x, and refuses more or fewer elements than one.
func (x *Array) only(fn Func) *Array {
	x.check(fn)
	if x.Size() != 1 {
		panic(fn.Errorf([]*Array{x}, "want an array of one element"))
	}
	return x
}
