package linalg

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Det returns the determinants of square matrices. The gradient, the matrix of cofactors, is also right for singular
// matrices; the second derivative is wrong for singular complex matrices.
//
// Shapes: (…, n, n) gives (…).
// NumPy: linalg.det. NNabla: batch_det.
func Det(a *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.Det"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a)
	checkSquare(fn, a)
	f := luOf(fn, a)
	y := ops.Multiply(ops.Prod(f.diagonal(), lastAxis), f.parity())
	fn.Record(detOp{}, []*nd.Array{a}, y)
	return made.Keep(y)
}

var lastAxis = ops.Over(-1)

type detOp struct{}

func (detOp) VJP(c *nd.Call) {
	a, y := c.In(0), c.Out(0)
	if nd.Value[bool](ops.Any(ops.Equal(y.Detach(), 0))) {
		c.SetGx(0, scaleMatrices(cofactors(a), c.Gy(0)))
		return
	}
	c.SetGx(0, scaleMatrices(adjoint(inverse("linalg.Det", a, false)), ops.Multiply(c.Gy(0), ops.Conj(y))))
}

// cofactors returns the adjoint of det(a)·a⁻¹ without a division: the conjugate of det(U)·det(Vᴴ) times U·adj(S)·Vᴴ,
// where adj(S) holds instead of each singular value the product of all others.
func cofactors(a *nd.Array) *nd.Array {
	u, s, vt := SVD(a)
	along := ops.ScanOptions{Axis: ops.Over(-1), Exclusive: true}
	before := ops.CumProd(s, along)
	along.Reverse = true
	others := ops.Multiply(before, ops.CumProd(s, along))
	signU, _ := SlogDet(u)
	signV, _ := SlogDet(vt)
	return scaleMatrices(ops.MatMul(scaleColumns(u, others), vt), ops.Conj(ops.Multiply(signU, signV)))
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
	f := luOf(fn, a)
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
