package conformance

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// tolerance is how far a result may be from the golden one: |got - want| ≤ atol + rtol·|want|.
type tolerance struct {
	rtol, atol float64
	lastPlace  bool // a difference in the last place of the compared dtype is allowed in any case
	dtype      bool // the dtypes must match
}

// toleranceOf returns a case's tolerance.
//
// Two kinds of cases hold values of NumPy's that are one float away from the nearest, with a tolerance that only those
// very values meet; the nearest float passes too: float32 functions stored as float64, whose tolerance is float64's, and
// powers in place, which are listed among exact arithmetic.
func toleranceOf(c *golden.Case) tolerance {
	const float32Eps = 1.0 / (1 << 23)
	tol := tolerance{rtol: c.RTol, atol: c.ATol, lastPlace: c.Function == "cupy.ndarray.__ipow__",
		dtype: strings.HasPrefix(c.Function, "cupy.") || strings.HasPrefix(c.Function, "numpy.")}
	if strings.HasPrefix(c.Note, "computed in float32") {
		tol.rtol = max(tol.rtol, float32Eps)
	}
	return tol
}

// compare says where got differs from want, or returns nil. Integers and bools must be equal; not-a-number equals
// itself, an infinity only itself, and -0 equals 0. Complex numbers are compared by the modulus of the difference.
func (tol tolerance) compare(got, want *nd.Array) error {
	if got == nil {
		return fmt.Errorf("nothing, want an array of shape %v", want.Shape())
	}
	if !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Errorf("shape %v, want %v", got.Shape(), want.Shape())
	}
	if tol.dtype && got.DType() != want.DType() {
		return fmt.Errorf("dtype %s, want %s", got.DType(), want.DType())
	}
	if tol.lastPlace && want.DType().IsInexact() {
		tol.rtol = max(tol.rtol, dtype.Info(want.DType()).Eps)
	}
	g, w := elementsOf(got), elementsOf(want)
	first, bad := -1, 0
	for i := range want.Size() {
		if !tol.same(g, w, i) {
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
	return fmt.Errorf("%s is %s, want %s%s", position(first, want.Shape()), g.text(first), w.text(first), others)
}

// same compares element i. Where integers are wanted, a float must hold that very integer.
func (tol tolerance) same(g, w elements, i int) bool {
	if w.isInteger() {
		if g.isInteger() {
			return sameInteger(g, w, i)
		}
		return g.complexAt(i) == w.complexAt(i)
	}
	a, b := g.complexAt(i), w.complexAt(i)
	if g.complexes == nil && w.complexes == nil {
		return tol.close(real(a), real(b))
	}
	if finite(a) && finite(b) {
		return cmplx.Abs(a-b) <= tol.atol+tol.rtol*cmplx.Abs(b)
	}
	return tol.close(real(a), real(b)) && tol.close(imag(a), imag(b))
}

// close compares real numbers.
func (tol tolerance) close(got, want float64) bool {
	switch {
	case math.IsNaN(want) || math.IsNaN(got):
		return math.IsNaN(want) && math.IsNaN(got)
	case math.IsInf(want, 0) || math.IsInf(got, 0):
		return got == want
	}
	return math.Abs(got-want) <= tol.atol+tol.rtol*math.Abs(want)
}

func finite(z complex128) bool { return !cmplx.IsNaN(z) && !cmplx.IsInf(z) }

// text writes element i.
func (e elements) text(i int) string {
	switch {
	case e.signed != nil:
		return strconv.FormatInt(e.signed[i], 10)
	case e.unsigned != nil:
		return strconv.FormatUint(e.unsigned[i], 10)
	case e.floats != nil:
		return strconv.FormatFloat(e.floats[i], 'g', -1, 64)
	}
	return strconv.FormatComplex(e.complexes[i], 'g', -1, 128)
}

// position writes the index of flat element i.
func position(i int, shape []int) string {
	index := make([]string, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		index[k] = strconv.Itoa(i % shape[k])
		i /= shape[k]
	}
	return "element [" + strings.Join(index, ",") + "]"
}
