package text

import (
	"math"
	"strconv"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Scalar writes a single value as NumPy's str does: with as many digits as its type needs, whatever the print options.
func Scalar(d dtype.DType, v Values) string {
	if d.IsComplex() {
		text, imaginaryOnly := complexScalar(v.Complexes[0], widthOf(d.Real()))
		if imaginaryOnly {
			return text
		}
		return "(" + text + ")"
	}
	return realScalar(d, v)
}

// ScalarRepr writes a single value as NumPy's repr does: with its type, as in np.float32(1.5).
func ScalarRepr(d dtype.DType, v Values) string {
	switch {
	case d.IsBool():
		return "np." + realScalar(d, v) + "_"
	case d.IsComplex():
		text, _ := complexScalar(v.Complexes[0], widthOf(d.Real()))
		return "np." + d.String() + "(" + text + ")"
	}
	return "np." + d.String() + "(" + realScalar(d, v) + ")"
}

func realScalar(d dtype.DType, v Values) string {
	switch {
	case d.IsBool() && v.Bools[0]:
		return "True"
	case d.IsBool():
		return "False"
	case d.IsSigned():
		return strconv.FormatInt(v.Ints[0], 10)
	case d.IsUnsigned():
		return strconv.FormatUint(v.Uints[0], 10)
	}
	return floatScalar(v.Floats[0], widthOf(d), leaveOneZero, false)
}

// floatScalar writes a float in the notation for its magnitude; trim chooses what follows the point of integers.
func floatScalar(x float64, w floatWidth, trim string, plus bool) string {
	n := notation{precision: none, minDigits: none, unique: true, fractional: true, trim: trim, plus: plus, padLeft: none, padRight: none,
		expDigits: none}
	if size := math.Abs(x); size == 0 || size >= 1e-4 && size < w.scalarBound {
		return n.positional(x, w)
	}
	n.trim = trimPoint
	return n.scientific(x, w)
}

// complexScalar writes both parts, or the imaginary one alone if the real one is +0.
func complexScalar(z complex128, w floatWidth) (text string, imaginaryOnly bool) {
	re, im := real(z), imag(z)
	if re == 0 && !math.Signbit(re) {
		return floatScalar(im, w, trimPoint, false) + "j", true
	}
	imaginary := floatScalar(im, w, trimPoint, true)
	if math.IsNaN(im) {
		imaginary = "+nan"
	}
	return floatScalar(re, w, trimPoint, false) + imaginary + "j", false
}
