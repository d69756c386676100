package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var (
	lowerTriangle = ufunc.Definition{Fn: "ops.Tril", In: "T x, int64 row, int64 column, int64 k", Body: "column - row <= k ? x : T(0)"}
	upperTriangle = ufunc.Definition{Fn: "ops.Triu", In: "T x, int64 row, int64 column, int64 k", Body: "column - row >= k ? x : T(0)"}
)

// Tril returns x with 0 above the diagonal k of its matrices, which are the last two axes; a vector is repeated as
// every row. k counts from the main diagonal, positive to the right.
// NumPy: tril.
func Tril(x *nd.Array, k int) *nd.Array { return triangle(&lowerTriangle, x, k) }

// Triu returns x with 0 below the diagonal k of its matrices, which are the last two axes; a vector is repeated as
// every row. k counts from the main diagonal, positive to the right.
// NumPy: triu.
func Triu(x *nd.Array, k int) *nd.Array { return triangle(&upperTriangle, x, k) }

func triangle(d *ufunc.Definition, x *nd.Array, k int) *nd.Array {
	d.Fn.Check(x)
	if x.Rank() == 0 {
		panic(d.Fn.Errorf([]*nd.Array{x}, "want at least one axis"))
	}
	if x.Rank() == 1 {
		x = x.BroadcastTo(x.Dim(0), x.Dim(0))
		defer x.Release()
	}
	on := nd.ArrayOptions{Device: x.Device()}
	row := nd.ArangeInt(0, x.Dim(-2), 1, on)
	row = release.Replace(row, row.Reshape(-1, 1))
	column := nd.ArangeInt(0, x.Dim(-1), 1, on)
	t := x.DType()
	y := ufunc.Run(d.Fn, d.Program(t), nil, ufunc.Options{}, []*nd.Array{x, row, column, nd.Scalar(k)})
	return release.Operands(y, row, column)
}

// Diag returns a view of diagonal k of a matrix. For a vector it returns the square matrix with the vector on that
// diagonal. k counts from the main diagonal, positive to the right.
// NumPy: diag.
func Diag(x *nd.Array, k int) *nd.Array {
	const fn nd.Func = "ops.Diag"
	fn.Check(x)
	switch x.Rank() {
	case 1:
		return fn.Made(DiagFlat(x, k))
	case 2:
		return x.Diagonal(k, 0, 1)
	}
	panic(fn.Errorf([]*nd.Array{x}, "want one axis or two"))
}

// DiagFlat returns the square matrix with the elements of x on diagonal k.
// NumPy: diagflat.
func DiagFlat(x *nd.Array, k int) *nd.Array {
	const fn nd.Func = "ops.DiagFlat"
	fn.Check(x)
	flat := x.Ravel()
	defer release.Unless(flat, x)
	n := flat.Size()
	side := broadcast.Sum(n, max(k, broadcast.Product(k, -1)))
	square := fn.NewFilled(x.DType(), []int{side, side}, 0, x)
	first := max(k, 0) + max(-k, 0)*side
	if n == 0 {
		return square
	}
	y := release.Replace(square, square.Ravel())
	y.Assign(flat, nd.Span(first, first+(n-1)*(side+1)+1).By(side+1))
	return release.Replace(y, y.Reshape(side, side))
}

// MatrixDiag returns matrices with the vectors along the last axis of x on their diagonals.
//
// Shapes: (…, n) gives (…, n, n).
// PyTorch: diag_embed. NNabla: matrix_diag.
func MatrixDiag(x *nd.Array) *nd.Array {
	const fn nd.Func = "ops.MatrixDiag"
	fn.Check(x)
	if x.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "want at least one axis"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	n := x.Dim(-1)
	on := made.Own(nd.Eye(n, n, 0, nd.ArrayOptions{DType: dtype.Bool, Device: x.Device()}))
	return made.Keep(Where(on, x.ExpandDims(-1), fn.NewFilled(x.DType(), nil, 0, x)))
}

// VanderOptions are the options of Vander.
type VanderOptions struct {
	// N is the number of columns; nil means the number of elements of x.
	N *int
	// Increasing orders the powers by rising exponent from column to column; otherwise the exponents fall.
	Increasing bool
}

// Vander returns the Vandermonde matrix of x, which has one axis. Its columns are the powers of x, from the exponent
// N-1 down to 0. For integers and bools the dtype is at least int64.
// NumPy: vander.
func Vander(x *nd.Array, opts ...VanderOptions) *nd.Array {
	const fn nd.Func = "ops.Vander"
	fn.Check(x)
	if x.Rank() != 1 {
		panic(fn.Errorf([]*nd.Array{x}, "want one axis"))
	}
	o := options.Read(fn, opts)
	rows, columns := x.Dim(0), argument.ValueOr(o.N, x.Dim(0))
	if columns < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "N = %d: want at least 0", columns))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.AsType(dtype.Promote(x.DType(), dtype.Int64))
	powers := fn.NewFilled(x.DType(), []int{rows, min(columns, 1)}, 1, x)
	if columns > 1 {
		powers = concatenate(fn, []*nd.Array{powers, CumProd(x.ExpandDims(1).BroadcastTo(rows, columns-1), Over(1))}, JoinOptions{Axis: Over(1)})
	}
	if !o.Increasing {
		powers = powers.Flip(1)
	}
	return made.Keep(powers)
}
