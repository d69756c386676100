package text

import "strings"

// complexFormat writes complex numbers as two columns of floats, the second always with a sign and followed by j.
func complexFormat(w floatWidth, values []complex128, o Options) func(i int) string {
	re, im := make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		re[i], im[i] = real(v), imag(v)
	}
	realColumn := newFloatColumn(w, re, o, o.sign())
	imagColumn := newFloatColumn(w, im, o, "+")
	return func(i int) string {
		imaginary := imagColumn.text(im[i])
		number := strings.TrimRight(imaginary, " ")
		padding := imaginary[len(number):]
		return realColumn.text(re[i]) + number + "j" + padding
	}
}
