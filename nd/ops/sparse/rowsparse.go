package sparse

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// RowSparse is an array that stores only some of its rows, the parts along axis 0: Data[k] is row Indices[k], and all
// other rows are zero. The gradient of a large table has this form if a step looked up only a few rows. A row that is
// stored several times counts as the sum. It is MXNet's row_sparse format.
type RowSparse struct {
	Data, Indices *nd.Array
	Rows          int
}

// NewRowSparse returns the array with the given number of rows, and with data (k, …) in the rows that indices (k) name.
// It checks the indices, and waits for the device to do so.
func NewRowSparse(data, indices *nd.Array, rows int) *RowSparse {
	const fn nd.Func = "sparse.NewRowSparse"
	fn.Check(data, indices)
	if data.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{data}, "want rows: an array of at least one axis"))
	}
	if data.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{data}, "a sparse array must hold numbers: convert with AsType"))
	}
	m := &RowSparse{Data: data, Indices: checkIndices(fn, "indices", indices, data.Dim(0)), Rows: rows}
	if err := broadcast.CheckShape(m.Shape()); err != nil {
		panic(fn.Errorf([]*nd.Array{data}, "%d rows: %v", rows, err))
	}
	checkRange(fn, "indices", m.Indices, rows)
	return m
}

// RowsFromDense returns the rows of an array that hold a nonzero element. It waits for the device.
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

// Shape returns the length of every axis of the array with all its rows.
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

// Retain returns the stored rows that an array of indices names. It waits for the device.
// MXNet: sparse.retain.
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
