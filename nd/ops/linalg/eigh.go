package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Triangle is a triangle of a matrix, with its diagonal.
type Triangle string

const (
	Lower Triangle = "L" // the elements on and below the diagonal
	Upper Triangle = "U" // the elements on and above the diagonal
)

// EighOptions are the options of Eigh and EigvalsH.
type EighOptions struct {
	// UPLO is the triangle of a that is read; the default is Lower.
	UPLO Triangle
}

func (o EighOptions) upper(fn nd.Func, a *nd.Array) bool {
	switch o.UPLO {
	case "", Lower, "l":
		return false
	case Upper, "u":
		return true
	}
	panic(fn.Errorf([]*nd.Array{a}, "UPLO %q: want L or U", o.UPLO))
}

// Eigh returns the eigenvalues w of symmetric, or complex Hermitian, matrices, in ascending order, and orthonormal
// eigenvectors as columns of v: a·v = v·diag(w). It panics for NaN and infinities. The gradient is symmetric or
// Hermitian. It is that of distinct eigenvalues; for two equal ones, terms without a limit are left out. Terms that
// depend on the phases of complex vectors, which are arbitrary, are left out, too.
//
// Shapes: (…, n, n) gives (…, n) and (…, n, n).
// NumPy: linalg.eigh.
func Eigh(a *nd.Array, opts ...EighOptions) (w, v *nd.Array) {
	const fn nd.Func = "linalg.Eigh"
	given := a
	a = matrices(fn, a)
	checkSquare(fn, a)
	w, v = eigh(fn, a, options.Read(fn, opts).upper(fn, a))
	return release.Converted(w, a, given), v
}

func eigh(fn nd.Func, a *nd.Array, upper bool) (w, v *nd.Array) {
	n := a.Dim(-1)
	f := newFactorisation(fn, a, batchOf(a), n, n)
	f.Upper = upper
	w, v = f.write(a.DType().Real(), n), f.write(a.DType(), n, n)
	f.read(a)
	f.refusing(a, triangleRead(upper), writeEigenvalues).run(device.Device.Eigh)
	fn.Record(eighOp{}, []*nd.Array{a}, w, v)
	return w, v
}

type eighOp struct{}

func (eighOp) Claims() nd.Claims { return nd.Claims{Out: 3} }

// VJP is V·(diag(gw) + (Vᴴ·gv)∘F)·Vᴴ with F = 1/(wⱼ - wᵢ), made Hermitian.
func (eighOp) VJP(c *nd.Call) {
	w, v, gw, gv := c.Out(0), c.Out(1), c.Gy(0), c.Gy(1)
	var core *nd.Array
	if gw != nil {
		core = diagonal(gw)
	}
	if gv != nil {
		core = sumOf(core, ops.Multiply(ops.MatMul(adjoint(v), gv), inverseGaps(w)))
	}
	c.SetGx(0, hermitianPart(ops.MatMul(ops.MatMul(v, core), adjoint(v))))
}

// EigvalsH returns the eigenvalues of symmetric, or complex Hermitian, matrices in ascending order. The gradient is
// symmetric or Hermitian.
//
// Shapes: (…, n, n) gives (…, n).
// NumPy: linalg.eigvalsh.
func EigvalsH(a *nd.Array, opts ...EighOptions) *nd.Array {
	const fn nd.Func = "linalg.EigvalsH"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a)
	checkSquare(fn, a)
	return made.Keep(eigenvalues(fn, a, options.Read(fn, opts).upper(fn, a)))
}

// completed fills in matrices from one triangle; it ignores imaginary parts on the diagonal.
func completed(a *nd.Array, upper bool) *nd.Array {
	if upper {
		a = adjoint(a)
	}
	strict := ops.Tril(a, -1)
	diagonal := ops.Triu(ops.Tril(ops.Real(a), 0), 0)
	return ops.Add(ops.Add(strict, adjoint(strict)), diagonal)
}

func eigenvalues(fn nd.Func, a *nd.Array, upper bool) *nd.Array {
	n := a.Dim(-1)
	f := newFactorisation(fn, a, batchOf(a), n, n)
	f.Upper = upper
	w := writeEigenvalues(f)
	f.read(a)
	f.refusing(a, triangleRead(upper), writeEigenvalues).run(device.Device.Eigh)
	fn.Record(eigenvaluesOp{upper}, []*nd.Array{a}, w)
	return w
}

// writeEigenvalues adds the results of a launch that computes only the eigenvalues, and returns these.
func writeEigenvalues(f *factorisation) *nd.Array {
	a := f.like[0]
	w := f.write(a.DType().Real(), a.Dim(-1))
	f.Skip()
	return w
}

type eigenvaluesOp struct{ upper bool }

func (eigenvaluesOp) Claims() nd.Claims { return nd.Claims{In: 1} }

func (op eigenvaluesOp) VJP(c *nd.Call) {
	_, v := eigh(c.Func(), c.In(0), op.upper)
	c.SetGx(0, hermitianPart(ops.MatMul(scaleColumns(v, c.Gy(0)), adjoint(v))))
}
