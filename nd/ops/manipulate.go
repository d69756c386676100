package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// Tile returns x repeated as a whole, reps[k] times along axis k. The shorter one of shape and reps is padded with ones
// in front.
// NumPy: tile. NNabla: tile. Chainer: tile.
func Tile(x *nd.Array, reps ...int) *nd.Array {
	const fn nd.Func = "ops.Tile"
	fn.Check(x)
	rank := max(x.Rank(), len(reps))
	shape := append(broadcast.Ones(rank-x.Rank()), x.Shape()...)
	reps = append(broadcast.Ones(rank-len(reps)), reps...)
	var split, spread, joined []int
	for k, n := range shape {
		if reps[k] < 0 {
			panic(fn.Errorf([]*nd.Array{x}, "repetitions %v: want at least 0", reps))
		}
		split = append(split, 1, n)
		spread = append(spread, reps[k], n)
		joined = append(joined, broadcast.Product(reps[k], n))
	}
	if 2*rank > nd.MaxRank {
		fn.CheckAllocatable(x.DType(), joined...)
		return tileByAxes(x.Reshape(shape...), reps)
	}
	x = x.Reshape(split...)
	x = release.Replace(x, x.BroadcastTo(spread...))
	return release.Replace(x, x.Reshape(joined...))
}

// tileByAxes is Tile for arrays with too many axes to split each into two.
func tileByAxes(x *nd.Array, reps []int) *nd.Array {
	for k, n := range reps {
		nd.Func("ops.Tile").CheckAllocatable(dtype.Int64, n)
		all := make([]*nd.Array, n)
		for i := range all {
			all[i] = x
		}
		if n == 0 {
			all = []*nd.Array{view.Span(x, k, 0, 0)}
		}
		joined := Concatenate(all, Over(k))
		if n == 0 {
			all[0].Release()
		}
		x = release.Replace(x, joined)
	}
	return x
}

// Repeat returns x with every element repeated n times along an axis; without an axis, of the flattened array.
// NumPy: repeat. PyTorch: repeat_interleave.
func Repeat(x *nd.Array, n int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Repeat"
	fn.Check(x)
	if n < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d repetitions: want at least 0", n))
	}
	given := x
	x, axis := flatOr(fn, x, options.Read(fn, over))
	defer release.Unless(x, given)
	shape := x.Shape()
	spread := append(append(append([]int{}, shape[:axis+1]...), n), shape[axis+1:]...)
	shape[axis] = broadcast.Product(shape[axis], n)
	y := x.ExpandDims(axis + 1)
	y = release.Replace(y, y.BroadcastTo(spread...))
	return release.Replace(y, y.Reshape(shape...))
}

// RepeatEach is Repeat with a count for every index of the axis; a single count applies to all.
// NumPy: repeat (with a list). PyTorch: repeat_interleave (with a number for each).
func RepeatEach(x *nd.Array, counts []int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.RepeatEach"
	fn.Check(x)
	if len(counts) == 1 {
		return Repeat(x, counts[0], over...)
	}
	given := x
	x, axis := flatOr(fn, x, options.Read(fn, over))
	defer release.Unless(x, given)
	if len(counts) != x.Dim(axis) {
		panic(fn.Errorf([]*nd.Array{x}, "%d counts for an axis of length %d", len(counts), x.Dim(axis)))
	}
	for _, n := range counts {
		if n < 0 {
			panic(fn.Errorf([]*nd.Array{x}, "%d repetitions: want at least 0", n))
		}
	}
	total := broadcast.Sum(counts...)
	fn.CheckAllocatable(dtype.Int64, total)
	from := make([]int, total)
	next := 0
	for k, n := range counts {
		for range n {
			from[next] = k
			next++
		}
	}
	return takeFrom(fn, x, axis, from)
}

// takeFrom gathers indices along an axis that are known on the host.
func takeFrom(fn nd.Func, x *nd.Array, axis int, positions []int) *nd.Array {
	indices := nd.FromSliceOn(x.Device(), positions)
	defer indices.Release()
	return fn.Gather(x, []int{axis}, axis, []*nd.Array{indices}, device.BoundsRaise)
}

// flatOr resolves an axis; without one it flattens x. A 0-d array counts as a vector of one element, as in NumPy.
func flatOr(fn nd.Func, x *nd.Array, over Axes) (*nd.Array, int) {
	if over != nil {
		x = AtLeast1D(x)
	}
	return alongOrFlat(fn, x, over)
}

// Rot90 returns a view of x rotated by k·90 degrees in a plane, from its first axis towards its second; by default the
// plane of axes 0 and 1.
// NumPy: rot90.
func Rot90(x *nd.Array, k int, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Rot90"
	fn.Check(x)
	plane := options.Read(fn, over)
	if plane == nil {
		plane = []int{0, 1}
	}
	axes, err := broadcast.Axes(plane, x.Rank())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	if len(axes) != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "%d axes: want two", len(axes)))
	}
	switch (k%4 + 4) % 4 {
	case 1:
		y := x.Flip(axes[1])
		return release.Replace(y, y.SwapAxes(axes[0], axes[1]))
	case 2:
		return x.Flip(axes...)
	case 3:
		y := x.SwapAxes(axes[0], axes[1])
		return release.Replace(y, y.Flip(axes[1]))
	}
	return x
}

// FlipLR returns a view of x with its columns (axis 1) in reverse order.
// NumPy: fliplr. Chainer: fliplr.
func FlipLR(x *nd.Array) *nd.Array { return flipped("ops.FlipLR", x, 1) }

// FlipUD returns a view of x with its rows (axis 0) in reverse order.
// NumPy: flipud. Chainer: flipud.
func FlipUD(x *nd.Array) *nd.Array { return flipped("ops.FlipUD", x, 0) }

func flipped(fn nd.Func, x *nd.Array, axis int) *nd.Array {
	fn.Check(x)
	if x.Rank() <= axis {
		panic(fn.Errorf([]*nd.Array{x}, "want at least %d axes", axis+1))
	}
	return x.Flip(axis)
}
