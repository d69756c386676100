package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// TriangularSolveOptions are the options of TriangularSolve.
type TriangularSolveOptions struct {
	// Upper reads the upper triangle of t instead of the lower one.
	Upper bool
	// Transposed solves with tᵀ, not conjugated; Upper still says which triangle of t is read.
	Transposed bool
	// UnitDiagonal assumes ones on the diagonal of t and does not read it.
	UnitDiagonal bool
}

// TriangularSolve returns the x with t·x = b for a triangular t. It does not read the other triangle of t. A vector b
// is one column, and its axis is left out of the result. A zero on the diagonal gives infinities.
//
// Shapes: (…, m, m) and (…, m, n) give (…, m, n); the axes before broadcast.
// PyTorch: linalg.solve_triangular.
func TriangularSolve(t, b *nd.Array, opts ...TriangularSolveOptions) *nd.Array {
	const fn nd.Func = "linalg.TriangularSolve"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&t, &b)
	defer made.Release()
	t, b, isVector := equations(fn, t, b)
	checkSquare(fn, t)
	x := triangle{fn: fn, upper: o.Upper, transposed: o.Transposed, unit: o.UnitDiagonal}.solve(t, b)
	if isVector {
		x = x.Squeeze(-1)
	}
	return made.Keep(x)
}

// equations converts both sides of linear equations to matrices of one dtype. A vector on the right becomes a column.
func equations(fn nd.Func, a, b *nd.Array) (left, right *nd.Array, isVector bool) {
	fn.Check(a, b)
	if isVector = b.Rank() == 1; a.Rank() < 2 || b.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{a, b}, "want matrices, and a vector or matrices on the right"))
	}
	t := matrixType(fn, a, b)
	left, right = a.AsType(t), b.AsType(t)
	if isVector {
		column := right.ExpandDims(-1)
		right = release.Converted(column, right, b)
	}
	if left.Dim(-2) != right.Dim(-2) {
		panic(fn.Errorf([]*nd.Array{a, b}, "%d equations, and %d right sides: want equally many", left.Dim(-2), right.Dim(-2)))
	}
	return left, right, isVector
}

// triangle is a triangular system of equations: an operation with the inputs T and B.
type triangle struct {
	fn                      nd.Func
	upper, transposed, unit bool
}

func (op triangle) solve(t, b *nd.Array) *nd.Array {
	m, n := b.Dim(-2), b.Dim(-1)
	f := newFactorisation(op.fn, b, sameBatch(op.fn, t, b), m, n, t)
	f.Upper, f.Transposed, f.UnitDiagonal = op.upper, op.transposed, op.unit
	x := f.write(b.DType(), m, n)
	f.read(t)
	f.read(b)
	f.run(device.Device.TriangularSolve)
	op.fn.Record(op, []*nd.Array{t, b}, x)
	return x
}

func (triangle) Claims() nd.Claims { return nd.Claims{In: 1, Out: 1} }

func (op triangle) VJP(c *nd.Call) {
	back := op
	back.transposed = !op.transposed
	gb := back.solve(ops.Conj(c.In(0)), c.Gy(0))
	if c.Needs(0) {
		var gt *nd.Array
		if op.transposed {
			gt = ops.Conj(ops.MatMul(c.Out(0), adjoint(gb)))
		} else {
			gt = ops.MatMul(gb, adjoint(c.Out(0)))
		}
		c.SetGx(0, c.Func().SumTo(op.part(ops.Negative(gt)), c.Shape(0)))
	}
	if c.Needs(1) {
		c.SetGx(1, c.Func().SumTo(gb, c.Shape(1)))
	}
}

// part returns the triangle that solve reads.
func (op triangle) part(a *nd.Array) *nd.Array {
	k := 0
	if op.unit {
		k = 1
	}
	if op.upper {
		return ops.Triu(a, k)
	}
	return ops.Tril(a, -k)
}
