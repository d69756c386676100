package sparse

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// gatherAt returns the elements of a dense matrix at the coordinates of entries.
func gatherAt(fn nd.Func, x *nd.Array, e entries) *nd.Array {
	return fn.Gather(x, []int{0, 1}, 0, []*nd.Array{e.row, e.col}, device.BoundsRaise)
}

// Sum returns sums of the elements as a dense array: ops.Over(0) gives one sum for each column, ops.Over(1) one for
// each row, and no axis the sum of all. Sums of small integers are 64 bits wide, as in ops.Sum.
func Sum(m Matrix, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "sparse.Sum"
	given, e := options.Read(fn, over), entriesOf(fn, m)
	defer e.made.Release()
	if given == nil {
		return e.made.Keep(ops.Sum(e.data))
	}
	axis := fn.AxisOf(2, given, 0)
	data := e.data.AsType(dtype.SumType(e.data.DType()))
	if axis == 0 {
		return e.made.Keep(scatterSum(fn, data, []int{e.cols}, e.col))
	}
	return e.made.Keep(scatterSum(fn, data, []int{e.rows}, e.row))
}

// Add returns a + b, as a CSR matrix. It stores an element wherever a or b stores one. The dtype is the one to which
// both promote. It waits for the device.
func Add(a, b Matrix) *CSR { return joined("sparse.Add", a, b, false) }

// Subtract returns a - b. In all other respects it is like [Add].
func Subtract(a, b Matrix) *CSR { return joined("sparse.Subtract", a, b, true) }

func joined(fn nd.Func, a, b Matrix, negate bool) *CSR {
	x, y := entriesOf(fn, a), entriesOf(fn, b)
	defer x.made.Release()
	defer y.made.Release()
	fn.Check(x.data, y.data)
	if x.rows != y.rows || x.cols != y.cols {
		panic(fn.Errorf(nil, "(%d, %d) and (%d, %d): want matrices of one shape", x.rows, x.cols, y.rows, y.cols))
	}
	if negate {
		y.data = ops.Negative(y.data)
	}
	join := func(a, b *nd.Array) *nd.Array { return ops.Concatenate([]*nd.Array{a, b}) }
	return x.keep(y.keep(entries{fn: fn, made: y.made, data: join(x.data, y.data), row: join(x.row, y.row), col: join(x.col, y.col),
		rows: x.rows, cols: x.cols}.compressed()))
}

// SliceRows returns the rows from start up to, but not including, stop. The elements are a view; it waits for the
// device.
func SliceRows(m *CSR, start, stop int) *CSR {
	const fn nd.Func = "sparse.SliceRows"
	m.check(fn)
	checkSlice(fn, start, stop, m.Rows)
	ptr := m.IndPtr.Index(nd.Span(start, stop+1))
	defer ptr.Release()
	from, to := nd.Value[int](ptr, 0), nd.Value[int](ptr, -1)
	part := nd.Span(from, to)
	return &CSR{Data: m.Data.Index(part), Indices: m.Indices.Index(part), IndPtr: ops.Subtract(ptr, from),
		Rows: stop - start, Cols: m.Cols, canonical: m.canonical}
}

// SliceColumns returns the columns from start up to, but not including, stop. It waits for the device.
func SliceColumns(m *CSR, start, stop int) *CSR {
	const fn nd.Func = "sparse.SliceColumns"
	e := m.entries(fn)
	defer e.made.Release()
	checkSlice(fn, start, stop, m.Cols)
	within := ops.LogicalAnd(ops.GreaterEqual(e.col, start), ops.Less(e.col, stop))
	kept := fn.Nonzero(within)[0]
	row := take(fn, e.row, kept)
	return e.keep(&CSR{
		Data:    take(fn, e.data, kept),
		Indices: ops.Subtract(take(fn, e.col, kept), start),
		IndPtr:  begins(row, m.Rows),
		Rows:    m.Rows, Cols: stop - start, canonical: m.canonical,
	})
}

func checkSlice(fn nd.Func, start, stop, n int) {
	if start < 0 || stop < start || stop > n {
		panic(fn.Errorf(nil, "%d to %d: want a part of 0 to %d", start, stop, n))
	}
}

// TakeRows returns the rows named by an array of indices, in its order. A row may occur several times, as in a randomly
// drawn batch. It waits for the device. SciPy's sparse matrices write this as m[rows].
func TakeRows(m *CSR, rows *nd.Array) *CSR {
	const fn nd.Func = "sparse.TakeRows"
	m.check(fn)
	fn.Check(m.Data, rows)
	part := *m
	made := fn.Temporaries(&part.Data, &part.Indices, &part.IndPtr, &rows)
	defer made.Release()
	rows = checkIndices(fn, "rows", rows, -1)
	checkRange(fn, "rows", rows, m.Rows)
	which, at := rowEntries(fn, part.IndPtr, rows)
	return &CSR{
		Data:    made.Keep(take(fn, part.Data, at)),
		Indices: made.Keep(take(fn, part.Indices, at)),
		IndPtr:  made.Keep(begins(which, rows.Size())),
		Rows:    rows.Size(), Cols: m.Cols, canonical: m.canonical,
	}
}
