package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// UniqueOptions are the options of Unique and UniqueAll.
type UniqueOptions struct {
	// Axis is the axis whose slices are compared; a negative axis counts from the end. Nil compares the elements of the
	// flattened array.
	Axis Axes
	// EqualNaN treats NaNs as equal; nil means true. (NumPy does so for elements, but never for slices.)
	EqualNaN *bool
}

// UniqueResult is the result of UniqueAll and UniqueConsecutive.
type UniqueResult struct {
	Values  *nd.Array // the unique elements or slices, sorted by UniqueAll
	Indices *nd.Array // the index of the first occurrence of each value (int64)
	Inverse *nd.Array // for each element (in x's shape), or each slice, the index of its value (int64)
	Counts  *nd.Array // the number of occurrences of each value (int64)
}

// Unique returns the unique elements of x, sorted, or with an axis its unique slices. The gradient goes to their first
// occurrences. It waits for the device.
// NumPy: unique, unique_values.
func Unique(x *nd.Array, opts ...UniqueOption) *nd.Array {
	const fn nd.Func = "ops.Unique"
	o := options.Of(fn, opts, Axes.unique)
	fn.Check(x)
	if o.Axis == nil && x.Size() > 0 && !ufunc.Recorded(x) {
		return uniqueElements(fn, x, o)
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	return made.Keep(unique(fn, x, o, itemOrder).values())
}

// uniqueElements returns the unique elements without their indices: the sort is stable, so that the first of equal
// elements are the same.
func uniqueElements(fn nd.Func, x *nd.Array, o UniqueOptions) *nd.Array {
	flat := x.Ravel()
	sorted := Sort(flat)
	items := sorted.Reshape(sorted.Size(), 1)
	isNew := differsFromPrevious(fn, items, argument.ValueOr(o.EqualNaN, true))
	y := sorted.Index(nd.Pick(isNew))
	for _, temporary := range []*nd.Array{isNew, items, sorted} {
		temporary.Release()
	}
	if flat != x {
		flat.Release()
	}
	return y
}

// UniqueAll returns the result of Unique, and the indices of the values in x.
// NumPy: unique (with return_index, return_inverse and return_counts), unique_all, unique_counts, unique_inverse.
func UniqueAll(x *nd.Array, opts ...UniqueOption) UniqueResult {
	const fn nd.Func = "ops.UniqueAll"
	return uniqueAll(fn, x, options.Of(fn, opts, Axes.unique), itemOrder)
}

func uniqueAll(fn nd.Func, x *nd.Array, o UniqueOptions, order func(items *nd.Array) *nd.Array) UniqueResult {
	fn.Check(x)
	made := fn.Temporaries(&x)
	defer made.Release()
	u := unique(fn, x, o, order)
	r := UniqueResult{Values: u.values(), Indices: u.first(), Inverse: u.inverse(fn), Counts: u.counts(fn)}
	if o.Axis == nil {
		r.Inverse = r.Inverse.Reshape(x.Shape()...)
	}
	for _, y := range []*nd.Array{r.Values, r.Indices, r.Inverse, r.Counts} {
		made.Keep(y)
	}
	return r
}

// UniqueConsecutive returns the result of UniqueAll without sorting x: the items that differ from the item before them.
// The gradient goes to the first of equal items.
// PyTorch: unique_consecutive.
func UniqueConsecutive(x *nd.Array, opts ...UniqueOption) UniqueResult {
	const fn nd.Func = "ops.UniqueConsecutive"
	return uniqueAll(fn, x, options.Of(fn, opts, Axes.unique), func(items *nd.Array) *nd.Array {
		return nd.ArangeInt(0, items.Dim(0), 1, nd.ArrayOptions{Device: items.Device()})
	})
}

// uniques holds the items of x along an axis in order: order holds their original indices, begins the indices at which
// a new item begins.
type uniques struct {
	x             *nd.Array
	axis          int
	order, begins *nd.Array
	isNew         *nd.Array
}

func unique(fn nd.Func, x *nd.Array, o UniqueOptions, order func(items *nd.Array) *nd.Array) uniques {
	fn.Check(x)
	if o.Axis == nil || x.Rank() == 1 {
		if o.Axis != nil {
			fn.Axis(x, o.Axis, 0)
		}
		x = x.Ravel()
	}
	u := uniques{x: x}
	if x.Rank() > 1 {
		u.axis = fn.Axis(x, o.Axis, 0)
	}
	items := x.Detach().MoveAxis([]int{u.axis}, []int{0})
	items = items.Reshape(items.Dim(0), broadcast.Size(items.Shape()[1:]))
	u.order = order(items)
	u.isNew = differsFromPrevious(fn, Take(items, u.order, Over(0)), argument.ValueOr(o.EqualNaN, true))
	u.begins = fn.Nonzero(u.isNew)[0]
	return u
}

// itemOrder returns the indices that sort the rows of a matrix in lexicographic order, stably.
func itemOrder(items *nd.Array) *nd.Array {
	last := items.Dim(1) - 1
	if last < 0 {
		return nd.ArangeInt(0, items.Dim(0), 1, nd.ArrayOptions{Device: items.Device()})
	}
	order := ArgSort(items.Index(nd.All(), nd.At(last)))
	for k := last - 1; k >= 0; k-- {
		column := items.Index(nd.All(), nd.At(k))
		order = Take(order, ArgSort(Take(column, order)))
	}
	return order
}

var (
	differs         = ufunc.Definition{Fn: "ops.Unique", Two: true, Out: "bool", Body: "a != b"}
	differsOrNumber = ufunc.Definition{Fn: "ops.Unique", Two: true, Out: "bool", Body: "a != b && (a == a || b == b)"} // NaNs are equal
)

// differsFromPrevious returns, for each row of a matrix, whether it differs from the row before.
func differsFromPrevious(fn nd.Func, items *nd.Array, equalNaN bool) *nd.Array {
	n := items.Dim(0)
	isNew := fn.NewFilled(dtype.Bool, []int{n}, 1, items)
	if n < 2 {
		return isNew
	}
	compare := &differs
	if equalNaN && items.DType().IsInexact() {
		compare = &differsOrNumber
	}
	rows, before, next := items.Index(nd.From(1)), items.Index(nd.Until(-1)), isNew.Index(nd.From(1))
	if items.Dim(1) == 1 {
		column := next.ExpandDims(1)
		compare.Call2(rows, before, ufunc.Options{Out: column})
		column.Release()
	} else {
		differing := compare.Call2(rows, before, ufunc.Options{})
		Any(differing, Over(1), Into(next))
		differing.Release()
	}
	return release.Operands(isNew, rows, before, next)
}

// first returns the index of the first occurrence of each unique item: the order is stable.
func (u uniques) first() *nd.Array { return Take(u.order, u.begins) }

func (u uniques) values() *nd.Array { return Take(u.x, u.first(), Over(u.axis)) }

func (u uniques) counts(fn nd.Func) *nd.Array {
	end := fn.NewFilled(dtype.Int64, []int{1}, float64(u.order.Size()), u.x)
	ends := concatenate(fn, []*nd.Array{u.begins, end}, JoinOptions{})
	return Subtract(ends.Index(nd.From(1)), u.begins)
}

// inverse numbers the unique items in order, and moves the numbers to the original indices of the items.
func (u uniques) inverse(fn nd.Func) *nd.Array {
	number := Subtract(CumSum(u.isNew, ScanOptions{DType: dtype.Int64}), 1)
	return fn.Scatter(device.CombineAssign, nd.ZerosLike(u.order), []int{0}, 0, []*nd.Array{u.order}, number, device.BoundsRaise)
}
