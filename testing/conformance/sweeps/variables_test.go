package sweeps

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// variable is an argument or a trained parameter, in double precision.
type variable struct {
	path      string
	x         *nd.Array
	hermitian bool
	varies    bool // a gradient flows to it
}

// variables are the numeric arguments of a case, and the results that depend on them.
type variables struct {
	s       *subject
	all     []variable
	outputs []int
	eps     float64 // epsilon of the least exact result
}

// numbers converts the arguments and parameters of a case to double precision. Integers and bools count as numbers if
// the case has nothing else.
func (s *subject) numbers(p point) []variable {
	trained := s.trained()
	of := func(t dtype.DType) bool { return t.IsInexact() }
	if trained == nil && !slices.ContainsFunc(s.dtypes(), of) {
		of = dtype.DType.IsInteger
	}
	if trained == nil && !slices.ContainsFunc(s.dtypes(), of) {
		of = dtype.DType.IsBool
	}
	var all []variable
	choice := chooser{point: p, row: s.fn.Row}
	seen := map[string]bool{"out": true}
	for _, path := range s.plain.paths {
		x := s.plain.args[path]
		if s.updates(path) || slices.Contains(s.fn.Row.Fixed, path) {
			continue
		}
		if of(x.DType()) && x.Size() > 0 && !seen[path] {
			seen[path] = true
			v := variable{path: path, x: choice.doubled(path, x), hermitian: isHermitian(x)}
			if v.hermitian && isDefinite(x) {
				v.x = keptDefinite(v.x)
			}
			all = append(all, v)
		}
	}
	for _, p := range trained {
		all = append(all, variable{path: p.Name, x: choice.doubled(p.Name, p.Array)})
	}
	return all
}

// variables records one call and finds the arguments to which gradients flow and the results from which they flow. It
// returns nil if there are none.
func (s *subject) variables(p point) (*variables, error) {
	v := &variables{s: s, all: s.numbers(p)}
	tape := grad.NewTape()
	defer tape.Release()
	watched := make([]*nd.Array, len(v.all))
	for i := range v.all {
		v.all[i].varies = true
		watched[i] = tape.Watch(v.all[i].x)
	}
	o := v.call(watched)
	if o.refused() {
		if slices.ContainsFunc(s.dtypes(), dtype.DType.IsInexact) {
			return nil, &uselessError{fmt.Errorf("recorded: %w", o.err)}
		}
		return nil, nil // the integers may be indices
	}
	if o.err != nil {
		return nil, fmt.Errorf("recorded: %w", o.err)
	}
	ys, weights := v.recorded(o)
	if ys == nil {
		if s.c.Grads != nil && !s.fn.Row.NoGrad {
			return nil, fmt.Errorf("no result is recorded")
		}
		return nil, nil
	}
	gradients, err := catalogue.Try(func() []*nd.Array { return tape.VJP(ys, weights, watched...) })
	if _, refused := err.(*catalogue.Refusal); refused {
		return nil, &uselessError{fmt.Errorf("gradients: %w", err)}
	}
	if err != nil {
		return nil, fmt.Errorf("gradients: %w", err)
	}
	return v.keepDifferentiable(ys, gradients)
}

// recorded returns the recorded results, limited to those for which the case has gradients, if it has any, and weights
// for them.
func (v *variables) recorded(o outcome) (ys, weights []*nd.Array) {
	given := v.s.c.GradOutputs
	for i, y := range v.s.outputs(o) {
		if y == nil || !y.DType().IsInexact() || i < len(given) && given[i] == "" {
			continue
		}
		if n, _ := y.Node(); n != nil {
			ys, weights = append(ys, y), append(weights, weightsFor(y, i))
			v.outputs = append(v.outputs, i)
			v.eps = max(v.eps, epsilon(y.DType()))
		}
	}
	return ys, weights
}

// keepDifferentiable keeps the arguments that have gradients. It returns nil if there are none.
func (v *variables) keepDifferentiable(ys, gradients []*nd.Array) (*variables, error) {
	const (
		limit = 1e4 // beyond this, rounding errors exceed the differences
		most  = 600 // of more elements, some are closer to each other than the step of the differences
	)
	for i, g := range append(ys, gradients...) {
		if g == nil || extent(g) <= limit {
			continue
		}
		if !(extent(g) < math.Inf(1)) && !v.s.singular() {
			return nil, fmt.Errorf("result or gradient %d is not finite: %v", i, extent(g))
		}
		return nil, &uselessError{fmt.Errorf("result or gradient %d is too large or not finite: %v", i, extent(g))}
	}
	var paths []string
	for i, g := range gradients {
		a := &v.all[i]
		a.varies = g != nil
		if !a.varies {
			continue
		}
		if v.s.fn.Row.NoGrad && extent(g) > 0 {
			return nil, fmt.Errorf("the row says that no gradient flows, but %s has one", a.path)
		}
		if g.Size() > most {
			return nil, &uselessError{fmt.Errorf("%s has too many elements: some are near kinks", a.path)}
		}
		paths = append(paths, a.path)
	}
	for _, ref := range v.s.c.Grads {
		if !v.s.fn.Row.NoGrad && !slices.Contains(paths, ref.Name) {
			return nil, fmt.Errorf("no gradient arrives at %s", ref.Name)
		}
	}
	if paths == nil || v.s.fn.Row.NoGrad {
		return nil, nil
	}
	return v, nil
}

// singular reports whether results may be infinite or NaN at every point: results of the unchanged case are, or its
// arguments are integers, some of which may be zero divisors.
func (s *subject) singular() bool {
	infinite := func(y *nd.Array) bool { return y != nil && !(extent(y) < math.Inf(1)) }
	return slices.ContainsFunc(s.outputs(s.plain), infinite) || !slices.ContainsFunc(s.dtypes(), dtype.DType.IsInexact)
}

// extent returns the largest modulus, or NaN if an element is NaN.
func extent(x *nd.Array) float64 {
	e := compare.ElementsOf(x)
	m := 0.0
	for i := range x.Size() {
		m = max(m, cmplx.Abs(e.ComplexAt(i)))
	}
	return m
}

// call calls the function with arrays for the arguments that vary. It omits dtype and out arguments, and passes what
// the row's CheckedWith has.
func (v *variables) call(xs []*nd.Array) outcome {
	in, params := map[string]*nd.Array{}, map[string]*nd.Array{}
	for _, a := range v.all {
		x := a.x
		if a.varies {
			x, xs = xs[0], xs[1:]
		}
		if a.hermitian {
			x = hermitianPart(x)
		}
		if v.s.fn.Row.MayWrite(a.path) {
			x = x.Copy() // the write is recorded; the variable must not change
		}
		if name, ok := strings.CutPrefix(a.path, parameterPrefix); ok {
			params[name] = x
		} else {
			in[a.path] = x
		}
	}
	return v.s.call(setting{
		params: params,
		args: func(args golden.Object) golden.Object {
			return v.s.checkedWith(v.s.withoutOutAndDType(args))
		},
		edit: func(path string, x *nd.Array) *nd.Array {
			if y := in[path]; y != nil {
				return y
			}
			return x
		},
	})
}

// withoutOutAndDType omits these arguments if they are optional, so that the dtypes of the results follow from the arrays.
func (s *subject) withoutOutAndDType(args golden.Object) golden.Object {
	return slices.DeleteFunc(args, func(m golden.Member) bool {
		return (m.Name == "out" || m.Name == "dtype") && s.optional(m.Name)
	})
}

// checkedWith replaces and adds the arguments of the row's CheckedWith.
func (s *subject) checkedWith(args golden.Object) golden.Object {
	for name, value := range s.fn.Row.CheckedWith {
		if value == nil {
			args = slices.DeleteFunc(args, func(m golden.Member) bool { return m.Name == name })
		} else {
			args = replaced(args, name, value)
		}
	}
	return args
}

// updates reports whether an argument is written besides the results, like running statistics. Such writes are not
// recorded.
func (s *subject) updates(path string) bool {
	return s.fn.Row.MayWrite(path) && len(s.plain.results) > 0
}

// outputs returns the results that are arrays, or for a function without results the arguments that it writes to.
func (s *subject) outputs(o outcome) []*nd.Array {
	ys, err := (&catalogue.Result{Values: o.results}).Arrays()
	if err != nil {
		ys = nil
	}
	for _, path := range o.paths {
		if s.fn.Row.MayWrite(path) && len(o.results) == 0 {
			ys = append(ys, o.args[path])
		}
	}
	return ys
}

// weightsFor returns the random weights of a result, the same in each call.
func weightsFor(y *nd.Array, i int) *nd.Array {
	return numbersLike(y, rand.New(rand.NewPCG(uint64(i), 11)).NormFloat64)
}

// numbersLike returns an array like x of the numbers that a function returns, one after the other.
func numbersLike(x *nd.Array, number func() float64) *nd.Array {
	if x.DType().IsComplex() {
		values := make([]complex128, x.Size())
		for k := range values {
			values[k] = complex(number(), number())
		}
		return nd.FromSlice(values, x.Shape()...).AsType(x.DType())
	}
	values := make([]float64, x.Size())
	for k := range values {
		values[k] = number()
	}
	return nd.FromSlice(values, x.Shape()...).AsType(x.DType())
}

// isHermitian reports whether x consists of matrices that equal their conjugate transposes. Functions of such matrices
// may read only one triangle; then only their derivatives along Hermitian directions are correct.
func isHermitian(x *nd.Array) bool {
	if x.Rank() < 2 || x.Dim(-1) != x.Dim(-2) || x.Dim(-1) < 2 {
		return false
	}
	y := x.SwapAxes(-1, -2)
	if x.DType().IsComplex() {
		y = ops.Conj(y)
	}
	return compare.ElementsOf(x).Identical(compare.ElementsOf(y))
}

// isDefinite reports whether Hermitian matrices are positive definite.
func isDefinite(x *nd.Array) bool {
	return x.Size() > 0 && nd.Catch(func() { linalg.Cholesky(x.AsType(dtype.Promote(x.DType(), dtype.Float64))) }) == nil
}

// keptDefinite adds so much to the diagonals of matrices that their Hermitian parts are positive definite.
func keptDefinite(x *nd.Array) *nd.Array {
	n := x.Dim(-1)
	return ops.Add(x, ops.Multiply(nd.Eye(n, n, 0), float64(n)*extent(x)))
}

func hermitianPart(x *nd.Array) *nd.Array {
	return ops.Multiply(ops.Add(x, ops.Conj(x.SwapAxes(-1, -2))), 0.5)
}
