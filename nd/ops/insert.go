package ops

import (
	"errors"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// Append returns x joined with values along an axis; without an axis, both flattened. It is Concatenate of the two, and
// copies both: to append many arrays, collect them and call Concatenate once.
// NumPy: append.
func Append(x, values *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Append"
	fn.Check(x, values)
	axis := options.Read(fn, over)
	return concatenate(fn, []*nd.Array{x, values}, JoinOptions{Axis: axis, Flat: axis == nil})
}

// Insert returns x with values, converted to its dtype and broadcast, inserted before some indices along an axis,
// negative ones counted from its end; without an axis, in the flattened array. Indices refer to x.
//
// at is a list of indices, or one index. The value for an index of a list is at the same index along the axis of the
// values; at equal indices values keep their order, and at a single index values may have any length along the axis.
// For one index that is not in a list, the values are rows: the first axis of the values becomes the axis of insertion, so that
// Insert(x, 1, v, Over(1)) inserts the vector v as a column of a matrix. Leading axes of length 1 that x lacks are dropped.
// NumPy: insert.
func Insert[I int | []int](x *nd.Array, at I, values *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Insert"
	fn.Check(x, values)
	given := x
	x, axis := alongOrFlat(fn, x, options.Read(fn, over))
	defer release.Unless(x, given)
	fn.CheckFits(x.DType(), x, values)
	if k, one := any(at).(int); one {
		return insert(fn, x, []int{k}, values, axis, true)
	}
	return insert(fn, x, slices.Clone(any(at).([]int)), values, axis, false)
}

// insert is Insert along an axis. Rows says that the first axis of the values becomes that axis.
func insert(fn nd.Func, x *nd.Array, at []int, values *nd.Array, axis int, rows bool) *nd.Array {
	n := x.Dim(axis)
	for i, k := range at {
		if k < -n || k > n {
			panic(fn.Errorf([]*nd.Array{x, values}, "index %d is out of range for axis %d of length %d", k, axis, n))
		}
		if k < 0 {
			at[i] += n
		}
	}
	shape := x.Shape()
	shape[axis] = len(at)
	made := fn.Temporaries(&x, &values)
	defer made.Release()
	values = made.Own(argument.As(fn, x, values, x.DType()))
	if len(at) == 1 { // as in NumPy, which counts the axes of the values from the first, even if they are more
		if missing := x.Rank() - values.Rank(); missing > 0 {
			values = values.Reshape(append(broadcast.Ones(missing), values.Shape()...)...)
		}
		if rows {
			values = values.MoveAxis([]int{0}, []int{axis})
		}
		shape[axis] = values.Dim(axis)
	}
	values = view.DropLeading(values, x.Rank())
	if _, err := values.Layout().BroadcastTo(shape); err != nil {
		panic(fn.Errorf([]*nd.Array{x, values}, "values do not broadcast to shape %s", broadcast.FormatShape(shape)))
	}
	values = values.BroadcastTo(shape...)
	if len(at) == 1 {
		parts := []*nd.Array{view.Span(x, axis, 0, at[0]), values, view.Span(x, axis, at[0], n)}
		return made.Keep(concatenate(fn, parts, JoinOptions{Axis: Over(axis)}))
	}
	return made.Keep(takeFrom(fn, concatenate(fn, []*nd.Array{x, values}, JoinOptions{Axis: Over(axis)}), axis, inserted(n, at)))
}

// alongOrFlat resolves an axis; without one it flattens x.
func alongOrFlat(fn nd.Func, x *nd.Array, over Axes) (*nd.Array, int) {
	if over == nil && x.Rank() == 1 {
		return x, 0
	}
	if over == nil {
		return x.Ravel(), 0
	}
	return x, fn.Axis(x, over, 0)
}

// inserted returns the numbers 0…n-1 in their order, with n+i before number at[i].
func inserted(n int, at []int) []int {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return at[i] - at[j] })
	all := make([]int, 0, n+len(at))
	for k := range n + 1 {
		for len(order) > 0 && at[order[0]] == k {
			all, order = append(all, n+order[0]), order[1:]
		}
		if k < n {
			all = append(all, k)
		}
	}
	return all
}

// Delete returns x without some indices along an axis; without an axis, of the flattened array. at selects them like an
// index: nd.At(1), nd.Span(2, 5), nd.Pick with indices, or nd.Pick with a bool for every index. It waits for the
// device.
// NumPy: delete.
func Delete(x *nd.Array, at nd.Index, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Delete"
	fn.Check(x)
	given := x
	x, axis := alongOrFlat(fn, x, options.Read(fn, over))
	defer release.Unless(x, given)
	kept := nd.Ones([]int{x.Dim(axis)}, nd.ArrayOptions{DType: dtype.Bool, Device: x.Device()})
	defer kept.Release()
	if mask := at.Picked(); mask != nil && mask.DType().IsBool() && (mask.Rank() != 1 || mask.Dim(0) != x.Dim(axis)) {
		panic(fn.Errorf([]*nd.Array{x, mask}, "want a mask of one axis, with a bool for each of the %d indices", x.Dim(axis)))
	}
	if err := nd.Catch(func() { kept.Assign(nd.Scalar(false), at) }); err != nil {
		var refused *nd.Error
		errors.As(err, &refused)
		panic(fn.Errorf([]*nd.Array{x}, "along axis %d: %s", axis, refused.Msg))
	}
	ix := slices.Repeat([]nd.Index{nd.All()}, axis+1)
	ix[axis] = nd.Pick(kept)
	return x.Index(ix...)
}

// Resize returns the elements of x, flattened, in another shape. It drops elements that do not fit, and repeats them if
// there are too few; an empty x gives zeros. To fill up with zeros, as NumPy's resize method does in place, use
// Concatenate.
// NumPy: resize.
func Resize(x *nd.Array, shape ...int) *nd.Array {
	const fn nd.Func = "ops.Resize"
	fn.Check(x)
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	n, size := broadcast.Size(shape), x.Size()
	if size == 0 || n == 0 {
		return fn.NewFilled(x.DType(), shape, 0, x)
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	times := (n-1)/size + 1
	fn.CheckAllocatable(x.DType(), times, size)
	flat := x.Ravel().BroadcastTo(times, size).Reshape(-1)
	return made.Keep(flat.Index(nd.Until(n)).Reshape(shape...))
}

// Block joins blocks to a block matrix: the blocks in a row along the last axis, and the rows along the axis before it.
// All blocks get the same number of axes by new axes in front: as many as the block with the most has, but at least two.
// NumPy: block (of a list of lists).
func Block(rows [][]*nd.Array) *nd.Array {
	const fn nd.Func = "ops.Block"
	all := slices.Concat(rows...)
	fn.Check(all...)
	rank := 2
	for _, x := range all {
		rank = max(rank, x.Rank())
	}
	joined := make([]*nd.Array, len(rows))
	for i, row := range rows {
		blocks := each(func(x *nd.Array) *nd.Array {
			if x.Rank() == rank {
				return x
			}
			return x.Reshape(append(broadcast.Ones(rank-x.Rank()), x.Shape()...)...)
		}, row)
		joined[i] = concatenate(fn, blocks, JoinOptions{Axis: Over(-1), DType: ufunc.CommonType(all)})
		release.AllUnless(blocks, row)
	}
	if len(joined) == 1 {
		return joined[0]
	}
	return release.Operands(concatenate(fn, joined, JoinOptions{Axis: Over(-2)}), joined...)
}
