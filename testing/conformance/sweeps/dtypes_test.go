package sweeps

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// TestSweepDTypes converts all arguments of one dtype to every other dtype. The function must work, with the same
// result twice, or refuse; the reference device must do what the CPU does.
func TestSweepDTypes(t *testing.T) {
	ref := mustDevice(t, "ref")
	sweep(t, func(s *subject) error {
		for _, from := range s.dtypes() {
			for to := dtype.Bool; to < dtype.Count; to++ {
				how := setting{edit: func(_ string, x *nd.Array) *nd.Array {
					if x.DType() == from {
						return x.AsType(to)
					}
					return x
				}}
				got := s.call(how)
				if err := s.differs(s.call(how), got, identical); err != nil {
					return fmt.Errorf("%s instead of %s, called twice: %w", to, from, err)
				}
				how.device = ref
				if err := s.differs(s.call(how), got, s.deviceComparer(to)); err != nil {
					return fmt.Errorf("%s instead of %s, ref against cpu: %w", to, from, err)
				}
			}
		}
		return nil
	})
}

// dtypes lists the dtypes of the array arguments.
func (s *subject) dtypes() []dtype.DType {
	var types []dtype.DType
	for _, path := range s.plain.paths {
		if t := s.plain.args[path].DType(); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// anyContent are the functions whose results are not fully determined.
var anyContent = map[string]string{
	"cupy.empty":           "is not filled",
	"cupy.empty_like":      "is not filled",
	"cupy.ndarray":         "is not filled",
	"cupy.linalg.qr":       "columns beyond the rank are arbitrary orthonormal vectors",
	"cupy.linalg.svd":      "vectors of equal singular values are arbitrary in their space",
	"numpy.linalg.eig":     "vectors of equal eigenvalues are arbitrary in their space",
	"numpy.linalg.eigvals": "either of a conjugate pair may come first",
	"numpy.linalg.eigh":    "vectors of equal eigenvalues are arbitrary in their space",
	"numpy.linalg.cond":    "for a singular matrix the size depends on rounding",
	"numpy.argpartition":   "only the index at position kth is determined",
}

// deviceComparer compares results that two devices computed with the accuracy of a dtype. Devices sum in different
// orders. Therefore differences of sums are relative to the largest element, and sums that overflow on only one device
// are ignored.
func (s *subject) deviceComparer(computed dtype.DType) comparer {
	mixes, scale := s.mixes(), 0.0
	if mixes {
		for _, x := range s.plain.args {
			scale = max(scale, largest(x))
		}
	}
	return func(got, want *nd.Array) error {
		if err := identical(nd.ZerosLike(got).To(want.Device()), nd.ZerosLike(want)); err != nil || anyContent[s.c.Function] != "" {
			return err // the shapes or dtypes differ
		}
		eps := max(epsilon(computed), epsilon(want.DType()))
		tol := compare.Tolerance{RTol: 32 * eps}
		if mixes {
			tol.ATol = 32 * eps * max(scale, largest(want))
		}
		g, w := compare.ElementsOf(got), compare.ElementsOf(want)
		for i := range want.Size() {
			overflows := mixes && !(compare.Finite(g.ComplexAt(i)) && compare.Finite(w.ComplexAt(i)))
			if !overflows && !tol.Same(g, w, i) {
				return fmt.Errorf("%s is %s, want %s", compare.Position(i, want.Shape()), g.Text(i), w.Text(i))
			}
		}
		return nil
	}
}

// epsilon returns the distance from 1 to the next number, and 0 for integers.
func epsilon(t dtype.DType) float64 {
	if !t.IsInexact() {
		return 0
	}
	return dtype.Info(t).Eps
}

// largest returns the largest finite modulus.
func largest(x *nd.Array) float64 {
	e := compare.ElementsOf(x)
	m := 0.0
	for i := range x.Size() {
		if v := cmplx.Abs(e.ComplexAt(i)); v > m && !math.IsInf(v, 0) {
			m = v
		}
	}
	return m
}
