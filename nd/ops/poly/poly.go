// Package poly has polynomials as arrays of their coefficients, those of the highest power first, as NumPy's polyfit and its kin
// have them: 3, 2, 1 are 3x² + 2x + 1. Leading zeros do no harm, and stay where they are unless a function says otherwise. What
// the functions return is differentiable in coefficients, points and roots.
package poly

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
)

// coefficients refuses what is no list of coefficients; a number is one of degree 0.
func coefficients(fn nd.Func, p *nd.Array, all ...*nd.Array) *nd.Array {
	if p.Rank() == 0 {
		return ops.AtLeast1D(p)
	}
	if p.Rank() != 1 {
		panic(fn.Errorf(all, "want coefficients in an array of one axis"))
	}
	return p
}

// Val returns the values of a polynomial at points of any shape, by Horner's rule: ((0·x + p[0])·x + p[1])·x + …. numpy.polyval.
//
// Shapes: (n) and (…) give (…).
func Val(p, x *nd.Array) *nd.Array {
	const fn nd.Func = "poly.Val"
	fn.Check(p, x)
	made := fn.Temporaries(&p, &x)
	defer made.Release()
	return made.Keep(val(made, coefficients(fn, p, p, x), x))
}

func val(made *nd.Temporaries, p, x *nd.Array) *nd.Array {
	all := ops.Unstack(p)
	var y *nd.Array
	switch {
	case !x.IsScalar():
		y = made.Own(nd.ZerosLike(x))
	case len(all) == 0:
		return zeros(made, 1, p).Reshape()
	default:
		y, all = all[0], all[1:] // a number does not decide the dtype
	}
	for _, c := range all {
		y = ops.Add(ops.Multiply(y, x), c)
	}
	return y
}

// Add returns the sum of two polynomials. numpy.polyadd.
//
// Shapes: (m) and (n) give the longer one.
func Add(p, q *nd.Array) *nd.Array { return combined("poly.Add", ops.Add, p, q) }

// Sub returns the difference of two polynomials. numpy.polysub.
//
// Shapes: (m) and (n) give the longer one.
func Sub(p, q *nd.Array) *nd.Array { return combined("poly.Sub", ops.Subtract, p, q) }

func combined(fn nd.Func, f ops.Ufunc, p, q *nd.Array) *nd.Array {
	fn.Check(p, q)
	made := fn.Temporaries(&p, &q)
	defer made.Release()
	a, b := coefficients(fn, p, p, q), coefficients(fn, q, p, q)
	n := max(a.Dim(0), b.Dim(0))
	return made.Keep(f(led(made, a, n), led(made, b, n)))
}

// led is p with zeros before it, so that there are n coefficients.
func led(made *nd.Temporaries, p *nd.Array, n int) *nd.Array {
	if p.Dim(0) == n {
		return p
	}
	return ops.Concatenate([]*nd.Array{zeros(made, n-p.Dim(0), p), p})
}

// zeros are n of them, of the dtype of p.
func zeros(made *nd.Temporaries, n int, p *nd.Array) *nd.Array {
	return made.Own(nd.Zeros([]int{n}, nd.ArrayOptions{DType: p.DType(), Device: p.Device()}))
}

// Mul returns the product of two polynomials, the convolution of their coefficients. numpy.polymul, which drops leading zeros first.
//
// Shapes: (m) and (n) give (m+n-1).
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

// Div returns quotient and remainder of u and v, floats at least: u = quotient·v + remainder. From the remainder leading
// coefficients within 1e-8 of 0 are dropped, but for the last one, so that Div waits for the device. numpy.polydiv.
//
// Shapes: (m) and (n) give (m-n+1), or (1) where that is less, and at most (n-1).
func Div(u, v *nd.Array) (quotient, remainder *nd.Array) {
	const fn nd.Func = "poly.Div"
	fn.Check(u, v)
	made := fn.Temporaries(&u, &v)
	defer made.Release()
	a, b := coefficients(fn, u, u, v), coefficients(fn, v, u, v)
	m, n := a.Dim(0), b.Dim(0)
	if m == 0 || n == 0 {
		panic(fn.Errorf([]*nd.Array{u, v}, "want at least one coefficient each"))
	}
	t := dtype.Promote(inexact(a), inexact(b))
	a, b = a.AsType(t), b.AsType(t)
	factor := ops.Reciprocal(b.Index(nd.Until(1)))
	bounds := make([]int, 0, max(m-n, 0)) // the first n coefficients, and the others one by one
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
	above := nd.ToSlice[bool](ops.Greater(ops.Absolute(rest.Detach()), nd.Scalar(1e-8)))
	first := 0
	for first < len(above)-1 && !above[first] {
		first++
	}
	return made.Keep(ops.Concatenate(parts)), made.Keep(rest.Index(nd.From(first)).Copy())
}

// inexact is the dtype of an array as floats or complex numbers.
func inexact(p *nd.Array) dtype.DType {
	if p.DType().IsInexact() {
		return p.DType()
	}
	return dtype.Float64
}
