package text

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// floatWidth is what printing has to know of a floating-point format. Digits are unique among its numbers only.
type floatWidth struct {
	bits        int     // of the mantissa, the hidden one included
	minExponent int     // the smallest positive number is 2^minExponent
	arrayBound  float64 // an array that reaches it is printed in scientific notation
	scalarBound float64 // a scalar that reaches it is printed in scientific notation
}

// The bounds are ten to the number of decimal digits that the format surely holds (NumPy's finfo.precision), save for
// the wide float64.
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
	panic(fmt.Sprintf("text: %v is no floating-point type", d))
}

// round gives x the precision of the format, half to even. Its range is left alone: it serves for comparisons with
// numbers well inside.
func (w floatWidth) round(x float64) float64 {
	if math.IsInf(x, 0) {
		return x
	}
	fraction, exponent := math.Frexp(x)
	return math.Ldexp(math.RoundToEven(math.Ldexp(fraction, w.bits)), exponent-w.bits)
}

// decompose returns m and e with x = m·2^e for a positive number x of the format, e being that of the last mantissa bit.
func (w floatWidth) decompose(x float64) (mantissa uint64, exponent int) {
	_, exponent = math.Frexp(x)
	exponent = max(exponent-w.bits, w.minExponent)
	return uint64(math.Ldexp(x, -exponent)), exponent
}
