package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Partition returns x rearranged along an axis (the last, unless given) so that at each of the positions kth stands what
// a sort would put there, with nothing larger before it and nothing smaller behind it. It sorts, which is more than that
// asks for. Of an array without elements any position will do, as in NumPy. numpy.partition.
func Partition(x *nd.Array, kth []int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Partition"
	return Sort(x, partitionOrder(fn, x, kth, options.Read(fn, over)))
}

// ArgPartition returns the positions (int64) along an axis (the last, unless given) at which Partition finds what it
// returns; an array without axes counts as one of one element. No gradient flows. numpy.argpartition.
func ArgPartition(x *nd.Array, kth []int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.ArgPartition"
	fn.Check(x)
	given := x
	x = AtLeast1D(x)
	defer release.Unless(x, given)
	return ArgSort(x, partitionOrder(fn, x, kth, options.Read(fn, over)))
}

func partitionOrder(fn nd.Func, x *nd.Array, kth []int, over Axes) Axes {
	x, axis := sortable(fn, x, SortOptions{Axis: over})
	for _, k := range kth {
		if _, err := broadcast.Axis(k, x.Dim(axis)); err != nil && x.Size() > 0 {
			panic(fn.Errorf([]*nd.Array{x}, "kth %d is outside axis %d, of length %d", k, axis, x.Dim(axis)))
		}
	}
	return Over(axis)
}
