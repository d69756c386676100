package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// FractionalMaxPooling returns the largest elements of windows of the kernel's shape, at random distances, or NaN for a
// window that has one. size gives the number of windows along each pooled axis; they are the last axes of x, and one
// number stands for all axes after the first two, as in MaxPooling. Along an axis of n elements, window i of m begins at
// ⌊(i + u)·a⌋ - ⌊u·a⌋ with a = (n - kernel)/(m - 1), and the last one at n - kernel. The numbers u, one for each pooled axis
// of each channel of each example, are samples from 0 to 1, such as random.Uniform(rng, 0, 1, shape) draws. No gradient
// flows to them. At a tie the gradient goes to the first of the equal elements.
//
// Shapes: x (…, L…), samples (…, pooled axes), which broadcast; the result (…, size…). m + kernel - 1 must be at most n.
//
// Source: B. Graham, Fractional max-pooling, 2014.
// PyTorch: nn.functional.fractional_max_pool2d, nn.functional.fractional_max_pool3d.
func FractionalMaxPooling(x, samples *nd.Array, kernel, size []int) *nd.Array {
	const fn nd.Func = "conv.FractionalMaxPooling"
	f := newFractional(fn, argument.Ordered(fn, x), samples, kernel, size)
	made := fn.Temporaries(&x, &samples)
	defer made.Release()
	met, _ := f.windowed(made, x, samples)
	return made.Keep(f.withWindowAxes(ops.Max(met, ops.Over(-1))))
}

// FractionalMaxPoolingWithIndex is FractionalMaxPooling that also returns the index (int64) of each of the elements,
// counted in row-major order over the pooled axes.
// PyTorch: nn.functional.fractional_max_pool2d_with_indices, nn.functional.fractional_max_pool3d_with_indices.
func FractionalMaxPoolingWithIndex(x, samples *nd.Array, kernel, size []int) (y, index *nd.Array) {
	const fn nd.Func = "conv.FractionalMaxPoolingWithIndex"
	f := newFractional(fn, argument.Ordered(fn, x), samples, kernel, size)
	made := fn.Temporaries(&x, &samples)
	defer made.Release()
	met, indices := f.windowed(made, x, samples)
	at := ops.ArgMax(met.Detach(), ops.Over(-1).KeepDims())
	y = ops.TakeAlongAxis(met, at, ops.Over(-1)).Squeeze(-1)
	index = ops.TakeAlongAxis(indices, at, ops.Over(-1)).Squeeze(-1)
	return made.Keep(f.withWindowAxes(y)), made.Keep(f.withWindowAxes(index))
}

// fractional says how many windows of which shape lie on the last axes of an array.
type fractional struct {
	batch, lengths []int // the lengths of the other axes, and of the pooled ones
	kernel, size   []int
}

func newFractional(fn nd.Func, x, samples *nd.Array, kernel, size []int) *fractional {
	fn.Check(x, samples)
	given := []*nd.Array{x, samples}
	kernel, size = kernelOf(x, kernel), kernelOf(x, size)
	r := len(kernel)
	if r == 0 || x.Rank() < r || len(size) != r {
		panic(fn.Errorf(given, "kernel %v and size %v: want as many numbers, at least one, and at most one per axis", kernel, size))
	}
	shape := x.Shape()
	f := &fractional{batch: shape[:x.Rank()-r], lengths: shape[x.Rank()-r:], kernel: kernel, size: size}
	for k, n := range f.lengths {
		if kernel[k] < 1 || size[k] < 1 || broadcast.Sum(size[k], kernel[k]-1) > n {
			panic(fn.Errorf(given, "%d windows of %d elements do not fit into axis %d, of length %d", size[k], kernel[k], x.Rank()-r+k, n))
		}
	}
	want := append(slices.Clone(f.batch), r)
	if _, err := samples.Layout().BroadcastTo(want); err != nil || samples.IsScalar() || !samples.DType().IsFloat() {
		panic(fn.Errorf(given, "want samples of a float dtype, which broadcast to shape %s", broadcast.FormatShape(want)))
	}
	fn.CheckAllocatable(dtype.Int64, slices.Concat(f.batch, size, kernel)...)
	return f
}

// starts returns the first indices of the windows along the k-th pooled axis, as an array (…, windows).
func (f *fractional) starts(made *nd.Temporaries, samples *nd.Array, k int) *nd.Array {
	u := samples.Index(nd.Ellipsis(), nd.Span(k, k+1))
	last := f.lengths[k] - f.kernel[k]
	end := made.Own(nd.Full(append(slices.Clone(f.batch), 1), last, nd.ArrayOptions{DType: dtype.Int64, Device: samples.Device()}))
	if f.size[k] == 1 {
		return end
	}
	distance := made.Own(made.Own(nd.Full(nil, float64(last)/float64(f.size[k]-1), nd.ArrayOptions{Device: samples.Device()})).AsType(samples.DType()))
	window := made.Own(nd.ArangeInt(0, f.size[k]-1, 1, nd.ArrayOptions{DType: samples.DType(), Device: samples.Device()}))
	at := ops.Subtract(ops.Floor(ops.Multiply(ops.Add(window, u), distance)), ops.Floor(ops.Multiply(u, distance)))
	return ops.Concatenate([]*nd.Array{ops.Clip(at.AsType(dtype.Int64), 0, last), end}, ops.Over(-1))
}

// windowed returns the elements of x in each window, (…, windows, points), and their indices.
func (f *fractional) windowed(made *nd.Temporaries, x, samples *nd.Array) (met, indices *nd.Array) {
	r := len(f.kernel)
	samples = samples.Detach()
	if samples.DType().Size() == 2 {
		samples = samples.AsType(dtype.Float32)
	}
	samples = samples.BroadcastTo(append(slices.Clone(f.batch), r)...)
	for k := range r {
		shape := append(slices.Clone(f.batch), broadcast.Ones(2*r)...)
		shape[len(f.batch)+k] = f.size[k]
		along := f.starts(made, samples, k).Reshape(shape...)
		inside := broadcast.Ones(2 * r)
		inside[r+k] = f.kernel[k]
		point := made.Own(nd.ArangeInt(0, f.kernel[k], 1, nd.ArrayOptions{Device: x.Device()})).Reshape(inside...)
		along = ops.Multiply(ops.Add(along, point), broadcast.Size(f.lengths[k+1:]))
		if indices == nil {
			indices = along
		} else {
			indices = ops.Add(indices, along)
		}
	}
	windows, points := broadcast.Size(f.size), broadcast.Size(f.kernel)
	flat := x.Reshape(append(slices.Clone(f.batch), broadcast.Size(f.lengths))...)
	met = ops.TakeAlongAxis(flat, indices.Reshape(append(slices.Clone(f.batch), windows*points)...), ops.Over(-1))
	shape := append(slices.Clone(f.batch), windows, points)
	return met.Reshape(shape...), indices.Reshape(shape...)
}

// withWindowAxes replaces the axis of windows with one axis for each pooled axis.
func (f *fractional) withWindowAxes(y *nd.Array) *nd.Array {
	return y.Reshape(slices.Concat(f.batch, f.size)...)
}
