package sparse

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// CSR is a matrix in compressed sparse row format: the elements row by row. The elements of row i are
// Data[IndPtr[i]:IndPtr[i+1]], and the same part of Indices holds their columns. It is made by [NewCSR], [FromDense] or
// a conversion. Its fields are read-only.
type CSR struct {
	Data, Indices, IndPtr *nd.Array
	Rows, Cols            int

	canonical bool // columns increase within each row
}

// NewCSR returns the rows×cols matrix with the given elements, their columns (nnz), and the index of each row's first
// element (rows+1). It does not copy the arrays, but converts indices of other integer dtypes to int64. It checks the
// indices, and waits for the device to do so. It corresponds to SciPy's sparse.csr_array((data, indices, indptr),
// shape).
func NewCSR(data, indices, indPtr *nd.Array, rows, cols int) *CSR {
	const fn nd.Func = "sparse.NewCSR"
	m := &CSR{Data: data, Rows: rows, Cols: cols}
	m.Indices, m.IndPtr, m.canonical = checkCompressed(fn, data, indices, indPtr, rows, cols)
	return m
}

// checkCompressed checks the parts of a matrix whose major axis is compressed.
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

// majorOf returns, for each of n entries, its row (or column): the last one that begins at or before the entry.
func majorOf(ptr *nd.Array, n int) *nd.Array {
	numbers := count(n, ptr)
	defer numbers.Release()
	next := ops.SearchSorted(ptr, numbers, ops.SearchOptions{Right: true})
	return ops.Subtract(next, 1, ops.Into(next))
}

// FromDense returns the elements of a 2-d array that are not 0. It waits for the device, because their number depends
// on the values. Gradients flow only to these elements. SciPy's sparse.csr_array does the same with a dense array.
// MXNet: cast_storage.
func FromDense(x *nd.Array) *CSR {
	const fn nd.Func = "sparse.FromDense"
	fn.Check(x)
	if x.Rank() != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of two axes"))
	}
	if x.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{x}, "a sparse matrix must hold numbers: convert with AsType"))
	}
	made := fn.Temporaries(&x)
	at := fn.Nonzero(x)
	data := fn.Gather(x, []int{0, 1}, 0, at, device.BoundsRaise)
	return entries{fn: fn, made: made, data: data, row: at[0], col: at[1], rows: x.Dim(0), cols: x.Dim(1), canonical: true}.csr()
}

// Identity returns the n×n matrix with ones on its diagonal, like SciPy's sparse.identity.
func Identity(n int, opts ...nd.ArrayOption) *CSR {
	const fn nd.Func = "sparse.Identity"
	checkShape(fn, n, n)
	data := nd.Ones([]int{n}, fn.ArrayOptions(opts))
	checkData(fn, data, n)
	return &CSR{Data: data, Indices: count(n, data), IndPtr: count(n+1, data), Rows: n, Cols: n, canonical: true}
}

// Shape returns the numbers of rows and columns.
func (m *CSR) Shape() (rows, cols int) { return m.Rows, m.Cols }

// NNZ returns the number of stored elements, including zeros and repeated coordinates.
func (m *CSR) NNZ() int { return m.Data.Size() }

// DType returns the dtype of the elements.
func (m *CSR) DType() dtype.DType { return m.Data.DType() }

// String describes the matrix. ToDense shows the elements.
func (m *CSR) String() string { return describe("CSR", m) }

// T returns the transpose, which shares the arrays.
func (m *CSR) T() *CSC {
	return &CSC{Data: m.Data, Indices: m.Indices, IndPtr: m.IndPtr, Rows: m.Cols, Cols: m.Rows, canonical: m.canonical}
}

// WithData returns a matrix with the same coordinates and other elements.
func (m *CSR) WithData(data *nd.Array) *CSR {
	const fn nd.Func = "CSR.WithData"
	fn.Check(data, m.Indices)
	checkData(fn, data, m.NNZ())
	y := *m
	y.Data = data
	return &y
}

// SumDuplicates returns the matrix with the columns of each row in order, and with elements at the same coordinates
// added up. It returns the matrix itself if it is known to be in that form. It waits for the device.
func (m *CSR) SumDuplicates() *CSR {
	if m.canonical {
		return m
	}
	return m.entries("CSR.SumDuplicates").csr()
}

// ToCSR returns the matrix itself.
func (m *CSR) ToCSR() *CSR { return m }

// ToCSC returns the matrix by columns. It adds up elements at the same coordinates, and may wait for the device to do
// so.
func (m *CSR) ToCSC() *CSC { return m.entries("CSR.ToCSC").transposed().csr().T() }

// ToCOO returns the matrix as a list of coordinates. It shares the elements.
func (m *CSR) ToCOO() *COO { return m.entries("CSR.ToCOO").coo() }

// ToDense returns the matrix as an array of two axes.
func (m *CSR) ToDense() *nd.Array { return m.entries("CSR.ToDense").dense() }

// check panics if the matrix is nil, or if its arrays cannot be read together.
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
