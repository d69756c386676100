package sparse

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// COO is a matrix in coordinate format: a list of elements and their rows and columns, in any order. It is made by
// [NewCOO] or a conversion. Its fields are read-only.
type COO struct {
	Data, Row, Col *nd.Array
	Rows, Cols     int

	canonical bool // in row-major order, without repeated coordinates
}

// NewCOO returns the rows×cols matrix with the given elements and their rows and columns (nnz each). It does not copy
// the arrays, but converts indices of other integer dtypes to int64. It checks the coordinates, and waits for the
// device to do so. It corresponds to SciPy's sparse.coo_array((data, (row, col)), shape).
func NewCOO(data, row, col *nd.Array, rows, cols int) *COO {
	const fn nd.Func = "sparse.NewCOO"
	checkShape(fn, rows, cols)
	fn.Check(data, row, col)
	row = checkIndices(fn, "rows", row, -1)
	col = checkIndices(fn, "columns", col, row.Size())
	checkData(fn, data, row.Size())
	checkRange(fn, "rows", row, rows)
	checkRange(fn, "columns", col, cols)
	return &COO{Data: data, Row: row, Col: col, Rows: rows, Cols: cols, canonical: inOrder(fn, row, col)}
}

// Shape returns the numbers of rows and columns.
func (m *COO) Shape() (rows, cols int) { return m.Rows, m.Cols }

// NNZ returns the number of stored elements, including zeros and repeated coordinates.
func (m *COO) NNZ() int { return m.Data.Size() }

// DType returns the dtype of the elements.
func (m *COO) DType() dtype.DType { return m.Data.DType() }

// String describes the matrix. ToDense shows the elements.
func (m *COO) String() string { return describe("COO", m) }

// T returns the transpose, which shares the arrays.
func (m *COO) T() *COO { return m.entries("COO.T").transposed().coo() }

// WithData returns a matrix with the same coordinates and other elements.
func (m *COO) WithData(data *nd.Array) *COO {
	const fn nd.Func = "COO.WithData"
	fn.Check(data, m.Row)
	checkData(fn, data, m.NNZ())
	y := *m
	y.Data = data
	return &y
}

// SumDuplicates returns the matrix with its coordinates in row-major order, and with elements at the same coordinates
// added up. It returns the matrix itself if it is known to be in that form. It waits for the device.
func (m *COO) SumDuplicates() *COO {
	if m.canonical {
		return m
	}
	return m.entries("COO.SumDuplicates").summed().coo()
}

// ToCSR returns the matrix by rows. It adds up elements at the same coordinates, and may wait for the device to do so.
func (m *COO) ToCSR() *CSR { return m.entries("COO.ToCSR").csr() }

// ToCSC returns the matrix by columns. It adds up elements at the same coordinates, and may wait for the device to do
// so.
func (m *COO) ToCSC() *CSC { return m.entries("COO.ToCSC").transposed().csr().T() }

// ToCOO returns the matrix itself.
func (m *COO) ToCOO() *COO { return m }

// ToDense returns the matrix as an array of two axes.
func (m *COO) ToDense() *nd.Array { return m.entries("COO.ToDense").dense() }

func (m *COO) entries(fn nd.Func) entries {
	if m == nil {
		refuseNil(fn)
	}
	fn.Check(m.Data, m.Row, m.Col)
	e := entries{fn: fn, data: m.Data, row: m.Row, col: m.Col, rows: m.Rows, cols: m.Cols, canonical: m.canonical}
	e.made = fn.Temporaries(&e.data, &e.row, &e.col)
	return e
}
