package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Det returns the determinants of square matrices. The gradient, the matrix of cofactors, and its derivatives are also
// right for singular matrices.
//
// Shapes: (…, n, n) gives (…).
// NumPy: linalg.det. NNabla: batch_det.
func Det(a *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.Det"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a)
	checkSquare(fn, a)
	f := newFactorisation(fn, a, batchOf(a), a.Dim(-2), a.Dim(-1))
	f.Skip()
	y := f.write(a.DType())
	f.read(a)
	f.run(device.Device.Solve)
	fn.Record(detOp{}, []*nd.Array{a}, y)
	return made.Keep(y)
}

var lastAxis = ops.Over(-1)

type detOp struct{}

func (detOp) VJP(c *nd.Call) {
	a, y := c.In(0), c.Out(0)
	if nd.Value[bool](ops.Any(ops.Equal(y.Detach(), 0))) || isSingular("linalg.Det", a.Detach()) {
		c.SetGx(0, scaleMatrices(cofactors("linalg.Det", a), c.Gy(0)))
		return
	}
	c.SetGx(0, scaleMatrices(adjoint(inverse("linalg.Det", a, false)), ops.Multiply(c.Gy(0), ops.Conj(y))))
}

// isSingular reports whether a matrix has a pivot that is 0 up to rounding. Whether it is exactly 0 depends on whether the processor fuses
// products and sums.
func isSingular(fn nd.Func, a *nd.Array) bool {
	made := fn.Temporaries(&a)
	defer made.Release()
	if a.Size() == 0 {
		return false
	}
	sizes := ops.Absolute(newLU(fn, a, false).diagonal())
	limit := ops.Multiply(ops.Max(sizes, lastAxis), dtype.Info(sizes.DType()).Eps*float64(a.Dim(-1)))
	return nd.Value[bool](ops.Any(ops.LessEqual(ops.Min(sizes, lastAxis), limit)))
}

// cofactors returns the adjoint of adj(a) = det(a)·a⁻¹ without dividing by small numbers. Left and right singular vectors
// of the small singular values, which count as constants, border a to M = (a u; vᴴ 0), which is regular. With M⁻¹ = (P Q;
// R H) the determinant of a is det(M)·det(H), and adj(a) = det(M)·(det(H)·P - Q·adj(H)·R). So derivatives of every order
// are right.
func cofactors(fn nd.Func, a *nd.Array) *nd.Array {
	made := fn.Temporaries(&a)
	defer made.Release()
	n := a.Dim(-1)
	u, s, vt := svd(fn, a.Detach(), false)
	k := n - nullity(s)
	beside := ops.Concatenate([]*nd.Array{a, columns(u, k, n)}, lastAxis)
	below := ops.Concatenate([]*nd.Array{rows(vt, k, n), zeros(a, append(batchOf(a), n-k, n-k))}, lastAxis)
	m := ops.Concatenate([]*nd.Array{beside, below}, ops.Over(-2))
	back := inverse(fn, m, false)
	top, bottom := rows(back, 0, n), rows(back, n, 2*n-k)
	det, adj := adjugate(columns(bottom, n, 2*n-k))
	inner := ops.MatMul(ops.MatMul(columns(top, n, 2*n-k), adj), columns(bottom, 0, n))
	return made.Keep(adjoint(scaleMatrices(ops.Subtract(scaleMatrices(columns(top, 0, n), det), inner), Det(m))))
}

// nullity returns the largest number of singular values that are 0 up to rounding, at least 1.
func nullity(s *nd.Array) int {
	limit := ops.Multiply(ops.Max(s, lastAxis.KeepDims()), dtype.Info(s.DType()).Eps*float64(s.Dim(-1)))
	return max(1, int(nd.Value[int64](ops.Max(ops.CountNonzero(ops.LessEqual(s, limit), lastAxis)))))
}

// adjugate returns the determinants and the adjugates of small matrices h by sums and products alone.
//
// Source: D. Faddeev, V. Faddeeva, Computational Methods of Linear Algebra, 1963 (Leverrier's method).
func adjugate(h *nd.Array) (det, adj *nd.Array) {
	one, n, sign := identity(h.Dim(-1), h), h.Dim(-1), 1.0
	adj = one.BroadcastTo(h.Shape()...)
	for k := 1; ; k++ {
		next := ops.MatMul(h, adj)
		trace := Trace(next)
		det = release.Operands(ops.Multiply(trace, 1/float64(k)), trace)
		if k == n {
			next.Release()
			return ops.Multiply(det, sign), ops.Multiply(adj, sign)
		}
		part := scaleMatrices(one, det)
		adj = release.Operands(ops.Subtract(next, part), next, part, det, adj)
		sign = -sign
	}
}

// SlogDet returns the signs of the determinants of square matrices (for complex ones, numbers of modulus 1), and the
// logarithms of their absolute values, which do not overflow. Singular matrices give 0 and -Inf. A gradient flows
// through the logarithm, and through the sign of complex determinants.
//
// Shapes: (…, n, n) gives (…) twice.
// NumPy: linalg.slogdet. NNabla: batch_logdet (for the logarithm).
func SlogDet(a *nd.Array) (sign, logAbs *nd.Array) {
	const fn nd.Func = "linalg.SlogDet"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a)
	checkSquare(fn, a)
	f := newLU(fn, a, false)
	d := f.diagonal()
	sign = ops.Multiply(ops.Prod(ops.Sign(d), lastAxis), f.parity())
	logAbs = ops.Sum(ops.Log(ops.Absolute(d)), lastAxis)
	fn.Record(slogDetOp{}, []*nd.Array{a}, sign, logAbs)
	return made.Keep(sign), made.Keep(logAbs)
}

type slogDetOp struct{}

func (slogDetOp) Claims() nd.Claims { return nd.Claims{In: 1, Out: 1} }

// VJP is a⁻ᴴ·(gLog + i·Im(gSign·conj(sign))): a sign turns with the imaginary part of the trace of a⁻¹·da.
func (slogDetOp) VJP(c *nd.Call) {
	a, gSign, g := c.In(0), c.Gy(0), c.Gy(1)
	if gSign != nil && a.DType().IsComplex() {
		turn := ops.Imag(ops.Multiply(gSign, ops.Conj(c.Out(0))))
		g = sumOf(g, ops.Multiply(turn, 1i))
	}
	if g != nil {
		c.SetGx(0, scaleMatrices(adjoint(inverse("linalg.SlogDet", a, true)), g))
	}
}
