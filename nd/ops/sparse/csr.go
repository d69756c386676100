package sparse

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// CSR is a matrix in compressed sparse row format: the elements row by row. Those of row i are Data[IndPtr[i]:IndPtr[i+1]],
// and Indices has their columns. It is made by [NewCSR], [FromDense] or a conversion; its fields are read-only.
type CSR struct {
	Data, Indices, IndPtr *nd.Array
	Rows, Cols            int

	canonical bool // columns increase within each row
}

// NewCSR returns the matrix of rows×cols with the given elements, their columns (nnz), and where in these each row begins
// (rows+1). The arrays are not copied, but indices of other integer dtypes are converted to int64. It checks the places,
// for which it waits for the device. scipy.sparse.csr_array((data, indices, indptr), shape).
func NewCSR(data, indices, indPtr *nd.Array, rows, cols int) *CSR {
	const fn nd.Func = "sparse.NewCSR"
	m := &CSR{Data: data, Rows: rows, Cols: cols}
	m.Indices, m.IndPtr, m.canonical = checkCompressed(fn, data, indices, indPtr, rows, cols)
	return m
}

// checkCompressed checks the parts of a matrix of which one axis, the major one, is compressed.
func checkCompressed(fn nd.Func, data, indices, indPtr *nd.Array, major, minor int) (ix, ptr *nd.Array, canonical bool) {
	checkShape(fn, major, minor)
	fn.Check(data, indices, indPtr)
	ix = checkIndices(fn, "indices", indices, -1)
	checkData(fn, data, ix.Size())
	ptr = checkIndices(fn, "indptr", indPtr, major+1)
	checkRange(fn, "indices", ix, minor)
	if first, last := nd.Value[int64](ptr, 0), nd.Value[int64](ptr, -1); first != 0 || last != int64(ix.Size()) {
		panic(fn.Errorf([]*nd.Array{data, ptr}, "indptr: it goes from %d to %d, want 0 to %d", first, last, ix.Size()))
	}
	begin := ptr
	made := fn.Temporaries(&begin)
	defer made.Release()
	if !all(ops.LessEqual(begin.Index(nd.Until(-1)), begin.Index(nd.From(1)))) {
		panic(fn.Errorf([]*nd.Array{data, ptr}, "indptr: its numbers decrease"))
	}
	return ix, ptr, inOrder(fn, majorOf(begin, ix.Size()), ix)
}

// majorOf returns for each of n entries the row, or column, in whose part it lies: the last one that begins at it or
// before.
func majorOf(ptr *nd.Array, n int) *nd.Array {
	numbers := count(n, ptr)
	defer numbers.Release()
	next := ops.SearchSorted(ptr, numbers, ops.SearchOptions{Right: true})
	return ops.Subtract(next, nd.Scalar(1), ops.UfuncOptions{Out: next})
}

// FromDense returns the elements of an array of two axes that are not 0. It waits for the device, as their number depends
// on the values; the gradient goes to these elements alone. scipy.sparse.csr_array, mxnet cast_storage.
func FromDense(x *nd.Array) *CSR {
	const fn nd.Func = "sparse.FromDense"
	fn.Check(x)
	if x.Rank() != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of two axes"))
	}
	if x.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{x}, "a sparse matrix is of numbers: convert with AsType"))
	}
	made := fn.Temporaries(&x)
	at := fn.Nonzero(x)
	data := fn.Gather(x, []int{0, 1}, 0, at, device.BoundsRaise)
	return entries{fn: fn, made: made, data: data, row: at[0], col: at[1], rows: x.Dim(0), cols: x.Dim(1), canonical: true}.csr()
}

// Identity returns the n×n matrix with ones on its diagonal. scipy.sparse.identity.
func Identity(n int, opts ...nd.ArrayOption) *CSR {
	const fn nd.Func = "sparse.Identity"
	checkShape(fn, n, n)
	data := nd.Ones([]int{n}, fn.ArrayOptions(opts))
	checkData(fn, data, n)
	return &CSR{Data: data, Indices: count(n, data), IndPtr: count(n+1, data), Rows: n, Cols: n, canonical: true}
}

// Shape returns the numbers of rows and columns.
func (m *CSR) Shape() (rows, cols int) { return m.Rows, m.Cols }

// NNZ returns the number of stored elements, zeros and repeated places counted.
func (m *CSR) NNZ() int { return m.Data.Size() }

// DType returns the dtype of the elements.
func (m *CSR) DType() dtype.DType { return m.Data.DType() }

// String says what kind of matrix it is. ToDense shows the elements.
func (m *CSR) String() string { return describe("CSR", m) }

// T returns the transpose, on the same arrays.
func (m *CSR) T() *CSC {
	return &CSC{Data: m.Data, Indices: m.Indices, IndPtr: m.IndPtr, Rows: m.Cols, Cols: m.Rows, canonical: m.canonical}
}

// WithData returns a matrix with the same places and other elements.
func (m *CSR) WithData(data *nd.Array) *CSR {
	const fn nd.Func = "CSR.WithData"
	fn.Check(data, m.Indices)
	checkData(fn, data, m.NNZ())
	y := *m
	y.Data = data
	return &y
}

// SumDuplicates returns the matrix with the columns of each row in order, and elements of one place added up: itself,
// where it is known to be so. It waits for the device.
func (m *CSR) SumDuplicates() *CSR {
	if m.canonical {
		return m
	}
	return m.entries("CSR.SumDuplicates").csr()
}

// ToCSR returns the matrix itself.
func (m *CSR) ToCSR() *CSR { return m }

// ToCSC returns the matrix by columns. Elements of one place are added up, for which it may wait for the device.
func (m *CSR) ToCSC() *CSC { return m.entries("CSR.ToCSC").transposed().csr().T() }

// ToCOO returns the matrix as a list of places, on the same elements.
func (m *CSR) ToCOO() *COO { return m.entries("CSR.ToCOO").coo() }

// ToDense returns the matrix as an array of two axes.
func (m *CSR) ToDense() *nd.Array { return m.entries("CSR.ToDense").dense() }

// check refuses a matrix that is nil, or whose arrays cannot be read together.
func (m *CSR) check(fn nd.Func) {
	if m == nil {
		refuseNil(fn)
	}
	fn.Check(m.Data, m.Indices, m.IndPtr)
}

func (m *CSR) entries(fn nd.Func) entries {
	m.check(fn)
	e := entries{fn: fn, data: m.Data, row: m.IndPtr, col: m.Indices, rows: m.Rows, cols: m.Cols, canonical: m.canonical}
	e.made = fn.Temporaries(&e.data, &e.row, &e.col)
	e.row = majorOf(e.row, m.Data.Size())
	return e
}
