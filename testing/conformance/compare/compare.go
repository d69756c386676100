// Package compare finds where an array differs from the wanted one, element by element, within a tolerance.
package compare

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Tolerance is the allowed difference from the golden result: |got - want| ≤ atol + rtol·|want|.
type Tolerance struct {
	RTol, ATol float64
	LastPlace  bool // allows one unit in the last place of the compared dtype
	DType      bool // the dtypes must match, unless got has the dtype Instead
	Instead    dtype.DType
}

// Compare returns nil, or an error that says where got differs from want. Integers and bools must be equal. NaN equals
// NaN, an infinity equals only itself, and -0 equals 0. Complex numbers are compared by the modulus of the difference.
func (tol Tolerance) Compare(got, want *nd.Array) error {
	if got == nil {
		return fmt.Errorf("got nothing, want an array of shape %v", want.Shape())
	}
	if !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Errorf("shape %v, want %v", got.Shape(), want.Shape())
	}
	if tol.DType && got.DType() != want.DType() && got.DType() != tol.Instead {
		return fmt.Errorf("dtype %s, want %s", got.DType(), want.DType())
	}
	if tol.LastPlace && want.DType().IsInexact() {
		tol.RTol = max(tol.RTol, dtype.Info(want.DType()).Eps)
	}
	g, w := ElementsOf(got), ElementsOf(want)
	first, bad := -1, 0
	for i := range want.Size() {
		if !tol.Same(g, w, i) {
			if bad++; first < 0 {
				first = i
			}
		}
	}
	if bad == 0 {
		return nil
	}
	others := ""
	if bad > 1 {
		others = fmt.Sprintf(" (%d of %d differ)", bad, want.Size())
	}
	return fmt.Errorf("%s is %s, want %s%s", Position(first, want.Shape()), g.Text(first), w.Text(first), others)
}

// Identical returns nil, or an error that says where got differs from want. Dtypes and shapes must match, and elements bit
// for bit, except that all NaNs are equal.
func Identical(got, want *nd.Array) error {
	if err := (Tolerance{DType: true}).Compare(got, want); err != nil {
		return err
	}
	if !ElementsOf(got).Identical(ElementsOf(want)) {
		return fmt.Errorf("the signs of zeros differ")
	}
	return nil
}

// Same compares element i. If want holds integers, a float must hold exactly that integer.
func (tol Tolerance) Same(g, w Elements, i int) bool {
	if w.isInteger() {
		if g.isInteger() {
			return sameInteger(g, w, i)
		}
		return g.ComplexAt(i) == w.ComplexAt(i)
	}
	a, b := g.ComplexAt(i), w.ComplexAt(i)
	if g.Complexes == nil && w.Complexes == nil {
		return tol.Close(real(a), real(b))
	}
	if Finite(a) && Finite(b) {
		return cmplx.Abs(a-b) <= tol.ATol+tol.RTol*cmplx.Abs(b)
	}
	return tol.Close(real(a), real(b)) && tol.Close(imag(a), imag(b))
}

// Close compares real numbers.
func (tol Tolerance) Close(got, want float64) bool {
	switch {
	case math.IsNaN(want) || math.IsNaN(got):
		return math.IsNaN(want) && math.IsNaN(got)
	case math.IsInf(want, 0) || math.IsInf(got, 0):
		return got == want
	}
	return math.Abs(got-want) <= tol.ATol+tol.RTol*math.Abs(want)
}

func Finite(z complex128) bool { return !cmplx.IsNaN(z) && !cmplx.IsInf(z) }

// Text formats element i.
func (e Elements) Text(i int) string {
	switch {
	case e.Signed != nil:
		return strconv.FormatInt(e.Signed[i], 10)
	case e.unsigned != nil:
		return strconv.FormatUint(e.unsigned[i], 10)
	case e.Floats != nil:
		return strconv.FormatFloat(e.Floats[i], 'g', -1, 64)
	}
	return strconv.FormatComplex(e.Complexes[i], 'g', -1, 128)
}

// Position formats the index of flat element i.
func Position(i int, shape []int) string {
	index := make([]string, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		index[k] = strconv.Itoa(i % shape[k])
		i /= shape[k]
	}
	return "element [" + strings.Join(index, ",") + "]"
}
