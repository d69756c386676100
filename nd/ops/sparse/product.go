package sparse

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// MatMul returns the product of a sparse matrix and a dense matrix or vector. The dtype is the one to which both
// promote. The gradient of x is MatMul of the transpose. The gradient of a stored element is the dot product of the
// rows of the result's gradient and of x that belong to it. SciPy's sparse matrices write this as m @ x. MXNet's
// sparse.dot with transpose_a is MatMul(m.T(), x).
//
// Shapes: (m, k) and (k, n) give (m, n); (m, k) and (k) give (m).
// MXNet: sparse.dot.
func MatMul(m Matrix, x *nd.Array) *nd.Array {
	const fn nd.Func = "sparse.MatMul"
	e := entriesOf(fn, m)
	defer e.made.Release()
	return e.made.Keep(matMul(e, x))
}

// DenseMatMul returns the product of a dense matrix or vector and a sparse matrix. SciPy's sparse matrices write this
// as x @ m.
//
// Shapes: (n, m) and (m, k) give (n, k); (m) and (m, k) give (k).
func DenseMatMul(x *nd.Array, m Matrix) *nd.Array {
	const fn nd.Func = "sparse.DenseMatMul"
	e := entriesOf(fn, m).transposed()
	defer e.made.Release()
	fn.Check(e.data, x)
	if x.IsScalar() {
		x = x.To(e.data.Device()) // then it is rejected like any 0-d array
	}
	turned := x.T()
	y := e.made.Keep(matMul(e, turned).T())
	if turned != x {
		turned.Release()
	}
	return y
}

// matMul multiplies every stored element by the row of x that corresponds to its column, and adds up the products of
// each row.
func matMul(e entries, x *nd.Array) *nd.Array {
	e.fn.Check(e.data, x)
	if x.Rank() != 1 && x.Rank() != 2 {
		panic(e.fn.Errorf([]*nd.Array{x}, "want a dense operand of one axis or two"))
	}
	if x.Dim(0) != e.cols {
		panic(e.fn.Errorf([]*nd.Array{x}, "the axes to sum over have lengths %d and %d: want the same", e.cols, x.Dim(0)))
	}
	data, shape := e.data, []int{e.rows}
	if x.Rank() == 2 {
		data, shape = data.ExpandDims(1), append(shape, x.Dim(1))
	}
	met := take(e.fn, x, e.col)
	defer met.Release() // its size may exceed that of the operands and the result by far
	terms := ops.Multiply(data, met)
	defer terms.Release()
	return scatterSum(e.fn, terms, shape, e.row)
}

// SparseMatMul returns the product of two sparse matrices, as a CSR matrix. It waits for the device, because the number
// of stored elements depends on the coordinates. SciPy's sparse matrices write this as a @ b.
func SparseMatMul(a, b Matrix) *CSR {
	const fn nd.Func = "sparse.SparseMatMul"
	left, e := entriesOf(fn, a), entriesOf(fn, b)
	defer left.made.Release()
	defer e.made.Release()
	right := e.compressed()
	fn.Check(left.data, right.Data)
	if left.cols != right.Rows {
		panic(fn.Errorf(nil, "(%d, %d) and (%d, %d): want as many columns of the first as rows of the second", left.rows, left.cols, right.Rows, right.Cols))
	}
	checkShape(fn, left.rows, right.Cols)
	// Each element of a is multiplied by all elements of one row of b.
	which, at := rowEntries(fn, right.IndPtr, left.col)
	terms := ops.Multiply(take(fn, left.data, which), take(fn, right.Data, at))
	return left.keep(e.keep(entries{fn: fn, made: e.made, data: terms, row: take(fn, left.row, which), col: take(fn, right.Indices, at),
		rows: left.rows, cols: right.Cols}.compressed()))
}

// rowEntries lists the stored elements of several rows of a compressed matrix, one row after the other: which gives the
// position of each element's row in rows, and at the index of the element. It waits for the device.
func rowEntries(fn nd.Func, ptr, rows *nd.Array) (which, at *nd.Array) {
	begins := take(fn, ptr, rows)
	lengths := ops.Subtract(take(fn, ptr, ops.Add(rows, 1)), begins)
	ends := ops.CumSum(lengths)
	total := 0
	if n := rows.Size(); n > 0 {
		total = nd.Value[int](ends, n-1)
	}
	number := count(total, ptr)
	defer number.Release()
	which = ops.SearchSorted(ends, number, ops.SearchOptions{Right: true})
	before := ops.Subtract(ends, lengths) // the positions of the rows' first elements in the list
	return which, ops.Add(take(fn, ops.Subtract(begins, before), which), number)
}
