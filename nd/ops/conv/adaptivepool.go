package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// AdaptiveAveragePooling returns the means of windows that cover the last axes of x. size gives the number of windows
// along each axis; a negative number means the length of the axis. One number stands for all axes after the first two, as in
// MaxPooling. Along an axis of n elements, window i of m holds the
// elements from ⌊i·n/m⌋ up to ⌈(i+1)·n/m⌉, exclusive: lengths differ by at most one, and neighbours may share an
// element. Integers give floats.
//
// Shapes: x (…, L…); the result (…, size…).
// PyTorch: nn.functional.adaptive_avg_pool1d, nn.functional.adaptive_avg_pool2d, nn.functional.adaptive_avg_pool3d.
func AdaptiveAveragePooling(x *nd.Array, size []int) *nd.Array {
	const fn nd.Func = "conv.AdaptiveAveragePooling"
	a := newAdaptive(fn, argument.Numbers(fn, x), size)
	if kernel := a.evenKernel(); kernel != nil {
		return fn.Made(AveragePooling(x, kernel))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.AsType(dtype.FloatType(x.DType()))
	t := x.DType()
	if t.Size() == 2 {
		x = x.AsType(dtype.Float32)
	}
	met, inside, counts := a.windowed(made, x)
	sums := ops.Sum(ops.Where(inside, met, 0), ops.Over(-1))
	return made.Keep(a.withWindowAxes(ops.Divide(sums, counts.AsType(sums.DType()))).AsType(t))
}

// AdaptiveMaxPooling returns the largest elements of windows as in AdaptiveAveragePooling, or NaN for a window that has
// one. At a tie the gradient goes to the first of the equal elements.
// PyTorch: nn.functional.adaptive_max_pool1d, nn.functional.adaptive_max_pool2d, nn.functional.adaptive_max_pool3d.
func AdaptiveMaxPooling(x *nd.Array, size []int) *nd.Array {
	const fn nd.Func = "conv.AdaptiveMaxPooling"
	a := newAdaptive(fn, argument.Ordered(fn, x), size)
	if kernel := a.evenKernel(); kernel != nil {
		return MaxPooling(x, kernel)
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	met, _, _ := a.windowed(made, x)
	return made.Keep(a.withWindowAxes(ops.Max(met, ops.Over(-1))))
}

// AdaptiveMaxPoolingWithIndex is AdaptiveMaxPooling that also returns the index (int64) of each of the elements,
// counted in row-major order over the pooled axes.
// PyTorch: nn.functional.adaptive_max_pool1d_with_indices, nn.functional.adaptive_max_pool2d_with_indices,
// nn.functional.adaptive_max_pool3d_with_indices.
func AdaptiveMaxPoolingWithIndex(x *nd.Array, size []int) (y, index *nd.Array) {
	const fn nd.Func = "conv.AdaptiveMaxPoolingWithIndex"
	a := newAdaptive(fn, argument.Ordered(fn, x), size)
	made := fn.Temporaries(&x)
	defer made.Release()
	met, _, _ := a.windowed(made, x)
	at := ops.ArgMax(met.Detach(), ops.Over(-1).KeepDims())
	y = ops.TakeAlongAxis(met, at, ops.Over(-1)).Squeeze(-1)
	table := made.Own(nd.FromSliceOn(x.Device(), a.table, append(broadcast.Ones(len(a.batch)), len(a.counts), a.points)...))
	index = ops.TakeAlongAxis(table, at, ops.Over(-1)).Squeeze(-1)
	return made.Keep(a.withWindowAxes(y)), made.Keep(a.withWindowAxes(index))
}

// adaptive says which windows cover the last axes of an array.
type adaptive struct {
	fn          nd.Func
	batch, size []int   // the lengths of the other axes, and the numbers of windows
	lengths     []int   // of the pooled axes
	points      int     // in the largest window
	table       []int64 // the indices of the points of each window, filled up with the first index
	counts      []int64 // the number of points of each window
}

func newAdaptive(fn nd.Func, x *nd.Array, size []int) *adaptive {
	size = kernelOf(x, size)
	r := len(size)
	if r == 0 || x.Rank() < r {
		panic(fn.Errorf([]*nd.Array{x}, "size %v: want at least one length, and at most one per axis", size))
	}
	shape := x.Shape()
	a := &adaptive{fn: fn, batch: shape[:x.Rank()-r], lengths: shape[x.Rank()-r:], size: slices.Clone(size)}
	for k, n := range a.lengths {
		if size[k] < 0 {
			a.size[k] = n
		}
		if n == 0 && a.size[k] > 0 {
			panic(fn.Errorf([]*nd.Array{x}, "size %v: axis %d has no elements", size, x.Rank()-r+k))
		}
	}
	fn.CheckAllocatable(dtype.Int64, a.size...)
	return a
}

// evenKernel returns the window's lengths if all windows have equal lengths and do not overlap, else nil.
func (a *adaptive) evenKernel() []int {
	kernel := make([]int, len(a.size))
	for k, n := range a.lengths {
		if a.size[k] == 0 || n%a.size[k] != 0 {
			return nil
		}
		kernel[k] = n / a.size[k]
	}
	return kernel
}

// span returns the range of elements along axis k that window i covers.
func (a *adaptive) span(k, i int) (from, to int) {
	n, m := a.lengths[k], a.size[k]
	return i * n / m, ((i+1)*n + m - 1) / m
}

// fillTable fills the table of indices.
func (a *adaptive) fillTable() {
	a.points = 1
	for k, m := range a.size {
		longest := 0
		for i := range m {
			from, to := a.span(k, i)
			longest = max(longest, to-from)
		}
		a.points *= longest
	}
	windows := broadcast.Size(a.size)
	a.fn.CheckAllocatable(dtype.Int64, windows, a.points)
	a.table, a.counts = make([]int64, 0, windows*a.points), make([]int64, 0, windows)
	for w := range windows {
		indices := []int64{0}
		for k := range a.size {
			i := w / broadcast.Size(a.size[k+1:]) % a.size[k]
			from, to := a.span(k, i)
			var more []int64
			for _, p := range indices {
				for at := from; at < to; at++ {
					more = append(more, p*int64(a.lengths[k])+int64(at))
				}
			}
			indices = more
		}
		a.counts = append(a.counts, int64(len(indices)))
		for len(indices) < a.points {
			indices = append(indices, indices[0])
		}
		a.table = append(a.table, indices...)
	}
}

// windowed returns three arrays: the elements of x in each window, (…, windows, points), where a window with fewer points
// repeats its first element; a mask of the points that a window really has; and the number of these points.
func (a *adaptive) windowed(made *nd.Temporaries, x *nd.Array) (met, inside, counts *nd.Array) {
	a.fillTable()
	windows := broadcast.Size(a.size)
	indices := made.Own(nd.FromSliceOn(x.Device(), a.table, windows, a.points))
	flat := x.Reshape(append(slices.Clone(a.batch), broadcast.Size(a.lengths))...)
	counts = made.Own(nd.FromSliceOn(x.Device(), a.counts, windows))
	point := made.Own(nd.ArangeInt(0, a.points, 1, nd.ArrayOptions{Device: x.Device()}))
	return ops.Take(flat, indices, ops.Over(-1)), ops.Less(point, counts.ExpandDims(1)), counts
}

// withWindowAxes replaces the axis of windows with one axis for each pooled axis.
func (a *adaptive) withWindowAxes(y *nd.Array) *nd.Array {
	return y.Reshape(slices.Concat(a.batch, a.size)...)
}
