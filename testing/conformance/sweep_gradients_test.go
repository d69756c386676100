package conformance

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/golden"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// withoutDerivative are functions of whose gradients no case can tell anything.
var withoutDerivative = map[string]string{
	"cupy.fill_diagonal":       "a write through a view of a recorded array is refused",
	"cupy.scatter_add":         "a write to a recorded array that others look at is refused",
	"cupy.ndarray.scatter_add": "a write to a recorded array that others look at is refused",
	"numpy.i0":                 "its derivative, the Bessel function of order 1, is not a function here; a gradient is refused",
}

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
		if s.b.row.StraightThrough {
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

// movement takes a number of an argument elsewhere.
type movement func(v float64, r *rand.Rand) float64

// movements are what is tried in turn: the numbers as they are, each a little nearer to zero, each a little farther, and
// all between -2 and 2.
var movements = []movement{
	func(v float64, r *rand.Rand) float64 { return v },
	func(v float64, r *rand.Rand) float64 { return awayFromZero(v*(1-0.1*r.Float64()), 0.1+0.4*r.Float64()) },
	func(v float64, r *rand.Rand) float64 {
		return awayFromZero(v*(1+0.1*r.Float64()), -0.1-0.4*r.Float64())
	},
	func(v float64, r *rand.Rand) float64 {
		return math.Copysign(0.3+min(math.Abs(v), 1)+0.7*r.Float64(), v)
	},
}

func awayFromZero(v, instead float64) float64 {
	if math.Abs(v) < 0.05 {
		return instead
	}
	return v
}

// doubled returns the array at a path in double precision, at elements that a movement takes it to. Numbers that are not
// finite, or so large that differences tell nothing, are replaced in any case.
func doubled(path string, x *nd.Array, move movement) *nd.Array {
	r := rand.New(rand.NewPCG(uint64(x.Size()), uint64(len(path))<<8|uint64(path[len(path)-1])))
	moved := func(v float64) float64 {
		if !(math.Abs(v) < 1e3) {
			v = r.NormFloat64()
		}
		return move(v, r)
	}
	e := elementsOf(x)
	if x.DType().IsComplex() {
		values := make([]complex128, x.Size())
		for i, z := range e.complexes {
			values[i] = complex(moved(real(z)), moved(imag(z)))
		}
		return nd.FromSlice(values, x.Shape()...)
	}
	values := make([]float64, x.Size())
	for i := range values {
		values[i] = moved(real(e.complexAt(i)))
	}
	return nd.FromSlice(values, x.Shape()...)
}

// isHermitian tells whether x consists of matrices that equal their conjugate transposes. Functions of such matrices may
// read one triangle only, so that only derivatives along Hermitian directions are theirs.
func isHermitian(x *nd.Array) bool {
	if x.Rank() < 2 || x.Dim(-1) != x.Dim(-2) || x.Dim(-1) < 2 {
		return false
	}
	return elementsOf(x).identical(elementsOf(ops.Conj(x.SwapAxes(-1, -2))))
}

func hermitianPart(x *nd.Array) *nd.Array {
	return ops.Multiply(ops.Add(x, ops.Conj(x.SwapAxes(-1, -2))), nd.Scalar(0.5))
}

// variables are the arguments of a case that gradients flow to, and how to compute its results from them.
type variables struct {
	s         *subject
	move      movement
	paths     []string
	hermitian []bool
	xs        []*nd.Array
	outputs   []int // the results that depend on them
	eps       float64
}

// variables finds the arguments with gradients and the results that they flow from, by recording one call. It returns nil
// where there are none. Integers count as numbers in double precision where a case has nothing else, and so do bools.
func (s *subject) variables(move movement) (*variables, error) {
	all := &variables{s: s, move: move}
	integers := !slices.ContainsFunc(s.dtypes(), dtype.DType.IsInexact)
	bools := integers && !slices.ContainsFunc(s.dtypes(), dtype.DType.IsInteger)
	for _, path := range s.plain.paths {
		x := s.plain.args[path]
		if (x.DType().IsInexact() || integers && x.DType().IsInteger() || bools) && path != "out" && x.Size() > 0 && !slices.Contains(all.paths, path) {
			all.paths = append(all.paths, path)
			all.hermitian = append(all.hermitian, isHermitian(x))
			all.xs = append(all.xs, doubled(path, x, move))
			if x.Size() > 1000 {
				return nil, &uselessError{fmt.Errorf("%s has so many elements that kinks are near some", path)}
			}
		}
	}
	tape := grad.NewTape()
	defer tape.Release()
	watched := make([]*nd.Array, len(all.xs))
	for i, x := range all.xs {
		watched[i] = tape.Watch(x)
	}
	o := all.call(watched)
	if o.refused() && integers {
		return nil, nil // indices, perhaps
	}
	if o.refused() {
		return nil, &uselessError{fmt.Errorf("recorded: %w", o.err)}
	}
	if o.err != nil {
		return nil, fmt.Errorf("recorded: %w", o.err)
	}
	var ys, weights []*nd.Array
	for i, y := range s.outputs(o) {
		if y == nil || !y.DType().IsInexact() || s.c.GradOutputs != nil && i < len(s.c.GradOutputs) && s.c.GradOutputs[i] == "" {
			continue
		}
		if n, _ := y.Node(); n == nil {
			continue
		}
		ys, weights = append(ys, y), append(weights, weightsFor(y, i))
		all.outputs = append(all.outputs, i)
		all.eps = max(all.eps, epsilon(y.DType()))
	}
	if ys == nil {
		if s.c.Grads != nil && !s.b.row.NoGrad {
			return nil, fmt.Errorf("no result is recorded")
		}
		return nil, nil
	}
	gradients, err := guard(func() []*nd.Array { return tape.VJP(ys, weights, watched...) })
	if _, refused := err.(*refusal); refused {
		return nil, &uselessError{fmt.Errorf("gradients: %w", err)}
	}
	if err != nil {
		return nil, fmt.Errorf("gradients: %w", err)
	}
	if s.b.row.NoGrad {
		for i, g := range gradients {
			if g != nil && !elementsOf(g).identical(elementsOf(nd.ZerosLike(g))) {
				return nil, fmt.Errorf("the row says that no gradient flows, but %s has one", all.paths[i])
			}
		}
		return nil, nil
	}
	const limit = 1e4 // beyond it rounding drowns differences
	for i, g := range append(ys, gradients...) {
		if g != nil && !(extent(g) <= limit) {
			return nil, &uselessError{fmt.Errorf("result or gradient %d is too large: %v", i, extent(g))}
		}
	}
	return all.only(gradients)
}

// extent is the largest modulus, or not-a-number where there is one.
func extent(x *nd.Array) float64 {
	e := elementsOf(x)
	m := 0.0
	for i := range x.Size() {
		m = max(m, cmplx.Abs(e.complexAt(i)))
	}
	return m
}

// only keeps the arguments that have a gradient.
func (v *variables) only(gradients []*nd.Array) (*variables, error) {
	kept := &variables{s: v.s, move: v.move, outputs: v.outputs, eps: v.eps}
	for i, g := range gradients {
		if g != nil {
			kept.paths = append(kept.paths, v.paths[i])
			kept.hermitian = append(kept.hermitian, v.hermitian[i])
			kept.xs = append(kept.xs, v.xs[i])
		}
	}
	for _, ref := range v.s.c.Grads {
		if !slices.Contains(kept.paths, ref.Name) {
			return nil, fmt.Errorf("no gradient arrives at %s", ref.Name)
		}
	}
	if kept.paths == nil {
		return nil, nil
	}
	return kept, nil
}

// call calls the function with arrays for the variables. All other inexact arguments are in double precision too, and
// nothing asks for a dtype or a place of the result.
func (v *variables) call(xs []*nd.Array) outcome {
	return v.s.call(setting{
		args: func(args golden.Object) golden.Object {
			return slices.DeleteFunc(args, func(m golden.Member) bool {
				return (m.Name == "out" || m.Name == "dtype") && v.s.optional(m.Name)
			})
		},
		edit: func(path string, x *nd.Array) *nd.Array {
			k := slices.Index(v.paths, path)
			switch {
			case k < 0 && x.DType().IsInexact():
				return doubled(path, x, v.move)
			case k < 0:
				return x
			}
			x = xs[k]
			if v.hermitian[k] {
				x = hermitianPart(x)
			}
			if v.s.b.row.mayWrite(path) {
				x = x.Copy() // the write is recorded, and the variable stays
			}
			return x
		},
	})
}

// outputs are the results that are arrays, and then the arguments that were written to.
func (s *subject) outputs(o outcome) []*nd.Array {
	ys, err := (&trial{results: o.results}).arrays()
	if err != nil {
		ys = nil
	}
	for _, path := range o.paths {
		if s.b.row.mayWrite(path) {
			ys = append(ys, o.args[path])
		}
	}
	return ys
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
	failed := &failures{}
	_, err := guard(func() any {
		check(c, failed, f, v.xs...)
		return nil
	})
	if err == nil && failed.first != "" {
		what, _, _ := strings.Cut(failed.first, "\n") // without the gradient
		err = fmt.Errorf("with respect to %v: %s", v.paths, what)
	}
	return err
}

// weightsFor are random weights for a result, always the same.
func weightsFor(y *nd.Array, i int) *nd.Array {
	r := rand.New(rand.NewPCG(uint64(i), 11))
	if y.DType().IsComplex() {
		values := make([]complex128, y.Size())
		for k := range values {
			values[k] = complex(r.NormFloat64(), r.NormFloat64())
		}
		return nd.FromSlice(values, y.Shape()...).AsType(y.DType())
	}
	values := make([]float64, y.Size())
	for k := range values {
		values[k] = r.NormFloat64()
	}
	return nd.FromSlice(values, y.Shape()...).AsType(y.DType())
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
