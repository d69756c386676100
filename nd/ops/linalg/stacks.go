package linalg

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// checkMatrices panics for an array with fewer than two axes.
func checkMatrices(fn nd.Func, a *nd.Array) {
	fn.Check(a)
	if a.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{a}, "want matrices: an array of at least two axes"))
	}
}

// MatrixTranspose returns matrices with rows and columns exchanged, as a view, for every dtype.
//
// Shapes: (…, m, n) gives (…, n, m).
// NumPy: matrix_transpose, linalg.matrix_transpose.
func MatrixTranspose(a *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.MatrixTranspose"
	checkMatrices(fn, a)
	return transpose(a)
}

// Diagonal returns the diagonals of matrices, as a view, for every dtype. offset counts diagonals from the main one,
// positive to the right.
//
// Shapes: (…, m, n) gives (…, k).
// NumPy: linalg.diagonal.
func Diagonal(a *nd.Array, offset int) *nd.Array {
	const fn nd.Func = "linalg.Diagonal"
	checkMatrices(fn, a)
	return a.Diagonal(offset, -2, -1)
}

// TraceOptions are the options of Trace.
type TraceOptions struct {
	// Offset is the diagonal, counted from the main one, positive to the right.
	Offset int
	// DType is the dtype of the result; by default that of ops.Sum.
	DType dtype.DType
}

// Trace returns the sums over the diagonals of matrices, which are in the last two axes; ops.Trace takes them in the
// first two.
//
// Shapes: (…, m, n) gives (…).
// NumPy: linalg.trace.
func Trace(a *nd.Array, opts ...TraceOptions) *nd.Array {
	const fn nd.Func = "linalg.Trace"
	checkMatrices(fn, a)
	o := options.Read(fn, opts)
	return fn.Made(ops.Trace(a, ops.TraceOptions{Offset: o.Offset, Axes: ops.Over(-2, -1), DType: o.DType}))
}
