package sweeps

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// layouts are ways to store the same elements.
var layouts = []struct {
	name string
	of   func(x *nd.Array) *nd.Array
}{
	{"strided", func(x *nd.Array) *nd.Array {
		y, _ := interleaved(x)
		return y
	}},
	{"reversed", func(x *nd.Array) *nd.Array { return x.Flip().Copy().Flip() }},
	{"Fortran", (*nd.Array).CopyFortran},
	{"offset", func(x *nd.Array) *nd.Array {
		y := elsewhere([]int{x.Size() + 1}, x).Index(nd.From(1)).Reshape(x.Shape()...)
		y.Assign(x)
		return y
	}},
}

// interleaved returns a copy of x at every second element of a larger array that holds other numbers.
func interleaved(x *nd.Array) (y, whole *nd.Array) {
	larger := x.Shape()
	every := make([]nd.Index, x.Rank())
	for k, n := range larger {
		larger[k] = 2*n + 1
		every[k] = nd.From(1).By(2)
	}
	whole = elsewhere(larger, x)
	y = whole.Index(every...)
	y.Assign(x)
	return y, whole
}

// elsewhere returns an array of numbers on which no result should depend.
func elsewhere(shape []int, like *nd.Array) *nd.Array {
	return nd.Full(shape, 77, nd.ArrayOptions{DType: like.DType(), Device: like.Device()})
}

// aboutLayout are the functions whose results describe, or depend on, the memory layout of an array.
var aboutLayout = map[string]string{
	"cupy.ndarray.flags":        "reports whether the layout is contiguous",
	"cupy.ndarray.strides":      "returns the strides",
	"cupy.ndarray.reduced_view": "merges axes if the strides allow it",
	"cupy.ndarray.view":         "another element size needs a contiguous last axis",
}

// TestSweepLayouts passes the same elements in other layouts: for one array at a time, and for all. Results must be
// identical bit for bit if each depends on one element of every argument. Sums, whose order may follow the layout, must
// agree within the case's tolerance.
func TestSweepLayouts(t *testing.T) {
	sweep(t, func(s *subject) error {
		if aboutLayout[s.c.Function] != "" || len(s.plain.paths) == 0 {
			return nil
		}
		same := s.layoutComparer()
		for _, layout := range layouts {
			for i := range len(s.plain.paths) + 1 {
				if i == 1 && len(s.plain.paths) == 1 {
					break // the only array
				}
				got := s.call(setting{edit: func(path string, x *nd.Array) *nd.Array {
					if i == 0 || path == s.plain.paths[i-1] {
						return layout.of(x)
					}
					return x
				}})
				if err := s.differs(got, s.plain, same); err != nil {
					return fmt.Errorf("%s: %w", layout.name, err)
				}
			}
		}
		return nil
	})
}

// layoutComparer compares bit for bit, unless the function combines elements.
func (s *subject) layoutComparer() comparer {
	if s.mixes() {
		return s.tol.Compare
	}
	return identical
}

// mixes reports whether a result depends on several elements of one argument: a NaN in one element of a largest
// argument then reaches several elements, or there are fewer results.
func (s *subject) mixes() bool {
	largest := 0
	for _, x := range s.plain.args {
		largest = max(largest, x.Size())
	}
	if s.plain.hasSmaller(largest) {
		return true
	}
	for _, poisoned := range s.plain.paths {
		x := s.plain.args[poisoned]
		if x.Size() < largest || !x.DType().IsInexact() {
			continue
		}
		o := s.call(setting{edit: func(path string, x *nd.Array) *nd.Array {
			if path == poisoned && x.Size() > 0 {
				x = x.Copy()
				x.Assign(nd.Scalar(math.NaN()), atMiddle(x)...)
			}
			return x
		}})
		if o.err != nil || o.hasSmaller(largest) {
			return true
		}
		for _, r := range o.results {
			if y, ok := r.(*nd.Array); ok && y != nil && countNaN(y) > 1 {
				return true
			}
		}
	}
	return false
}

// hasSmaller reports whether a result has fewer than size elements.
func (o outcome) hasSmaller(size int) bool {
	for _, r := range o.results {
		if y, ok := r.(*nd.Array); ok && y != nil && y.Size() < size {
			return true
		}
	}
	return false
}

func atMiddle(x *nd.Array) []nd.Index {
	ix := make([]nd.Index, x.Rank())
	for k, n := range x.Shape() {
		ix[k] = nd.At(n / 2)
	}
	return ix
}

func countNaN(x *nd.Array) (n int) {
	e := compare.ElementsOf(x)
	for _, v := range e.Floats {
		if math.IsNaN(v) {
			n++
		}
	}
	for _, v := range e.Complexes {
		if cmplx.IsNaN(v) {
			n++
		}
	}
	return n
}

// singularWhereConstant are functions that divide by a value that is 0, up to rounding, for constant arguments.
var singularWhereConstant = map[string]string{"chainer.functions.r2_score": "the variance"}

// TestSweepBroadcast compares arrays that repeat elements by a stride of 0 with copies of them.
func TestSweepBroadcast(t *testing.T) {
	sweep(t, func(s *subject) error {
		if aboutLayout[s.c.Function] != "" || singularWhereConstant[s.c.Function] != "" {
			return nil
		}
		same := s.layoutComparer()
		for _, repeated := range s.plain.paths {
			x := s.plain.args[repeated]
			if s.fn.Row.MayWrite(repeated) {
				continue
			}
			for axis, n := range x.Shape() {
				if n < 2 {
					continue
				}
				call := func(copied bool) outcome {
					return s.call(setting{edit: func(path string, x *nd.Array) *nd.Array {
						if path != repeated {
							return x
						}
						first := make([]nd.Index, axis+1)
						first[axis] = nd.Until(1)
						y := x.Index(first...).BroadcastTo(x.Shape()...)
						if copied {
							return y.Copy()
						}
						return y
					}})
				}
				got, want := call(false), call(true)
				if want.err != nil && !want.refused() {
					return fmt.Errorf("%s constant along axis %d: %w", repeated, axis, want.err)
				}
				if err := s.differs(got, want, same); err != nil {
					return fmt.Errorf("%s repeated along axis %d: %w", repeated, axis, err)
				}
			}
		}
		return nil
	})
}
