package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Inv returns the inverses of square matrices. It panics for singular ones.
//
// Shapes: (…, n, n) gives (…, n, n).
// NumPy: linalg.inv. PyTorch: inverse. NNabla: batch_inv. Chainer: inv, batch_inv.
func Inv(a *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.Inv"
	given := a
	a = matrices(fn, a)
	checkSquare(fn, a)
	return release.Converted(inverse(fn, a, true), a, given)
}

// inverse is Inv; without refuse it returns infinities and NaN for singular matrices.
func inverse(fn nd.Func, a *nd.Array, refuse bool) *nd.Array {
	x := a.Detach()
	y := release.Converted(invert(fn, x, refuse), x, a)
	fn.Record(inverseOp{}, []*nd.Array{a}, y)
	return y
}

func invert(fn nd.Func, a *nd.Array, refuse bool) *nd.Array {
	if refuse {
		return solved(fn, a, nil)
	}
	f := luOf(fn, a)
	defer f.release()
	return f.inverse()
}

// solved returns a⁻¹·b, or without b the inverse of a. Each matrix has its own right sides.
func solved(fn nd.Func, a, b *nd.Array) *nd.Array {
	m, n := a.Dim(-2), a.Dim(-1)
	var others []*nd.Array
	if b != nil {
		n, others = b.Dim(-1), []*nd.Array{b}
	}
	f := newFactorisation(fn, a, batchOf(a), m, n, others...)
	x := f.write(a.DType(), m, n)
	f.Skip()
	f.read(a)
	for _, b := range others {
		f.read(b)
	}
	f.refusing(a, whole, writeInverse).run(device.Device.Solve)
	return x
}

// writeInverse adds the results of a launch that computes only inverses, and returns these.
func writeInverse(f *factorisation) *nd.Array {
	a := f.like[0]
	x := f.write(a.DType(), a.Dim(-2), a.Dim(-1))
	f.Skip()
	return x
}

type inverseOp struct{}

func (inverseOp) Claims() nd.Claims { return nd.Claims{Out: 1} }

func (inverseOp) VJP(c *nd.Call) {
	back := adjoint(c.Out(0))
	c.SetGx(0, ops.Negative(ops.MatMul(back, ops.MatMul(c.Gy(0), back))))
}

// Solve returns the x with a·x = b, for square a. It panics for singular a. A vector b is one column, and its axis is
// left out of the result.
//
// Shapes: (…, m, m) and (…, m, n) give (…, m, n); the axes before broadcast.
// NumPy: linalg.solve.
func Solve(a, b *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.Solve"
	left, right, isVector := equations(fn, a, b)
	checkSquare(fn, left)
	x := solve(fn, left, right)
	release.Unless(left, a)
	release.Unless(right, b)
	if isVector {
		return release.Operands(x.Squeeze(-1), x)
	}
	return x
}

func solve(fn nd.Func, a, b *nd.Array) *nd.Array {
	sameBatch(fn, a, b)
	left, right := a.Detach(), b.Detach()
	x := solution(fn, left, right)
	release.Unless(left, a)
	release.Unless(right, b)
	fn.Record(solveOp{}, []*nd.Array{a, b}, x)
	return x
}

func solution(fn nd.Func, a, b *nd.Array) *nd.Array {
	if broadcast.Equal(sameBatch(fn, a, b), batchOf(a)) {
		return solved(fn, a, b)
	}
	f := luOf(fn, a) // once for all right sides
	defer f.release()
	if f.isSingular() {
		panic(fn.Errorf([]*nd.Array{a, b}, "%s is singular", f.firstSingular()))
	}
	return f.solve(b)
}

type solveOp struct{}

func (solveOp) Claims() nd.Claims { return nd.Claims{In: 1, Out: 1} }

func (solveOp) VJP(c *nd.Call) {
	gb := solve(c.Func(), adjoint(c.In(0)), c.Gy(0))
	if c.Needs(0) {
		c.SetGx(0, c.Func().SumTo(ops.Negative(ops.MatMul(gb, adjoint(c.Out(0)))), c.Shape(0)))
	}
	if c.Needs(1) {
		c.SetGx(1, c.Func().SumTo(gb, c.Shape(1)))
	}
}
