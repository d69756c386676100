package text

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// floatWidth holds the properties of a floating-point format that printing needs. Digits are unique among the numbers
// of the format.
type floatWidth struct {
	bits        int     // of the mantissa, the hidden one included
	minExponent int     // the smallest positive number is 2^minExponent
	arrayBound  float64 // an array that reaches this bound is printed in scientific notation
	scalarBound float64 // a scalar that reaches this bound is printed in scientific notation
}

// The bounds are ten to the number of decimal digits that the format always holds (NumPy's finfo.precision), except for
// float64.
var (
	bfloat16Width = floatWidth{bits: 8, minExponent: -133, arrayBound: 1e2, scalarBound: 1e2}
	float16Width  = floatWidth{bits: 11, minExponent: -24, arrayBound: 1e3, scalarBound: 1e3}
	float32Width  = floatWidth{bits: 24, minExponent: -149, arrayBound: 1e6, scalarBound: 1e6}
	float64Width  = floatWidth{bits: 53, minExponent: -1074, arrayBound: 1e8, scalarBound: 1e16}
)

func widthOf(d dtype.DType) floatWidth {
	switch d {
	case dtype.BFloat16:
		return bfloat16Width
	case dtype.Float16:
		return float16Width
	case dtype.Float32:
		return float32Width
	case dtype.Float64:
		return float64Width
	}
	panic(fmt.Sprintf("text: %v is not a floating-point type", d))
}

// round rounds x to the precision of the format, half to even. It ignores the range: it is for comparisons with numbers
// well inside the range.
func (w floatWidth) round(x float64) float64 {
	if math.IsInf(x, 0) {
		return x
	}
	fraction, exponent := math.Frexp(x)
	return math.Ldexp(math.RoundToEven(math.Ldexp(fraction, w.bits)), exponent-w.bits)
}

// decompose returns m and e with x = m·2^e for a positive number x of the format; e is the exponent of the last
// mantissa bit.
func (w floatWidth) decompose(x float64) (mantissa uint64, exponent int) {
	_, exponent = math.Frexp(x)
	exponent = max(exponent-w.bits, w.minExponent)
	return uint64(math.Ldexp(x, -exponent)), exponent
}
