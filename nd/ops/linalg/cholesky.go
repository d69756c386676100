package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// CholeskyOptions are the options of Cholesky.
type CholeskyOptions struct {
	// Upper returns the upper triangular Lᴴ, computed from the upper triangle of a.
	Upper bool
}

// Cholesky returns the lower triangular L with a = L·Lᴴ, of symmetric or complex Hermitian matrices that are positive
// definite. It panics for other matrices. It reads only the lower triangle of a, and only the real parts of the
// diagonal. The gradient is symmetric or Hermitian.
//
// Shapes: (…, n, n) gives (…, n, n).
//
// Source: I. Murray, Differentiation of the Cholesky decomposition, 2016.
// NumPy: linalg.cholesky. NNabla: batch_cholesky.
func Cholesky(a *nd.Array, opts ...CholeskyOptions) *nd.Array {
	const fn nd.Func = "linalg.Cholesky"
	given := a
	a = matrices(fn, a)
	checkSquare(fn, a)
	if !options.Read(fn, opts).Upper {
		return release.Converted(cholesky(fn, a), a, given)
	}
	made := fn.Temporaries(&given)
	defer made.Release()
	return made.Keep(adjoint(cholesky(fn, adjoint(matrices(fn, given)))).Contiguous())
}

func cholesky(fn nd.Func, a *nd.Array) *nd.Array {
	n := a.Dim(-1)
	f := newFactorisation(fn, a, batchOf(a), n, n)
	factor := func(f *factorisation) *nd.Array { return f.write(a.DType(), n, n) }
	l := factor(f)
	f.read(a)
	f.refusing(a, lowerPart, factor).run(device.Device.Cholesky)
	fn.Record(choleskyOp{}, []*nd.Array{a}, l)
	return l
}

type choleskyOp struct{}

func (choleskyOp) Claims() nd.Claims { return nd.Claims{Out: 1} }

// VJP is L⁻ᴴ·Φ(Lᴴ·g)·L⁻¹, made Hermitian, where Φ takes the lower triangle with half the diagonal.
func (choleskyOp) VJP(c *nd.Call) {
	l := c.Out(0)
	p := ops.MatMul(adjoint(l), c.Gy(0))
	one := identity(l.Dim(-1), p)
	half := ops.Subtract(1.0, ops.Multiply(one, 0.5, ops.UfuncOptions{Out: one}), ops.Into(one))
	p = ops.Multiply(ops.Tril(p, 0), half)
	half.Release()
	backward := triangle{fn: c.Func(), transposed: true}
	l = ops.Conj(l)
	p = backward.solve(l, p)
	p = backward.solve(l, adjoint(p)) // the adjoint of p·L⁻¹
	c.SetGx(0, hermitianPart(p))
}
