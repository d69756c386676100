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
	// Axis is the axis whose slices are compared, negative ones counted from the end; nil compares the elements of the
	// flattened array.
	Axis Axes
	// EqualNaN counts not-a-numbers as equal; nil means so. (NumPy does so of elements, and never of slices.)
	EqualNaN *bool
}

// UniqueResult is what UniqueAll and UniqueConsecutive return.
type UniqueResult struct {
	Values  *nd.Array // the unique elements or slices, sorted by UniqueAll
	Indices *nd.Array // where each first occurs (int64)
	Inverse *nd.Array // which of the values each element (of x's shape), or each slice, is (int64)
	Counts  *nd.Array // how often each occurs (int64)
}

// Unique returns the unique elements of x, sorted, or with an axis its unique slices. The gradient goes to the places
// where they first occur. It waits for the device. numpy.unique, numpy.unique_values.
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

// uniqueElements returns the unique elements where it does not matter where they came from: the sort is stable, the first
// of equal ones are the same.
func uniqueElements(fn nd.Func, x *nd.Array, o UniqueOptions) *nd.Array {
	flat := x.Ravel()
	sorted := Sort(flat)
	items := sorted.Reshape(sorted.Size(), 1)
	isNew := differsFromPrevious(fn, items, argument.ValueOr(o.EqualNaN, true))
	begins := fn.Nonzero(isNew)[0]
	y := Take(sorted, begins)
	for _, temporary := range []*nd.Array{begins, isNew, items, sorted} {
		temporary.Release()
	}
	if flat != x {
		flat.Release()
	}
	return y
}

// UniqueAll returns what Unique returns, and where the values stand in x. numpy.unique with return_index, return_inverse
// and return_counts; numpy.unique_all, numpy.unique_counts, numpy.unique_inverse.
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

// UniqueConsecutive returns what UniqueAll returns of x without sorting it: the items that differ from the one before. The
// gradient goes to the first of equal ones. torch.unique_consecutive.
func UniqueConsecutive(x *nd.Array, opts ...UniqueOption) UniqueResult {
	const fn nd.Func = "ops.UniqueConsecutive"
	return uniqueAll(fn, x, options.Of(fn, opts, Axes.unique), func(items *nd.Array) *nd.Array {
		return nd.ArangeInt(0, items.Dim(0), 1, nd.ArrayOptions{Device: items.Device()})
	})
}

// uniques are the items of x along an axis in order: order says where each came from, begins where a new one begins.
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

// itemOrder returns the positions that put the rows of a matrix in lexicographic order, stably.
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

var differs = ufunc.Definition{Fn: "ops.Unique", In: "T a, T b", Scalars: "int64 together", Out: "bool",
	Body: "a != b && !(together != 0 && isnan(a) && isnan(b))"}

// differsFromPrevious tells of each row of a matrix whether it is another one than the row before.
func differsFromPrevious(fn nd.Func, items *nd.Array, equalNaN bool) *nd.Array {
	n := items.Dim(0)
	isNew := fn.NewFilled(dtype.Bool, []int{min(n, 1)}, 1, items)
	if n < 2 {
		return isNew
	}
	together := device.Scalar{}
	if equalNaN {
		together.Int = 1
	}
	rows, before := items.Index(nd.From(1)), items.Index(nd.Until(-1))
	next := ufunc.Run(differs.Fn, differs.Program(items.DType()), []device.Scalar{together}, ufunc.Options{}, []*nd.Array{rows, before})
	rows.Release()
	before.Release()
	if items.Dim(1) == 1 {
		next = release.Replace(next, next.Reshape(n-1))
	} else {
		next = release.Replace(next, Any(next, Over(1)))
	}
	return release.Operands(concatenate(fn, []*nd.Array{isNew, next}, JoinOptions{}), isNew, next)
}

// first returns where each unique item first occurs: the order is stable.
func (u uniques) first() *nd.Array { return Take(u.order, u.begins) }

func (u uniques) values() *nd.Array { return Take(u.x, u.first(), Over(u.axis)) }

func (u uniques) counts(fn nd.Func) *nd.Array {
	end := fn.NewFilled(dtype.Int64, []int{1}, float64(u.order.Size()), u.x)
	ends := concatenate(fn, []*nd.Array{u.begins, end}, JoinOptions{})
	return Subtract(ends.Index(nd.From(1)), u.begins)
}

// inverse numbers the unique items in order, and sends the numbers back to where the items came from.
func (u uniques) inverse(fn nd.Func) *nd.Array {
	number := Subtract(CumSum(u.isNew, ScanOptions{DType: dtype.Int64}), nd.Scalar(1))
	return fn.Scatter(device.CombineAssign, nd.ZerosLike(u.order), []int{0}, 0, []*nd.Array{u.order}, number, device.BoundsRaise)
}
