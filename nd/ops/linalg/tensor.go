package linalg

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TensorInv returns the inverse of a as a linear map of arrays: TensorDot of the result and a, over ind axes, is the
// identity. The product of the lengths of the first ind axes must equal that of the others. NumPy's tensorinv has ind 2
// by default.
//
// Shapes: (m…, n…), where m… are ind axes, gives (n…, m…).
// NumPy: linalg.tensorinv.
func TensorInv(a *nd.Array, ind int) *nd.Array {
	const fn nd.Func = "linalg.TensorInv"
	fn.Check(a)
	if ind < 1 || ind > a.Rank() {
		panic(fn.Errorf([]*nd.Array{a}, "ind %d: want a number of axes of a, at least one", ind))
	}
	shape := a.Shape()
	m, n := broadcast.Size(shape[:ind]), broadcast.Size(shape[ind:])
	if m != n {
		panic(fn.Errorf([]*nd.Array{a}, "the first %d axes have %d elements together, the others %d: want equally many", ind, m, n))
	}
	made := fn.Temporaries(&a)
	defer made.Release()
	y := inverse(fn, matrices(fn, a.Reshape(m, n)), true)
	return made.Keep(y.Reshape(append(shape[ind:], shape[:ind]...)...))
}

// TensorSolve returns the x with TensorDot(a, x) = b over all axes of x. It first moves the given axes of a to the end,
// in their order; the axes left at the beginning have the lengths of b.
//
// Shapes: (m…, n…) and (m…) give (n…), where m… and n… have equally many elements.
// NumPy: linalg.tensorsolve.
func TensorSolve(a, b *nd.Array, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "linalg.TensorSolve"
	fn.Check(a, b)
	moved, err := broadcast.Axes(options.Read(fn, over), a.Rank())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{a, b}, "axes of a: %v", err))
	}
	if b.Rank() > a.Rank() {
		panic(fn.Errorf([]*nd.Array{a, b}, "b has %d axes, a %d: want no more", b.Rank(), a.Rank()))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	order := make([]int, 0, a.Rank())
	for axis := range a.Rank() {
		if !slices.Contains(moved, axis) {
			order = append(order, axis)
		}
	}
	a = a.Transpose(append(order, moved...)...)
	shape := a.Shape()[b.Rank():]
	n := broadcast.Size(shape)
	if b.Size() != n || a.Size() != n*n {
		panic(fn.Errorf([]*nd.Array{a, b}, "the equations have %d unknowns, b %d elements, a %d: want n, n and n²", n, b.Size(), a.Size()))
	}
	left, right, _ := equations(fn, a.Reshape(n, n), b.Ravel())
	return made.Keep(solve(fn, left, right).Reshape(shape...))
}
