package linalg

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Det returns the determinants of square matrices. The gradient, the matrix of cofactors, is right for singular ones too.
// numpy.linalg.det, nnabla batch_det.
//
// Shapes: (…, n, n) gives (…).
func Det(a *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.Det"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = realMatrices(fn, a)
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
	if nd.Value[bool](ops.Any(ops.Equal(y.Detach(), nd.Scalar(0)))) {
		c.SetGx(0, scaleMatrices(cofactors(a), c.Gy(0)))
		return
	}
	c.SetGx(0, scaleMatrices(transpose(inverse("linalg.Det", a, false)), ops.Multiply(c.Gy(0), y)))
}

// cofactors returns det(a)·a⁻ᵀ without a division: det(U)·det(V)·U·adj(S)·Vᵀ, where adj(S) has the product of all other
// singular values in place of each.
func cofactors(a *nd.Array) *nd.Array {
	u, s, vt := SVD(a)
	along := ops.ScanOptions{Axis: ops.Over(-1), Exclusive: true}
	before := ops.CumProd(s, along)
	along.Reverse = true
	others := ops.Multiply(before, ops.CumProd(s, along))
	signU, _ := SlogDet(u.Detach())
	signV, _ := SlogDet(vt.Detach())
	return scaleMatrices(ops.MatMul(scaleColumns(u, others), vt), ops.Multiply(signU, signV))
}

// SlogDet returns the signs of the determinants of square matrices, and the logarithms of their absolute values, which do
// not overflow: 0 and -Inf for singular ones. A gradient flows through the logarithm. numpy.linalg.slogdet; the logarithm
// is nnabla batch_logdet.
//
// Shapes: (…, n, n) gives (…) twice.
func SlogDet(a *nd.Array) (sign, logAbs *nd.Array) {
	const fn nd.Func = "linalg.SlogDet"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = realMatrices(fn, a)
	checkSquare(fn, a)
	f := luOf(fn, a)
	d := f.diagonal()
	sign = ops.Multiply(ops.Prod(ops.Sign(d), lastAxis), f.parity())
	logAbs = ops.Sum(ops.Log(ops.Absolute(d)), lastAxis)
	fn.Record(slogDetOp{}, []*nd.Array{a}, sign, logAbs)
	return made.Keep(sign), made.Keep(logAbs)
}

type slogDetOp struct{}

func (slogDetOp) Claims() nd.Claims { return nd.Claims{In: 1} }

func (slogDetOp) VJP(c *nd.Call) {
	if c.Gy(1) != nil {
		c.SetGx(0, scaleMatrices(transpose(inverse("linalg.SlogDet", c.In(0), true)), c.Gy(1)))
	}
}
