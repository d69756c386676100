package linalg

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
)

// NormKind names an order of the norms of matrices that is not a number.
type NormKind string

const (
	Frobenius NormKind = "fro" // √Σ|x|²
	Nuclear   NormKind = "nuc" // Σ singular values
)

// NormOptions are the options of Norm.
type NormOptions struct {
	// Ord is the order, as NumPy's ord, if it is a number; nil means that of Kind.
	Ord *float64
	// Kind names an order of matrices instead of Ord: Frobenius (also "f") or Nuclear.
	Kind NormKind
	// Axes are the axis of vectors or the two axes of matrices, negative ones counted from the end. nil means all axes;
	// without an order, more than two axes form one vector.
	Axes ops.Axes
	// KeepDims leaves the axes in the result, with length 1.
	KeepDims bool
}

// Norm returns norms of vectors or matrices.
//
//	order      of matrices                     of vectors
//	none       fro                             2
//	"fro"      Frobenius: √Σ|x|²               -
//	"nuc"      nuclear: Σ singular values      -
//	+Inf       the largest row sum of |x|      max |x|
//	-Inf       the smallest row sum of |x|     min |x|
//	0          -                               the number of elements ≠ 0
//	1          the largest column sum of |x|   Σ|x|
//	-1         the smallest column sum of |x|  as below
//	2          the largest singular value      √Σ|x|²
//	-2         the smallest singular value     as below
//	others     -                               (Σ|x|^p)^(1/p)
//
// The gradient at 0 is 0, and so are further derivatives there; norms of singular values have the gradient of the
// singular values. With negative orders, no gradient flows where an element is 0. No gradient flows through order 0.
// NumPy: linalg.norm, linalg.matrix_norm, linalg.vector_norm. PyTorch: norm.
func Norm(x *nd.Array, opts ...NormOption) *nd.Array {
	const fn nd.Func = "linalg.Norm"
	fn.Check(x)
	o := options.OfKept(fn, opts, normOver, normKept)
	if o.Ord != nil && o.Kind != "" {
		panic(fn.Errorf([]*nd.Array{x}, "Ord and Kind exclude each other"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = measurable(made, x)
	axes, err := broadcast.Axes(o.Axes, x.Rank())
	if o.Axes == nil {
		axes, err = broadcast.AllAxes(x.Rank()), nil
		if o.Ord == nil && o.Kind == "" {
			return made.Keep(ops.Norm(x, ops.NormOptions{KeepDims: o.KeepDims}))
		}
	}
	switch {
	case err != nil:
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	case len(axes) == 1:
		return made.Keep(vectorNorm(fn, x, axes, o))
	case len(axes) == 2:
		y := matrixNorm(fn, x.MoveAxis(axes, []int{-2, -1}), o)
		if o.KeepDims {
			y = y.ExpandDims(slices.Sorted(slices.Values(axes))...)
		}
		return made.Keep(y)
	}
	panic(fn.Errorf([]*nd.Array{x}, "%d axes: want one, of vectors, or two, of matrices", len(axes)))
}

func vectorNorm(fn nd.Func, x *nd.Array, axes []int, o NormOptions) *nd.Array {
	if o.Kind != "" {
		panic(fn.Errorf([]*nd.Array{x}, "order %q: want a number for vectors", o.Kind))
	}
	p := 2.0
	if o.Ord != nil {
		p = *o.Ord
	}
	over := ops.ReduceOptions{Axes: axes, KeepDims: o.KeepDims}
	switch {
	case math.IsNaN(p):
		panic(fn.Errorf([]*nd.Array{x}, "the order is NaN"))
	case math.IsInf(p, 1) && reduction.Count(x.Shape(), axes) == 0:
		return ops.Sum(ops.Absolute(x), over)
	case math.IsInf(p, 1):
		return ops.Max(ops.Absolute(x), over)
	case math.IsInf(p, -1):
		return ops.Min(ops.Absolute(x), over)
	case p == 0:
		return ops.Sum(ops.NotEqual(x, 0).AsType(x.DType().Real()), over)
	case p > 0:
		return ops.Norm(x, ops.NormOptions{P: &p, Axes: axes, KeepDims: o.KeepDims})
	}
	// No gradient flows to elements that are 0, whose power is infinite.
	zero := ops.Equal(x.Detach(), 0)
	powers := ops.Power(ops.Absolute(ops.Where(zero, 1, x)), p)
	sum := ops.Sum(ops.Where(zero, math.Inf(1), powers), over)
	// Nor does any gradient flow through an infinite sum.
	infinite := ops.Equal(sum.Detach(), math.Inf(1))
	root := ops.Power(ops.Where(infinite, 1, sum), 1/p)
	return ops.Where(infinite, 0, root)
}

// matrixNorm returns the norms of the matrices in the last two axes.
func matrixNorm(fn nd.Func, x *nd.Array, o NormOptions) *nd.Array {
	switch o.Kind {
	case "":
		if o.Ord != nil {
			return orderedNorm(fn, x, *o.Ord)
		}
		fallthrough
	case Frobenius, "f":
		return ops.Norm(x, ops.Over(-2, -1))
	case Nuclear:
		return ops.Sum(singularValues(fn, matrices(fn, x)), lastAxis)
	}
	panic(fn.Errorf([]*nd.Array{x}, "order %q: want fro, nuc or a number for matrices", o.Kind))
}

func orderedNorm(fn nd.Func, x *nd.Array, order float64) *nd.Array {
	alongRows, alongColumns := lastAxis, ops.Over(-2)
	switch order {
	case 2:
		return largest(singularValues(fn, matrices(fn, x)))
	case -2:
		return ops.Min(singularValues(fn, matrices(fn, x)), lastAxis)
	case 1:
		return largest(ops.Sum(ops.Absolute(x), alongColumns))
	case -1:
		return ops.Min(ops.Sum(ops.Absolute(x), alongColumns), lastAxis)
	case math.Inf(1):
		return largest(ops.Sum(ops.Absolute(x), alongRows))
	case math.Inf(-1):
		return ops.Min(ops.Sum(ops.Absolute(x), alongRows), lastAxis)
	}
	panic(fn.Errorf([]*nd.Array{x}, "order %v: want 1, -1, 2, -2, +Inf, -Inf, fro or nuc for matrices", order))
}

// largest returns the largest element along the last axis, or 0 if the axis is empty.
func largest(x *nd.Array) *nd.Array {
	if x.Dim(-1) == 0 {
		return ops.Sum(x, lastAxis)
	}
	return ops.Max(x, lastAxis)
}

// CondOptions are the options of Cond.
type CondOptions struct {
	// P is the order of the norm, as Ord of Norm; nil means that of Kind, or 2.
	P *float64
	// Kind names an order instead of P: Frobenius or Nuclear.
	Kind NormKind
}

// Cond returns the condition numbers of matrices: the norm times the norm of the inverse, or for the orders 2 and -2
// the ratio of the largest and the smallest singular value, which also exists for matrices that are not square. It is
// +Inf for singular matrices.
//
// Shapes: (…, m, n) gives (…).
// NumPy: linalg.cond.
func Cond(a *nd.Array, opts ...CondOptions) *nd.Array {
	const fn nd.Func = "linalg.Cond"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a)
	if hasEmptyMatrices(a) {
		panic(fn.Errorf([]*nd.Array{a}, "an empty matrix has no condition number"))
	}
	o := options.Read(fn, opts)
	if o.P != nil && o.Kind != "" {
		panic(fn.Errorf([]*nd.Array{a}, "P and Kind exclude each other"))
	}
	var y *nd.Array
	if p := o.P; o.Kind == "" && (p == nil || *p == 2 || *p == -2) {
		s := singularValues(fn, a)
		top, bottom := s.Index(nd.Ellipsis(), nd.At(0)), s.Index(nd.Ellipsis(), nd.At(-1))
		if p != nil && *p < 0 {
			top, bottom = bottom, top
		}
		y = ops.Divide(top, bottom)
	} else {
		checkSquare(fn, a)
		n := NormOptions{Ord: o.P, Kind: o.Kind}
		y = ops.Multiply(matrixNorm(fn, a, n), normOfInverse(fn, a, n))
	}
	known := ops.Any(ops.IsNaN(a.Detach()), ops.Over(-2, -1))
	undefined := ops.Greater(ops.IsNaN(y.Detach()), known)
	return made.Keep(ops.Where(undefined, math.Inf(1), y))
}

// normOfInverse returns the norm of the inverse, which is infinite for singular matrices.
func normOfInverse(fn nd.Func, a *nd.Array, n NormOptions) *nd.Array {
	inv := inverse(fn, a, false)
	finite := ops.IsFinite(ops.Sum(ops.Absolute(inv.Detach()), ops.Over(-2, -1).KeepDims()))
	y := matrixNorm(fn, ops.Where(finite, inv, 0.0), n)
	return ops.Where(finite.Squeeze(-1, -2), y, math.Inf(1))
}
