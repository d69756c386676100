package conformance

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// withoutDerivative are functions of whose gradients no case can tell anything.
var withoutDerivative = map[string]string{
	"cupy.fill_diagonal":       "a write through a view of a recorded array is refused",
	"cupy.scatter_add":         "a write to a recorded array that others look at is refused",
	"cupy.ndarray.__imod__":    "the gradient needs the dividend, which is overwritten",
	"cupy.ndarray.__ipow__":    "the gradient needs the base, which is overwritten",
	"cupy.ndarray.scatter_add": "a write to a recorded array that others look at is refused",
	"numpy.i0":                 "its derivative, the Bessel function of order 1, is not a function here; a gradient is refused",
}

// notTheDerivative are functions whose documented gradient takes something for constant that is not.
var notTheDerivative = map[string]string{"nnabla.functions.spectral_norm": "the singular vectors"}

// TestSweepGradients holds the gradients of every function to differences, in double precision. Where no gradient flows,
// the row must say so.
func TestSweepGradients(t *testing.T) { sweepDerivatives(t, gradcheck.Checker.Check) }

// TestSweepSecondOrder holds the derivatives of gradients to differences.
func TestSweepSecondOrder(t *testing.T) { sweepDerivatives(t, gradcheck.Checker.CheckSecondOrder) }

type checking func(c gradcheck.Checker, t testing.TB, f gradcheck.Function, xs ...*nd.Array)

// sweepDerivatives fails too where a function is differentiable but no case of it has a point to check it at.
func sweepDerivatives(t *testing.T, check checking) {
	useless := map[string]error{}
	useful := map[string]bool{}
	sweep(t, func(s *subject) error {
		if s.b.row.StraightThrough || notTheDerivative[s.c.Function] != "" {
			return nil
		}
		err := s.derivatives(check)
		var u *uselessError
		if errors.As(err, &u) {
			useless[s.c.Function] = err
			return nil
		}
		useful[s.c.Function] = true
		return err
	})
	for name, err := range useless {
		if !useful[name] && withoutDerivative[name] == "" {
			t.Errorf("%s: no case to check a gradient with: %v", name, err)
		}
	}
}

// uselessError says why differences tell nothing about a case.
type uselessError struct{ error }

// derivatives checks a case at its own arguments; where that fails, because a kink or the border of the domain is near,
// at others. Where it fails at one point, and the others are of no use, the error is a *uselessError.
func (s *subject) derivatives(check checking) error {
	var failed, useless []error
	for attempt, move := range movements {
		v, err := s.variables(move)
		if err == nil && v == nil {
			return nil // no argument has a gradient
		}
		if err == nil {
			err = v.check(check, uint64(attempt))
		}
		var u *uselessError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &u):
			useless = append(useless, err)
		default:
			failed = append(failed, err)
		}
	}
	if useless != nil && len(failed) < 2 {
		return useless[0]
	}
	return errors.Join(failed...)
}

// check compares gradients of the weighted sum of the results with differences.
func (v *variables) check(check checking, seed uint64) error {
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
	c := gradcheck.Checker{Step: math.Cbrt(v.eps), Relative: max(1e-6, 100*math.Pow(v.eps, 2.0/3)), Absolute: 1e-7, Directions: 2, Seed: seed}
	var xs []*nd.Array
	var paths []string
	for _, a := range v.all {
		if a.varies {
			xs, paths = append(xs, a.x), append(paths, a.path)
		}
	}
	failed := &failures{}
	_, err := guard(func() any {
		check(c, failed, f, xs...)
		return nil
	})
	if err == nil && failed.first != "" {
		what, _, _ := strings.Cut(failed.first, "\n") // without the gradient
		err = fmt.Errorf("with respect to %v: %s", paths, what)
	}
	return err
}

// failures keeps what a check reports.
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
