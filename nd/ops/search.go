package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// SearchOptions are the options of SearchSorted.
type SearchOptions struct {
	// Right finds the last place instead of the first where elements are equal to the value.
	Right bool
}

// SearchSorted returns (int64) for every value the first place in a sorted array at which it could be put in without
// breaking the order; not-a-numbers belong to the end. Of a sorted array of several axes every row is searched for the
// values of the same row. No gradient flows. numpy.searchsorted, nnabla searchsorted.
//
// Shapes: sorted (n) and values (…); or (B…, n) and (B…, m).
func SearchSorted(sorted, values *nd.Array, opts ...SearchOptions) *nd.Array {
	const fn nd.Func = "ops.SearchSorted"
	fn.Check(sorted, values)
	if sorted.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{sorted, values}, "want a sorted array of at least one axis"))
	}
	if values.IsScalar() {
		values = values.Copy()
	}
	rows := sorted.Rank() - 1
	if rows > 0 && (values.Rank() != rows+1 || !broadcast.Equal(values.Shape()[:rows], sorted.Shape()[:rows])) {
		panic(fn.Errorf([]*nd.Array{sorted, values}, "want rows of values for the rows of the sorted array"))
	}
	t := commonType([]*nd.Array{sorted, values})
	row, v := sorted.Detach().AsType(t), values.Detach().AsType(t)
	defer row.Release()
	defer v.Release()
	strides := make([]int, values.Rank())
	copy(strides, row.Strides()[:rows])
	y := fn.NewLike(dtype.Int64, values.Shape(), sorted, values)
	l := fn.Launch(y.Device(), values.Shape())
	l.Right = firstOf(opts).Right
	l.Axes[0] = device.IndexAxis{Stride: row.Strides()[rows], Size: row.Dim(-1)}
	l.Write(y)
	l.ReadStrides(row, strides)
	l.Read(v)
	l.Run(device.Device.SearchSorted)
	return y
}

// Nonzero returns, one array an axis, the positions (int64) in row-major order at which x is not 0. It waits for the
// device. numpy.nonzero, and numpy.where with one argument.
func Nonzero(x *nd.Array) []*nd.Array { return nd.Func("ops.Nonzero").Nonzero(x) }

// FlatNonzero returns the positions (int64) at which the flattened x is not 0. It waits for the device. numpy.flatnonzero.
func FlatNonzero(x *nd.Array) *nd.Array {
	const fn nd.Func = "ops.FlatNonzero"
	fn.Check(x)
	return fn.Nonzero(x.Ravel())[0]
}

// ArgWhere returns the positions (int64) at which x is not 0, a row each. It waits for the device. numpy.argwhere.
func ArgWhere(x *nd.Array) *nd.Array {
	const fn nd.Func = "ops.ArgWhere"
	fn.Check(x)
	if x.Rank() == 0 {
		return nd.Zeros([]int{nd.Value[int](CountNonzero(x)), 0}, nd.ArrayOptions{DType: dtype.Int64, Device: x.Device()})
	}
	return Stack(fn.Nonzero(x), JoinOptions{Axis: 1})
}

// BincountOptions are the options of Bincount.
type BincountOptions struct {
	// Weights are added up in place of ones, as float64; nil counts.
	Weights *nd.Array
	// MinLength is the least length of the result.
	MinLength int
}

// Bincount returns how often each number from 0 to the largest occurs among non-negative integers (int64), or with weights
// what they add up to (float64). Of no numbers it counts, whatever the weights. It waits for the device. numpy.bincount.
func Bincount(x *nd.Array, opts ...BincountOptions) *nd.Array {
	const fn nd.Func = "ops.Bincount"
	fn.Check(x)
	o := firstOf(opts)
	if x.Rank() != 1 || x.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{x}, "want integers on one axis"))
	}
	if o.MinLength < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "minimum length %d: want none below 0", o.MinLength))
	}
	like := nd.ArrayOptions{DType: dtype.Int64, Device: x.Device()}
	if x.Size() == 0 {
		return nd.Zeros([]int{o.MinLength}, like)
	}
	if wide := x.AsType(dtype.Int64); wide != x {
		x = wide
		defer x.Release()
	}
	if least := nd.Value[int64](Min(x)); least < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "negative number %d", least))
	}
	n := max(o.MinLength, nd.Value[int](Max(x))+1)
	weights := fn.NewFilled(dtype.Int64, nil, 1, x)
	if o.Weights != nil {
		fn.Check(x, o.Weights)
		if !broadcast.Equal(o.Weights.Shape(), x.Shape()) {
			panic(fn.Errorf([]*nd.Array{x, o.Weights}, "want a weight for every number"))
		}
		if !dtype.CanCast(o.Weights.DType(), dtype.Float64, dtype.CastSafe) {
			panic(fn.Errorf([]*nd.Array{x, o.Weights}, "want weights of a dtype that float64 holds"))
		}
		like.DType, weights = dtype.Float64, o.Weights.AsType(dtype.Float64)
	}
	return fn.Scatter(device.CombineSum, nd.Zeros([]int{n}, like), []int{0}, 0, []*nd.Array{x}, weights, device.BoundsRaise)
}
