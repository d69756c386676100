package linalg

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// MatrixExp returns the exponentials Σ aᵏ/k! of square matrices by scaling and squaring: it halves a matrix some times,
// applies Padé's approximation of order 13, and squares the result as often. The number of times depends on the norms of
// powers of the matrix, not on its own norm, so that a large element beside a diagonal costs no accuracy. It computes in
// float64 or complex128.
// The gradient is the exponential's derivative at aᴴ along the result's gradient. SciPy's linalg.expm is the same
// function.
//
// Shapes: (…, n, n) gives (…, n, n).
//
// Source: N. Higham, The scaling and squaring method for the matrix exponential revisited, 2005. A. Al-Mohy, N. Higham, A
// new scaling and squaring algorithm for the matrix exponential, 2009.
// PyTorch: matrix_exp, linalg.matrix_exp.
func MatrixExp(a *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.MatrixExp"
	given := a
	a = matrices(fn, a)
	checkSquare(fn, a)
	return release.Converted(matrixExp(fn, a), a, given)
}

func matrixExp(fn nd.Func, a *nd.Array) *nd.Array {
	x := a.Detach()
	y := release.Converted(exponential(fn, x), x, a)
	fn.Record(matrixExpOp{}, []*nd.Array{a}, y)
	return y
}

// exponential computes MatrixExp.
func exponential(fn nd.Func, a *nd.Array) *nd.Array {
	made := fn.Temporaries(&a)
	defer made.Release()
	if a.Size() == 0 {
		return made.Keep(a.Copy())
	}
	t := a.DType()
	a = a.AsType(dtype.Promote(t, dtype.Float64))
	powers := evenPowers(made, a)
	one := made.Own(identity(a.Dim(-1), a))
	two, four, six := powers.two, powers.four, powers.six
	// terms returns the terms from first on, of every second power.
	terms := func(first int, powers ...*nd.Array) *nd.Array {
		sum := ops.Multiply(powers[0], padeTerm(first))
		for i, x := range powers[1:] {
			sum = sumAndRelease(sum, ops.Multiply(x, padeTerm(first+2*i+2)))
		}
		return sum
	}
	// polynomial returns seven terms from first on.
	polynomial := func(first int) *nd.Array {
		high := terms(first+8, two, four, six)
		high = release.Replace(high, ops.MatMul(six, high))
		return sumAndRelease(high, terms(first, one, two, four, six))
	}
	odd, even := polynomial(1), polynomial(0)
	release.Operands(nil, two, four, six)
	odd = release.Replace(odd, ops.MatMul(powers.one, odd))
	denominator := ops.Subtract(even, odd)
	numerator := sumAndRelease(even, odd)
	y := release.Operands(solve(fn, denominator, numerator), denominator, numerator)
	least, most := slices.Min(powers.halvings), slices.Max(powers.halvings)
	for k := range most {
		square := ops.MatMul(y, y)
		if k >= least {
			more := make([]bool, len(powers.halvings))
			for i, n := range powers.halvings {
				more[i] = n > k
			}
			square = release.Replace(square, ops.Where(eachMatrix(made, y, more), square, y))
		}
		y = release.Replace(y, square)
	}
	return made.Keep(y.AsType(t))
}

// sumAndRelease returns the sum of two temporary arrays.
func sumAndRelease(a, b *nd.Array) *nd.Array { return release.Operands(ops.Add(a, b), a, b) }

// padeTerm returns the factor of xᵏ in the numerator: 13!·(26-k)!/(26!·k!·(13-k)!).
func padeTerm(k int) float64 {
	v := 1.0
	for i := range k {
		v *= float64(13-i) / float64((26-i)*(i+1))
	}
	return v
}

type matrixExpOp struct{}

func (matrixExpOp) Claims() nd.Claims { return nd.Claims{In: 1} }

// VJP returns the derivative at aᴴ along g: the upper right block of the exponential of (aᴴ g; 0 aᴴ).
func (matrixExpOp) VJP(c *nd.Call) {
	a, g := adjoint(c.In(0)), c.Gy(0)
	n, along := a.Dim(-1), ops.Over(-1)
	none := zeros(g.Detach(), g.Shape())
	defer none.Release()
	both := ops.Concatenate([]*nd.Array{ops.Concatenate([]*nd.Array{a, g}, along), ops.Concatenate([]*nd.Array{none, a}, along)}, ops.Over(-2))
	c.SetGx(0, columns(rows(matrixExp(c.Func(), both), 0, n), n, 2*n))
}
