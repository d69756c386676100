package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Eig returns the eigenvalues w of square matrices, in no particular order, and eigenvectors of length 1 as columns of
// v: a·v = v·diag(w). They are always complex numbers, where NumPy's eig returns real numbers if all are real; [Eigh]
// is for symmetric matrices. Eig panics for NaN and infinities. The gradient is that of distinct eigenvalues; for two
// equal ones, terms without a limit are left out. Terms that depend on the phases of the vectors, which are arbitrary,
// are left out, too.
//
// Shapes: (…, n, n) gives (…, n) and (…, n, n).
//
// Source: M. Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation, 2008.
// NumPy: linalg.eig. PyTorch: eig.
func Eig(a *nd.Array) (w, v *nd.Array) {
	const fn nd.Func = "linalg.Eig"
	given := a
	a = matrices(fn, a)
	checkSquare(fn, a)
	w, v = eig(fn, a)
	return release.Converted(w, a, given), v
}

func eig(fn nd.Func, a *nd.Array) (w, v *nd.Array) {
	n, t := a.Dim(-1), a.DType().Complex()
	f := newFactorisation(fn, a, batchOf(a), n, n)
	w, v = f.write(t, n), f.write(t, n, n)
	f.read(a)
	f.refusing(a, whole, writeComplexEigenvalues).run(device.Device.Eig)
	fn.Record(eigOp{!a.DType().IsComplex()}, []*nd.Array{a}, w, v)
	return w, v
}

type eigOp struct{ real bool }

func (eigOp) Claims() nd.Claims { return nd.Claims{Out: 3} }

// VJP is V⁻ᴴ·(diag(gw) + (Vᴴ·gv - Vᴴ·V·diag(Re(Vᴴ·gv)))∘F)·Vᴴ with F = 1/(w̄ⱼ - w̄ᵢ): the subtracted term keeps the
// lengths 1.
func (op eigOp) VJP(c *nd.Call) {
	w, v, gw, gv := c.Out(0), c.Out(1), c.Gy(0), c.Gy(1)
	vh := adjoint(v)
	var core *nd.Array
	if gw != nil {
		core = diagonal(gw)
	}
	if gv != nil {
		inner := ops.MatMul(vh, gv)
		along := ops.Real(inner.Diagonal(0, -2, -1))
		inner = ops.Subtract(inner, scaleColumns(ops.MatMul(vh, v), along))
		core = sumOf(core, ops.Multiply(inner, inverseGaps(ops.Conj(w))))
	}
	c.SetGx(0, op.back(c.Func(), vh, core))
}

// back returns V⁻ᴴ·core·Vᴴ, or for real matrices its real part.
func (op eigOp) back(fn nd.Func, vh, core *nd.Array) *nd.Array {
	g := solve(fn, vh, ops.MatMul(core, vh))
	if op.real {
		return ops.Real(g)
	}
	return g
}

// Eigvals returns the eigenvalues of square matrices, in no particular order, always as complex numbers; NumPy's
// eigvals returns real numbers if all are real. The gradient is that of distinct eigenvalues.
//
// Shapes: (…, n, n) gives (…, n).
// NumPy: linalg.eigvals.
func Eigvals(a *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.Eigvals"
	given := a
	a = matrices(fn, a)
	checkSquare(fn, a)
	n := a.Dim(-1)
	f := newFactorisation(fn, a, batchOf(a), n, n)
	w := writeComplexEigenvalues(f)
	f.read(a)
	f.refusing(a, whole, writeComplexEigenvalues).run(device.Device.Eig)
	fn.Record(eigvalsOp{eigOp{!a.DType().IsComplex()}}, []*nd.Array{a}, w)
	return release.Converted(w, a, given)
}

// writeComplexEigenvalues is writeEigenvalues for Eig.
func writeComplexEigenvalues(f *factorisation) *nd.Array {
	a := f.like[0]
	w := f.write(a.DType().Complex(), a.Dim(-1))
	f.Skip()
	return w
}

type eigvalsOp struct{ eigOp }

func (eigvalsOp) Claims() nd.Claims { return nd.Claims{In: 1} }

func (op eigvalsOp) VJP(c *nd.Call) {
	_, v := eig(c.Func(), c.In(0))
	vh := adjoint(v)
	c.SetGx(0, op.back(c.Func(), vh, diagonal(c.Gy(0))))
}
