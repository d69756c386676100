package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// AdaptiveAveragePooling returns the means of windows that cover the last axes of x, as many as size says along each, a
// negative number for as many as there are elements. Of n elements, window i of m has those from ⌊i·n/m⌋ to ⌈(i+1)·n/m⌉: lengths
// differ by one, and neighbours may share an element. Integers give floats. torch.nn.functional.adaptive_avg_pool1d,
// torch.nn.functional.adaptive_avg_pool2d, torch.nn.functional.adaptive_avg_pool3d.
//
// Shapes: x (…, L…); the result (…, size…).
func AdaptiveAveragePooling(x *nd.Array, size []int) *nd.Array {
	const fn nd.Func = "conv.AdaptiveAveragePooling"
	a := newAdaptive(fn, argument.Numbers(fn, x), size)
	if kernel := a.even(); kernel != nil {
		return AveragePooling(x, kernel)
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.AsType(dtype.FloatType(x.DType()))
	t := x.DType()
	if t.Size() == 2 {
		x = x.AsType(dtype.Float32)
	}
	met, inside, counts := a.met(made, x)
	sums := ops.Sum(ops.Where(inside, met, nd.Scalar(0)), ops.Over(-1))
	return made.Keep(a.shaped(ops.Divide(sums, counts.AsType(sums.DType()))).AsType(t))
}

// AdaptiveMaxPooling returns the largest elements of windows as in AdaptiveAveragePooling, or a not-a-number where there is one.
// The gradient goes to the first of equal elements. torch.nn.functional.adaptive_max_pool1d,
// torch.nn.functional.adaptive_max_pool2d, torch.nn.functional.adaptive_max_pool3d.
func AdaptiveMaxPooling(x *nd.Array, size []int) *nd.Array {
	const fn nd.Func = "conv.AdaptiveMaxPooling"
	a := newAdaptive(fn, argument.Ordered(fn, x), size)
	if kernel := a.even(); kernel != nil {
		return MaxPooling(x, kernel)
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	met, _, _ := a.met(made, x)
	return made.Keep(a.shaped(ops.Max(met, ops.Over(-1))))
}

// AdaptiveMaxPoolingWithIndex is AdaptiveMaxPooling that also returns (int64) where each of the elements lies, counted in
// row-major order over the axes that are pooled. torch.nn.functional.adaptive_max_pool1d_with_indices,
// torch.nn.functional.adaptive_max_pool2d_with_indices, torch.nn.functional.adaptive_max_pool3d_with_indices.
func AdaptiveMaxPoolingWithIndex(x *nd.Array, size []int) (y, index *nd.Array) {
	const fn nd.Func = "conv.AdaptiveMaxPoolingWithIndex"
	a := newAdaptive(fn, argument.Ordered(fn, x), size)
	made := fn.Temporaries(&x)
	defer made.Release()
	met, _, _ := a.met(made, x)
	at := ops.ArgMax(met.Detach(), ops.Over(-1).KeepDims())
	y = ops.TakeAlongAxis(met, at, -1).Squeeze(-1)
	table := made.Own(nd.FromSliceOn(x.Device(), a.table, append(broadcast.Ones(len(a.batch)), len(a.counts), a.points)...))
	index = ops.TakeAlongAxis(table, at, -1).Squeeze(-1)
	return made.Keep(a.shaped(y)), made.Keep(a.shaped(index))
}

// adaptive is how windows cover the last axes of an array.
type adaptive struct {
	fn          nd.Func
	batch, size []int   // the lengths of the other axes, and how many windows there are
	lengths     []int   // of the axes that are covered
	points      int     // of the largest window
	table       []int64 // the places of the points of each window, the first one for those that it does not have
	counts      []int64 // the points of each window
}

func newAdaptive(fn nd.Func, x *nd.Array, size []int) *adaptive {
	r := len(size)
	if r == 0 || x.Rank() < r {
		panic(fn.Errorf([]*nd.Array{x}, "size %v: want at least one length, and no more than there are axes", size))
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
	fn.CheckRoom(dtype.Int64, a.size...)
	return a
}

// even is the kernel of windows of one length side by side, nil for others.
func (a *adaptive) even() []int {
	kernel := make([]int, len(a.size))
	for k, n := range a.lengths {
		if a.size[k] == 0 || n%a.size[k] != 0 {
			return nil
		}
		kernel[k] = n / a.size[k]
	}
	return kernel
}

// span is which elements of axis k window i has.
func (a *adaptive) span(k, i int) (from, to int) {
	n, m := a.lengths[k], a.size[k]
	return i * n / m, ((i+1)*n + m - 1) / m
}

// list fills in the table of places.
func (a *adaptive) list() {
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
	a.fn.CheckRoom(dtype.Int64, windows, a.points)
	a.table, a.counts = make([]int64, 0, windows*a.points), make([]int64, 0, windows)
	for w := range windows {
		places := []int64{0}
		for k := range a.size {
			i := w / broadcast.Size(a.size[k+1:]) % a.size[k]
			from, to := a.span(k, i)
			var more []int64
			for _, p := range places {
				for at := from; at < to; at++ {
					more = append(more, p*int64(a.lengths[k])+int64(at))
				}
			}
			places = more
		}
		a.counts = append(a.counts, int64(len(places)))
		for len(places) < a.points {
			places = append(places, places[0])
		}
		a.table = append(a.table, places...)
	}
}

// met returns what each window meets of x, (…, windows, points), the first element again where a window has fewer points; where
// a window has points, and how many.
func (a *adaptive) met(made *nd.Temporaries, x *nd.Array) (met, inside, counts *nd.Array) {
	a.list()
	windows := broadcast.Size(a.size)
	places := made.Own(nd.FromSliceOn(x.Device(), a.table, windows, a.points))
	flat := x.Reshape(append(slices.Clone(a.batch), broadcast.Size(a.lengths))...)
	counts = made.Own(nd.FromSliceOn(x.Device(), a.counts, windows))
	point := made.Own(nd.ArangeInt(0, a.points, 1, nd.ArrayOptions{Device: x.Device()}))
	return ops.Take(flat, places, ops.Over(-1)), ops.Less(point, counts.ExpandDims(1)), counts
}

// shaped gives the windows their axes.
func (a *adaptive) shaped(y *nd.Array) *nd.Array {
	return y.Reshape(slices.Concat(a.batch, a.size)...)
}
