package sparse

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// CSC is a matrix in compressed sparse column format: the elements column by column. The elements of column j are
// Data[IndPtr[j]:IndPtr[j+1]], and the same part of Indices holds their rows. It is made by [NewCSC] or a conversion.
// Its fields are read-only.
type CSC struct {
	Data, Indices, IndPtr *nd.Array
	Rows, Cols            int

	canonical bool // rows increase within each column
}

// NewCSC returns the rows×cols matrix with the given elements, their rows (nnz), and the index of each column's first
// element (cols+1). In all other respects it is like [NewCSR]. It corresponds to SciPy's sparse.csc_array((data,
// indices, indptr), shape).
func NewCSC(data, indices, indPtr *nd.Array, rows, cols int) *CSC {
	const fn nd.Func = "sparse.NewCSC"
	m := &CSC{Data: data, Rows: rows, Cols: cols}
	m.Indices, m.IndPtr, m.canonical = checkCompressed(fn, data, indices, indPtr, cols, rows)
	return m
}

// Shape returns the numbers of rows and columns.
func (m *CSC) Shape() (rows, cols int) { return m.Rows, m.Cols }

// NNZ returns the number of stored elements, including zeros and repeated coordinates.
func (m *CSC) NNZ() int { return m.Data.Size() }

// DType returns the dtype of the elements.
func (m *CSC) DType() dtype.DType { return m.Data.DType() }

// String describes the matrix. ToDense shows the elements.
func (m *CSC) String() string { return describe("CSC", m) }

// T returns the transpose, which shares the arrays.
func (m *CSC) T() *CSR {
	return &CSR{Data: m.Data, Indices: m.Indices, IndPtr: m.IndPtr, Rows: m.Cols, Cols: m.Rows, canonical: m.canonical}
}

// WithData returns a matrix with the same coordinates and other elements.
func (m *CSC) WithData(data *nd.Array) *CSC {
	const fn nd.Func = "CSC.WithData"
	fn.Check(data, m.Indices)
	checkData(fn, data, m.NNZ())
	y := *m
	y.Data = data
	return &y
}

// SumDuplicates returns the matrix with the rows of each column in order, and with elements at the same coordinates
// added up. It returns the matrix itself if it is known to be in that form. It waits for the device.
func (m *CSC) SumDuplicates() *CSC {
	if m.canonical {
		return m
	}
	return m.T().entries("CSC.SumDuplicates").csr().T()
}

// ToCSR returns the matrix by rows. It adds up elements at the same coordinates, and may wait for the device to do so.
func (m *CSC) ToCSR() *CSR { return m.entries("CSC.ToCSR").csr() }

// ToCSC returns the matrix itself.
func (m *CSC) ToCSC() *CSC { return m }

// ToCOO returns the matrix as a list of coordinates. It shares the elements.
func (m *CSC) ToCOO() *COO { return m.entries("CSC.ToCOO").coo() }

// ToDense returns the matrix as an array of two axes.
func (m *CSC) ToDense() *nd.Array { return m.entries("CSC.ToDense").dense() }

func (m *CSC) entries(fn nd.Func) entries {
	if m == nil {
		refuseNil(fn)
	}
	return m.T().entries(fn).transposed()
}
