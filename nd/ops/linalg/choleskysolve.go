package linalg

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
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
