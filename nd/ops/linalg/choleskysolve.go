package linalg

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// CholeskySolveOptions are the options of CholeskySolve and CholeskyInverse.
type CholeskySolveOptions struct {
	// Upper says that the factor is the upper triangular U with a = Uᴴ·U instead of the lower triangular L with a =
	// L·Lᴴ.
	Upper bool
}

// CholeskySolve returns the x with a·x = b, given the factor l of a from [Cholesky]. It reads only the triangle of l. A
// vector b is one column, and its axis is left out of the result. PyTorch's cholesky_solve takes the right side first.
//
// Shapes: (…, n, n) and (…, n, k) give (…, n, k); the axes before broadcast.
// PyTorch: cholesky_solve.
func CholeskySolve(l, b *nd.Array, opts ...CholeskySolveOptions) *nd.Array {
	const fn nd.Func = "linalg.CholeskySolve"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&l, &b)
	defer made.Release()
	l, b, isVector := equations(fn, l, b)
	checkSquare(fn, l)
	x := o.solve(fn, l, b)
	if isVector {
		x = x.Squeeze(-1)
	}
	return made.Keep(x)
}

// CholeskyInverse returns the inverse of a, given the factor l of a from [Cholesky]. It reads only the triangle of l.
//
// Shapes: (…, n, n) gives (…, n, n).
// PyTorch: cholesky_inverse.
func CholeskyInverse(l *nd.Array, opts ...CholeskySolveOptions) *nd.Array {
	const fn nd.Func = "linalg.CholeskyInverse"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&l)
	defer made.Release()
	l = matrices(fn, l)
	checkSquare(fn, l)
	return made.Keep(o.solve(fn, l, made.Own(identity(l.Dim(-1), l))))
}

// solve substitutes twice: L⁻ᴴ·L⁻¹·b, or U⁻¹·U⁻ᴴ·b.
func (o CholeskySolveOptions) solve(fn nd.Func, l, b *nd.Array) *nd.Array {
	plain, adjoined := triangle{fn: fn, upper: o.Upper}, triangle{fn: fn, upper: o.Upper, transposed: true}
	if o.Upper {
		return plain.solve(l, adjoined.solve(ops.Conj(l), b))
	}
	return adjoined.solve(ops.Conj(l), plain.solve(l, b))
}

// HouseholderProduct returns the first columns of the product H₀·H₁·… of reflections Hᵢ = I - τᵢ·vᵢ·vᵢᴴ. The vector vᵢ
// is 0 above index i, 1 at index i, and equals column i of h below it; the rest of h is not read. For the result of
// [QRReflectors], with h transposed, the product is q.
//
// Shapes: (…, m, n) and (…, k), where k ≤ n ≤ m, give (…, m, n).
// PyTorch: linalg.householder_product, orgqr.
func HouseholderProduct(h, tau *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.HouseholderProduct"
	fn.Check(h, tau)
	given := []*nd.Array{h, tau}
	if h.Rank() < 2 || tau.Rank() != h.Rank()-1 || h.Dim(-2) < h.Dim(-1) || tau.Dim(-1) > h.Dim(-1) {
		panic(fn.Errorf(given, "want h of m rows and n ≤ m columns, and tau of at most n numbers"))
	}
	made := fn.Temporaries(&h, &tau)
	defer made.Release()
	t := matrixType(fn, h, tau)
	h, tau = h.AsType(t), tau.AsType(t)
	factors := tau.ExpandDims(-1, -2) // shape (…, k, 1, 1)
	batch := sameBatch(fn, h, tau.ExpandDims(-1))
	m, n := h.Dim(-2), h.Dim(-1)
	one := made.Own(nd.Eye(m, n, 0, nd.ArrayOptions{DType: t, Device: h.Device()}))
	vectors := ops.Add(ops.Tril(h, -1), one)
	q := one.BroadcastTo(append(batch, m, n)...)
	for i := tau.Dim(-1) - 1; i >= 0; i-- {
		v, factor := columns(vectors, i, i+1), factors.Index(nd.Ellipsis(), nd.At(i), nd.All(), nd.All())
		change := ops.MatMul(v, ops.Multiply(ops.MatMul(adjoint(v), q), factor))
		next := ops.Subtract(q, change)
		change.Release()
		release.Unless(q, one)
		q = next
	}
	if tau.Dim(-1) == 0 {
		q = q.Copy()
	}
	return made.Keep(q)
}
