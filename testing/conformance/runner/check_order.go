package runner

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// checkPartition checks that the result has the values of a, that the element at kth is the one of a sorted array, that
// no larger element precedes it, and that no smaller one follows.
func (t *trial) checkPartition(c *golden.Case, tol compare.Tolerance) error {
	xs, err := t.resultArrays(1)
	if err != nil {
		return err
	}
	return t.isPartition(c, tol, xs[0])
}

// checkArgPartition checks that a at the returned indices is a partition.
func (t *trial) checkArgPartition(c *golden.Case, tol compare.Tolerance) error {
	xs, err := t.resultArrays(1)
	if err != nil {
		return err
	}
	a, err := t.argument(c, "a")
	if err != nil {
		return err
	}
	if !xs[0].DType().IsInteger() || !slices.Equal(xs[0].Shape(), a.Shape()) {
		return fmt.Errorf("indices of dtype %s and shape %v, want integers of shape %v", xs[0].DType(), xs[0].Shape(), a.Shape())
	}
	last := len(a.Shape()) - 1
	return t.isPartition(c, tol, takeAlong(a, compare.ElementsOf(xs[0]).Signed, last))
}

// takeAlong takes elements of the rows of a along its last axis, on the host.
func takeAlong(a *nd.Array, at []int64, last int) *nd.Array {
	n := a.Dim(last)
	flat := make([]int64, len(at))
	for i, p := range at {
		flat[i] = int64(i/n*n) + p
	}
	return a.Contiguous().Ravel().Index(nd.Pick(nd.FromSlice(flat))).Reshape(a.Shape()...)
}

func (t *trial) isPartition(c *golden.Case, tol compare.Tolerance, y *nd.Array) error {
	a, err := t.argument(c, "a")
	if err != nil {
		return err
	}
	if y.DType() != a.DType() || !slices.Equal(y.Shape(), a.Shape()) {
		return fmt.Errorf("dtype %s and shape %v, want %s and %v", y.DType(), y.Shape(), a.DType(), a.Shape())
	}
	v, _ := c.Args.Get("kth")
	kth, ok := golden.Int(v)
	if !ok {
		return fmt.Errorf("the case has no kth")
	}
	n := a.Dim(-1)
	if kth < 0 {
		kth += n
	}
	if err := t.output(c, tol, y.Index(nd.Ellipsis(), nd.Span(kth, kth+1))); err != nil {
		return fmt.Errorf("at %d: %w", kth, err)
	}
	got, values := realParts(y), realParts(a)
	for row := 0; row+n <= len(got); row += n {
		r := got[row : row+n]
		for i, v := range r {
			if i < kth && v > r[kth] || i > kth && v < r[kth] {
				return fmt.Errorf("%s is %v, but the element at %d is %v", compare.Position(row+i, a.Shape()), v, kth, r[kth])
			}
		}
		sorted, want := slices.Sorted(slices.Values(r)), slices.Sorted(slices.Values(values[row:row+n]))
		if slices.CompareFunc(sorted, want, compareFloats) != 0 {
			return fmt.Errorf("the values differ from those of a")
		}
	}
	return nil
}

// compareFloats orders numbers; NaN equals NaN.
func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b || a != a && b != b:
		return 0
	}
	return 1
}

func realParts(x *nd.Array) []float64 {
	e := compare.ElementsOf(x)
	values := make([]float64, x.Size())
	for i := range values {
		values[i] = real(e.ComplexAt(i))
	}
	return values
}
