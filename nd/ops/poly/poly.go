// Package poly represents polynomials as arrays of their coefficients, the highest power first, as NumPy's polyfit and
// similar functions do: 3, 2, 1 is 3x² + 2x + 1. Leading zeros are harmless, and stay unless a function says otherwise.
// The results are differentiable in coefficients, points and roots.
package poly

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// coefficients panics if p is not a list of coefficients; a number is a list of degree 0.
func coefficients(fn nd.Func, p *nd.Array, all ...*nd.Array) *nd.Array {
	if p.Rank() == 0 {
		return ops.AtLeast1D(p)
	}
	if p.Rank() != 1 {
		panic(fn.Errorf(all, "want coefficients in an array of one axis"))
	}
	return p
}

// Val returns the values of a polynomial at points of any shape, by Horner's rule: (p[0]·x + p[1])·x + ….
//
// Shapes: (n) and (…) give (…).
// NumPy: polyval.
func Val(p, x *nd.Array) *nd.Array {
	const fn nd.Func = "poly.Val"
	fn.Check(p, x)
	made := fn.Temporaries(&p, &x)
	defer made.Release()
	return made.Keep(val(made, coefficients(fn, p, p, x), x))
}

func val(made *nd.Temporaries, p, x *nd.Array) *nd.Array {
	all := ops.Unstack(p)
	switch {
	case len(all) > 0:
	case x.IsScalar(): // it does not determine the dtype
		return zeros(made, 1, p).Reshape()
	default:
		return made.Own(nd.ZerosLike(x))
	}
	y := all[0]
	if len(all) == 1 && !x.IsScalar() {
		return y.AsType(dtype.Promote(p.DType(), x.DType())).BroadcastTo(x.Shape()...).Copy()
	}
	for _, c := range all[1:] {
		y = hornerStep(y, x, c)
	}
	return y
}

// horner is a step of Horner's rule. Leading zeros stay 0 also at infinity.
var horner = ufunc.Definition{Fn: "poly.Val", In: "T v, T x, T c", Body: "(v == 0 && isinf(x) ? T(0) : v * x) + c", Complex: "v * x + c"}

// hornerStep returns y·x + c, and releases y.
func hornerStep(y, x, c *nd.Array) *nd.Array {
	if y.DType().IsInexact() || x.DType().IsInexact() || c.DType().IsInexact() {
		next := horner.Compute(nil, y, x, c)
		y.Release()
		return next
	}
	product := ops.Multiply(y, x)
	defer product.Release()
	y.Release()
	return ops.Add(product, c)
}

// Add returns the sum of two polynomials.
//
// Shapes: (m) and (n) give the longer one.
// NumPy: polyadd.
func Add(p, q *nd.Array) *nd.Array { return combined("poly.Add", ops.Add, p, q) }

// Sub returns the difference of two polynomials.
//
// Shapes: (m) and (n) give the longer one.
// NumPy: polysub.
func Sub(p, q *nd.Array) *nd.Array { return combined("poly.Sub", ops.Subtract, p, q) }

func combined(fn nd.Func, f ops.Ufunc, p, q *nd.Array) *nd.Array {
	fn.Check(p, q)
	made := fn.Temporaries(&p, &q)
	defer made.Release()
	a, b := coefficients(fn, p, p, q), coefficients(fn, q, p, q)
	n := max(a.Dim(0), b.Dim(0))
	return made.Keep(f(padLeading(made, a, n), padLeading(made, b, n)))
}

// padLeading pads p with leading zeros to n coefficients.
func padLeading(made *nd.Temporaries, p *nd.Array, n int) *nd.Array {
	if p.Dim(0) == n {
		return p
	}
	return ops.Concatenate([]*nd.Array{zeros(made, n-p.Dim(0), p), p})
}

// zeros returns n zeros of the dtype of p.
func zeros(made *nd.Temporaries, n int, p *nd.Array) *nd.Array {
	return made.Own(nd.Zeros([]int{n}, nd.ArrayOptions{DType: p.DType(), Device: p.Device()}))
}

// Mul returns the product of two polynomials, the convolution of their coefficients. NumPy's polymul drops leading
// zeros first.
//
// Shapes: (m) and (n) give (m+n-1).
// NumPy: polymul.
func Mul(p, q *nd.Array) *nd.Array {
	const fn nd.Func = "poly.Mul"
	fn.Check(p, q)
	made := fn.Temporaries(&p, &q)
	defer made.Release()
	a, b := coefficients(fn, p, p, q), coefficients(fn, q, p, q)
	if a.Size() == 0 || b.Size() == 0 {
		panic(fn.Errorf([]*nd.Array{p, q}, "want at least one coefficient each"))
	}
	return made.Keep(conv.Convolve1D(a, b))
}

// Div returns the quotient and the remainder of u and v, at least as floats: u = quotient·v + remainder. Leading zeros of
// v do not count (NumPy divides by them). It drops leading coefficients of the remainder within 1e-8 of 0, except the
// last coefficient, and therefore waits for the device.
//
// Shapes: (m) and (n) after the leading zeros give (m-n+1), or (1) if that is less, and at most (n-1).
// NumPy: polydiv.
func Div(u, v *nd.Array) (quotient, remainder *nd.Array) {
	const fn nd.Func = "poly.Div"
	fn.Check(u, v)
	made := fn.Temporaries(&u, &v)
	defer made.Release()
	a, b := coefficients(fn, u, u, v), coefficients(fn, v, u, v)
	if a.Dim(0) == 0 || b.Dim(0) == 0 {
		panic(fn.Errorf([]*nd.Array{u, v}, "want at least one coefficient each"))
	}
	b = b.Index(nd.From(leading(ops.NotEqual(b.Detach(), 0))))
	m, n := a.Dim(0), b.Dim(0)
	t := dtype.Promote(dtype.MeanType(a.DType()), dtype.MeanType(b.DType()))
	a, b = a.AsType(t), b.AsType(t)
	factor := ops.Reciprocal(b.Index(nd.Until(1)))
	bounds := make([]int, 0, max(m-n, 0)) // the first n coefficients together, and the others one by one
	for k := n; k < m; k++ {
		bounds = append(bounds, k)
	}
	given := ops.SplitAt(a, bounds)
	rest := given[0]
	var parts []*nd.Array
	for k := range m - n + 1 {
		if k > 0 {
			rest = ops.Concatenate([]*nd.Array{rest, given[k]})
		}
		part := ops.Multiply(factor, rest.Index(nd.Until(1)))
		parts = append(parts, part)
		rest = ops.Subtract(rest.Index(nd.From(1)), ops.Multiply(part, b.Index(nd.From(1))))
	}
	if parts == nil {
		parts = []*nd.Array{zeros(made, 1, a)}
	}
	if rest.Size() == 0 {
		rest = zeros(made, 1, a)
	}
	first := leading(ops.Greater(ops.Absolute(rest.Detach()), 1e-8))
	return made.Keep(ops.Concatenate(parts)), made.Keep(rest.Index(nd.From(first)).Copy())
}

// leading returns the index of the first coefficient that counts, or of the last one.
func leading(counts *nd.Array) int {
	first, last := 0, counts.Dim(0)-1
	for is := nd.ToSlice[bool](counts); first < last && !is[first]; {
		first++
	}
	return first
}

// wide returns float64, or complex128 for complex numbers.
func wide(p *nd.Array) dtype.DType { return dtype.Promote(p.DType(), dtype.Float64) }
