package sparse

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// RowSparse is an array of which only some rows, its parts along axis 0, are stored: Data[k] is row Indices[k], and all
// others are zero. It is what the gradient of a large table is, of which a step looked up a few rows. A row that is stored
// twice counts as the sum. mxnet's row_sparse.
type RowSparse struct {
	Data, Indices *nd.Array
	Rows          int
}

// NewRowSparse returns the array of the given number of rows with data (k, …) in the rows that indices (k) name. It checks
// these, for which it waits for the device.
func NewRowSparse(data, indices *nd.Array, rows int) *RowSparse {
	const fn nd.Func = "sparse.NewRowSparse"
	fn.Check(data, indices)
	if data.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{data}, "want rows: an array of at least one axis"))
	}
	if data.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{data}, "a sparse array is of numbers: convert with AsType"))
	}
	m := &RowSparse{Data: data, Indices: checkIndices(fn, "indices", indices, data.Dim(0)), Rows: rows}
	if err := broadcast.CheckShape(m.Shape()); err != nil {
		panic(fn.Errorf([]*nd.Array{data}, "%d rows: %v", rows, err))
	}
	checkRange(fn, "indices", m.Indices, rows)
	return m
}

// RowsFromDense returns the rows of an array in which not all is 0. It waits for the device.
func RowsFromDense(x *nd.Array) *RowSparse {
	const fn nd.Func = "sparse.RowsFromDense"
	fn.Check(x)
	if x.Rank() == 0 || x.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{x}, "want rows of numbers: an array of at least one axis"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	inner := broadcast.AllAxes(x.Rank())[1:]
	rows := fn.Nonzero(ops.Any(x.Detach(), ops.ReduceOptions{Axes: inner}))[0]
	data := take(fn, x, rows)
	return &RowSparse{Data: made.Keep(data), Indices: made.Keep(rows), Rows: x.Dim(0)}
}

// Shape returns the length of every axis, of the array with all its rows.
func (m *RowSparse) Shape() []int {
	shape := m.Data.Shape()
	shape[0] = m.Rows
	return shape
}

// DType returns the dtype of the elements.
func (m *RowSparse) DType() dtype.DType { return m.Data.DType() }

// ToDense returns the array with all its rows.
func (m *RowSparse) ToDense() *nd.Array {
	return scatterSum("RowSparse.ToDense", m.Data, m.Shape(), m.Indices)
}

// Retain keeps of the stored rows those that an array of indices names. It waits for the device. mxnet sparse.retain.
func (m *RowSparse) Retain(rows *nd.Array) *RowSparse {
	const fn nd.Func = "RowSparse.Retain"
	fn.Check(m.Data, m.Indices, rows)
	data, indices := m.Data, m.Indices
	made := fn.Temporaries(&data, &indices, &rows)
	defer made.Release()
	rows = checkIndices(fn, "rows", rows, -1)
	checkRange(fn, "rows", rows, m.Rows)
	named := made.Own(nd.Zeros([]int{m.Rows}, nd.ArrayOptions{DType: dtype.Bool, Device: data.Device()}))
	named.Assign(nd.Scalar(true), nd.Pick(rows))
	kept := fn.Nonzero(take(fn, named, indices))[0]
	return &RowSparse{Data: made.Keep(take(fn, data, kept)), Indices: made.Keep(take(fn, indices, kept)), Rows: m.Rows}
}
