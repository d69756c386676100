package poly

import (
	"errors"
	"fmt"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// explained returns the panic value of a fit instead of a refusal, which it has recovered. If LstSq has refused the matrix
// of weighted powers, the result says what is wrong with the points or the weights.
func explained(refusal any, fn nd.Func, in []*nd.Array, x *nd.Array, deg int, w *nd.Array) any {
	e, ok := refusal.(*nd.Error)
	var matrix *device.MatrixError
	if !ok || !errors.As(e, &matrix) {
		return refusal
	}
	text := reasonOf(x, deg, w)
	if text == "" {
		return refusal
	}
	e = fn.Errorf(in, "%s", text)
	e.Err = matrix
	return e
}

// reasonOf says why the powers of points, divided by the norm of each power over all points, are not all finite.
func reasonOf(x *nd.Array, deg int, w *nd.Array) string {
	points, weights := hostNumbers(x), []complex128(nil)
	if w != nil {
		weights = hostNumbers(w)
	}
	for _, given := range []struct {
		name   string
		values []complex128
		dtype  dtype.DType
	}{{"x", points, x.DType()}, {"W", weights, dtype.Float64}} {
		for i, v := range given.values {
			if !finite(v) {
				return fmt.Sprintf("%s[%d] is %s: want finite numbers", given.name, i, number(v, given.dtype))
			}
		}
	}
	nonzero, weighted := 0, w == nil
	for i, v := range points {
		if v != 0 {
			nonzero++
		}
		weighted = weighted || weights[i] != 0
	}
	switch {
	case !weighted:
		return "all weights are 0"
	case nonzero == 0 && deg > 0:
		return fmt.Sprintf("all points are 0: they determine 1 of %d coefficients", deg+1)
	}
	return fmt.Sprintf("the points to the power %d, or their squares, leave the range of %s", deg, x.DType())
}

func finite(v complex128) bool { return !cmplx.IsNaN(v) && !cmplx.IsInf(v) }

// number returns the text of a number: a complex one with both parts.
func number(v complex128, dt dtype.DType) string {
	if dt.IsComplex() {
		return fmt.Sprint(v)
	}
	return fmt.Sprint(real(v))
}

func hostNumbers(x *nd.Array) []complex128 {
	return nd.ToSlice[complex128](x.Detach().AsType(dtype.Complex128))
}
