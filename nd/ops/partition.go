package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Partition returns x rearranged along an axis (the default is the last). At each of the indices kth, the result holds
// the element that a sort would put there, with nothing larger before it and nothing smaller after it. The order of the other
// elements is not defined, but the same for equal rows. An empty array accepts any kth, as in NumPy.
// NumPy: partition.
func Partition(x *nd.Array, kth []int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Partition"
	order := partitionOrder(fn, x, kth, options.Read(fn, over))
	if len(kth) != 1 || x.Size() == 0 || ufunc.Recorded(x) {
		return fn.Made(Sort(x, order))
	}
	y := fn.NewLike(x.DType(), x.Shape(), x)
	partitionInto(fn, y, nil, x, order[0], kth[0])
	return y
}

// partitionInto runs the kernel; either y or at may be nil.
func partitionInto(fn nd.Func, y, at, x *nd.Array, axis, k int) {
	l := rowSort(fn, y, at, x, axis)
	l.Partition, l.From = true, (k+x.Dim(axis))%x.Dim(axis)
	l.Run(device.Device.Sort)
}

// ArgPartition returns indices (int64) along an axis (the default is the last) that put x into the order of a partition: at each of the indices kth
// is the index of the element that a sort would put there, with no larger element before it and no smaller one after it. The order of
// the other indices is not defined. A 0-d array counts as an array of one element. No gradient flows. For a long row and one kth,
// ArgPartition waits for the device.
// NumPy: argpartition.
func ArgPartition(x *nd.Array, kth []int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.ArgPartition"
	fn.Check(x)
	given := x
	x = AtLeast1D(x)
	defer release.Unless(x, given)
	order := partitionOrder(fn, x, kth, options.Read(fn, over))
	if x.Rank() == 1 && x.Size() >= selectedLen && len(kth) == 1 && !x.DType().IsComplex() && !x.Links() {
		return indicesAround(fn, x, (kth[0]+x.Size())%x.Size())
	}
	if len(kth) != 1 || x.Size() == 0 || x.Links() {
		return fn.Made(ArgSort(x, order))
	}
	at := fn.NewLike(dtype.Int64, x.Shape(), x)
	partitionInto(fn, nil, at, x, order[0], kth[0])
	return at
}

// selectedLen is the number of elements from which finding one element and comparing all others with it takes less time than a
// sort.
const selectedLen = 1 << 14

// indicesAround returns the indices of the elements of a row less than element k of the sorted row, then of those equal to it, then of
// the others. NaN is the largest.
func indicesAround(fn nd.Func, x *nd.Array, k int) *nd.Array {
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.Detach()
	pivot := sortedSpan(fn, x.Reshape(1, x.Size()), k, k+1).Reshape(1)
	less, same := comparedWith.CallTwo(ufunc.PairOptions{}, x, pivot)
	more := LogicalNot(LogicalOr(less, same))
	at, found := fn.NewLike(dtype.Int64, x.Shape(), x), 0
	for _, part := range []*nd.Array{less, same, more} {
		l := fn.Launch(x.Device(), x.Shape())
		l.WriteStrides(at, []int{0})
		l.Operands[0].Offset += found
		l.Read(part)
		found += l.RunCount(device.Device.Nonzero)
	}
	return made.Keep(at)
}

// comparedWith says whether numbers are less than a pivot, and whether they are equal to it, in the order of a sort.
var comparedWith = ufunc.Definition{Fn: "ops.ArgPartition", In: "T x, T pivot", Out: "bool, bool",
	Body: "last = pivot != pivot && x == x; y = x < pivot || last; z = x == pivot || pivot != pivot && x != x"}

func partitionOrder(fn nd.Func, x *nd.Array, kth []int, over Axes) Axes {
	x, axis := sortable(fn, x, SortOptions{Axis: over})
	for _, k := range kth {
		if _, err := broadcast.Axis(k, x.Dim(axis)); err != nil && x.Size() > 0 {
			panic(fn.Errorf([]*nd.Array{x}, "kth %d is outside axis %d, of length %d", k, axis, x.Dim(axis)))
		}
	}
	return Over(axis)
}
