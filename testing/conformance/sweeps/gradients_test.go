package sweeps

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestSweepGradients compares the gradients of every function with finite differences, in double precision, at every
// point. If no gradient flows, or none can be compared, the row must say so.
func TestSweepGradients(t *testing.T) { sweepDerivatives(t, gradcheck.Checker.Check, len(points), 1) }

// TestSweepSecondOrder compares the derivatives of gradients with finite differences: at every point for one of the
// documented names of a Go function, and for its other names at the numbers of their cases.
func TestSweepSecondOrder(t *testing.T) {
	sweepDerivatives(t, gradcheck.Checker.CheckSecondOrder, 1, 2)
}

type checking func(c gradcheck.Checker, t testing.TB, f gradcheck.Function, xs ...*nd.Array)

// progress records the points at which a function was checked, and why cases could not be checked there.
type progress struct {
	row     *catalogue.Row
	points  []point         // all points to check
	checked map[string]bool // the checked points by name
	useless map[string][]error
}

// sweepDerivatives also fails if no case of a differentiable function could be checked at a point. A function that was
// already swept under another name is checked at again points.
func sweepDerivatives(t *testing.T, check checking, again, order int) {
	functions := map[string]*progress{}
	swept := map[string]bool{} // Go functions
	sweep(t, func(s *subject) error {
		if s.fn.Row.StraightThrough || order > 1 && s.fn.Row.FirstOrder != "" {
			return nil
		}
		done := functions[s.c.Function]
		if done == nil {
			done = newProgress(s.fn.Row)
			if swept[s.functionName()] {
				done.points = points[:again]
			}
			functions[s.c.Function], swept[s.functionName()] = done, true
		}
		return s.derivatives(check, done)
	})
	for name, done := range functions {
		if err := done.missed(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func newProgress(row *catalogue.Row) *progress {
	return &progress{row: row, points: points, checked: map[string]bool{}, useless: map[string][]error{}}
}

// derivatives checks a case at all points and returns the first error.
func (s *subject) derivatives(check checking, done *progress) error {
	for k, p := range done.points {
		v, err := s.variables(p)
		if err == nil && v == nil {
			return nil // no argument has a gradient
		}
		if err == nil {
			err = v.check(check, k)
		}
		var u *uselessError
		switch {
		case err == nil:
			done.checked[p.name] = true
		case errors.As(err, &u):
			done.useless[p.name] = append(done.useless[p.name], err)
		default:
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// missed returns an error if cases were tried at a point, but none could be checked.
func (done *progress) missed() error {
	if done.row.NoGrad {
		return nil
	}
	for _, p := range done.points {
		if why := done.useless[p.name]; why != nil && !done.checked[p.name] {
			return fmt.Errorf("%s, no case can be checked: %w", p.name, errors.Join(why...))
		}
	}
	return nil
}

// uselessError says why differences cannot check a case.
type uselessError struct{ error }

// check compares the gradients of the weighted sum of the results with differences: for each array separately at the
// first point, and for all arrays together at the others.
func (v *variables) check(check checking, point int) error {
	f := func(xs ...*nd.Array) *nd.Array {
		o := v.call(xs)
		if o.err != nil {
			panic(o.err)
		}
		var sum *nd.Array
		ys := v.s.outputs(o)
		for _, i := range v.outputs {
			y := ys[i].AsType(dtype.Promote(ys[i].DType(), dtype.Float64))
			term := ops.Real(ops.Sum(ops.Multiply(ops.Conj(weightsFor(y, i)), y)))
			if sum == nil {
				sum = term
			} else {
				sum = ops.Add(sum, term)
			}
		}
		return sum
	}
	c := gradcheck.Checker{Step: math.Cbrt(v.eps), Relative: max(1e-6, 100*math.Pow(v.eps, 2.0/3)), Absolute: 1e-7,
		Directions: 1, Together: point > 0, Seed: uint64(point)}
	var xs []*nd.Array
	var paths []string
	for _, a := range v.all {
		if a.varies {
			xs, paths = append(xs, a.x), append(paths, a.path)
		}
	}
	failed := &failures{}
	_, err := catalogue.Try(func() any {
		check(c, failed, f, xs...)
		return nil
	})
	if err == nil && failed.first != "" {
		what, _, _ := strings.Cut(failed.first, "\n") // without the printed gradient
		err = fmt.Errorf("with respect to %v: %s", paths, what)
	}
	return err
}

// failures records the reports of a check.
type failures struct {
	testing.TB
	first string
}

func (f *failures) Helper() {}

func (f *failures) Errorf(format string, args ...any) {
	if f.first == "" {
		f.first = fmt.Sprintf(format, args...)
	}
}
