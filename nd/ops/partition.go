package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Partition returns x rearranged along an axis (the default is the last). At each of the indices kth, the result holds
// the element that a sort would put there, with nothing larger before it and nothing smaller after it. Partition sorts,
// which gives more than this guarantee. An empty array accepts any kth, as in NumPy.
// NumPy: partition.
func Partition(x *nd.Array, kth []int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Partition"
	return fn.Made(Sort(x, partitionOrder(fn, x, kth, options.Read(fn, over))))
}

// ArgPartition returns the indices (int64) along an axis (the default is the last) at which Partition finds the
// elements that it returns. A 0-d array counts as an array of one element. No gradient flows.
// NumPy: argpartition.
func ArgPartition(x *nd.Array, kth []int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.ArgPartition"
	fn.Check(x)
	given := x
	x = AtLeast1D(x)
	defer release.Unless(x, given)
	return fn.Made(ArgSort(x, partitionOrder(fn, x, kth, options.Read(fn, over))))
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
