package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// wideRange is the exponent up to which numbers need no scaling: sums of products of two of them stay accurate.
const wideRange = 24

// bringToRange divides a matrix by a power of two if its largest element is very large or small, and returns the exponent.
// It reports whether all elements are finite.
func bringToRange[T blas.Number](a blas.Matrix[T]) (exponent int, finite bool) {
	largest := 0.0
	for i := range a.Rows {
		m := magnitude(a.Row(i))
		if !(m < math.Inf(1)) {
			return 0, false
		}
		largest = max(largest, m)
	}
	if _, exponent = math.Frexp(largest); largest == 0 || exponent > -wideRange && exponent < wideRange {
		return 0, true
	}
	for i := range a.Rows {
		scaleBy(a.Row(i), -exponent)
	}
	return exponent, true
}

// magnitude returns the largest absolute value of a part of a number; it returns NaN if there is an infinity or NaN.
func magnitude[T blas.Number](x []T) float64 {
	switch x := any(x).(type) {
	case []float32:
		return largestOf(x)
	case []float64:
		return largestOf(x)
	}
	largest := 0.0
	for _, v := range x {
		re, im := blas.Parts(v)
		largest = max(largest, math.Abs(re), math.Abs(im))
	}
	return largest
}

// largestOf returns the largest absolute value; it returns NaN if there is an infinity or NaN.
func largestOf[R float32 | float64](x []R) float64 {
	largest := 0.0
	for _, v := range x {
		size := math.Abs(float64(v))
		if size > largest {
			largest = size
		}
		if !(size <= math.MaxFloat64) {
			return math.NaN()
		}
	}
	return largest
}

// scaleToOne divides the numbers by the power of two that brings the largest to about 1, and returns its exponent.
func scaleToOne(parts ...[]float64) (exponent int) {
	largest := 0.0
	for _, x := range parts {
		largest = max(largest, largestOf(x))
	}
	if largest == 0 {
		return 0
	}
	_, exponent = math.Frexp(largest)
	for _, x := range parts {
		scaleBy(x, -exponent)
	}
	return exponent
}
