package sparse

import (
	"fmt"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Matrix is a sparse matrix of any format: *[CSR], *[CSC] or *[COO].
type Matrix interface {
	// Shape returns the numbers of rows and columns.
	Shape() (rows, cols int)
	// NNZ returns the number of stored elements, including zeros and repeated coordinates.
	NNZ() int
	// DType returns the dtype of the elements.
	DType() dtype.DType
	// ToCSR, ToCSC and ToCOO convert the matrix, or return the matrix itself. ToCSR and ToCSC of another format add up
	// elements at the same coordinates and sort the coordinates.
	ToCSR() *CSR
	ToCSC() *CSC
	ToCOO() *COO
	// ToDense returns the matrix as an array of two axes.
	ToDense() *nd.Array

	entries(fn nd.Func) entries
}

// Format is the constraint of functions that keep the format: M is *[CSR], *[CSC] or *[COO].
type Format[M any] interface {
	Matrix
	// WithData returns a matrix with the same coordinates and other elements.
	WithData(data *nd.Array) M
	// SumDuplicates adds up elements at the same coordinates, and sorts the coordinates.
	SumDuplicates() M
}

// entries holds the stored elements and their coordinates, one of each per element. The caller releases made at the
// end.
type entries struct {
	fn             nd.Func // the calling function, for messages
	made           *nd.Temporaries
	data, row, col *nd.Array
	rows, cols     int
	canonical      bool // in row-major order, without repeated coordinates
}

// entriesOf returns the entries of a matrix of any format.
func entriesOf(fn nd.Func, m Matrix) entries {
	if m == nil {
		refuseNil(fn)
	}
	return m.entries(fn)
}

func refuseNil(fn nd.Func) { panic(fn.Errorf(nil, "the matrix is nil")) }

func (e entries) transposed() entries {
	return entries{fn: e.fn, made: e.made, data: e.data, row: e.col, col: e.row, rows: e.cols, cols: e.rows, canonical: e.data.Size() <= 1}
}

// dense adds up the elements at their coordinates. Like csr and coo, it releases everything else of the entries.
func (e entries) dense() *nd.Array {
	defer e.made.Release()
	return e.made.Keep(scatterSum(e.fn, e.data, []int{e.rows, e.cols}, e.row, e.col))
}

// summed sorts the entries in row-major order and adds up those at the same coordinates.
func (e entries) summed() entries {
	if e.canonical || e.data.Size() == 0 {
		e.canonical = true
		return e
	}
	key := ops.Add(ops.Multiply(e.row, e.cols), e.col)
	order := ops.ArgSort(key)
	key = take(e.fn, key, order)
	data := take(e.fn, e.data, order)
	first := e.made.Own(nd.Ones([]int{key.Size()}, nd.ArrayOptions{DType: dtype.Bool, Device: key.Device()}))
	ops.NotEqual(key.Index(nd.From(1)), key.Index(nd.Until(-1)), ops.Into(first.Index(nd.From(1))))
	starts := e.fn.Nonzero(first)[0]
	if starts.Size() < key.Size() {
		segment := ops.Subtract(ops.CumSum(first), 1)
		data = scatterSum(e.fn, data, starts.Shape(), segment)
		key = take(e.fn, key, starts)
	}
	e.data, e.row, e.col = data, ops.FloorDivide(key, e.cols), ops.Remainder(key, e.cols)
	e.canonical = true
	return e
}

// csr sorts the entries and compresses their rows.
func (e entries) csr() *CSR {
	defer e.made.Release()
	return e.keep(e.compressed())
}

// compressed is csr with arrays that are released with made, unless they are kept.
func (e entries) compressed() *CSR {
	e = e.summed()
	return &CSR{Data: e.data, Indices: e.col, IndPtr: begins(e.row, e.rows), Rows: e.rows, Cols: e.cols, canonical: true}
}

func (e entries) keep(m *CSR) *CSR {
	m.Data, m.Indices, m.IndPtr = e.made.Keep(m.Data), e.made.Keep(m.Indices), e.made.Keep(m.IndPtr)
	return m
}

func (e entries) coo() *COO {
	defer e.made.Release()
	return &COO{Data: e.made.Keep(e.data), Row: e.made.Keep(e.row), Col: e.made.Keep(e.col), Rows: e.rows, Cols: e.cols, canonical: e.canonical}
}

// begins returns, for entries ordered by rows, the index at which each of n rows begins, after all entries of smaller
// rows, and the index at which the last row ends.
func begins(row *nd.Array, n int) *nd.Array {
	numbers := count(n+1, row)
	defer numbers.Release()
	return ops.SearchSorted(row, numbers)
}

// take picks elements, or rows, along axis 0.
func take(fn nd.Func, x, at *nd.Array) *nd.Array {
	return fn.Gather(x, []int{0}, 0, []*nd.Array{at}, device.BoundsRaise)
}

// scatterSum adds up values at indices in an array of zeros; the first axis of the values runs along the indices.
func scatterSum(fn nd.Func, values *nd.Array, shape []int, at ...*nd.Array) *nd.Array {
	zeros := fn.NewLike(values.DType(), shape, values)
	defer zeros.Release()
	nd.Fill(zeros, 0)
	return fn.Scatter(device.CombineSum, zeros, broadcast.AllAxes(len(at)), 0, at, values, device.BoundsRaise)
}

// count returns the numbers from 0 to n-1 on the device of like.
func count(n int, like *nd.Array) *nd.Array {
	return nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: like.Device()})
}

// checkShape panics if the elements of a matrix of this shape cannot be numbered with an int.
func checkShape(fn nd.Func, rows, cols int) {
	if err := broadcast.CheckShape([]int{rows, cols}); err != nil {
		panic(fn.Errorf(nil, "%d rows, %d columns: %v", rows, cols, err))
	}
}

// checkData panics if data cannot be n stored elements; a negative n means any number.
func checkData(fn nd.Func, data *nd.Array, n int) {
	fn.Check(data)
	switch {
	case data.Rank() != 1:
		panic(fn.Errorf([]*nd.Array{data}, "want elements on one axis"))
	case data.DType().IsBool():
		panic(fn.Errorf([]*nd.Array{data}, "a sparse matrix must hold numbers: convert with AsType"))
	case n >= 0 && data.Size() != n:
		panic(fn.Errorf([]*nd.Array{data}, "%d elements for %d indices", data.Size(), n))
	}
}

// checkIndices returns indices as int64. It panics if they have another length or dtype; a negative n means any number.
func checkIndices(fn nd.Func, name string, ix *nd.Array, n int) *nd.Array {
	if ix.Rank() != 1 || !ix.DType().IsInteger() || !dtype.CanCast(ix.DType(), dtype.Int64, dtype.CastSafe) {
		panic(fn.Errorf([]*nd.Array{ix}, "%s: want integers on one axis, of a dtype that int64 holds", name))
	}
	if n >= 0 && ix.Size() != n {
		panic(fn.Errorf([]*nd.Array{ix}, "%s: %d numbers, want %d", name, ix.Size(), n))
	}
	return ix.AsType(dtype.Int64)
}

// checkRange panics if an index is below 0 or not below n. It waits for the device.
func checkRange(fn nd.Func, name string, ix *nd.Array, n int) {
	if ix.Size() == 0 {
		return
	}
	if low, high := release.Value[int64](ops.Min(ix)), release.Value[int64](ops.Max(ix)); low < 0 || high >= int64(n) {
		panic(fn.Errorf([]*nd.Array{ix}, "%s: numbers from %d to %d, want them from 0 to below %d", name, low, high, n))
	}
}

// all returns whether every element is true. It waits for the device.
func all(conditions *nd.Array) bool { return release.Value[bool](ops.All(conditions)) }

// inOrder reports whether coordinates increase by their first, then by their second component, without repeats. It
// waits for the device.
func inOrder(fn nd.Func, first, second *nd.Array) bool {
	if first.Size() < 2 {
		return true
	}
	made := fn.Temporaries(&first, &second)
	defer made.Release()
	before := func(x *nd.Array) *nd.Array { return x.Index(nd.Until(-1)) }
	after := func(x *nd.Array) *nd.Array { return x.Index(nd.From(1)) }
	same := ops.Equal(before(first), after(first))
	return all(ops.LogicalOr(ops.Less(before(first), after(first)),
		ops.LogicalAnd(same, ops.Less(before(second), after(second)))))
}

func describe(format string, m Matrix) string {
	rows, cols := m.Shape()
	return fmt.Sprintf("%s (%d, %d) of %s with %d stored elements", format, rows, cols, m.DType(), m.NNZ())
}
